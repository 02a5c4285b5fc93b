"""What a report shows of Dice Hands is what its odds say."""

from oddsmith.games.dice.report import make_report
from oddsmith.games.dice.rules import DEFAULT


def test_a_roll_makes_one_hand() -> None:
    """The chances of all hands add up to one."""
    hands = make_report(DEFAULT).charts[0]

    assert [1] == [sum(series.values) for series in hands.series]


def test_rerolls_never_hurt() -> None:
    """In every round, best play with all rerolls wins at least as often as a single roll."""
    best, once = make_report(DEFAULT).charts[2].series

    assert all(best.reading(place).high >= chance for place, chance in enumerate(once.values))


def test_higher_scores_are_reached_less_often() -> None:
    """The curve of scores falls."""
    for series in make_report(DEFAULT).charts[1].series:
        assert list(series.values) == sorted(series.values, reverse=True)
