"""The view of a state that a seat or a spectator has: other hands and the stock are hidden (§1.5)."""

from typing import Annotated

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, without
from oddsmith.chance import DealHands, Draw
from oddsmith.game import Seat
from oddsmith.games.casino.model import MOST_BUILDS, Build, Cards, State, in_order
from oddsmith.games.casino.rules import MOST_SEATS, Rules


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A state as a seat sees it, or a spectator, whose `viewer` and `hand` are None."""

    viewer: Seat | None
    rules: Rules
    hand: Cards | None
    hand_sizes: Annotated[tuple[int, ...], Meta(max_length=MOST_SEATS)]
    loose: Cards
    builds: Annotated[tuple[Build, ...], Meta(max_length=MOST_BUILDS)]
    piles: Annotated[tuple[Cards, ...], Meta(max_length=MOST_SEATS)]
    sweeps: Annotated[tuple[int, ...], Meta(max_length=MOST_SEATS)]
    stock_size: int
    turn: Seat
    deal: int
    last_capture: Seat | None

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.hand_sizes)


def view(state: State, viewer: Seat | None) -> View:
    """Return what the viewer knows; `None` is a spectator."""
    return View(
        viewer=viewer,
        rules=state.rules,
        hand=None if viewer is None else state.hands[viewer],
        hand_sizes=tuple(len(hand) for hand in state.hands),
        loose=state.loose,
        builds=state.builds,
        piles=state.piles,
        sweeps=state.sweeps,
        stock_size=len(state.stock),
        turn=state.turn,
        deal=state.deal,
        last_capture=state.last_capture,
    )


def unseen_cards(known: View) -> tuple[Card, ...]:
    """Return the cards that may be in any hand the viewer does not see, or in the stock."""
    built = (card for build in known.builds for card in build.cards)
    taken = (card for pile in known.piles for card in pile)
    return without(known.rules.cards, (*known.loose, *built, *taken, *(known.hand or ())))


def imagine(known: View, draw: Draw) -> State:
    """Return a random state consistent with a view: unseen cards are dealt uniformly to hidden hands and the stock.

    Past moves give no information on hidden hands, because no rule depends on the rest of a hand.
    """
    hidden = tuple(seat for seat in range(known.players) if known.hand is None or seat != known.viewer)
    sizes = (*(known.hand_sizes[seat] for seat in hidden), known.stock_size)
    *dealt, stock = DealHands(unseen_cards(known), sizes).sample(draw)
    hands = dict(zip(hidden, map(in_order, dealt), strict=True))
    return State(
        rules=known.rules,
        hands=tuple(hands.get(seat, known.hand or ()) for seat in range(known.players)),
        loose=known.loose,
        builds=known.builds,
        piles=known.piles,
        sweeps=known.sweeps,
        stock=stock,
        turn=known.turn,
        deal=known.deal,
        last_capture=known.last_capture,
    )
