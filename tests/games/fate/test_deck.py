"""The discard pile, the time of the reshuffle, and a deck that is never empty (§3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.game import EVERYONE
from oddsmith.games.fate.deck import FateDeck
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.model import Drawn, Reshuffled, Used
from oddsmith.games.fate.rules import DEFAULT, Rules
from tests.games.fate.builders import (
    MANY,
    apply_line,
    chances,
    kind,
    new_game,
    refusal,
    settled_cards,
    stack_deck,
    state_after,
)

READY = new_game()
CALLED = ("1 ready", "0 call 1 hard")
SEVENTEEN = "A♥ 2♥ 3♥ J♥ A♣ 2♣ 3♣ J♣ A♦ 2♦ 3♦ J♦ RJ BJ A♠ 2♠"


def discards_for_deck_of(size: int) -> str:
    """Return the discards that leave a deck of `size` cards."""
    return " ".join(DEFAULT.deck[: 18 - size])


def test_3_1_drawn_cards_lie_face_down_one_on_the_other() -> None:
    """The card drawn last is on top; the next check's cards lie on these."""
    state = state_after(READY, *CALLED, "* 3♠", "* A♥", "1 resolve", "0 call 2 easy", "* J♦", "2 resolve")

    assert ["J♦", "A♥", "3♠"] == settled_cards(state)[1]
    assert 15 == len(state.deck.deck)


def test_3_1_cards_set_aside_lie_below_those_that_counted() -> None:
    """From the bottom: the first cards of a redraw, the cards that an extra left over, the kept ones."""
    state = state_after(
        READY,
        *CALLED,
        "* 3♠",
        "* A♥",
        "1 redraw",
        "* J♥",
        "* J♦",
        "1 extra",
        "* 2♣",
        "1 keep 0 2",
        "1 resolve",
    )

    assert ["2♣", "J♥", "J♦", "A♥", "3♠"] == settled_cards(state)[1]


@pytest.mark.parametrize(("size", "left"), [(18, 17), (3, 2)])
def test_3_2_with_two_cards_left_the_deck_is_not_shuffled(size: int, left: int) -> None:
    state = stack_deck(READY, discard=discards_for_deck_of(size))
    step = apply_line(state_after(state, *CALLED), "* J♦")

    assert (Drawn(audience=EVERYONE, player=1, card="J♦", left=left),) == step.events
    assert left == len(step.state.deck.deck)


def test_3_2_the_deck_is_shuffled_in_the_middle_of_a_draw() -> None:
    """From two cards the first draw leaves one: the second comes from that card and the discard pile."""
    state = state_after(stack_deck(READY, discard=SEVENTEEN), *CALLED)
    step = apply_line(state, "* 3♠")

    assert {"3♠": 1, "J♠": 1} == chances(state)
    assert (
        Drawn(audience=EVERYONE, player=1, card="3♠", left=1),
        Reshuffled(audience=EVERYONE, size=17),
    ) == step.events
    assert dict.fromkeys([*SEVENTEEN.split(), "J♠"], 1) == chances(step.state)


def test_3_2_the_deck_is_shuffled_at_the_end_of_a_draw() -> None:
    """From three cards the second draw leaves one; the next draw comes from 16, without the two of this check."""
    state = state_after(stack_deck(READY, discard=discards_for_deck_of(3)), *CALLED, "* J♦", "* BJ")

    assert [None] * 16 == settled_cards(state)[0]
    assert [] == settled_cards(state)[1]
    assert {"J♦", "BJ"}.isdisjoint(state.deck.pool)


def test_3_2_the_deck_is_shuffled_in_the_middle_of_a_discard() -> None:
    """Of three cards to discard from a deck of three the second leaves one; the third comes from the new deck."""
    step = apply_line(stack_deck(READY, discard=discards_for_deck_of(3)), "1 discard 3")

    assert (
        Used(audience=EVERYONE, player=1, ability=Ability.DISCARD, count=3),
        Reshuffled(audience=EVERYONE, size=18),
    ) == step.events
    assert (17, 1) == (len(step.state.deck.deck), len(step.state.deck.discard))


@pytest.mark.parametrize(("size", "count", "left"), [(4, 3, 18), (2, 1, 18), (2, 2, 17), (5, 3, 2)])
def test_3_2_the_reshuffle_is_tested_after_every_card(size: int, count: int, left: int) -> None:
    """For any number of discards from a deck of any size."""
    assert left == len(
        state_after(stack_deck(READY, discard=discards_for_deck_of(size)), f"1 discard {count}").deck.deck
    )


def test_3_2_a_small_deck_may_be_shuffled_twice_in_one_discard() -> None:
    """Three cards: two discarded leave one, and the third leaves two of three; five discarded shuffle twice."""
    rules = Rules(
        cards=(kind("A", 1, copies=3),),
        on_turn=1,
        redraws_per_check=0,
        extras_per_check=0,
        abilities=MANY,
        most_discarded=5,
    )
    step = apply_line(new_game(rules), "1 discard 5")

    assert 2 == sum(isinstance(event, Reshuffled) for event in step.events)
    assert (2, 1) == (len(step.state.deck.deck), len(step.state.deck.discard))


def test_3_3_cards_of_the_check_stay_out_of_the_new_deck() -> None:
    """They are discarded after resolution."""
    drawn = state_after(stack_deck(READY, discard=SEVENTEEN), *CALLED, "* 3♠", "* A♥")
    state = state_after(drawn, "1 resolve")

    assert 16 == len(drawn.deck.deck) == len(drawn.deck.pool)
    assert ["A♥", "3♠"] == settled_cards(state)[1]
    assert sorted(DEFAULT.deck) == sorted(state.deck.cards)


def test_3_4_the_smallest_deck_survives_the_longest_check() -> None:
    """Seven cards, five of them out: two are left, and the deck was reshuffled during the check."""
    rules = Rules(cards=(kind("A", 1, copies=7),))
    longest = ("* A", "* A", "1 extra", "* A", "1 keep 0 1", "1 redraw", "* A", "* A")
    state = state_after(stack_deck(new_game(rules), discard="A A A A A"), *CALLED, *longest)

    assert 2 == len(state.deck.deck)
    assert 7 == len(state_after(state, "1 resolve").deck.cards)


def test_3_2_a_forced_reshuffle_forgets_all() -> None:
    """Deck and discard pile become one deck of unseen cards."""
    seen = state_after(
        READY, "1 peek 2", "* 3♠", "* A♥", *CALLED, "* 3♠", "* A♥", "1 resolve", "0 end", "2 peek 1", "* J♦"
    )
    state = state_after(seen, "2 reshuffle")

    assert FateDeck.fresh(DEFAULT.deck, seats=3) == state.deck


def test_1_1_luck_counts_copies() -> None:
    """A card with three copies is three times as likely."""
    rules = Rules(cards=(kind("A", 1, copies=3), kind("B", 2, copies=5)))

    assert {"A": 3, "B": 5} == chances(state_after(new_game(rules), *CALLED))


def test_the_order_of_unseen_cards_is_undecided() -> None:
    """Reading a card that luck has not decided is refused."""
    refused = refusal(lambda: FateDeck.fresh(DEFAULT.deck, seats=2).peek(1, seat=1))

    assert "undecided_card" == refused.code


@given(st.permutations(range(4)), st.integers(0, 3))
def test_5_2_a_reorder_moves_cards_and_changes_none(order: list[int], size: int) -> None:
    """The top cards have the named order; the others stay as they were."""
    cards = ("A♠", "2♠", "3♠", "J♠", "A♥", "2♥")
    deck = FateDeck.fresh(cards, seats=3)
    for place, card in enumerate(cards):
        deck = deck.settle(place, card)
    named = [place for place in order if place < size]

    assert (*(cards[place] for place in named), *cards[size:]) == deck.reorder(named, 1).deck
