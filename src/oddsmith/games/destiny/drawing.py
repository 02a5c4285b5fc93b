"""The draw of a hand in a run or a match: the first deal, and the exchanges that the rules allow (§1.8 to §1.11).

A draw ends with a final hand, which the engine resolves. Without exchanges it is the first deal.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import msgspec

from oddsmith.errors import Refusal
from oddsmith.game import EVERYONE, Await, Decide, Event, Seat, Turn
from oddsmith.games.destiny import gauntlet
from oddsmith.games.destiny.check_match import acting_seat
from oddsmith.games.destiny.decks import first_deal, next_deal
from oddsmith.games.destiny.model import (
    Action,
    CheckState,
    ContestState,
    Dealt,
    Drawing,
    Exchanged,
    GauntletState,
    Hand,
    Hold,
    PendingContest,
    PendingWar,
    RunState,
    Side,
    Stand,
    State,
)
from oddsmith.games.destiny.rules import Redraws, Rules
from oddsmith.games.destiny.run_wars import gang_names
from oddsmith.games.destiny.scoring import NOTHING
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND

PLACES: Final = tuple(range(FULL_HAND))


class DrawStep(NamedTuple):
    """A state after a step of a draw, the hand where it is final, and what happened."""

    state: State
    final: Hand | None
    events: tuple[Event, ...] = ()


def draw_turn(state: State) -> Turn[Hand]:
    """Return the deal that is due, or the choice of the seat that draws."""
    drawing, deck = state.drawing, state.rules.deck
    if drawing is None:
        return Await(first_deal(deck))
    if len(drawing.hand) < FULL_HAND:
        return Await(next_deal(deck, drawing.hand, drawing.gone))
    return Decide((drawing_member(state)[0],))


def drawing_member(state: State) -> tuple[Seat, int]:
    """Return the seat that draws, and which member of its gang: attackers first (§8.6, §8.10, §8.12, §9.5, §11.9)."""
    if isinstance(state, RunState):
        pending = state.pending
        drawn = len(pending.hands) if isinstance(pending, PendingWar) else 0
        return 0, drawn % len(gang_names(state))
    if isinstance(state, CheckState):
        return acting_seat(len(state.taken)), 0
    if isinstance(state, GauntletState):
        return gauntlet.acting_seat(state), 0
    if isinstance(state, ContestState):
        return len(state.hands), 0
    return divmod(len(state.hands), state.rules.gang_size)


def is_npc_drawing(state: State) -> bool:
    """Whether the next hand is that of an NPC, which keeps what it is dealt (§1.11)."""
    pending = state.pending if isinstance(state, RunState | GauntletState) else None
    if isinstance(pending, PendingContest):
        return bool(pending.hands)
    if not isinstance(pending, PendingWar):
        return False
    assert isinstance(state, RunState)  # noqa: S101  only a run has gang wars with NPCs
    are_attackers_drawing = len(pending.hands) < len(gang_names(state))
    return are_attackers_drawing is not (pending.side is Side.ATTACKER)


def is_choosing(state: State) -> bool:
    """Whether a seat must choose what it holds."""
    return state.drawing is not None and len(state.drawing.hand) == FULL_HAND


def receive_cards(state: State, dealt: Hand) -> DrawStep:
    """Return the draw after cards were dealt; the hand is final where no exchange is left or can be paid (§1.8)."""
    before = Drawing(hand=()) if state.drawing is None else state.drawing
    drawing = msgspec.structs.replace(before, hand=tuple(sorted((*before.hand, *dealt))))
    if not _may_exchange(state, drawing):
        return _finish(state, drawing.hand)
    seat, member = drawing_member(state)
    after = msgspec.structs.replace(state, drawing=drawing)
    return DrawStep(after, None, (Dealt(audience=EVERYONE, seat=seat, hand=drawing.hand, member=member),))


def play_hand(state: State, action: Hold | Stand) -> DrawStep:
    """Return the draw after a seat held some cards, or kept all of them."""
    drawing, price = state.drawing, price_of(state)
    assert drawing is not None  # noqa: S101  only a seat that draws may hold
    if isinstance(action, Stand):
        return _finish(state, drawing.hand)
    kept = tuple(drawing.hand[place] for place in action.places)
    gone = tuple(held for place, held in enumerate(drawing.hand) if place not in action.places)
    after = msgspec.structs.replace(
        state,
        drawing=Drawing(hand=kept, gone=(*drawing.gone, *gone), exchanges=drawing.exchanges + 1),
    )
    if isinstance(after, RunState):
        after = msgspec.structs.replace(
            after, energy=after.energy - price.energy, gold=after.gold - price.gold
        )
    seat, member = drawing_member(state)
    event = Exchanged(
        audience=EVERYONE,
        seat=seat,
        kept=kept,
        gone=gone,
        energy=price.energy,
        gold=price.gold,
        member=member,
    )
    return DrawStep(after, None, (event,))


def hold_actions(rules: Rules) -> Iterator[Action]:
    """Yield every choice of a seat that draws: to stand, then what it may hold, the most cards first."""
    yield Stand()
    for size in range(FULL_HAND - 1, FULL_HAND - rules.redraws.cards - 1, -1):
        yield from map(Hold, combinations(PLACES, size))


def hold_objection(action: Action, rules: Rules) -> Refusal | None:
    """Return why a seat that draws may not do this (§1.8)."""
    if isinstance(action, Stand):
        return None
    if not isinstance(action, Hold):
        return Refusal("not_now", "first the hand is played: hold some cards, or stand", paragraph="1.8")
    if not _are_places(action.places):
        sentence = "what is held is given as different places from 0 to 4, in ascending order"
        return Refusal("bad_places", sentence, paragraph="1.8")
    exchanged, most = FULL_HAND - len(action.places), rules.redraws.cards
    if exchanged > most:
        sentence = f"at most {most} cards are exchanged at once, not {exchanged}"
        return Refusal("too_many_exchanged", sentence, paragraph="1.8")
    return None


def price_of(state: State) -> Redraws:
    """Return what an exchange costs: the price of the rules in a run, nothing in a match (§1.10)."""
    redraws = state.rules.redraws
    if isinstance(state, RunState):
        return redraws
    return msgspec.structs.replace(redraws, energy=0, gold=NOTHING)


def may_pay(redraws: Redraws, energy: int, gold: Points) -> bool:
    """Whether a run can pay for an exchange (§1.10)."""
    return redraws.energy <= energy and redraws.gold <= gold


def _may_exchange(state: State, drawing: Drawing) -> bool:
    redraws = state.rules.redraws
    if drawing.exchanges >= redraws.times or is_npc_drawing(state):
        return False
    return not isinstance(state, RunState) or may_pay(redraws, state.energy, state.gold)


def _finish(state: State, hand: Hand) -> DrawStep:
    return DrawStep(msgspec.structs.replace(state, drawing=None), hand)


def _are_places(places: Sequence[int]) -> bool:
    return set(places) <= set(PLACES) and list(places) == sorted(set(places))
