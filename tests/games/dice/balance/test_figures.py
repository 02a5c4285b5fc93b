"""The figures of Dice Hands: the numbers of its page, read by name."""

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


def read(name: str, rules: Rules = DEFAULT, /, **arguments: Any) -> Reading:  # noqa: ANN401  what a file would hold
    """Return what a file that names a figure and its arguments gets."""
    return parse_figure("dice", {"figure": name, **arguments}).read(rules)


def number(name: str, rules: Rules = DEFAULT, /, **arguments: Any) -> Fraction:  # noqa: ANN401  as above
    """Return an exact number."""
    reading = read(name, rules, **arguments)

    assert Reading(reading.value) == reading
    return reading.value


def refused(name: str, rules: Rules = DEFAULT, /, **arguments: Any) -> str:  # noqa: ANN401  as above
    """Return the code with which a figure is refused."""
    with pytest.raises(InputError) as caught:
        read(name, rules, **arguments)
    return caught.value.refusal.code


def test_every_figure_says_what_it_is() -> None:
    """A figure has a name, a unit and a sentence."""
    kinds = figures_of("dice")

    assert [] == [name for name, kind in kinds.items() if not (kind.__doc__ or "").strip().endswith(".")]
    assert {"hand.name"} == {name for name, kind in kinds.items() if kind.unit is Unit.NAME}


def test_3_4_three_fives_score_90_and_180_with_even_steven() -> None:
    """The worked example of the page, by name and by score."""
    lying = {"faces": [5, 5, 5, 2, 4]}

    assert "three_of_a_kind" == read("hand.name", **lying).name
    assert 90 == number("hand.score", **lying)
    assert 180 == number("hand.score", **lying, items=["even_steven"])


def test_2_5_a_pair_of_sixes_scores_33_to_180() -> None:
    """Base, multiplier and score of a pair at each level, and how much it grows."""
    levels = range(6)
    at = [{"hand": "pair", "level": level} for level in levels]

    assert [10, 13, 16, 20, 26, 33] == [number("hand.base", **one) for one in at]
    assert [Fraction(3 + level, 2) for level in levels] == [number("hand.multiplier", **one) for one in at]
    assert [33, 50, 70, 96, 133, 180] == [number("hand.worth", **one, sum=12) for one in at]
    assert Fraction(180, 33) == number("hand.growth", faces=[6, 6], levels={"pair": 5})


def test_9_1_hands_of_five_dice() -> None:
    """How often one roll of five normal dice is scored as each hand."""
    chances = {name: number("hand.chance", hand=name) for name in FREQUENCIES_OF_FIVE}

    assert {name: Fraction(ways, 7776) for name, ways in FREQUENCIES_OF_FIVE.items()} == chances
    assert 0 == number("hand.chance", hand="pyramid")


def test_a_hand_is_made_more_often_than_scored() -> None:
    """Every roll makes a high roll; 243 rolls of five dice are even, and 150 of them are scored as that."""
    assert 1 == number("hand.made", hand="high_roll", size=5)
    assert Fraction(243, 7776) == number("hand.made", hand="all_even", size=5)
    assert 0 == number("hand.made", hand="full_run", size=5)


@pytest.mark.parametrize(
    ("hand", "least", "most"), [("large_straight", 180, 195), ("small_straight", 100, 120), ("pair", 18, 33)]
)
def test_effective_ranges(hand: str, least: int, most: int) -> None:
    """What a hand scores at least and at most, of all rolls that are scored as it."""
    assert [least, most] == [number(f"hand.{end}", hand=hand) for end in ("least", "most")]


def test_a_hand_that_is_never_scored_has_no_range() -> None:
    """Six dice are never scored as all even by first match."""
    assert "never_scored" == refused("hand.least", hand="all_even", dice=["6 normal"])
    assert 204 == number("hand.most", BEST_SCORE, hand="all_even", dice=["6 normal"])


def test_2_4_the_first_match_misses_120_rolls_and_3780_with_pair_at_level_5() -> None:
    """The share of rolls that would score more as another hand."""
    assert Fraction(120, 7776) == number("first_match.missed")
    assert Fraction(3780, 7776) == number("first_match.missed", levels={"pair": 5})
    assert 0 == number("first_match.missed", BEST_SCORE, levels={"pair": 5})


def test_one_roll_and_rerolls_under_best_play() -> None:
    """Means and chances of one roll are counted; those of rerolls are solved."""
    assert Fraction(193, 648) == number("score.at_least", score=90)
    assert pytest.approx(68.67, abs=0.005) == float(number("score.mean"))
    assert plan_rerolls(build("normal " * 5), 2, target=98).start_value(2) == number(
        "score.at_least", score=98, rerolls=2
    )
    assert pytest.approx(207.73, abs=0.005) == float(number("score.mean", rerolls=3))


def test_9_3_a_round_is_won_with_the_chance_of_the_page() -> None:
    """Rounds 3 and 4 of the findings: 94.71 %, and 82.70 % over all bosses."""
    assert pytest.approx(0.9471, abs=5e-5) == float(number("round.chance", round=3))
    assert pytest.approx(0.8270, abs=5e-5) == float(number("round.chance", round=4))


def test_5_1_targets() -> None:
    """Targets of the first rounds, and none beyond the last."""
    assert [40, 54, 72, 98] == [number("round.target", round=one) for one in range(1, 5)]
    assert "bad_round" == refused("round.target", DEFAULT.replace(rounds=3), round=4)


def test_6_2_prices() -> None:
    """Upgrades cost 5 to 85 and 175 in all; dice and extra dice what the page says."""
    assert [5, 10, 25, 50, 85] == [number("price.upgrade", level=level) for level in range(5)]
    assert 175 == number("price.top_level")
    assert 20 == number("price.die", die="glass+3")
    assert [15, 175] == [number("price.extra_die", size=size) for size in (5, 9)]
    assert "bad_level" == refused("price.upgrade", level=5)


def test_large_pools_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool with more positions than are solved exactly has a bound, and the exact value within it."""
    exact = {name: read(name, **arguments).value for name, arguments in ROUNDS.items()}
    monkeypatch.setattr(figures, "MOST_EXACT", 1)
    bounded = {name: read(name, **arguments) for name, arguments in ROUNDS.items()}

    assert [Basis.BOUNDED] * 3 == [reading.basis for reading in bounded.values()]
    assert all(bounded[name].low <= exact[name] <= bounded[name].high for name in exact)


ROUNDS: dict[str, dict[str, Any]] = {
    "round.chance": {"round": 3},
    "score.mean": {"rerolls": 1},
    "score.at_least": {"rerolls": 1, "score": 72},
}


def test_pools_that_cannot_be_solved_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten dice of ten sorts have a round that is estimated."""
    monkeypatch.setattr(figures, "PLAYED_ROUNDS", 2)
    sorts = ["normal", "glass", "odd", "even", "echo", "heavy", "light", "weighted", "glass+1", "wild"]
    reading = read("round.chance", dice=sorts, round=1)

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
def test_builds_that_are_none_are_refused(code: str, arguments: dict[str, Any]) -> None:
    """A figure refuses dice, items and levels that the rules do not know."""
    assert code == refused("score.mean", **arguments)


def test_dice_are_told_by_their_number() -> None:
    """`4 normal` are four normal dice; faces that lie have as many normal dice, unless told."""
    assert number("score.mean", dice=["normal"] * 4 + ["glass+2"]) == number(
        "score.mean", dice=["4 normal", "glass+2"]
    )
    assert 53 == number("hand.score", faces=[6, 6], dice=["glass", "glass"])


def test_what_scores_nothing_grows_by_no_factor() -> None:
    """A hand without points has no growth."""
    nothing = Hand(
        order=1, base=0, multiplier=Decimal(0), min_dice=1, condition=Condition.HIGHEST, pattern=(1,)
    )

    assert "no_score" == refused("hand.growth", DEFAULT.replace(hands={"high_roll": nothing}), faces=[6])
