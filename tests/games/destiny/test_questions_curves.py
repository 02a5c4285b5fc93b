"""Curves over levels: each point is the reply to the same question with that level."""

from collections.abc import Sequence
from typing import Any

import pytest

from oddsmith import wire
from oddsmith.errors import InputError
from oddsmith.games.destiny.questions.checks import ODDS
from oddsmith.games.destiny.questions.contests import VERSUS
from oddsmith.games.destiny.rules import DEFAULT
from oddsmith.question_variants import CurveReply, curve_of
from tests.games.destiny.builders import ask

LEVELS = (None, 1, 5, 50, 100)
"""Levels of a skill, and None for its absence."""


def outlaw_with_level(name: str, skill: str, level: int | None) -> dict[str, Any]:
    """Return an outlaw as an object with a skill at a level, or without it."""
    given: dict[str, Any] = wire.to_builtins(DEFAULT.outlaws[name])
    skills = {known: own for known, own in given["skills"].items() if known != skill}
    return given | {"skills": skills | ({skill: level} if level else {})}


def check_curve(skill: str, levels: Sequence[int | None], **check: object) -> CurveReply:
    """Return the odds of a check at each level of a skill."""
    paths = ("degrees", "success")
    return ask(curve_of(ODDS), ask=check, over=f"character.skills.{skill}", values=levels, read=paths)


def contest_curve(side: str, skill: str, levels: Sequence[int | None], **contest: object) -> CurveReply:
    """Return the odds of a contest at each level of a skill of one side."""
    paths = ("attacker_wins", "attacker_exact")
    return ask(curve_of(VERSUS), ask=contest, over=f"{side}.skills.{skill}", values=levels, read=paths)


@pytest.mark.parametrize("skill", ["lockpicking", "stealth", "horse_riding"])
def test_7_a_check_is_counted_at_each_level(skill: str) -> None:
    """A skill that changes, one that the outlaw has already, and one that it lacks."""
    found = check_curve(skill, LEVELS, character="calamity_rose", target="bank_robbery")
    alone = [
        ask(ODDS, character=outlaw_with_level("calamity_rose", skill, level), target="bank_robbery")
        for level in LEVELS
    ]

    assert [{"degrees": one.degrees, "success": one.success} for one in alone] == [
        point.reply for point in found.points
    ]
    assert [one.total for one in alone] == [point.reply["success"].total for point in found.points]
    assert LEVELS == tuple(point.at for point in found.points)
    assert f"character.skills.{skill}" == found.over


@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_8_a_contest_is_counted_at_each_level(side: str) -> None:
    """Either side may change, with the defender's bonus, at a second with buffs."""
    names = {"attacker": "iron_jack", "defender": "doc_silas"}
    fields: dict[str, Any] = {"defense_bonus": 12.5, "at": 60}
    found = contest_curve(side, "brawling", LEVELS, **names, **fields)
    alone = [
        ask(VERSUS, **(names | {side: outlaw_with_level(names[side], "brawling", level)}), **fields)
        for level in LEVELS
    ]

    assert [{"attacker_wins": one.attacker_wins, "attacker_exact": one.attacker_exact} for one in alone] == [
        point.reply for point in found.points
    ]
    assert f"{side}.skills.brawling" == found.over


def test_4_a_higher_level_is_never_worse() -> None:
    """Success rises with the skill; a defender's skill lowers the attacker's chance."""
    levels = (None, *range(10, 101, 10))
    check = check_curve("mining", levels, character="greenhorn", target=150)
    contest = contest_curve("defender", "mining", levels, attacker="greenhorn", defender="greenhorn")
    met = [point.reply["success"].count for point in check.points]
    won = [point.reply["attacker_exact"] for point in contest.points]

    assert sorted(met) == met
    assert sorted(won, reverse=True) == won


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        ({"skill": "gunfighting"}, "unknown_skill", "skills"),
        ({"levels": [101]}, "level_out_of_range", "skills.mining"),
        ({"character": "nobody"}, "unknown_name", None),
        ({"target": "tea_party"}, "unknown_target", None),
        ({"levels": []}, "bad_json", "values"),
        ({"levels": [-1]}, "level_out_of_range", "skills.mining"),
        ({"levels": [1] * 102}, "bad_json", "values"),
    ],
    ids=str,
)
def test_an_invalid_curve_is_refused(change: dict[str, Any], code: str, where: str | None) -> None:
    """Unknown names, levels out of range, too many of them."""
    fields: dict[str, Any] = {"character": "greenhorn", "target": 150, "skill": "mining", "levels": [1]}
    with pytest.raises(InputError) as refused:
        check_curve(**(fields | change))

    assert (code, where) == (refused.value.refusal.code, refused.value.refusal.where)
