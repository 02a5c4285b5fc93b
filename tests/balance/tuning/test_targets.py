"""Targets files are parsed as a whole and refused before any work where they are invalid."""

from fractions import Fraction
from typing import Any

import pytest

from oddsmith.balance.tuning.targets import Target, TargetRange, parse_targets
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Reading
from oddsmith.games.destiny import Rules
from tests.balance.toys import Chance

CHANGE = {"key": "crimes.*.threshold", "least": 50, "most": 500, "step": 1}
ROBBERY = {"figure": "check.success", "target": "bank_robbery", "character": "calamity_rose"}
RANK = {"figure": "hand.rank", "hand": ["A♠", "K♠", "Q♠", "J♠", "10♠"]}


def test_each_name_of_the_rules_has_a_target() -> None:
    """A star in `each` means every crime, a list its values, and both together every pair."""
    each = {"target": "crimes.*", "character": ["calamity_rose", {"skills": {"stealth": 40}}]}
    given = {"name": "no disaster", "figure": "check.success", "each": each, "at_least": "1%"}
    names = [
        target.name for target in parse_targets({"targets": [given], "change": [CHANGE]}, Rules()).targets
    ]

    assert 14 == len(names)
    assert ["no disaster: pickpocket calamity_rose", "no disaster: pickpocket skills stealth 40"] == names[:2]


def test_a_single_number_is_preferred_exactly() -> None:
    """`is` prefers the number itself; with a margin, a range or a name all values are equally good."""
    ranges: list[dict[str, Any]] = [
        {"is": "35%"},
        {"is": "35%", "within": "2%"},
        {"between": ["30%", "40%"]},
        {"at_most": "1/2"},
    ]
    targets = [{**ROBBERY, **wanted_range} for wanted_range in ranges] + [{**RANK, "is": "royal_flush"}]
    found = parse_targets({"targets": targets, "change": [CHANGE]}, Rules()).targets

    assert [Fraction(7, 20), None, None, None, None] == [target.preferred for target in found]


def test_a_miss_is_weighted_and_measured_in_its_unit() -> None:
    """A chance in points, a mean by its own size; a met target has a miss of 0."""
    mean = {"figure": "score.mean", "character": "calamity_rose", "at_least": 200, "weight": 3}
    chance = {**ROBBERY, "at_least": "50%", "weight": "1/2"}
    first, second = parse_targets({"targets": [mean, chance], "change": [CHANGE]}, Rules()).targets

    assert Fraction(3, 4) == first.violation(Reading(Fraction(100)))
    assert Fraction(1, 8) == second.violation(Reading(Fraction(0)))
    assert Fraction(0) == second.violation(Reading(Fraction(1, 2)))


def test_a_mean_of_zero_is_measured_by_one() -> None:
    mean = {"figure": "score.mean", "character": "calamity_rose", "at_most": 0}
    (found,) = parse_targets({"targets": [mean], "change": [CHANGE]}, Rules()).targets

    assert Fraction(9) == found.violation(Reading(Fraction(3)))


def test_the_same_figure_may_have_two_compatible_targets() -> None:
    """For example two bounds."""
    targets = [{**ROBBERY, "at_least": "30%"}, {**ROBBERY, "at_most": "40%"}]

    assert 2 == len(parse_targets({"targets": targets, "change": [CHANGE]}, Rules()).targets)


@pytest.mark.parametrize(
    ("changes", "code", "sentence"),
    [
        ({"targts": []}, "unknown_key", "unknown key 'targts' — did you mean 'targets'? Known: game, rules, targets, change"),
        ({"game": "fate"}, "wrong_game", "game: targets of fate, rules of destiny"),
        ({"targets": []}, "no_targets", "targets: say what is wanted, under [[targets]]"),
        ({"change": []}, "no_changes", "change: say which numbers may change, under [[change]]"),
        ({"targets": {}}, "bad_value", "targets: expected tables, each under [[targets]]"),
        ({"change": [1]}, "bad_value", "change: expected tables, each under [[change]]"),
        ({"targets": [{}] * 1001}, "too_many_tables", "targets: at most 1,000 are read"),
        ({"change": [CHANGE, CHANGE]}, "changed_twice", "change: crimes.pickpocket.threshold may change by two entries"),
    ],
)  # fmt: skip
def test_invalid_files_are_refused(changes: dict[str, Any], code: str, sentence: str) -> None:
    """Each mistake has its sentence."""
    data = {"targets": [{**ROBBERY, "is": "35%"}], "change": [CHANGE], **changes}
    with pytest.raises(InputError) as refused:
        parse_targets(data, Rules())

    assert (code, sentence) == (refused.value.refusal.code, refused.value.refusal.sentence)


@pytest.mark.parametrize(
    ("target", "code", "words"),
    [
        (
            {**ROBBERY, "is": "35%", "figure": "check.sucess"},
            "unknown_figure",
            "did you mean 'check.success'",
        ),
        ({**ROBBERY, "is": "35%", "name": 1}, "bad_value", "targets[0].name: expected text"),
        (
            {**ROBBERY, "is": "35%", "weight": 0},
            "bad_weight",
            "expected a number above 0 and up to 1,000,000",
        ),
        ({**ROBBERY, "is": "35%", "each": 1}, "bad_value", 'expected a table such as {target = "crimes.*"}'),
        ({**ROBBERY, "is": "35%", "each": {"target": 1}}, "bad_value", "expected a list of values, or names"),
        ({**ROBBERY, "is": "35%", "each": {"target": "heists.*"}}, "unknown_names", "no names at 'heists.*'"),
        ({**ROBBERY}, "no_aim", "say what it should be"),
        ({**ROBBERY, "between": ["40%", "30%"]}, "bad_aim", "reversed"),
        ({**ROBBERY, "at_least": "120%"}, "impossible_aim", "a chance lies between 0 % and 100 %"),
        ({**ROBBERY, "at_most": "-1%"}, "impossible_aim", "cannot be at most -1%"),
        ({**ROBBERY, "is": "likely"}, "bad_aim", "check.success is a number, and cannot be likely"),
        ({**RANK, "is": "35%"}, "bad_aim", "hand.rank is a name, and cannot be 35%"),
    ],
)
def test_invalid_targets_are_refused(target: dict[str, Any], code: str, words: str) -> None:
    """The refusal names the target."""
    with pytest.raises(InputError) as refused:
        parse_targets({"targets": [target], "change": [CHANGE]}, Rules())

    assert code == refused.value.refusal.code
    assert words in refused.value.refusal.sentence
    assert (refused.value.refusal.where or "").startswith("targets[0]")


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ({**ROBBERY, "is": "35%"}, {**ROBBERY, "at_least": "40%"}, "cannot be 35% and at least 40%"),
        ({**ROBBERY, "at_least": "40%"}, {**ROBBERY, "is": "35%"}, "cannot be at least 40% and 35%"),
        ({**RANK, "is": "flush"}, {**RANK, "is": "straight"}, "cannot be flush and straight"),
    ],
)
def test_contradicting_targets_are_refused(one: dict[str, Any], other: dict[str, Any], words: str) -> None:
    """Nothing is computed."""
    with pytest.raises(InputError) as refused:
        parse_targets({"targets": [one, other], "change": [CHANGE]}, Rules())

    assert "contradicting_targets" == refused.value.refusal.code
    assert words in refused.value.refusal.sentence


def test_too_many_targets_are_refused() -> None:
    """A list and a star may give more targets than are tuned at once."""
    target = {
        "figure": "score.at_least",
        "character": "calamity_rose",
        "each": {"total": [*range(1001)]},
        "is": "35%",
    }
    with pytest.raises(InputError, match="at most 1,000 targets and 200 numbers are tuned at once"):
        parse_targets({"targets": [target], "change": [CHANGE]}, Rules())


def test_an_estimate_is_compared_by_its_value() -> None:
    """48 % ± 6 does not meet 50 % ± 1; a value with an error bound is compared within it."""
    target = Target(name="", figure=Chance(), wanted=TargetRange.pop_from({"is": "50%", "within": "1%"}))
    estimated, bounded = (
        Reading(Fraction(48, 100), Fraction(6, 100), basis) for basis in (Basis.ESTIMATED, Basis.BOUNDED)
    )

    assert (Fraction(1, 100), False) == (target.distance(estimated), target.is_met(estimated))
    assert target.is_met(bounded)
