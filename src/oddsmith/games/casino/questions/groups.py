"""Questions about groups of cards: their name, the score of piles, drops, and the dialog of a stack."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.cards import Card
from oddsmith.errors import InputError
from oddsmith.games.casino.drafts.actions import Combo, capturing_cards, classify, is_buildable_sum
from oddsmith.games.casino.drafts.dialogs import Dialog, make_dialog
from oddsmith.games.casino.drafts.drops import DropsReply, StackReply, possible_drops
from oddsmith.games.casino.drafts.stacks import DraggedItem, Staging, state_on_turn, unstage
from oddsmith.games.casino.model import Cards, State
from oddsmith.games.casino.questions.fields import AnyCards, read_cards
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, MOST_VALUE, Rules
from oddsmith.games.casino.scoring import ScoreReply, score_reply
from oddsmith.games.casino.table_input import MOST_SWEEPS, KnownTable, read_known_view, require_playable
from oddsmith.question import Context, Question, Request, argument, option


class ClassifyRequest(Request, frozen=True, kw_only=True):
    """A group of cards, and a sum that they may make."""

    cards: Annotated[AnyCards, argument('A group: "K♠ Q♠" or "KS QS".', metavar="CARDS")]
    target: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_VALUE)] | None,
        option("Also say whether they can be built to this value.", metavar="VALUE"),
    ] = None


class ClassifyReply(Combo, frozen=True, kw_only=True):
    """The name of a group of cards, and whether it can be built or captured.

    `capturing_cards` are those of the deck that capture the whole group where nothing else is on the table.
    `is_buildable_sum` is whether they add up to at most ten, and to the target where one is given.
    """

    rules_id: str
    is_buildable_sum: bool
    capturing_cards: tuple[Card, ...]


def classify_group(request: ClassifyRequest, context: Context[Rules]) -> ClassifyReply:
    """Name a group of cards, and say what can be done with it.

    >>> classify_group(ClassifyRequest(cards="3♣ 4♥"), Context(rules=Rules())).capturing_cards
    (card('7♠'), card('7♥'), card('7♦'), card('7♣'))
    """
    group = read_cards(request.cards, context.rules)
    return ClassifyReply(
        rules_id=context.rules.rules_id,
        is_buildable_sum=is_buildable_sum(group, request.target),
        capturing_cards=capturing_cards(group, context.rules),
        **msgspec.structs.asdict(classify(group, context.rules)),
    )


CLASSIFY: Final = Question(
    name="classify",
    request=ClassifyRequest,
    reply=ClassifyReply,
    answer=classify_group,
    example='oddsmith casino classify "K♠ Q♠"',
)


class ScoreRequest(Request, frozen=True, kw_only=True):
    """The cards that each seat has taken, and how often it swept the table."""

    piles: Annotated[tuple[Cards, ...], Meta(min_length=FEWEST_SEATS, max_length=MOST_SEATS)]
    sweeps: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=MOST_SWEEPS)], ...],
        Meta(min_length=FEWEST_SEATS, max_length=MOST_SEATS),
    ]


def score_piles(request: ScoreRequest, context: Context[Rules]) -> ScoreReply:
    """Return the score of piles and sweeps, as if the game were over."""
    require_playable(tuple(card for pile in request.piles for card in pile), context.rules)
    if len(request.sweeps) != len(request.piles):
        raise InputError(
            "bad_seats",
            f"{len(request.piles)} have piles, so {len(request.piles)} are right, not {len(request.sweeps)}",
            where="sweeps",
        )
    return score_reply(request.piles, request.sweeps, context.rules)


SCORE: Final = Question(
    name="score", request=ScoreRequest, reply=ScoreReply, answer=score_piles, is_command=False
)


class DropsRequest(Request, frozen=True, kw_only=True):
    """A dragged item, and the current stack; the view is that of the seat on turn."""

    view: KnownTable
    dragged: DraggedItem
    stack: Staging | None = None


class DialogRequest(Request, frozen=True, kw_only=True):
    """A stack; the view is that of its owner."""

    view: KnownTable
    stack: Staging


class UnstageRequest(Request, frozen=True, kw_only=True):
    """A stack and one of its items; the view is that of the stack's owner."""

    view: KnownTable
    stack: Staging
    thing: DraggedItem


def list_drops(request: DropsRequest, context: Context[Rules]) -> DropsReply:
    """Return the actions of a dragged item for every target."""
    return possible_drops(request.dragged, request.stack, _read_state(request.view, context))


def open_dialog(request: DialogRequest, context: Context[Rules]) -> Dialog:
    """Return the legal moves of a stack, and the reasons against other kinds of moves."""
    return make_dialog(request.stack, _read_state(request.view, context))


def unstage_item(request: UnstageRequest, context: Context[Rules]) -> StackReply:
    """Return the stack without one of its items."""
    return StackReply(stack=unstage(request.stack, request.thing, _read_state(request.view, context)))


def _read_state(known: KnownTable, context: Context[Rules]) -> State:
    return state_on_turn(read_known_view(known, context.rules))


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
    answer=unstage_item,
    has_figures=False,
    is_command=False,
)
