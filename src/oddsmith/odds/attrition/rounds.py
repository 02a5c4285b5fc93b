"""One round after another, from the last to the first: what may follow is laid out, then kernels share the rows.

Derived in
- [The method, whole](../../../../docs/explanation/perfect-play.md#the-method-whole);
- [Flight](../../../../docs/explanation/perfect-play.md#flight);
- [Floats, with a bound](../../../../docs/explanation/perfect-play.md#floats-with-a-bound), for the bound of the error.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import InputError
from oddsmith.odds.attrition import frontier_walk as walks
from oddsmith.odds.attrition import kernels
from oddsmith.odds.attrition.frontier import StairPlan, stair_plan, stair_room
from oddsmith.odds.attrition.plans import (
    Classes,
    Groups,
    HiddenPlan,
    Keep,
    Pairs,
    Setting,
    Sharing,
    grouped,
    hidden_plan,
    hidden_room,
    merged_pairs,
    reduced,
    shown_room,
    unblocked,
)

if TYPE_CHECKING:
    from oddsmith.odds.attrition.contest import Contest

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Task: TypeAlias = Callable[[], None]

ROWS: Final = 2
CHUNKS: Final = 16
"""Fixed, so that sums have one order whoever adds them up."""
MOST_MASKS: Final = 8
TOLERANCE: Final = 1e-12
UNIT: Final = 2.0**-53
SPARE: Final = 32
"""Roundings of a product, a weight, a shift: far fewer than this for each value."""


class Following(NamedTuple):
    """What each pair of points left by a round is worth, for each column, and which options can be best."""

    tables: Floats
    keep: Keep
    moved: float
    """How far the values were moved to be in order."""


class Work(NamedTuple):
    """What one round asks for: tasks that may run side by side, and how their rows add up."""

    tasks: Sequence[Task]
    parts: Floats
    additions: int


def solved(contest: "Contest", workers: int, progress: Callable[[float], None]) -> tuple[Floats, float]:
    """Return the value of every state, and a bound on what rounding has done to it."""
    plans = _Plans(contest)
    table = np.full((contest.rounds, contest.own + 1, contest.opponent + 1), np.nan)
    error = 0.0
    with _pool(workers) as pool:
        for round_ in range(contest.rounds, 0, -1):
            done = contest.rounds - round_
            following = _following(contest, round_, table[round_] if done else None)
            flight = float(contest.flight[round_ - 1])
            work = _work(plans, following, flight)
            for count, _ in enumerate(pool.map(_call, work.tasks), start=1):
                progress((done + count / len(work.tasks)) / contest.rounds)
            values = work.parts.sum(axis=0)[1:, 1:]
            worst, best = float(following.tables.min()), max(float(following.tables.max()), flight)
            table[round_ - 1, 1:, 1:] = values.clip(worst, best)
            error = _error(error, work.additions, following, flight)
    return table, error


@contextmanager
def _pool(workers: int) -> Iterator[ThreadPoolExecutor]:
    """Lend threads; whoever leaves early takes the waiting tasks along."""
    pool = ThreadPoolExecutor(workers)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _call(task: Task) -> None:
    task()


def _run(kernel: Callable[..., None], *given: object, room: Callable[[], object], out: Floats) -> None:
    """Run a kernel in a room of its own, which is made when its turn comes and gone when it is over."""
    kernel(*given, room(), out)


def _error(before: float, additions: int, following: Following, flight: float) -> float:
    """Add a round's roundings to those before: each value is an average, so that none grows."""
    largest = max(float(np.abs(following.tables).max()), abs(flight) if np.isfinite(flight) else 0.0)
    steps = (additions + SPARE) * UNIT
    relative = steps / (1 - steps)
    return (before + following.moved) * (1 + relative) + 2 * largest * relative


def _following(contest: "Contest", round_: int, later: Floats | None) -> Following:
    columns = contest.hands.ways.shape[1]
    tables = np.empty((columns, contest.own + 1, contest.opponent + 1))
    if later is not None:
        tables[:] = later
    over = np.ones(tables.shape[1:], dtype=np.bool_)
    if later is not None:
        over[1:, 1:] = False
    for own, opponent in np.argwhere(over).tolist():
        tables[:, own, opponent] = _paid(contest, round_, own, opponent)
    if (tables == tables[0]).all():
        tables = tables[:1]
    return _in_order(tables)


def _paid(contest: "Contest", round_: int, own: int, opponent: int) -> list[float]:
    worth = [float(number) for number in contest.payoff(round_, own, opponent)]
    if len(worth) != contest.hands.ways.shape[1] or not all(map(isfinite, worth)):
        raise InputError(
            "bad_payoff",
            f"a payoff is one finite number for each of {contest.hands.ways.shape[1]} columns: {worth} was given",
        )
    return worth


def _in_order(tables: Floats) -> Following:
    """Find out whether own points never harm, and the opponent's never help; rounding is forgiven, and undone."""
    allowed = TOLERANCE * max(1.0, float(np.abs(tables).max()))
    rising = np.maximum.accumulate(tables, axis=1)
    moved = float((rising - tables).max())
    if moved > allowed:
        return Following(tables, Keep.EVERY, 0.0)
    falling = np.maximum.accumulate(rising[:, :, ::-1], axis=2)[:, :, ::-1]
    moved_twice = float((falling - tables).max())
    if moved_twice > allowed:
        return Following(rising, Keep.BEST_DEFENSE, moved)
    return Following(np.ascontiguousarray(falling), Keep.PARETO, moved_twice)


class _Plans:
    """The plans of a contest, each made when it is first asked for."""

    def __init__(self, contest: "Contest") -> None:
        self.shown = contest.shown
        self.setting = Setting(contest.own, contest.opponent, contest.least_dealt, contest.least_taken)
        self.attack, self.defense, self.pairs = _clamped(contest)
        self.ways = contest.hands.ways
        lowest = int(self.pairs.defense.min())
        self.left = max(int(self.attack.max()) - lowest, contest.least_dealt, 1) - 1
        self.right = int(self.pairs.defense.max()) - lowest
        self.classes = cache(self._classes)
        self.hidden = cache(self._hidden)
        self.groups = cache(self._groups)
        self.shared = cache(self._shared)
        self.stairs = cache(self._stairs)

    def _classes(self, keep: Keep, columns: int) -> Classes:
        ways = self.ways if columns > 1 else self.ways.sum(axis=1, keepdims=True)
        return reduced(self.attack, self.defense, ways, keep)

    def _hidden(self, keep: Keep, columns: int) -> HiddenPlan:
        return hidden_plan(self.classes(keep, columns), self.pairs)

    def _groups(self, keep: Keep, columns: int) -> Groups | None:
        return grouped(self.classes(keep, columns), self.pairs, self.setting, keep)

    def _shared(self, columns: int) -> tuple[Groups, Sharing]:
        return unblocked(self.classes(Keep.BEST_DEFENSE, columns), self.pairs, self.setting)

    def _stairs(self, columns: int, column: int) -> StairPlan:
        ways = self.ways[:, column : column + 1] if columns > 1 else self.ways.sum(axis=1, keepdims=True)
        classes = reduced(self.attack, self.defense, ways, Keep.PARETO)
        return stair_plan(classes, self.pairs, self.setting, int(self.ways.sum()))

    def padded(self, table: NDArray[Any]) -> NDArray[Any]:
        """Repeat the first and the last column, so that an option may lead beyond them."""
        return np.pad(table, ((0, 0), (self.left, self.right)), mode="edge")


def _clamped(contest: "Contest") -> tuple[Integers, Integers, Pairs]:
    """Bring together the numbers that no state can tell apart: too great, or too small, is all the same."""
    hands, exchange = contest.hands, contest.exchange
    pairs = merged_pairs(
        np.clip(
            exchange.attack,
            hands.defense.min() + contest.least_taken,
            hands.defense.max() + contest.own,
        ),
        np.clip(
            exchange.defense,
            hands.attack.min() - contest.opponent,
            hands.attack.max() - contest.least_dealt,
        ),
        exchange.ways,
    )
    attack = np.clip(
        hands.attack,
        pairs.defense.min() + contest.least_dealt,
        pairs.defense.max() + contest.opponent,
    )
    defense = np.clip(
        hands.defense,
        pairs.attack.min() - contest.own,
        pairs.attack.max() - contest.least_taken,
    )
    return attack, defense, pairs


def _work(plans: _Plans, following: Following, flight: float) -> Work:
    if not plans.shown:
        return _hidden(plans, following, flight)
    if following.keep is Keep.PARETO:
        return _stairs(plans, following, flight)
    return _shown(plans, following, flight)


def _rows(own: int) -> list[tuple[int, int]]:
    return list(pairwise([*range(1, own + 1, ROWS), own + 1]))


def _hidden(plans: _Plans, following: Following, flight: float) -> Work:
    columns = len(following.tables)
    plan = plans.hidden(following.keep, columns)
    tables = [plans.padded(table) for table in following.tables]
    parts = np.zeros(following.tables.shape)
    tasks = [
        partial(
            _run,
            kernels.hidden_rows,
            first,
            stop,
            tables[column],
            plans.left,
            plans.setting.least_dealt,
            plans.setting.least_taken,
            flight,
            column,
            plan,
            room=partial(hidden_room, plan, plans.setting.opponent, tables[0].shape[1]),
            out=parts[column],
        )
        for column in range(columns)
        for first, stop in _rows(plans.setting.own)
    ]
    return Work(tasks, parts, len(plan.pair_attack) + len(plan.weight) + columns)


def _stairs(plans: _Plans, following: Following, flight: float) -> Work:
    columns = len(following.tables)
    top = max(float(following.tables.max()), flight)
    tables = [plans.padded(table - top) for table in following.tables]
    stairs = [plans.stairs(columns, column) for column in range(columns)]
    parts = np.zeros((columns * CHUNKS + 1, *following.tables.shape[1:]))
    parts[-1] = top
    tasks = [
        partial(
            _run,
            walks.stair_walks,
            chunk,
            CHUNKS,
            tables[column],
            plans.left,
            plans.setting.least_dealt,
            plans.setting.least_taken,
            flight - top,
            stairs[column],
            room=partial(stair_room, stairs[column], plans.setting.own, plans.setting.opponent),
            out=parts[column * CHUNKS + chunk],
        )
        for column in range(columns)
        for chunk in range(CHUNKS)
    ]
    additions = max(
        len(plan.held_defense) + len(plan.free_pair) + len(plan.leaf_weight) + 3 * len(plan.pair_defense)
        for plan in stairs
    )
    return Work(tasks, parts, additions + len(parts))


def _shown(plans: _Plans, following: Following, flight: float) -> Work:
    columns = len(following.tables)
    plan = plans.groups(following.keep, columns)
    layers = _layers(plans, following.tables)
    parts = np.zeros((len(layers) * (CHUNKS + 1), *following.tables.shape[1:]))
    opponent = plans.setting.opponent
    tasks = []
    for layer, of_layer in zip(layers, np.split(parts, len(layers)), strict=True):
        given = (layer.table, layer.masks, layer.rewards, plans.left, plans.setting.least_dealt, flight)
        if plan is not None:
            tasks += [
                partial(
                    _run,
                    kernels.shown_rows,
                    first,
                    stop,
                    *given,
                    _weighed(plan, layer.columns),
                    room=partial(shown_room, plan, opponent),
                    out=of_layer[CHUNKS],
                )
                for first, stop in _rows(plans.setting.own)
            ]
        if following.keep is not Keep.EVERY:
            common, sharing = plans.shared(columns)
            tasks += [
                partial(
                    _run,
                    kernels.shared_rows,
                    chunk,
                    CHUNKS,
                    *given,
                    _weighed(common, layer.columns),
                    sharing,
                    room=partial(shown_room, common, opponent),
                    out=of_layer[chunk],
                )
                for chunk in range(CHUNKS)
            ]
    classes = len(plans.classes(following.keep, columns).length)
    return Work(
        tasks, parts, (classes + len(plans.pairs.ways)) * columns + len(plans.pairs.ways) + len(parts)
    )


class _Layer(NamedTuple):
    """A table that holds for all its columns but where it is masked: there the columns have rewards."""

    table: Floats
    masks: NDArray[np.uint8]
    rewards: Floats
    columns: slice


def _weighed(plan: Groups, columns: slice) -> Groups:
    return plan._replace(class_weight=np.ascontiguousarray(plan.class_weight[:, columns]))


def _layers(plans: _Plans, tables: Floats) -> list[_Layer]:
    """Lay the columns over each other if they differ in few ways, or else keep them apart."""
    apart = (tables != tables[0]).any(axis=0)
    vectors, kind = np.unique(tables[:, apart], axis=1, return_inverse=True)
    if vectors.shape[1] <= MOST_MASKS:
        masks = np.zeros(apart.shape, dtype=np.uint8)
        masks[apart] = 1 << kind.ravel()
        table = plans.padded(np.where(apart, -np.inf, tables[0]))
        return [_Layer(table, plans.padded(masks), _rewards(vectors), slice(None))]
    return [
        _Layer(
            plans.padded(table),
            plans.padded(np.zeros(apart.shape, dtype=np.uint8)),
            np.full((1, 1), -np.inf),
            slice(column, column + 1),
        )
        for column, table in enumerate(tables)
    ]


def _rewards(vectors: Floats) -> Floats:
    """Return for each set of masks the best that each column gets from it."""
    rewards = np.full((1 << vectors.shape[1], len(vectors)), -np.inf)
    for chosen in range(1, len(rewards)):
        lowest = (chosen & -chosen).bit_length() - 1
        rewards[chosen] = np.maximum(rewards[chosen & (chosen - 1)], vectors[:, lowest])
    return rewards
