"""What Casino answers without a match: the name of a group, the moves of a table, and what a viewer may expect of it."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, TypeAlias, assert_never

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, without
from oddsmith.chance import Draw
from oddsmith.errors import InputError
from oddsmith.game import Seat
from oddsmith.games.casino.drafts.combos import Combo, capturing_cards, classify
from oddsmith.games.casino.drafts.dialogs import Dialog, dialog
from oddsmith.games.casino.drafts.drops import DropsReply, StackReply, drops, require_few, state_on_turn
from oddsmith.games.casino.drafts.stacks import Dragged, Staging, unstage
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.hints import Gain, gain
from oddsmith.games.casino.known import (
    MOST_SWEEPS,
    GivenBuilds,
    KnownTable,
    known_view,
    of_the_deck,
    proved_builds,
)
from oddsmith.games.casino.model import Cards, Move, MoveKind, State
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.proofs import SeatNumber
from oddsmith.games.casino.prospects import CasinoOddsReply, SolveReply, odds_reply, quick_solution
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.scoring import ScoreReply, score_reply
from oddsmith.games.casino.values import in_order
from oddsmith.questions import GivenRules, Question, Questions, in_batches, rules_of

__all__ = [
    "QUESTIONS",
    "ClassifyQuestion",
    "ClassifyReply",
    "DialogQuestion",
    "DropsQuestion",
    "EndingQuestion",
    "ListedMove",
    "MoveEstimate",
    "MovesQuestion",
    "MovesReply",
    "ScoreQuestion",
    "TableQuestion",
    "UnstageQuestion",
    "classify_reply",
    "moves_reply",
    "table_of",
]


class _Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Under which rules something is asked."""

    rules: GivenRules = "default"


class ClassifyQuestion(_Asked, frozen=True, kw_only=True, tag="classify"):
    """What a group of cards is called, and what could be done with it."""

    cards: Cards


class MovesQuestion(_Asked, frozen=True, kw_only=True, tag="moves"):
    """Which moves the seat on turn has, by its hand and by what lies on the table; in the last deal the stock is empty."""

    hand: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=13)]
    loose: Cards = ()
    builds: GivenBuilds = ()
    seat: SeatNumber = 0
    players: Annotated[int, Meta(ge=FEWEST_SEATS, le=MOST_SEATS)] = FEWEST_SEATS
    deal: Annotated[int, Meta(ge=1, le=10)] = 1
    last_deal: bool = False


class DropsQuestion(_Asked, frozen=True, kw_only=True, tag="drops"):
    """What a dragged thing can come to, wherever it is let go; the view is that of the seat on turn."""

    view: KnownTable
    dragged: Dragged
    stack: Staging | None = None


class DialogQuestion(_Asked, frozen=True, kw_only=True, tag="dialog"):
    """What can be done with a stack, and why nothing else can; the view is that of its owner."""

    view: KnownTable
    stack: Staging


class UnstageQuestion(_Asked, frozen=True, kw_only=True, tag="unstage"):
    """What is left of a stack without one of its things; the view is that of its owner."""

    view: KnownTable
    stack: Staging
    thing: Dragged


class ScoreQuestion(_Asked, frozen=True, kw_only=True, tag="score"):
    """What piles and sweeps are worth, and what for, as if the game were over."""

    piles: Annotated[tuple[Cards, ...], Meta(min_length=FEWEST_SEATS, max_length=MOST_SEATS)]
    sweeps: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=MOST_SWEEPS)], ...],
        Meta(min_length=FEWEST_SEATS, max_length=MOST_SEATS),
    ]


class TableQuestion(_Asked, frozen=True, kw_only=True, tag="table"):
    """What a viewer may expect: who holds what, what the next deal brings, what can be taken, what moves expose."""

    view: KnownTable


class EndingQuestion(_Asked, frozen=True, kw_only=True, tag="ending"):
    """How the last deal of two ends when both play their best; a player's view will do, for it shows both hands."""

    view: KnownTable


class ClassifyReply(Combo, frozen=True, kw_only=True):
    """What a group of cards is called, and what could be done with it.

    `capturing_cards` are those of the deck that take the group whole where it lies alone on the table.
    """

    rules_id: str
    capturing_cards: tuple[Card, ...]


class MoveEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """What the search thinks of a move: the share of the game that it expects, from so many visits."""

    share: float
    visits: int


class ListedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move: its number in the canonical order, its notation, what it gains at once."""

    number: int
    text: str
    words: str
    move: Move
    gain: Gain
    estimate: MoveEstimate | None


class MovesReply(msgspec.Struct, frozen=True, kw_only=True):
    """The legal moves of the seat on turn, in canonical order.

    `legal` is how many there are; where one kind was asked for, fewer are listed. `estimate` is null where no search
    was asked for, and for a move that the search never tried.
    """

    rules_id: str
    seat: Seat
    deal: int
    hand: tuple[Card, ...]
    legal: int
    iterations: int | None
    seed: str | None
    moves: tuple[ListedMove, ...]


# --- groups and moves ------------------------------------------------------------------------------------------------


DraftQuestion: TypeAlias = DropsQuestion | DialogQuestion | UnstageQuestion
DraftReply: TypeAlias = DropsReply | Dialog | StackReply


def resolve(
    asked: ClassifyQuestion | MovesQuestion | ScoreQuestion | DraftQuestion,
    draw: Draw,  # noqa: ARG001  nothing is drawn
) -> ClassifyReply | MovesReply | ScoreReply | DraftReply:
    """Name a group of cards, list the moves of a table, count its points, or say what a drag can come to.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.chance import System
    >>> table = MovesQuestion(hand=cards("7♠ 2♦"), loose=cards("3♠ 4♥"))
    >>> [listed.text for listed in resolve(table, System()).moves][:2]
    ['7♠x3♠+4♥', '2♦+3♠=5']
    """
    rules = rules_of(Rules, asked.rules)
    match asked:
        case ClassifyQuestion():
            return classify_reply(of_the_deck(asked.cards, rules), rules)
        case MovesQuestion():
            state = table_of(asked, rules)
            return moves_reply(state, GAME.actions(state, state.turn))
        case ScoreQuestion():
            return _score_reply(asked, rules)
        case _:
            return _draft_reply(asked, rules)


def _draft_reply(asked: DraftQuestion, rules: Rules) -> DraftReply:
    """Say what can become of a stack, or of a thing that is dragged."""
    require_few(asked.view.loose)
    state = state_on_turn(known_view(asked.view, rules))
    match asked:
        case DropsQuestion():
            return drops(asked.dragged, asked.stack, state)
        case DialogQuestion():
            return dialog(asked.stack, state)
        case UnstageQuestion():
            return StackReply(stack=unstage(asked.stack, asked.thing, state))
        case _ as never:
            assert_never(never)


def _score_reply(asked: ScoreQuestion, rules: Rules) -> ScoreReply:
    """Count piles that can be; others are refused."""
    of_the_deck(tuple(card for pile in asked.piles for card in pile), rules)
    if len(asked.sweeps) != len(asked.piles):
        raise InputError(
            "bad_seats",
            f"{len(asked.piles)} have piles, so {len(asked.piles)} are right, not {len(asked.sweeps)}",
            where="sweeps",
        )
    return score_reply(asked.piles, asked.sweeps, rules)


def classify_reply(group: Sequence[Card], rules: Rules) -> ClassifyReply:
    """Name a group of cards, and say what takes it."""
    return ClassifyReply(
        rules_id=rules.rules_id,
        capturing_cards=capturing_cards(group, rules),
        **msgspec.structs.asdict(classify(group, rules)),
    )


def moves_reply(
    state: State,
    moves: Sequence[Move],
    *,
    kind: MoveKind | None = None,
    estimates: Mapping[Move, MoveEstimate] | None = None,
    iterations: int | None = None,
    seed: str | None = None,
) -> MovesReply:
    """List the moves of a state, or those of one kind; what a search has found out may stand beside them."""
    view = GAME.view(state, state.turn)
    return MovesReply(
        rules_id=state.rules.rules_id,
        seat=state.turn,
        deal=state.deal,
        hand=state.hands[state.turn],
        legal=len(moves),
        iterations=iterations,
        seed=seed,
        moves=tuple(
            ListedMove(
                number=number,
                text=write_action(move, state),
                words=move.words,
                move=move,
                gain=gain(move, view),
                estimate=(estimates or {}).get(move),
            )
            for number, move in enumerate(moves, 1)
            if kind in (None, move.kind)
        ),
    )


def table_of(asked: MovesQuestion, rules: Rules) -> State:
    """Return a table on which the seat has these moves; where cards lie that nobody asks about does not matter."""
    built = (card for build in asked.builds for card in build.cards)
    seen = of_the_deck((*asked.hand, *asked.loose, *built), rules)
    require_few(asked.loose)
    if asked.seat >= asked.players:
        raise InputError("bad_seats", f"seats are 0 to {asked.players - 1}, not {asked.seat}", where="seat")
    hands = tuple(in_order(asked.hand) if seat == asked.seat else () for seat in range(asked.players))
    return State(
        rules=rules,
        hands=hands,
        loose=in_order(asked.loose),
        builds=proved_builds(asked.builds, rules, players=asked.players),
        piles=((),) * asked.players,
        sweeps=(0,) * asked.players,
        stock=() if asked.last_deal else without(rules.cards, seen),
        turn=asked.seat,
        deal=asked.deal,
    )


# --- odds ------------------------------------------------------------------------------------------------------------


def odds(asked: TableQuestion | EndingQuestion, draw: Draw) -> CasinoOddsReply | SolveReply:  # noqa: ARG001  nothing is drawn
    """Say exactly what a viewer may expect of a table, or how the last deal of two ends.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.chance import System
    >>> mine = KnownTable(viewer=0, hand=cards("6♠ 7♠ 2♦ 9♦"), hand_sizes=(4, 4), loose=cards("3♠ 4♥ 8♣ K♣"))
    >>> odds(TableQuestion(view=mine), System()).holding[0].chances[6]
    Fraction(841, 3311)
    """
    rules = rules_of(Rules, asked.rules)
    require_few(asked.view.loose)
    view = known_view(asked.view, rules)
    return odds_reply(view) if isinstance(asked, TableQuestion) else quick_solution(view)


_RESOLVE: Final = Question(
    request=ClassifyQuestion
    | MovesQuestion
    | ScoreQuestion
    | DropsQuestion
    | DialogQuestion
    | UnstageQuestion,
    reply=ClassifyReply | MovesReply | ScoreReply | DropsReply | Dialog | StackReply,
    answer=resolve,
)

QUESTIONS: Final = Questions(
    resolve=_RESOLVE,
    batch=in_batches(_RESOLVE),
    odds=Question(request=TableQuestion | EndingQuestion, reply=CasinoOddsReply | SolveReply, answer=odds),
)
"""What may be asked of Casino."""
