"""The actions among which a player chooses: moves, and what becomes of the stack (§6.3)."""

from enum import StrEnum
from typing import Final, assert_never

import msgspec

from oddsmith.games.casino.drafts.stacks import Staging
from oddsmith.games.casino.model import Move, MoveKind, State, has_marriage, total_value
from oddsmith.games.casino.rules import MARRIAGE_VALUE


class ActionKind(StrEnum):
    """What an action does, in the order in which actions are listed."""

    STAGING = "staging"
    CAPTURE = "capture"
    BUILD = "build"
    EXTENSION = "extension"
    TRAIL = "trail"
    EDIT = "edit"
    CANCEL = "cancel"


PRIORITIES: Final = {
    ActionKind.STAGING: 100,
    ActionKind.CAPTURE: 90,
    ActionKind.BUILD: 80,
    ActionKind.EXTENSION: 75,
    ActionKind.TRAIL: 70,
    ActionKind.EDIT: 20,
    ActionKind.CANCEL: 10,
}
KINDS: Final = {
    MoveKind.CAPTURE: ActionKind.CAPTURE,
    MoveKind.TWO_CARD_CAPTURE: ActionKind.CAPTURE,
    MoveKind.BUILD_MARRIAGE: ActionKind.BUILD,
    MoveKind.BUILD: ActionKind.BUILD,
    MoveKind.EXTEND: ActionKind.EXTENSION,
    MoveKind.TRAIL: ActionKind.TRAIL,
}


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that the player can choose: a move, or what becomes of the stack.

    `move` is there for a move; `staging` is the stack afterwards, for staging and editing. Cancelling has neither.
    """

    kind: ActionKind
    label: str
    priority: int
    move: Move | None = None
    staging: Staging | None = None


def make_action(
    kind: ActionKind, label: str, *, move: Move | None = None, staging: Staging | None = None
) -> Action:
    """Return an action with the priority of its kind."""
    return Action(kind=kind, label=label, priority=PRIORITIES[kind], move=move, staging=staging)


def move_action(move: Move, state: State) -> Action:
    """Return a move as something to choose."""
    return make_action(KINDS[move.kind], _label(move, state), move=move)


def edit_action(staging: Staging) -> Action:
    """Return the choice to go on with the stack as it is: things can be put on it, or taken back."""
    return make_action(ActionKind.EDIT, "Edit stack", staging=staging)


def cancel_action() -> Action:
    """Return the choice to have no stack any more."""
    return make_action(ActionKind.CANCEL, "Cancel stack")


def _label(move: Move, state: State) -> str:
    hand = " + ".join(map(str, move.hand))
    match move.kind:
        case MoveKind.CAPTURE | MoveKind.TWO_CARD_CAPTURE:
            return f"Capture with marriage: {hand}" if has_marriage(move) else f"Capture with {hand}"
        case MoveKind.BUILD_MARRIAGE:
            return "Build marriage"
        case MoveKind.BUILD:
            return f"Build {worth_of(move, state)} with {hand}"
        case MoveKind.EXTEND:
            return f"Extend to {worth_of(move, state)} with {hand}"
        case MoveKind.TRAIL:
            return f"Trail {hand}"
        case _ as never:
            assert_never(never)


def worth_of(move: Move, state: State) -> int:
    """Return what a legal move is about: what its hand cards take, or what its build is worth afterwards."""
    hand = total_value(move.hand)
    match move.kind:
        case MoveKind.CAPTURE | MoveKind.TWO_CARD_CAPTURE | MoveKind.TRAIL:
            return hand
        case MoveKind.BUILD_MARRIAGE:
            return MARRIAGE_VALUE
        case MoveKind.BUILD:
            return hand + total_value(move.loose)
        case MoveKind.EXTEND:
            return hand + state.builds[move.builds[0]].value
        case _ as never:
            assert_never(never)
