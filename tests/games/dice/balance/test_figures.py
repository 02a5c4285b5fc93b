"""Figures of Dice Hands: the numbers of its rules page by name."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from oddsmith.balance.figures import figures_of, parse_figure
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Reading, Unit
from oddsmith.games.dice import DEFAULT, Condition, Hand, Rules, figures
from oddsmith.games.dice.odds import plan_rerolls
from tests.games.dice.builders import BEST_SCORE, FREQUENCIES_OF_FIVE, build


def read_figure(name: str, rules: Rules = DEFAULT, /, **arguments: Any) -> Reading:  # noqa: ANN401  any JSON value
    """Return the reading of a figure, parsed as in a file."""
    return parse_figure("dice", {"figure": name, **arguments}).read(rules)


def exact_value(name: str, rules: Rules = DEFAULT, /, **arguments: Any) -> Fraction:  # noqa: ANN401  any JSON value
    """Return the value of a figure that must be exact."""
    reading = read_figure(name, rules, **arguments)

    assert Reading(reading.value) == reading
    return reading.value


def refusal_code(name: str, rules: Rules = DEFAULT, /, **arguments: Any) -> str:  # noqa: ANN401  any JSON value
    """Return the code with which a figure is refused."""
    with pytest.raises(InputError) as caught:
        read_figure(name, rules, **arguments)
    return caught.value.refusal.code


def test_every_figure_has_a_name_a_unit_and_a_sentence() -> None:
    kinds = figures_of("dice")

    assert [] == [name for name, kind in kinds.items() if not (kind.__doc__ or "").strip().endswith(".")]
    assert {"hand.name"} == {name for name, kind in kinds.items() if kind.unit is Unit.NAME}


def test_3_4_three_fives_score_90_and_180_with_even_steven() -> None:
    """The worked example of the rules page."""
    lying = {"faces": [5, 5, 5, 2, 4]}

    assert "three_of_a_kind" == read_figure("hand.name", **lying).name
    assert 90 == exact_value("hand.score", **lying)
    assert 180 == exact_value("hand.score", **lying, items=["even_steven"])


def test_2_5_a_pair_of_sixes_scores_33_to_180() -> None:
    """Base, multiplier and score of a pair at each level, and their growth."""
    levels = range(6)
    at = [{"hand": "pair", "level": level} for level in levels]

    assert [10, 13, 16, 20, 26, 33] == [exact_value("hand.base", **one) for one in at]
    assert [Fraction(3 + level, 2) for level in levels] == [
        exact_value("hand.multiplier", **one) for one in at
    ]
    assert [33, 50, 70, 96, 133, 180] == [exact_value("hand.worth", **one, sum=12) for one in at]
    assert Fraction(180, 33) == exact_value("hand.growth", faces=[6, 6], levels={"pair": 5})


def test_9_1_hands_of_five_dice() -> None:
    """How often one roll of five normal dice is scored as each hand."""
    chances = {name: exact_value("hand.chance", hand=name) for name in FREQUENCIES_OF_FIVE}

    assert {name: Fraction(ways, 7776) for name, ways in FREQUENCIES_OF_FIVE.items()} == chances
    assert 0 == exact_value("hand.chance", hand="pyramid")


def test_a_hand_is_made_more_often_than_scored() -> None:
    """Every roll makes a high roll; 243 rolls of five dice are even, and 150 of them are scored as all even."""
    assert 1 == exact_value("hand.made", hand="high_roll", size=5)
    assert Fraction(243, 7776) == exact_value("hand.made", hand="all_even", size=5)
    assert 0 == exact_value("hand.made", hand="full_run", size=5)


@pytest.mark.parametrize(
    ("hand", "least", "most"), [("large_straight", 180, 195), ("small_straight", 100, 120), ("pair", 18, 33)]
)
def test_effective_ranges_of_hands(hand: str, least: int, most: int) -> None:
    """The least and the greatest score of all rolls that are scored as the hand."""
    assert [least, most] == [exact_value(f"hand.{end}", hand=hand) for end in ("least", "most")]


def test_a_hand_that_is_never_scored_has_no_range() -> None:
    """Six dice are never scored as all even by first match."""
    assert "never_scored" == refusal_code("hand.least", hand="all_even", dice=["6 normal"])
    assert 204 == exact_value("hand.most", BEST_SCORE, hand="all_even", dice=["6 normal"])


def test_2_4_the_first_match_misses_120_rolls_and_3780_with_pair_at_level_5() -> None:
    """The share of rolls that would score more as another hand."""
    assert Fraction(120, 7776) == exact_value("first_match.missed")
    assert Fraction(3780, 7776) == exact_value("first_match.missed", levels={"pair": 5})
    assert 0 == exact_value("first_match.missed", BEST_SCORE, levels={"pair": 5})


def test_one_roll_and_rerolls_under_best_play() -> None:
    """Means and chances of one roll are counted; those of rerolls are solved."""
    assert Fraction(193, 648) == exact_value("score.at_least", score=90)
    assert pytest.approx(68.67, abs=0.005) == float(exact_value("score.mean"))
    assert plan_rerolls(build("normal " * 5), 2, target=98).start_value(2) == exact_value(
        "score.at_least", score=98, rerolls=2
    )
    assert pytest.approx(207.73, abs=0.005) == float(exact_value("score.mean", rerolls=3))


def test_9_3_a_round_has_the_chance_of_the_findings() -> None:
    """Rounds 3 and 4 of the findings: 94.71 %, and 82.70 % over all bosses."""
    assert pytest.approx(0.9471, abs=5e-5) == float(exact_value("round.chance", round=3))
    assert pytest.approx(0.8270, abs=5e-5) == float(exact_value("round.chance", round=4))


def test_5_1_targets() -> None:
    """Targets of the first rounds, and none beyond the last."""
    assert [40, 54, 72, 98] == [exact_value("round.target", round=one) for one in range(1, 5)]
    assert "bad_round" == refusal_code("round.target", DEFAULT.replace(rounds=3), round=4)


def test_6_2_prices() -> None:
    """Upgrades cost 5 to 85 and 175 in all; dice and extra dice have the prices of the rules page."""
    assert [5, 10, 25, 50, 85] == [exact_value("price.upgrade", level=level) for level in range(5)]
    assert 175 == exact_value("price.top_level")
    assert 20 == exact_value("price.die", die="glass+3")
    assert [15, 175] == [exact_value("price.extra_die", size=size) for size in (5, 9)]
    assert "bad_level" == refusal_code("price.upgrade", level=5)


def test_large_pools_have_an_error_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact value is within the bound."""
    exact = {name: read_figure(name, **arguments).value for name, arguments in ROUNDS.items()}
    monkeypatch.setattr(figures, "MOST_EXACT", 1)
    bounded = {name: read_figure(name, **arguments) for name, arguments in ROUNDS.items()}

    assert [Basis.BOUNDED] * 3 == [reading.basis for reading in bounded.values()]
    assert all(bounded[name].low <= exact[name] <= bounded[name].high for name in exact)


ROUNDS: dict[str, dict[str, Any]] = {
    "round.chance": {"round": 3},
    "score.mean": {"rerolls": 1},
    "score.at_least": {"rerolls": 1, "score": 72},
}


def test_pools_that_cannot_be_solved_are_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The round of ten dice of ten sorts is estimated."""
    monkeypatch.setattr(figures, "PLAYED_ROUNDS", 2)
    sorts = ["normal", "glass", "odd", "even", "echo", "heavy", "light", "weighted", "glass+1", "wild"]
    reading = read_figure("round.chance", dice=sorts, round=1)

    assert Basis.ESTIMATED is reading.basis
    assert 0 < reading.error <= 1


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("too_many_dice", {"dice": ["9 normal", "2 glass"]}),
        ("bad_die", {"dice": ["many normal"]}),
        ("bad_die", {"dice": ["0 normal"]}),
        ("unknown_kind", {"dice": ["golden"]}),
        ("unknown_item", {"items": ["ring"]}),
        ("bad_level", {"levels": {"pair": 6}}),
    ],
)
def test_invalid_builds_are_refused(code: str, arguments: dict[str, Any]) -> None:
    """Unknown dice, items and levels."""
    assert code == refusal_code("score.mean", **arguments)


def test_dice_are_given_with_their_number() -> None:
    """`4 normal` are four normal dice; faces without dice belong to normal dice."""
    assert exact_value("score.mean", dice=["normal"] * 4 + ["glass+2"]) == exact_value(
        "score.mean", dice=["4 normal", "glass+2"]
    )
    assert 53 == exact_value("hand.score", faces=[6, 6], dice=["glass", "glass"])


def test_a_hand_without_points_has_no_growth() -> None:
    nothing = Hand(
        order=1, base=0, multiplier=Decimal(0), min_dice=1, condition=Condition.HIGHEST, pattern=(1,)
    )

    assert "no_score" == refusal_code("hand.growth", DEFAULT.replace(hands={"high_roll": nothing}), faces=[6])
