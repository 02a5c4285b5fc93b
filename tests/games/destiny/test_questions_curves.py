"""Odds level by level: each point of a curve is the answer to the same question with that level on the sheet."""

from typing import Any

import pytest

from oddsmith import wire
from oddsmith.chance import System
from oddsmith.errors import InputError
from oddsmith.games.destiny.questions import QUESTIONS
from oddsmith.games.destiny.rules import DEFAULT

LEVELS = (0, 1, 5, 50, 100)


def ask(kind: str, **asked: object) -> Any:  # noqa: ANN401  any reply
    """Ask for odds over JSON."""
    request = wire.from_json(wire.to_json({"type": kind, **asked}), QUESTIONS.odds.request)
    return QUESTIONS.odds.answer(request, System())


def sheet(name: str, skill: str, level: int) -> dict[str, Any]:
    """Return an outlaw's sheet with a skill at a level, or without it."""
    given: dict[str, Any] = wire.builtins(DEFAULT.outlaws[name])
    skills = {known: own for known, own in given["skills"].items() if known != skill}
    return given | {"skills": skills | ({skill: level} if level else {})}


@pytest.mark.parametrize("skill", ["lockpicking", "stealth", "horse_riding"])
def test_7_a_check_is_counted_at_each_level(skill: str) -> None:
    """A skill that grows, one that the outlaw has besides, and one that it never learned."""
    found = ask("check_curve", character="calamity_rose", target="bank_robbery", skill=skill, levels=LEVELS)
    alone = [
        ask("check", character=sheet("calamity_rose", skill, level), target="bank_robbery")
        for level in LEVELS
    ]

    assert [(one.degrees, one.total, one.success) for one in alone] == [
        (point.degrees, point.total, point.success) for point in found.points
    ]
    assert LEVELS == tuple(point.level for point in found.points)
    assert (alone[0].target, skill) == (found.target, found.skill)


@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_8_a_contest_is_counted_at_each_level(side: str) -> None:
    """Of whichever side grows, with the defender's bonus, at a second of buffs."""
    names = {"attacker": "iron_jack", "defender": "doc_silas"}
    asked = {"defense_bonus": 12.5, "at": 60}
    found = ask("contest_curve", **names, **asked, side=side, skill="brawling", levels=LEVELS)
    alone = [
        ask("contest", **(names | {side: sheet(names[side], "brawling", level)}), **asked) for level in LEVELS
    ]

    assert [(one.attacker_wins, one.attacker_exact) for one in alone] == [
        (point.attacker_wins, point.attacker_exact) for point in found.points
    ]
    assert (side, "brawling") == (found.side, found.skill)


def test_4_a_higher_level_is_never_worse() -> None:
    """Success rises with the skill; a defender's skill lowers the attacker's chance."""
    levels = tuple(range(0, 101, 10))
    check = ask("check_curve", character="greenhorn", target=150, skill="mining", levels=levels)
    contest = ask(
        "contest_curve",
        attacker="greenhorn",
        defender="greenhorn",
        side="defender",
        skill="mining",
        levels=levels,
    )
    met, won = (
        [point.success.count for point in check.points],
        [point.attacker_exact for point in contest.points],
    )

    assert sorted(met) == met
    assert sorted(won, reverse=True) == won


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        ({"skill": "gunfighting"}, "unknown_skill", "skill"),
        ({"levels": [101]}, "level_out_of_range", "skills.mining"),
        ({"character": "nobody"}, "unknown_character", None),
        ({"target": "tea_party"}, "unknown_target", None),
        ({"levels": []}, "bad_json", None),
        ({"levels": [-1]}, "bad_json", None),
        ({"levels": [1] * 102}, "bad_json", None),
    ],
    ids=str,
)
def test_a_curve_that_cannot_be_is_refused(change: dict[str, Any], code: str, where: str | None) -> None:
    """Unknown names, levels that no skill has, too many of them."""
    asked = {"character": "greenhorn", "target": 150, "skill": "mining", "levels": [1]}
    with pytest.raises(InputError) as refused:
        ask("check_curve", **(asked | change))

    assert (code, where) == (refused.value.refusal.code, refused.value.refusal.where)
