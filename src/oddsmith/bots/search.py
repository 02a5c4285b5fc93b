"""A bot that looks ahead: it plays many games from what it sees, the unseen cards dealt anew for each."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from oddsmith.bots import tree
from oddsmith.chance import Draw
from oddsmith.errors import InputError
from oddsmith.games.casino import kernel
from oddsmith.games.casino.compiled import Core, fastest
from oddsmith.games.casino.encoding import decode_move, encode_rules, encode_scoring, encode_state
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move
from oddsmith.games.casino.rules import MOST_SEATS
from oddsmith.games.casino.values import number_of
from oddsmith.games.casino.views import View, unseen_cards

__all__ = ["ITERATIONS", "MOST_ITERATIONS", "MOST_SECONDS", "Estimate", "Habits", "SearchBot"]

ITERATIONS: Final = 1_000
"""How many games are played before a move where nothing else is said."""
MOST_ITERATIONS: Final = 10_000_000
MOST_SECONDS: Final = 3_600.0
MOST_NODES: Final = 200_000
"""A tree of so many nodes grows no more: its games are counted in the nodes that it has."""
BATCH: Final = {True: 500, False: 10}
"""How many games are played between two looks at the clock, compiled or not."""
LUCK: Final = 2**32 - 1


class Habits(msgspec.Struct, frozen=True, kw_only=True):
    """How the search looks ahead, each habit in hundredths.

    `exploration`: how much it is drawn to moves that it seldom tried, in hundredths of a victory. `margin`: how much a
    lead of points counts beside victory. `greed`: how often a player takes the most that there is, once a game has
    left the tree. `farsighted`: whether the tree goes on past the next deal.
    """

    exploration: Annotated[int, Meta(ge=0, le=1_000)] = 70
    margin: Annotated[int, Meta(ge=0, le=100)] = 50
    greed: Annotated[int, Meta(ge=0, le=100)] = 50
    farsighted: bool = True


USUAL: Final = Habits()


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What the search expects of a move: the mean share of the victory over the games that began with it.

    It is only as good as `visits` is great: a move that promises little is tried seldom. `reward` is what the search
    looks for, from 0 to 1: the share of the victory mixed with the lead in points.
    """

    move: Move
    visits: int
    share: float
    reward: float


class SearchBot:
    """A bot for every seat of a table: information-set Monte Carlo tree search from a view.

    It stops after so many games (`iterations`) or so much time (`seconds`), whatever comes first. The same luck and
    the same number of games find the same move on every machine, compiled or not.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.chance import Seeded
    >>> from oddsmith.game import Luck
    >>> from oddsmith.games.casino.compiled import Core
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
        self._core = core or fastest(tree)
        self._progress = progress
        self._habits = self._core.row(
            (
                habits.exploration * tree.WHOLE // 100,
                habits.margin,
                habits.greed,
                int(habits.farsighted),
            )
        )
        nodes = min(self.iterations, MOST_NODES) + 1
        self._tree = self._core.room(tree.FIELDS, nodes)
        self._moves = self._core.room(4, kernel.MOST_MOVES)
        self._groups = [self._core.room(kernel.MOST_GROUPS) for _ in range(2)]

    def __call__(self, view: View, actions: Sequence[Move], /) -> Move:
        """Return the move that was tried most: the search comes back to what promises most."""
        if len(actions) == 1:
            return actions[0]
        found = {estimate.move: estimate for estimate in self.estimates(view)}
        return max((move for move in actions if move in found), key=lambda move: _rank(found[move]))

    def estimates(self, view: View) -> tuple[Estimate, ...]:
        """Return what is to be expected of each move that was tried, in canonical order; it must be the viewer's turn."""
        if view.viewer is None or view.viewer != view.turn or not view.hand:
            raise InputError("not_your_turn", "a search needs the view of the seat whose turn it is")
        _require_whole_deals(view)
        imagined = GAME.imagine(view, self._draw)
        root = self._core.row(encode_state(imagined))
        rules = self._core.row(encode_rules(view.rules))
        slots = self._core.room(2 * len(self._tree[0]) + 1)
        self._grow(view, root, rules, slots)
        nodes = self._first_nodes(root, rules, slots)
        listed = GAME.actions(imagined, imagined.turn)
        return tuple(self._estimate(move, nodes[move]) for move in listed if nodes[move])

    def _grow(self, view: View, root: Any, rules: Any, slots: Any) -> None:  # noqa: ANN401  rows of the kernel
        """Play games until the budget is spent."""
        core, outcome = self._core, self._core.room(2)
        rows = (
            self._tree,
            slots,
            root,
            core.room(kernel.STATE),
            rules,
            core.row(encode_scoring(view.rules, view.players)),
            core.row(map(number_of, unseen_cards(view))),
            view.rules.deal_sizes(view.players, view.deal + 1)[0],
            self._habits,
            self._moves,
            *self._groups,
            *(core.room(kernel.CARDS + 1) for _ in range(2)),
            *(core.room(MOST_SEATS) for _ in range(2)),
            outcome,
        )
        nodes, luck, left = 1, 1 + self._draw.below(LUCK), self.iterations
        started = monotonic()
        while left and not (left < self.iterations and self._is_late(started)):
            batch = min(left, BATCH[core.is_compiled])
            core.functions.grow(batch, nodes, luck, *rows)
            nodes, luck, left = int(outcome[0]), int(outcome[1]), left - batch
            if self._progress is not None:
                self._progress(self._done(left, started))

    def _first_nodes(self, root: Any, rules: Any, slots: Any) -> dict[Move, int]:  # noqa: ANN401  rows of the kernel
        """Return the node of each legal move, or 0."""
        functions = self._core.functions
        heads, looses, builds, _ = self._moves
        count = functions.generate_moves(root, rules, heads, looses, builds, *self._groups)
        written = [(int(heads[place]), int(looses[place]), int(builds[place])) for place in range(count)]
        return {
            decode_move(*numbers): int(functions.find_node(tree.ROOT, *numbers, self._tree, slots))
            for numbers in written
        }

    def _estimate(self, move: Move, node: int) -> Estimate:
        visits = int(self._tree[tree.VISITS][node])
        share, reward = (
            int(self._tree[field][node]) / (visits * tree.WHOLE) for field in (tree.SHARES, tree.REWARDS)
        )
        return Estimate(move=move, visits=visits, share=share, reward=reward)

    def _is_late(self, started: float) -> bool:
        return self._seconds is not None and monotonic() - started >= self._seconds

    def _done(self, left: int, started: float) -> float:
        """Return which share of the budget is spent."""
        played = 1 - left / self.iterations
        waited = 0.0 if self._seconds is None else (monotonic() - started) / self._seconds
        return min(1.0, max(played, waited))


def _require_whole_deals(view: View) -> None:
    """Refuse a stock that no game can have: nobody could play on to its end (§1.3)."""
    dealt = sum(view.rules.deal_sizes(view.players, view.deal + 1))
    if view.stock_size % dealt:
        raise InputError(
            "bad_stock",
            f"a deal takes {dealt} cards, so that a stock of {view.stock_size} cannot be dealt whole",
            paragraph="1.3",
        )


def _rank(estimate: Estimate) -> tuple[int, float]:
    return estimate.visits, estimate.reward
