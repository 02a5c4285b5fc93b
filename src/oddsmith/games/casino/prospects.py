"""What a viewer may expect of a table: every chance exact, in the last deal of two even the end."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from oddsmith.cards import Card
from oddsmith.errors import InputError, Refusal, WorkLimitError
from oddsmith.game import Act, Seat
from oddsmith.games.casino import endgame
from oddsmith.games.casino.compiled import Core
from oddsmith.games.casino.endgame import MOST_NODES, MoveOutcome
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, State
from oddsmith.games.casino.moves import legal_moves
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
from oddsmith.games.casino.values import in_order
from oddsmith.games.casino.views import View, unseen_cards

__all__ = [
    "CasinoOddsReply",
    "Holding",
    "ItemOdds",
    "MoveOdds",
    "SolveReply",
    "SolvedMove",
    "most_tables",
    "odds_reply",
    "quick_solution",
    "solve_reply",
]

MOST_SOLVED: Final = 500
"""So many moves are played out to the end while somebody waits."""
PLAIN_NODES: Final = 100_000
"""So many tables are looked at meanwhile where nothing is compiled."""


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


def quick_solution(view: View) -> SolveReply:
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
