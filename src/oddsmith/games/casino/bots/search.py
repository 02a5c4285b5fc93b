"""The bot `search`: information-set Monte Carlo tree search from a seat's view."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from time import monotonic
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.cards import Card
from oddsmith.chance import Draw, Seeded
from oddsmith.driver import play
from oddsmith.errors import InputError
from oddsmith.games.casino import kernel
from oddsmith.games.casino.bots import search_tree as tree
from oddsmith.games.casino.compiler import Core, fastest_core, mark_cached
from oddsmith.games.casino.encoding import (
    decode_move,
    encode_rules,
    encode_scoring,
    encode_state,
    new_moves,
)
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, State, number_of
from oddsmith.games.casino.rules import DEFAULT, FEWEST_SEATS, MOST_SEATS
from oddsmith.games.casino.views import View, unseen_cards

__all__ = ["ITERATIONS", "MOST_ITERATIONS", "MOST_SECONDS", "Estimate", "Habits", "SearchBot"]

ITERATIONS: Final = 1_000
"""The default number of simulated games before a move."""
MOST_ITERATIONS: Final = 10_000_000
MOST_SECONDS: Final = 3_600.0
MOST_NODES: Final = 200_000
"""The most nodes of a tree; later games are counted in existing nodes."""
BATCH: Final = {True: 500, False: 10}
"""The number of games between two checks of the time, with and without a compiler."""
LUCK: Final = 2**32 - 1


class Habits(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of the search, in hundredths.

    `exploration` is the exploration constant, in hundredths of a win. `margin` is the weight of the lead in points in the
    reward; the rest is the win. `greed` is the chance of a greedy move in playouts. `farsighted` extends the tree beyond
    the next deal.
    """

    exploration: Annotated[int, Meta(ge=0, le=1_000)] = 70
    margin: Annotated[int, Meta(ge=0, le=100)] = 50
    greed: Annotated[int, Meta(ge=0, le=100)] = 50
    farsighted: bool = True


USUAL: Final = Habits()


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """The estimate of a move: the mean share of the win over the simulated games that began with it.

    It is the more reliable the more `visits` there are. `reward` is the maximised mean, from 0 to 1: the share of the
    win, weighted with the lead in points.
    """

    move: Move
    visits: int
    share: float
    reward: float


class SearchBot:
    """A bot for any seat: information-set Monte Carlo tree search from a view.

    It stops after `iterations` games or `seconds`, whichever is first. The same draws and the same number of games give
    the same move on every machine, compiled or not. Raises `InputError` where a limit is out of range.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.chance import Seeded
    >>> from oddsmith.game import Luck
    >>> from oddsmith.games.casino.compiler import Core
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> deal = cards("7♠ A♠ 2♦ 9♦"), cards("3♥ 5♥ J♥ Q♥"), cards("4♥ A♥ 8♣ K♣")
    >>> state = GAME.step(GAME.setup(DEFAULT, 2), Luck(deal)).state
    >>> bot = SearchBot(Seeded("yuma"), iterations=30, core=Core(tree, is_compiled=False))
    >>> sum(estimate.visits for estimate in bot.estimates(GAME.view(state, 0)))
    30
    """

    def __init__(
        self,
        draw: Draw,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        habits: Habits = USUAL,
        core: Core | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        if iterations is not None and not 1 <= iterations <= MOST_ITERATIONS:
            raise InputError(
                "bad_iterations", f"a search plays from 1 to {MOST_ITERATIONS:,} games, not {iterations}"
            )
        if seconds is not None and not 0 < seconds <= MOST_SECONDS:
            raise InputError(
                "bad_seconds",
                f"a search takes more than 0 and at most {MOST_SECONDS:,.0f} seconds, not {seconds}",
            )
        self._draw = draw
        self.iterations = iterations or (ITERATIONS if seconds is None else MOST_ITERATIONS)
        self._seconds = seconds
        self._core = core or fastest_core(tree)
        self._progress = progress
        self._habits = tree.HabitNumbers(
            exploration=habits.exploration * tree.WHOLE // 100,
            margin=habits.margin,
            greed=habits.greed,
            farsighted=habits.farsighted,
        )
        self._tree = _new_tree(self._core, min(self.iterations, MOST_NODES) + 1)
        self._space = _new_space(self._core)

    @property
    def is_compiled(self) -> bool:
        """Whether its functions are compiled."""
        return self._core.is_compiled

    def __call__(self, view: View, actions: Sequence[Move], /) -> Move:
        """Return the move with the most visits."""
        if len(actions) == 1:
            return actions[0]
        found = {estimate.move: estimate for estimate in self.estimates(view)}
        return max((move for move in actions if move in found), key=lambda move: _rank(found[move]))

    def estimates(self, view: View) -> tuple[Estimate, ...]:
        """Return the estimate of each move that was tried, in canonical order.

        Raises `InputError` where it is not the viewer's turn.
        """
        if view.viewer is None or view.viewer != view.turn or not view.hand:
            raise InputError("not_your_turn", "a search needs the view of the seat whose turn it is")
        _require_whole_deals(view)
        state = GAME.imagine(view, self._draw)
        search = tree.Search(
            tree=self._tree._replace(slots=self._core.zeros(len(self._tree.slots))),
            start=self._start(state, unseen_cards(view)),
            habits=self._habits,
            space=self._space,
        )
        self._grow(search)
        nodes = self._first_nodes(search)
        moves = GAME.actions(state, state.turn)
        return tuple(_estimate(move, nodes[move], search.tree) for move in moves if nodes[move])

    def _start(self, state: State, unseen: Iterable[Card]) -> tree.Start:
        return tree.Start(
            rules=encode_rules(state.rules),
            scoring=encode_scoring(state.rules, state.players),
            root=self._core.row(encode_state(state)),
            unseen=self._core.row(map(number_of, unseen)),
            each=state.rules.deal_sizes(state.players, state.deal + 1)[0],
        )

    def _grow(self, search: tree.Search) -> None:
        """Simulate games until the budget is used up."""
        nodes, luck, left = 1, 1 + self._draw.below(LUCK), self.iterations
        started = monotonic()
        while left and not (left < self.iterations and self._is_late(started)):
            batch = min(left, BATCH[self._core.is_compiled])
            nodes, luck = self._core.functions.grow(batch, nodes, luck, search)
            left -= batch
            if self._progress is not None:
                self._progress(self._done(left, started))

    def _first_nodes(self, search: tree.Search) -> dict[Move, int]:
        """Return the node of each legal move, or 0."""
        functions, moves = self._core.functions, search.space.moves
        count = functions.generate_moves(search.start.root, search.start.rules, moves)
        return {
            decode_move(moves, place): int(functions.find_node(tree.ROOT, moves, place, search.tree))
            for place in range(count)
        }

    def _is_late(self, started: float) -> bool:
        return self._seconds is not None and monotonic() - started >= self._seconds

    def _done(self, left: int, started: float) -> float:
        """Return the used share of the budget."""
        played = 1 - left / self.iterations
        waited = 0.0 if self._seconds is None else (monotonic() - started) / self._seconds
        return min(1.0, max(played, waited))


def prepare_search() -> None:
    """Load the code of the bot, or compile it: search once, with rules of the usual types."""
    luck = Seeded("prepare")
    bot = SearchBot(luck, iterations=1)
    start = GAME.setup(DEFAULT, FEWEST_SEATS)
    deal_and_move = 2
    for _ in islice(play(GAME, start, [bot] * FEWEST_SEATS, luck), deal_and_move):
        pass
    if bot.is_compiled:
        mark_cached(tree)


def _require_whole_deals(view: View) -> None:
    """Raise `InputError` where the stock is no multiple of a deal, so that no game could be played to its end (§1.3)."""
    dealt = sum(view.rules.deal_sizes(view.players, view.deal + 1))
    if view.stock_size % dealt:
        raise InputError(
            "bad_stock",
            f"a deal takes {dealt} cards, so that a stock of {view.stock_size} cannot be dealt whole",
            paragraph="1.3",
        )


def _new_tree(core: Core, nodes: int) -> tree.Tree:
    """Return buffers for `nodes` nodes, with twice as many hash slots."""
    fields = {field: core.zeros(nodes) for field in tree.Tree._fields}
    return tree.Tree(**fields | {"slots": core.zeros(2 * nodes + 1)})


def _new_space(core: Core) -> tree.WorkSpace:
    """Return buffers for one game."""
    return tree.WorkSpace(
        state=core.zeros(kernel.STATE),
        moves=new_moves(core),
        untried=core.zeros(kernel.MOST_MOVES),
        path=core.zeros(kernel.CARDS + 1),
        movers=core.zeros(kernel.CARDS + 1),
        rewards=core.zeros(MOST_SEATS),
        shares=core.zeros(MOST_SEATS),
    )


def _estimate(move: Move, node: int, grown: tree.Tree) -> Estimate:
    visits = int(grown.visits[node])
    share, reward = (int(row[node]) / (visits * tree.WHOLE) for row in (grown.shares, grown.rewards))
    return Estimate(move=move, visits=visits, share=share, reward=reward)


def _rank(estimate: Estimate) -> tuple[int, float]:
    return estimate.visits, estimate.reward
