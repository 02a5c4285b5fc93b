"""What Casino answers without a match: the name of a group, the moves of a table, and what a viewer may expect of it."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Final, TypeAlias, assert_never

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, without
from oddsmith.chance import Draw
from oddsmith.errors import InputError, Refusal, WorkLimitError
from oddsmith.game import Act, Seat
from oddsmith.games.casino import endgame
from oddsmith.games.casino.bridge import in_order, legal_moves
from oddsmith.games.casino.combos import Combo, capturing_cards, classify
from oddsmith.games.casino.compiled import Core
from oddsmith.games.casino.dialogs import Dialog, dialog
from oddsmith.games.casino.drops import DropsReply, StackReply, drops, require_few, state_on_turn
from oddsmith.games.casino.endgame import MOST_NODES, MoveOutcome
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
from oddsmith.games.casino.odds import (
    Exposure,
    NextDeal,
    Taking,
    any_state,
    exposures,
    holding_odds,
    next_deal_odds,
    table_odds,
)
from oddsmith.games.casino.proofs import SeatNumber
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.scoring import ScoreReply, score_reply
from oddsmith.games.casino.staging import Dragged, Staging, unstage
from oddsmith.games.casino.views import View, unseen_cards
from oddsmith.questions import GivenRules, Question, Questions, in_batches, rules_of

__all__ = [
    "QUESTIONS",
    "CasinoOddsReply",
    "ClassifyQuestion",
    "ClassifyReply",
    "DialogQuestion",
    "DropsQuestion",
    "EndingQuestion",
    "Holding",
    "ItemOdds",
    "ListedMove",
    "MoveEstimate",
    "MoveOdds",
    "MovesQuestion",
    "MovesReply",
    "ScoreQuestion",
    "SolveReply",
    "SolvedMove",
    "TableQuestion",
    "UnstageQuestion",
    "classify_reply",
    "most_tables",
    "moves_reply",
    "odds_reply",
    "solve_reply",
    "table_of",
]

MOST_SOLVED: Final = 500
"""So many moves are played out to the end while somebody waits."""
PLAIN_NODES: Final = 100_000
"""So many tables are looked at meanwhile where nothing is compiled."""


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


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """The chances that a seat holds a card of a value, for the values from 1 to 10."""

    seat: Seat
    hand_size: int
    chances: tuple[Fraction, ...]


class ItemOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A loose card or a build, as moves name it, and the chances that it can be taken as the table lies."""

    text: str
    taking: Taking


class MoveOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move: its number in the canonical order, its notation, and what the next player can do after it."""

    number: int
    text: str
    words: str
    exposure: Exposure


class CasinoOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """What a viewer knows of a table, every chance exact; `seat` is on turn.

    `holding` has every seat but the viewer's own. `next_deal` is null where the stock is empty. `moves` are those of
    the viewer, empty where another is on turn; `uncounted` says why they are empty where there are too many to judge,
    else it is null.
    """

    rules_id: str
    viewer: Seat | None
    seat: Seat
    deal: int
    hand: tuple[Card, ...] | None
    unseen: tuple[Card, ...]
    holding: tuple[Holding, ...]
    next_deal: NextDeal | None
    table: tuple[ItemOdds, ...]
    moves: tuple[MoveOdds, ...]
    uncounted: Refusal | None


class SolvedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move: its notation, its outcome when both play their best after it, and the line as it is written."""

    text: str
    words: str
    outcome: MoveOutcome
    line: tuple[str, ...]


class SolveReply(msgspec.Struct, frozen=True, kw_only=True):
    """Every move of the last deal with its exact outcome, the best first.

    `best` is how many of them are best; `nodes` is how many tables were looked at.
    """

    rules_id: str
    seat: Seat
    deal: int
    best: int
    nodes: int
    moves: tuple[SolvedMove, ...]


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
    return odds_reply(view) if isinstance(asked, TableQuestion) else _quick_solution(view)


def odds_reply(view: View) -> CasinoOddsReply:
    """Say who may hold what, what the next deal brings, what can be taken, and what each move exposes."""
    state = any_state(view)
    if state.is_over:
        raise InputError("game_over", "the game is over: all cards are played", paragraph="5.2")
    told, uncounted = _exposed(view)
    return CasinoOddsReply(
        rules_id=view.rules.rules_id,
        viewer=view.viewer,
        seat=view.turn,
        deal=view.deal,
        hand=view.hand,
        unseen=in_order(unseen_cards(view)),
        holding=tuple(
            Holding(seat=seat, hand_size=view.hand_sizes[seat], chances=tuple(chances.values()))
            for seat, chances in holding_odds(view).items()
            if seat != view.viewer
        ),
        next_deal=next_deal_odds(view),
        table=tuple(ItemOdds(text=_item_text(taking, view), taking=taking) for taking in table_odds(view)),
        moves=tuple(
            MoveOdds(
                number=number,
                text=write_action(exposure.move, state),
                words=exposure.move.words,
                exposure=exposure,
            )
            for number, exposure in enumerate(told, 1)
        ),
        uncounted=uncounted,
    )


def _exposed(view: View) -> tuple[tuple[Exposure, ...], Refusal | None]:
    """Return what the viewer's moves expose, or why that is not told."""
    if view.viewer != view.turn or not view.hand:
        return (), None
    try:
        return exposures(view), None
    except WorkLimitError as error:
        return (), error.refusal


def _item_text(taking: Taking, view: View) -> str:
    built = [f"[{''.join(map(str, view.builds[place].cards))}]" for place in taking.builds]
    return "".join((*map(str, taking.loose), *built))


def _quick_solution(view: View) -> SolveReply:
    """Solve the last deal, refused where somebody would have to wait for it."""
    state = endgame.known_state(view)
    endgame.require_last_deal(state)
    moves = len(legal_moves(state))
    if moves > MOST_SOLVED:
        raise WorkLimitError(
            "too_many_moves",
            f"{moves:,} moves are more than the {MOST_SOLVED} that are played out while somebody waits; "
            "the command line takes its time",
        )
    core = endgame.core_for(state)
    return solve_reply(state, most_nodes=most_tables(core), core=core)


def most_tables(core: Core) -> int:
    """Return how many tables are looked at while somebody waits."""
    return MOST_NODES if core.is_compiled else PLAIN_NODES


def solve_reply(state: State, *, most_nodes: int, core: Core | None = None) -> SolveReply:
    """Say where every move of the last deal leads, the best first; at most so many tables are looked at."""
    solution = endgame.solve(state, most_nodes=most_nodes, core=core)
    return SolveReply(
        rules_id=state.rules.rules_id,
        seat=solution.seat,
        deal=state.deal,
        best=len(solution.best),
        nodes=solution.nodes,
        moves=tuple(
            SolvedMove(
                text=write_action(one.move, state),
                words=one.move.words,
                outcome=one,
                line=tuple(_written_line(one.line, state)),
            )
            for one in solution.outcomes
        ),
    )


def _written_line(line: Sequence[Move], state: State) -> Iterator[str]:
    for move in line:
        yield write_action(move, state)
        state = GAME.step(state, Act(state.turn, move)).state


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
