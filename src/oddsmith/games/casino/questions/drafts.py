"""Questions of a client whose player puts things together on a table: drops, the dialog of a stack, things taken off it."""

from typing import Final

from oddsmith.games.casino.drafts.dialogs import Dialog, dialog
from oddsmith.games.casino.drafts.drops import DropsReply, StackReply, drops, require_few, state_on_turn
from oddsmith.games.casino.drafts.stacks import Dragged, Staging, unstage
from oddsmith.games.casino.known import KnownTable, known_view
from oddsmith.games.casino.model import State
from oddsmith.games.casino.rules import Rules
from oddsmith.question import Context, Question, Request


class DropsRequest(Request, frozen=True, kw_only=True):
    """A thing that is dragged, and the stack there is; the view is that of the seat on turn."""

    view: KnownTable
    dragged: Dragged
    stack: Staging | None = None


class DialogRequest(Request, frozen=True, kw_only=True):
    """A stack; the view is that of its owner."""

    view: KnownTable
    stack: Staging


class UnstageRequest(Request, frozen=True, kw_only=True):
    """A stack and one of its things; the view is that of the stack's owner."""

    view: KnownTable
    stack: Staging
    thing: Dragged


def list_drops(request: DropsRequest, context: Context[Rules]) -> DropsReply:
    """Say what a dragged thing can come to, wherever it is let go."""
    return drops(request.dragged, request.stack, _read_state(request.view, context))


def open_dialog(request: DialogRequest, context: Context[Rules]) -> Dialog:
    """Say what can be done with a stack, and why nothing else can."""
    return dialog(request.stack, _read_state(request.view, context))


def take_off(request: UnstageRequest, context: Context[Rules]) -> StackReply:
    """Say what is left of a stack without one of its things."""
    return StackReply(stack=unstage(request.stack, request.thing, _read_state(request.view, context)))


def _read_state(known: KnownTable, context: Context[Rules]) -> State:
    require_few(known.loose)
    return state_on_turn(known_view(known, context.rules))


DROPS: Final = Question(
    name="drops",
    request=DropsRequest,
    reply=DropsReply,
    answer=list_drops,
    has_figures=False,
    is_command=False,
)
DIALOG: Final = Question(
    name="dialog",
    request=DialogRequest,
    reply=Dialog,
    answer=open_dialog,
    has_figures=False,
    is_command=False,
)
UNSTAGE: Final = Question(
    name="unstage",
    request=UnstageRequest,
    reply=StackReply,
    answer=take_off,
    has_figures=False,
    is_command=False,
)
