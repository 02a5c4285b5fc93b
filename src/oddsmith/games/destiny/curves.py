"""A curve says how odds change while one skill of one character grows, level by level, all else left as it is."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, nearest
from oddsmith.games.destiny import odds as exact
from oddsmith.games.destiny.asking import Aim, Asked, Who, brought_by, character_of, target_of
from oddsmith.games.destiny.model import Degree, Side
from oddsmith.games.destiny.outcomes import Target
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.scoring import NOTHING
from oddsmith.points import Points
from oddsmith.questions import Share

__all__ = [
    "CheckCurveQuestion",
    "CheckCurveReply",
    "CheckPoint",
    "ContestCurveQuestion",
    "ContestCurveReply",
    "ContestPoint",
    "check_curve",
    "contest_curve",
]

MOST_POINTS: Final = 101

Levels: TypeAlias = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=1000)], ...], Meta(min_length=1, max_length=MOST_POINTS)
]
"""Levels of a skill; 0 is to be without it."""
SkillName: TypeAlias = Annotated[str, Meta(max_length=40)]


class CheckCurveQuestion(Asked, frozen=True, kw_only=True, tag="check_curve"):
    """Which odds a check has at each level of a skill."""

    character: Who
    target: Aim
    skill: SkillName
    levels: Levels


class ContestCurveQuestion(Asked, frozen=True, kw_only=True, tag="contest_curve"):
    """Which odds a contest has at each level of a skill of one side."""

    attacker: Who
    defender: Who
    defense_bonus: Points = NOTHING
    side: Side = Side.ATTACKER
    skill: SkillName
    levels: Levels


class CheckPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The hands that meet a target to each degree at a level of the skill, of `total` hands."""

    level: int
    degrees: Mapping[Degree, int]
    total: int
    success: Share


class CheckCurveReply(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of a check, level by level, in the order in which levels were asked for."""

    target: Target
    skill: str
    points: tuple[CheckPoint, ...]


class ContestPoint(msgspec.Struct, frozen=True, kw_only=True):
    """In how many of all pairs of draws the attacker wins at a level of the skill."""

    level: int
    attacker_wins: Share
    attacker_exact: Fraction


class ContestCurveReply(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of a contest, level by level, in the order in which levels were asked for."""

    side: Side
    skill: str
    points: tuple[ContestPoint, ...]


def check_curve(asked: CheckCurveQuestion, rules: Rules) -> CheckCurveReply:
    """Count, at each level, the hands that meet a target.

    >>> rose = CheckCurveQuestion(character="calamity_rose", target="bank_robbery", skill="lockpicking", levels=(0, 50))
    >>> [point.success.count for point in check_curve(rose, Rules()).points]
    [6267, 264030]
    """
    aim, given = target_of(asked.target, rules), character_of(asked.character, rules)
    points = []
    for level in asked.levels:
        brought = brought_by(_at_level(given, asked.skill, level, rules), rules, asked.at)
        degrees = exact.degree_odds(brought, aim.threshold, rules)
        met = sum(degrees.weight(degree) for degree in Degree if degree.succeeded)
        points.append(
            CheckPoint(
                level=level,
                degrees={degree: degrees.weight(degree) for degree in Degree},
                total=degrees.total,
                success=Share.of(met, degrees.total),
            )
        )
    return CheckCurveReply(target=aim, skill=asked.skill, points=tuple(points))


def contest_curve(asked: ContestCurveQuestion, rules: Rules) -> ContestCurveReply:
    """Count, at each level, the pairs of draws that the attacker wins.

    >>> duel = ContestCurveQuestion(attacker="iron_jack", defender="greenhorn", skill="brawling", levels=(0, 100))
    >>> [round(point.attacker_wins.chance, 3) for point in contest_curve(duel, Rules()).points]
    [0.889, 0.902]
    """
    characters = {
        Side.ATTACKER: character_of(asked.attacker, rules),
        Side.DEFENDER: character_of(asked.defender, rules),
    }
    points = []
    for level in asked.levels:
        sides = characters | {asked.side: _at_level(characters[asked.side], asked.skill, level, rules)}
        result = exact.contest_odds(
            brought_by(sides[Side.ATTACKER], rules, asked.at),
            brought_by(sides[Side.DEFENDER], rules, asked.at, asked.defense_bonus),
            rules,
        )
        points.append(
            ContestPoint(
                level=level,
                attacker_wins=Share.of(result.attacker, result.total),
                attacker_exact=result.chance(Side.ATTACKER),
            )
        )
    return ContestCurveReply(side=asked.side, skill=asked.skill, points=tuple(points))


def _at_level(character: Character, skill: str, level: int, rules: Rules) -> Character:
    """Return a character with a skill at a level, or without it; a level that no skill has is refused with its sheet."""
    if skill not in rules.skills:
        raise InputError(
            "unknown_skill", f"unknown skill '{skill}'{nearest(skill, rules.skills)}", where="skill"
        )
    others = {name: own for name, own in character.skills.items() if name != skill}
    return msgspec.structs.replace(character, skills=others | ({skill: level} if level else {}))
