"""Estimates compared with numbers worked out by hand or taken from textbooks."""

from math import inf, sqrt

import pytest

from oddsmith.estimate import Estimate, Proportion
from oddsmith.games.duel.model import Ending, Result
from oddsmith.games.duel.tally import End, Tally

WON = End(Ending.KNOCK_OUT, 0, 100, 2)
RICH = End(Ending.TIMEOUT, 0, 200, 5)
LOST = End(Ending.KNOCK_OUT, 1, 0, 3)
LATE = End(Ending.TIMEOUT, 1, 0, 5)
DRAWN = End(Ending.DOUBLE_KNOCK_OUT, None, 0, 2)
FLED = End(Ending.FLIGHT, None, 0, 1)
TALLY = Tally({WON: 4, RICH: 2, LOST: 1, LATE: 1, DRAWN: 1, FLED: 1})


def test_an_estimate_has_the_mean_and_the_error_of_its_numbers() -> None:
    """Of 1, 2, 3, 4 the mean is 5/2 and the sample variance 5/3; 1.96 standard errors are 1.2652."""
    estimate = Estimate.of({1: 1, 2: 1, 3: 1, 4: 1})

    assert Estimate(4, 10, 30) == estimate
    assert 2.5 == estimate.mean
    assert pytest.approx(1.959963984540054 * sqrt(5 / 12)) == estimate.error


def test_equal_numbers_have_no_error() -> None:
    """Whole numbers have no rounding error."""
    assert 0.0 == Estimate.of({462: 10**9}).error


def test_a_single_number_has_an_infinite_error() -> None:
    assert (7.0, inf) == (Estimate.of({7: 1}).mean, Estimate.of({7: 1}).error)


@pytest.mark.parametrize(
    ("count", "happened", "low", "high"),
    [
        (10, 0, 0.0, 0.2775),
        (10, 5, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (263, 81, 0.2553, 0.3662),
        (148, 15, 0.0624, 0.1605),
    ],
)
def test_a_proportion_has_the_interval_of_wilson(count: int, happened: int, low: float, high: float) -> None:
    """81 of 263 and 15 of 148 are the examples of Newcombe (1998)."""
    share = Proportion(count, happened)

    assert (low, high) == (round(share.low, 4), round(share.high, 4))
    assert happened / count == share.mean
    assert max(share.high - share.mean, share.mean - share.low) == share.error


def test_a_tally_counts_every_kind_of_end() -> None:
    """Each share is of all duels; a flight is neither a defeat nor a draw."""
    expected = {
        "wins": 6,
        "defeats": 2,
        "draws": 1,
        "flights": 1,
        "timeouts": 3,
        "timeouts_won": 2,
        "timeouts_lost": 1,
    }

    assert 10 == TALLY.duels
    assert expected == {name: getattr(TALLY, name).happened for name in expected}
    assert {1: 1, 2: 5, 3: 1, 5: 3} == TALLY.by_round
    assert (80.0, 2.9) == (TALLY.gold.mean, TALLY.rounds.mean)


def test_tallies_add_up() -> None:
    """Two halves add up to the whole."""
    assert Tally({WON: 3, LOST: 1}) == Tally({WON: 1}) + Tally({WON: 2, LOST: 1})


def test_an_end_has_the_counted_fields_of_a_result() -> None:
    """Reason, winner, gold and round; score and experience are not counted."""
    result = Result(why=Ending.KNOCK_OUT, winner=0, score=150, gold=100, experience=44)

    assert WON == End.of(result, 2)


def test_a_tally_becomes_a_summary() -> None:
    """Means are exact; the error is that of the widest chance, here 5 of 10 in round 2."""
    found = TALLY.summarize(5)

    assert (0.6, 0.2, 0.1, 0.1) == (found.win, found.defeat, found.draw, found.flee)
    assert (0.3, 0.2) == (found.timeout, found.timeout_win)
    assert (0.1, 0.5, 0.1, 0.0, 0.3) == found.ends
    assert (80.0, 2.9, 10) == (found.gold, found.rounds, found.duels)
    assert (TALLY.gold.error, TALLY.rounds.error) == (found.gold_error, found.rounds_error)
    assert max(Proportion(10, count).error for count in range(7)) == found.error
