"""Solver of the last deal of two players, in which both know all cards: every move has one exact outcome.

Best play maximises the share of the win, then the margin in points; of equally good moves, the first in canonical order
(§4.7) is played.
"""

from fractions import Fraction
from typing import Final

import msgspec

from oddsmith.chance import Seeded
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.game import Seat
from oddsmith.games.casino import endgame_kernel, kernel
from oddsmith.games.casino.compiler import Core, fastest_core
from oddsmith.games.casino.encoding import encode_rules, encode_scoring, encode_state, new_move_lists
from oddsmith.games.casino.endgame_kernel import Search
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveOutcome, State
from oddsmith.games.casino.moves import apply_move, clear_table, legal_moves
from oddsmith.games.casino.rules import FEWEST_SEATS
from oddsmith.games.casino.scoring import final_scores
from oddsmith.games.casino.views import View

__all__ = ["MoveOutcome", "Solution", "core_for", "known_state", "require_last_deal", "solve"]

MOST_NODES: Final = 1_000_000
FEW_CARDS: Final = 6
"""The most cards in hands that are searched in plain Python, because compiling takes longer."""
LOWEST: Final = -endgame_kernel.LIMIT
HIGHEST: Final = endgame_kernel.LIMIT


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """The outcomes of every legal move of the player on turn, the best first."""

    seat: Seat
    outcomes: tuple[MoveOutcome, ...]
    nodes: int

    @property
    def share(self) -> Fraction:
        """The share of the win of the player on turn."""
        return self.outcomes[0].share

    @property
    def margin(self) -> int:
        """The lead in points of the player on turn at the end."""
        return self.outcomes[0].margin

    @property
    def best(self) -> tuple[Move, ...]:
        """The best moves, in canonical order."""
        return tuple(
            one.move for one in self.outcomes if (one.share, one.margin) == (self.share, self.margin)
        )


def solve(position: State | View, *, most_nodes: int = MOST_NODES, core: Core | None = None) -> Solution:
    """Return every move of the player on turn with its exact outcome, in the last deal of two players.

    A view is enough: unseen cards are in the other hand. Raises `InputError` where it is not the last deal of two, and
    `WorkLimitError` after `most_nodes` nodes.

    >>> from oddsmith.games.casino.position import read_position
    >>> solution = solve(read_position('''
    ... hands = ["2♠ 9♣", "9♦ 4♦"]
    ... loose = "2♦ 9♥"
    ... piles = ["A♠ A♥ 3♠ 4♠ 5♠ 6♠ 10♦ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 10♥ J♥ Q♥ K♥ 3♣ 4♣ 5♣ 6♣ 7♣", "the rest"]
    ... last_capture = 1
    ... stock = ""
    ... '''))
    >>> [(str(one.move.hand[0]), one.points) for one in solution.outcomes]
    [('9♣', (8, 3)), ('2♠', (5, 7)), ('2♠', (4, 7)), ('2♠', (4, 7)), ('9♣', (4, 7))]
    """
    state = known_state(position)
    require_last_deal(state)
    search = _Search(state, most_nodes, core or core_for(state))
    outcomes = [_outcome(state, move, search) for move in legal_moves(state)]
    outcomes.sort(key=lambda one: (-one.share, -one.margin))
    return Solution(seat=state.turn, outcomes=tuple(outcomes), nodes=search.nodes)


def core_for(state: State) -> Core:
    """Return the faster core for a state: compiled, unless compiling takes longer than the search."""
    if sum(map(len, state.hands)) <= FEW_CARDS:
        return Core(endgame_kernel, is_compiled=False)
    return fastest_core(endgame_kernel)


def known_state(position: State | View) -> State:
    """Return the only state that is consistent with a player's view of the last deal of two."""
    if isinstance(position, State):
        return position
    if position.players == FEWEST_SEATS and not position.stock_size and position.hand is None:
        raise InputError(
            "hidden_hands", "a spectator sees no hand: only a player knows both", paragraph="1.5"
        )
    return GAME.imagine(position, Seeded("where nothing is hidden, luck decides nothing"))


def require_last_deal(state: State) -> None:
    """Raise `InputError` unless it is the last deal of two players and not over."""
    if state.players != FEWEST_SEATS:
        raise InputError(
            "not_two_players",
            f"only two players know each other's last cards: {state.players} play here",
            paragraph="1.5",
        )
    if state.stock:
        raise InputError(
            "stock_left",
            f"only the last deal can be solved: {len(state.stock)} cards are still to be dealt",
            paragraph="1.5",
        )
    if state.is_over:
        raise InputError("game_over", "the game is over: all cards are played", paragraph="5.2")


def _outcome(state: State, move: Move, search: "_Search") -> MoveOutcome:
    """Return the outcome of a move, with the line of best play."""
    line, after = [move], _after(state, move)
    value = search.value(after)
    while not after.is_over:
        best, after = _best_step(after, value, search)
        line.append(best)
    scores = final_scores(after.piles, after.sweeps, after.rules)
    ahead = 1 if state.turn == 0 else -1
    return MoveOutcome(
        move=move,
        share=Fraction(1 + ahead * ((value > 0) - (value < 0)), 2),
        margin=ahead * (scores[0].points - scores[1].points),
        points=(scores[0].points, scores[1].points),
        line=tuple(line),
    )


def _after(state: State, move: Move) -> State:
    after = apply_move(state, move)
    return clear_table(after) if after.is_over else after


def _best_step(state: State, value: int, search: "_Search") -> tuple[Move, State]:
    """Return the first move in canonical order that preserves the value of a state, and the state after it."""
    steps = ((move, _after(state, move)) for move in legal_moves(state))
    return next((move, after) for move, after in steps if search.preserves(after, value, for_seat=state.turn))


class _Search:
    """A search of the states of one deal, with its buffers and transposition table."""

    def __init__(self, state: State, most_nodes: int, core: Core) -> None:
        levels = sum(map(len, state.hands)) + 1
        self._core = core
        self._search = Search(
            rules=encode_rules(state.rules),
            scoring=encode_scoring(state.rules, FEWEST_SEATS),
            states=core.zeros(levels, kernel.STATE),
            moves=new_move_lists(core, levels),
            ranks=core.zeros(levels, kernel.MOST_MOVES),
            keys=core.zeros(levels, endgame_kernel.KEY),
            slots=core.zeros(endgame_kernel.SLOTS * endgame_kernel.SLOT),
            tally=core.row((0, most_nodes)),
        )

    @property
    def nodes(self) -> int:
        """The number of nodes visited so far."""
        return int(self._search.tally[endgame_kernel.NODES])

    def value(self, state: State, low: int = LOWEST, high: int = HIGHEST) -> int:
        """Return the value of a state for seat 0: exact between `low` and `high`, a bound elsewhere."""
        row = encode_state(state)
        if state.is_over:
            return endgame_kernel.final_value(row, self._search.scoring)
        kernel.copy_state(row, self._search.states[0])
        value = int(self._core.functions.best_value(0, low, high, self._search))
        most = int(self._search.tally[endgame_kernel.MOST_NODES])
        if self.nodes > most:
            raise WorkLimitError(
                "too_many_lines",
                f"with these cards in hand, more than {most:,} positions would have to be searched: "
                "play on until fewer are left",
            )
        return value

    def preserves(self, state: State, value: int, *, for_seat: Seat) -> bool:
        """Return whether a state has at least this value for a seat."""
        if for_seat == 0:
            return self.value(state, value - 1, value) >= value
        return self.value(state, value, value + 1) <= value
