"""§1.5: hands and stock are hidden, everything else is public."""

from collections import Counter

import msgspec
import pytest

from oddsmith.cards import cards
from oddsmith.chance import Seeded
from oddsmith.games.casino.views import View, imagine, unseen_cards, view
from tests.games.casino.tables import table

STATE = table("7♠ K♥", "3♠ 4♦", builds=["4♣ 5♣ of 1"], others=("9♥", "Q♠ J♦"), last_capture=2)


@pytest.mark.parametrize(("viewer", "hand"), [(0, "3♠ 4♦"), (1, "9♥"), (2, "J♦ Q♠")])
def test_1_5_a_player_sees_its_own_hand(viewer: int, hand: str) -> None:
    """And the number of cards of the others."""
    known = view(STATE, viewer)

    assert (viewer, cards(hand), (2, 1, 2)) == (known.viewer, known.hand, known.hand_sizes)
    assert 3 == known.players


def test_1_5_a_spectator_sees_no_hand() -> None:
    """All else is public: table, piles, sizes, sweeps, turn, deal, last capture."""
    assert View(
        viewer=None,
        rules=STATE.rules,
        hand=None,
        hand_sizes=(2, 1, 2),
        loose=STATE.loose,
        builds=STATE.builds,
        piles=((), (), ()),
        sweeps=(0, 0, 0),
        stock_size=43,
        turn=0,
        deal=2,
        last_capture=2,
    ) == view(STATE, None)


@pytest.mark.parametrize(("viewer", "count"), [(0, 46), (1, 47), (None, 48)])
def test_1_5_unseen_cards_of_a_view(viewer: int | None, count: int) -> None:
    """All except the own hand, the table and the piles."""
    unseen = unseen_cards(view(STATE, viewer))

    assert count == len(unseen)
    assert not {*unseen} & {*STATE.loose, *cards("4♣ 5♣")}
    assert (viewer == 0) is (cards("3♠")[0] not in unseen)


def test_1_5_unseen_cards_are_imagined_uniformly() -> None:
    """Of three unseen cards, one in the other's hand and two in the stock, each is held a third of the time."""
    every = cards("A♠ 2♠ 3♠ 4♠")
    state = table("", "A♠", others=("2♠",))
    small = msgspec.structs.replace(state, stock=cards("3♠ 4♠"), piles=((), state.stock))
    hidden = msgspec.structs.replace(small, piles=((), tuple(c for c in small.rules.cards if c not in every)))
    held = Counter(imagine(view(hidden, 0), Seeded(seed)).hands[1] for seed in range(300))

    assert {cards("2♠"), cards("3♠"), cards("4♠")} == set(held)
    assert all(70 < times < 130 for times in held.values())
