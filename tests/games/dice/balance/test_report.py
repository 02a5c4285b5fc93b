"""The report on Dice Hands agrees with its odds."""

from oddsmith.games.dice.report import make_report
from oddsmith.games.dice.rules import DEFAULT


def test_the_chances_of_all_hands_add_up_to_one() -> None:
    hands = make_report(DEFAULT).charts[0]

    assert [1] == [sum(series.values) for series in hands.series]


def test_rerolls_never_lower_the_chance() -> None:
    """In every round, best play with all rerolls wins at least as often as a single roll."""
    best, once = make_report(DEFAULT).charts[2].series

    assert all(best.reading(place).high >= chance for place, chance in enumerate(once.values))


def test_higher_scores_are_reached_less_often() -> None:
    """The curve of scores decreases."""
    for series in make_report(DEFAULT).charts[1].series:
        assert list(series.values) == sorted(series.values, reverse=True)
