"""A client asks what a drag can come to from what its player sees: the own hand and the table say it all (§6).

Only the player on turn can ask: what another holds is hidden, and no answer may depend on it.
"""

from collections.abc import Iterator
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.game import Decide
from oddsmith.games.casino.drafts.actions import Actions, determine_actions
from oddsmith.games.casino.drafts.stacks import (
    BuildItem,
    Dragged,
    LooseCard,
    OpenArea,
    StackTarget,
    Staging,
    Target,
)
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import MOST_BUILDS, Cards, State
from oddsmith.games.casino.odds import any_state
from oddsmith.games.casino.views import View

__all__ = ["MOST_LOOSE", "DropsReply", "PossibleDrop", "StackReply", "drops", "require_few", "state_on_turn"]

MOST_LOOSE: Final = 16
"""So many loose cards have few enough moves to be gone through while somebody waits."""
MOST_TARGETS: Final = MOST_LOOSE + MOST_BUILDS + 2


class PossibleDrop(Actions, frozen=True, kw_only=True):
    """A place where the dragged thing can be let go, and what that can mean there, or why it can mean nothing."""

    target: Target


class DropsReply(msgspec.Struct, frozen=True, kw_only=True):
    """Every place where a dragged thing can be let go: loose cards, builds, the stack where there is one, the open area."""

    drops: Annotated[tuple[PossibleDrop, ...], Meta(max_length=MOST_TARGETS)]


class StackReply(msgspec.Struct, frozen=True, kw_only=True):
    """The stack afterwards; null where there is none any more."""

    stack: Staging | None


def drops(dragged: Dragged, stack: Staging | None, state: State) -> DropsReply:
    """Return what a drag can come to, place by place.

    >>> from oddsmith.cards import card
    >>> from oddsmith.games.casino.notation import read_move
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> from oddsmith.games.casino.drafts.stacks import HandCard
    >>> before = GAME.setup(DEFAULT, 2)
    >>> deal = "* 4♠ 7♠ 2♦ 9♦ | 3♥ 5♥ J♥ Q♥ | 3♠ 4♥ 8♣ K♣"
    >>> state = GAME.step(before, read_move(deal, before)).state
    >>> found = drops(HandCard(card("4♠")), None, state).drops
    >>> [(str(drop.target.card), len(drop.actions)) for drop in found[:2]], found[-1].refusal.code
    ([('3♠', 2), ('4♥', 3)], 'must_play')
    """
    return DropsReply(
        drops=tuple(_possible(dragged, target, stack, state) for target in _targets(dragged, stack, state))
    )


def _targets(dragged: Dragged, stack: Staging | None, state: State) -> Iterator[Target]:
    yield from (thing for thing in map(LooseCard, state.loose) if thing != dragged)
    yield from (thing for thing in map(BuildItem, range(len(state.builds))) if thing != dragged)
    if stack is not None and not stack.is_empty:
        yield StackTarget()
    yield OpenArea()


def _possible(dragged: Dragged, target: Target, stack: Staging | None, state: State) -> PossibleDrop:
    found = determine_actions(dragged, target, stack, state)
    return PossibleDrop(
        target=target, actions=found.actions, needs_choice=found.needs_choice, refusal=found.refusal
    )


def state_on_turn(view: View) -> State:
    """Return a state that the viewer may be in, refused where it is not the viewer's turn (§6.1)."""
    state = any_state(view)
    turn = GAME.turn(state)
    if isinstance(turn, Decide) and turn.seats == (view.viewer,):
        return state
    raise InputError(
        "not_your_turn",
        "things are put together in one's own turn: give the view of the seat on turn",
        where="view.viewer",
        paragraph="6.1",
    )


def require_few(loose: Cards) -> None:
    """Refuse a table with so many loose cards that its moves take long to go through."""
    if len(loose) > MOST_LOOSE:
        raise WorkLimitError(
            "too_many_moves",
            f"the moves of at most {MOST_LOOSE} loose cards are listed while somebody waits",
            where="loose",
        )
