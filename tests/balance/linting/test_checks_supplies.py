"""Checks of decks, compared with a deck of real cards."""

from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from oddsmith.balance.linting.findings import Finding, judge_exhibit
from oddsmith.exhibit import Supply

MOMENTS: tuple[Literal["card", "draw", "before"], ...] = ("card", "draw", "before")


def supply(
    size: int, draws: tuple[int, ...], at: int, moment: Literal["card", "draw", "before"], *, or_below: bool
) -> Supply:
    return Supply(
        about="the deck",
        where="cards",
        size=size,
        draws=draws,
        reshuffles_at=at,
        or_below=or_below,
        tested_after=moment,
    )


def findings_of(deck: Supply) -> list[Finding]:
    return list(judge_exhibit(deck))


def test_deck_runs_empty_by_twos() -> None:
    """Eighteen cards by two, tested for one card after whole draws: 18, 16, … 0."""
    [only] = findings_of(supply(18, (1, 2), 1, "draw", or_below=False))

    assert [18, 16, 14, 12, 10, 8, 6, 4, 2, 0] == only.evidence["sizes"]
    assert (
        "the deck can run empty: 18, 16, 14, … 2, 0 cards are left, and a draw finds too few" == only.sentence
    )
    assert "reshuffle at 1 card or fewer, tested after every whole draw" == only.suggestion


def test_a_deck_tested_after_every_card_never_runs_empty() -> None:
    """The same deck always has the next card."""
    assert [] == findings_of(supply(18, (1, 2), 1, "card", or_below=True))


def test_a_deck_runs_empty_in_a_draw_that_is_too_long() -> None:
    """Five cards from two: the test before the draw must know the number of cards."""
    [only] = findings_of(supply(52, (5,), 1, "before", or_below=True))

    assert [52, 47, 42] == only.evidence["sizes"][:3]
    assert "reshuffle at 4 cards or fewer, tested before every draw" == only.suggestion
    assert [] == findings_of(supply(52, (5,), 4, "before", or_below=True))


def test_a_deck_smaller_than_a_draw_always_runs_empty() -> None:
    """Five cards cannot be drawn from four."""
    [only] = findings_of(supply(4, (5,), 1, "card", or_below=True))

    assert "draw fewer than 5 cards at a time, or use a larger deck" == only.suggestion


def test_cards_that_stay_out_are_missing_after_a_reshuffle() -> None:
    """Three of ten cards that never return leave seven: too few for eight at once."""
    deck = Supply(
        about="the deck",
        where="cards",
        size=10,
        draws=(8,),
        reshuffles_at=7,
        or_below=True,
        tested_after="draw",
        stays_out=3,
    )

    assert [10, 7] == findings_of(deck)[0].evidence["sizes"]


@given(
    size=st.integers(2, 9),
    draws=st.lists(st.integers(1, 4), min_size=1, max_size=2),
    at=st.integers(0, 4),
    moment=st.sampled_from(MOMENTS),
    or_below=st.booleans(),
)
def test_deck_runs_empty_agrees_with_brute_force(
    size: int, draws: list[int], at: int, moment: Literal["card", "draw", "before"], *, or_below: bool
) -> None:
    """A deck of named cards, dealt in every order of draws until its piles repeat."""
    deck = supply(size, tuple(draws), at, moment, or_below=or_below)

    assert _runs_empty(deck) == bool(findings_of(deck))


def _runs_empty(deck: Supply) -> bool:
    seen, waiting = set(), [tuple(range(deck.size))]
    while waiting:
        pile = waiting.pop()
        if pile in seen:
            continue
        seen.add(pile)
        for count in deck.draws:
            after = _pile_after(deck, list(pile), count)
            if after is None:
                return True
            waiting.append(after)
    return False


def _pile_after(deck: Supply, pile: list[int], count: int) -> tuple[int, ...] | None:
    hand: list[int] = []

    def reshuffle_if_due() -> list[int]:
        due = len(pile) == deck.reshuffles_at or (deck.or_below and len(pile) < deck.reshuffles_at)
        return [card for card in range(deck.size) if card not in hand] if due else pile

    if deck.tested_after == "before":
        pile = reshuffle_if_due()
    for _ in range(count):
        if not pile:
            return None
        hand.append(pile[0])
        pile = pile[1:]
        if deck.tested_after == "card":
            pile = reshuffle_if_due()
    hand.clear()
    if deck.tested_after == "draw":
        pile = reshuffle_if_due()
    return tuple(sorted(pile))
