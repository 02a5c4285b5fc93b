"""The Fate Deck's questions about a check and its odds."""

from fractions import Fraction

import pytest

from oddsmith.chance import Seeded
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.fate.known_decks import KnownDeck
from oddsmith.games.fate.odds import check_odds, known_memory
from oddsmith.games.fate.questions.checks import (
    CheckOddsRequest,
    CheckRequest,
    compute_check_odds,
    make_check,
    totals_chart,
)
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.question import Context, Share

TOP = KnownDeck(top=("3s", "2♥"))
CONTEXT = Context(rules=DEFAULT)


def test_2_1_a_check_draws_two_cards_on_turn_and_one_off_turn() -> None:
    """The request may give another number."""
    drawn = [
        make_check(CheckRequest(deck=TOP), CONTEXT),
        make_check(CheckRequest(deck=TOP, on_turn=False), CONTEXT),
    ]

    assert [("3♠", "2♥"), ("3♠",)] == [found.result.cards for found in drawn]
    assert 5 == len(make_check(CheckRequest(count=5), CONTEXT).result.cards)


def test_2_4_a_check_has_a_modifier_a_target_and_triggers() -> None:
    """The total is compared with the target, and each trigger is evaluated."""
    found = make_check(
        CheckRequest(deck=TOP, modifier=-2, target=4, triggers=("single(spade)", "both(red)")), CONTEXT
    )

    assert (5, 3, False) == (found.result.value, found.result.total, found.result.success)
    assert [("single(spade)", True), ("both(red)", False)] == [
        (one.trigger, one.fired) for one in found.triggers
    ]


def test_a_check_without_a_target_has_no_success() -> None:
    """It has only a total."""
    assert make_check(CheckRequest(deck=TOP), CONTEXT).result.success is None


@pytest.mark.parametrize(
    ("target", "result", "mark"),
    [(4, "reaches 4 in 36.60 % (exact)", 3.5), (None, "mean total 3.00 (exact)", None)],
)
def test_a_chart_has_a_bar_for_every_total(target: int | None, result: str, mark: float | None) -> None:
    """The chances add up to 100 %; totals from the target on are marked as reached."""
    request = CheckOddsRequest(count=2, target=target)
    chart = totals_chart(request, compute_check_odds(request, CONTEXT), DEFAULT)

    assert (result, mark) == (chart.title.splitlines()[1], chart.mark)
    assert 100 == pytest.approx(sum(bar.height for bar in chart.bars))
    assert [bar.is_reached for bar in chart.bars] == [
        target is None or bar.at >= target for bar in chart.bars
    ]


def test_3_2_the_deck_is_reshuffled_when_one_card_is_left() -> None:
    """The reply has the deck and the discard pile afterwards."""
    nearly = KnownDeck(discards=15)
    found = make_check(CheckRequest(deck=nearly), Context(rules=DEFAULT, draw=Seeded("yuma")))

    assert (True, 16, 2) == (found.reshuffled, found.left, found.discards)


def test_3_4_more_cards_than_the_deck_has_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="from 1 to 17 cards can be drawn"):
        make_check(CheckRequest(count=18), CONTEXT)


def test_odds_are_counted_from_known_cards() -> None:
    """The chances are those of the library, as ways of a total."""
    known = KnownDeck(seen=("3♠", "J♥", "RJ"))
    found = compute_check_odds(CheckOddsRequest(deck=known, target=4, triggers=("single(spade)",)), CONTEXT)
    exact = check_odds(known_memory(seen=("3♠", "J♥", "RJ")), DEFAULT, triggers=("single(spade)",))

    assert found.success is not None
    assert exact.at_least(4) == Fraction(found.success.count, found.success.total)
    assert exact.fires(0) == Fraction(found.triggers[0].fires.count, found.total)
    assert exact.both(4, 0) == Fraction((found.triggers[0].with_target or Share(0, 1, 0)).count, found.total)


def test_odds_without_a_target() -> None:
    """Success is null, alone and with a trigger."""
    found = compute_check_odds(CheckOddsRequest(triggers=("single(spade)",), on_turn=False), CONTEXT)

    assert (None, None, 1) == (found.success, found.triggers[0].with_target, found.drawn)


def test_odds_with_too_many_cases_are_refused() -> None:
    """The refusal is that of the library."""
    with pytest.raises(WorkLimitError):
        compute_check_odds(
            CheckOddsRequest(count=9),
            Context(rules=Rules.from_data({"cards": MANY, "checks": {"easy": {"target": 2}}})),
        )


MANY = [{"name": f"{value}", "value": value, "suit": "none", "copies": 2} for value in range(1, 90)]


def test_a_share_of_checks_has_a_limited_denominator() -> None:
    """A long decimal would make the computation too slow for a server."""
    with pytest.raises(InputError, match="at most 10,000"):
        compute_check_odds(CheckOddsRequest(share="1/10001"), CONTEXT)
