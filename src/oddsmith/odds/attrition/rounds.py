"""Backward induction over the rounds of a contest: next values are prepared, then kernels compute rows in threads.

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
from oddsmith.odds.attrition import frontier_kernels, kernels
from oddsmith.odds.attrition.frontier import FrontierPlan, make_frontier_buffers, make_frontier_plan
from oddsmith.odds.attrition.plans import (
    Classes,
    Groups,
    HiddenPlan,
    Limits,
    Pairs,
    PairsByAttack,
    Pruning,
    group_by_attack,
    group_unblocked,
    make_hidden_buffers,
    make_hidden_plan,
    make_shown_buffers,
    merge_pairs,
    reduce_options,
)

if TYPE_CHECKING:
    from oddsmith.odds.attrition.contest import Contest

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Task: TypeAlias = Callable[[], None]

ROWS_PER_TASK: Final = 2
CHUNKS: Final = 16
"""Fixed, so that the order of additions does not depend on the number of threads."""
MOST_MASKS: Final = 8
TOLERANCE: Final = 1e-12
UNIT_ROUNDOFF: Final = 2.0**-53
EXTRA_ROUNDINGS: Final = 32
"""An upper bound of the roundings of each value by products, weights and shifts."""


class NextValues(NamedTuple):
    """The values of all pairs of points after a round, for each column, and which options can be pruned."""

    values: Floats
    pruning: Pruning
    adjustment: float
    """The greatest change that made the values monotone."""


class RoundTasks(NamedTuple):
    """The tasks of one round, which may run in parallel, the arrays that they add to, and the additions for each value."""

    tasks: Sequence[Task]
    parts: Floats
    additions: int


def solve_rounds(contest: "Contest", workers: int, progress: Callable[[float], None]) -> tuple[Floats, float]:
    """Return the value of every state, and the bound of its rounding error."""
    plans = _Plans(contest)
    solution = np.full((contest.rounds, contest.own + 1, contest.opponent + 1), np.nan)
    error = contest.payoff_error
    with _thread_pool(workers) as pool:
        for round_ in range(contest.rounds, 0, -1):
            done = contest.rounds - round_
            next_values = _next_values(contest, round_, solution[round_] if done else None)
            flight = float(contest.flight[round_ - 1])
            work = _round_tasks(plans, next_values, flight)
            for count, _ in enumerate(pool.map(_run_task, work.tasks), start=1):
                progress((done + count / len(work.tasks)) / contest.rounds)
            values = work.parts.sum(axis=0)[1:, 1:]
            worst, best = float(next_values.values.min()), max(float(next_values.values.max()), flight)
            solution[round_ - 1, 1:, 1:] = values.clip(worst, best)
            error = _error_bound(error, work.additions, next_values, flight)
    return solution, error


@contextmanager
def _thread_pool(workers: int) -> Iterator[ThreadPoolExecutor]:
    """Yield a thread pool; tasks that have not started are cancelled at the end."""
    pool = ThreadPoolExecutor(workers)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _run_task(task: Task) -> None:
    task()


def _run(
    kernel: Callable[..., None], *arguments: object, make_buffers: Callable[[], object], out: Floats
) -> None:
    """Run a kernel with buffers of its own, which are allocated when the task starts."""
    kernel(*arguments, make_buffers(), out)


def _error_bound(before: float, additions: int, next_values: NextValues, flight: float) -> float:
    """Return the error bound after a round: a value is an average, so it passes on at most the error before."""
    largest = max(float(np.abs(next_values.values).max()), abs(flight) if np.isfinite(flight) else 0.0)
    steps = (additions + EXTRA_ROUNDINGS) * UNIT_ROUNDOFF
    relative = steps / (1 - steps)
    return (before + next_values.adjustment) * (1 + relative) + 2 * largest * relative


def _next_values(contest: "Contest", round_: int, later: Floats | None) -> NextValues:
    columns = contest.hands.ways.shape[1]
    values = np.empty((columns, contest.own + 1, contest.opponent + 1))
    if later is not None:
        values[:] = later
    over = np.ones(values.shape[1:], dtype=np.bool_)
    if later is not None:
        over[1:, 1:] = False
    for own, opponent in np.argwhere(over).tolist():
        values[:, own, opponent] = _payoffs(contest, round_, own, opponent)
    if (values == values[0]).all():
        values = values[:1]
    return _monotone_values(values)


def _payoffs(contest: "Contest", round_: int, own: int, opponent: int) -> list[float]:
    payoffs = [float(number) for number in contest.payoff(round_, own, opponent)]
    if len(payoffs) != contest.hands.ways.shape[1] or not all(map(isfinite, payoffs)):
        raise InputError(
            "bad_payoff",
            f"a payoff is one finite number for each of {contest.hands.ways.shape[1]} columns: {payoffs} was given",
        )
    return payoffs


def _monotone_values(values: Floats) -> NextValues:
    """Check whether values rise with own points and fall with the opponent's; deviations by rounding are corrected."""
    allowed = TOLERANCE * max(1.0, float(np.abs(values).max()))
    rising = np.maximum.accumulate(values, axis=1)
    adjustment = float((rising - values).max())
    if adjustment > allowed:
        return NextValues(values, Pruning.NONE, 0.0)
    falling = np.maximum.accumulate(rising[:, :, ::-1], axis=2)[:, :, ::-1]
    adjustment_of_both = float((falling - values).max())
    if adjustment_of_both > allowed:
        return NextValues(rising, Pruning.BEST_DEFENSE, adjustment)
    return NextValues(np.ascontiguousarray(falling), Pruning.PARETO, adjustment_of_both)


class _Plans:
    """The plans of a contest, each computed on first use."""

    def __init__(self, contest: "Contest") -> None:
        self.shown = contest.shown
        self.limits = Limits(contest.own, contest.opponent, contest.least_dealt, contest.least_taken)
        self.attack, self.defense, self.pairs = _clamp_numbers(contest)
        self.ways = contest.hands.ways
        lowest = int(self.pairs.defense.min())
        self.left_padding = max(int(self.attack.max()) - lowest, contest.least_dealt, 1) - 1
        self.right_padding = int(self.pairs.defense.max()) - lowest
        self.classes = cache(self._make_classes)
        self.hidden = cache(self._make_hidden)
        self.groups = cache(self._make_groups)
        self.unblocked = cache(self._make_unblocked)
        self.frontier = cache(self._make_frontier)

    def _make_classes(self, pruning: Pruning, columns: int) -> Classes:
        ways = self.ways if columns > 1 else self.ways.sum(axis=1, keepdims=True)
        return reduce_options(self.attack, self.defense, ways, pruning)

    def _make_hidden(self, pruning: Pruning, columns: int) -> HiddenPlan:
        return make_hidden_plan(self.classes(pruning, columns), self.pairs)

    def _make_groups(self, pruning: Pruning, columns: int) -> Groups | None:
        return group_by_attack(self.classes(pruning, columns), self.pairs, self.limits, pruning)

    def _make_unblocked(self, columns: int) -> tuple[Groups, PairsByAttack]:
        return group_unblocked(self.classes(Pruning.BEST_DEFENSE, columns), self.pairs, self.limits)

    def _make_frontier(self, columns: int, column: int) -> FrontierPlan:
        ways = self.ways[:, column : column + 1] if columns > 1 else self.ways.sum(axis=1, keepdims=True)
        classes = reduce_options(self.attack, self.defense, ways, Pruning.PARETO)
        return make_frontier_plan(classes, self.pairs, self.limits, int(self.ways.sum()))

    def pad(self, array: NDArray[Any]) -> NDArray[Any]:
        """Repeat the first and the last column, so that an option may lead beyond them."""
        return np.pad(array, ((0, 0), (self.left_padding, self.right_padding)), mode="edge")


def _clamp_numbers(contest: "Contest") -> tuple[Integers, Integers, Pairs]:
    """Clamp attack and defence to the ranges in which a difference can change a state, so that fewer are distinct."""
    hands, exchange = contest.hands, contest.exchange
    pairs = merge_pairs(
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


def _round_tasks(plans: _Plans, next_values: NextValues, flight: float) -> RoundTasks:
    if not plans.shown:
        return _hidden_tasks(plans, next_values, flight)
    if next_values.pruning is Pruning.PARETO:
        return _frontier_tasks(plans, next_values, flight)
    return _shown_tasks(plans, next_values, flight)


def _row_ranges(own: int) -> list[tuple[int, int]]:
    return list(pairwise([*range(1, own + 1, ROWS_PER_TASK), own + 1]))


def _hidden_tasks(plans: _Plans, next_values: NextValues, flight: float) -> RoundTasks:
    columns = len(next_values.values)
    plan = plans.hidden(next_values.pruning, columns)
    padded = [plans.pad(values) for values in next_values.values]
    parts = np.zeros(next_values.values.shape)
    tasks = [
        partial(
            _run,
            kernels.add_hidden_rows,
            first,
            stop,
            padded[column],
            plans.left_padding,
            plans.limits.least_dealt,
            plans.limits.least_taken,
            flight,
            column,
            plan,
            make_buffers=partial(make_hidden_buffers, plan, plans.limits.opponent, padded[0].shape[1]),
            out=parts[column],
        )
        for column in range(columns)
        for first, stop in _row_ranges(plans.limits.own)
    ]
    return RoundTasks(tasks, parts, len(plan.pair_attack) + len(plan.weight) + columns)


def _frontier_tasks(plans: _Plans, next_values: NextValues, flight: float) -> RoundTasks:
    columns = len(next_values.values)
    top = max(float(next_values.values.max()), flight)
    padded = [plans.pad(values - top) for values in next_values.values]
    frontiers = [plans.frontier(columns, column) for column in range(columns)]
    parts = np.zeros((columns * CHUNKS + 1, *next_values.values.shape[1:]))
    parts[-1] = top
    tasks = [
        partial(
            _run,
            frontier_kernels.add_frontier_rows,
            chunk,
            CHUNKS,
            padded[column],
            plans.left_padding,
            plans.limits.least_dealt,
            plans.limits.least_taken,
            flight - top,
            frontiers[column],
            make_buffers=partial(
                make_frontier_buffers, frontiers[column], plans.limits.own, plans.limits.opponent
            ),
            out=parts[column * CHUNKS + chunk],
        )
        for column in range(columns)
        for chunk in range(CHUNKS)
    ]
    additions = max(
        len(plan.minimal_defense)
        + len(plan.effective_pair)
        + len(plan.terminal_weight)
        + 3 * len(plan.pair_defense)
        for plan in frontiers
    )
    return RoundTasks(tasks, parts, additions + len(parts))


def _shown_tasks(plans: _Plans, next_values: NextValues, flight: float) -> RoundTasks:
    columns = len(next_values.values)
    plan = plans.groups(next_values.pruning, columns)
    layers = _merge_columns(plans, next_values.values)
    parts = np.zeros((len(layers) * (CHUNKS + 1), *next_values.values.shape[1:]))
    opponent = plans.limits.opponent
    tasks = []
    for layer, layer_parts in zip(layers, np.split(parts, len(layers)), strict=True):
        arguments = (
            layer.values,
            layer.masks,
            layer.rewards,
            plans.left_padding,
            plans.limits.least_dealt,
            flight,
        )
        if plan is not None:
            tasks += [
                partial(
                    _run,
                    kernels.add_shown_rows,
                    first,
                    stop,
                    *arguments,
                    _select_columns(plan, layer.columns),
                    make_buffers=partial(make_shown_buffers, plan, opponent),
                    out=layer_parts[CHUNKS],
                )
                for first, stop in _row_ranges(plans.limits.own)
            ]
        if next_values.pruning is not Pruning.NONE:
            common, by_attack = plans.unblocked(columns)
            tasks += [
                partial(
                    _run,
                    kernels.add_shared_rows,
                    chunk,
                    CHUNKS,
                    *arguments,
                    _select_columns(common, layer.columns),
                    by_attack,
                    make_buffers=partial(make_shown_buffers, common, opponent),
                    out=layer_parts[chunk],
                )
                for chunk in range(CHUNKS)
            ]
    classes = len(plans.classes(next_values.pruning, columns).length)
    return RoundTasks(
        tasks, parts, (classes + len(plans.pairs.ways)) * columns + len(plans.pairs.ways) + len(parts)
    )


class _Layer(NamedTuple):
    """Values that hold for all columns except where a mask is set; there each column has its reward."""

    values: Floats
    masks: NDArray[np.uint8]
    rewards: Floats
    columns: slice


def _select_columns(plan: Groups, columns: slice) -> Groups:
    return plan._replace(class_weight=np.ascontiguousarray(plan.class_weight[:, columns]))


def _merge_columns(plans: _Plans, values: Floats) -> list[_Layer]:
    """Return one layer with masks if the columns differ in few distinct vectors, else a layer for each column."""
    apart = (values != values[0]).any(axis=0)
    vectors, kind = np.unique(values[:, apart], axis=1, return_inverse=True)
    if vectors.shape[1] <= MOST_MASKS:
        masks = np.zeros(apart.shape, dtype=np.uint8)
        masks[apart] = 1 << kind.ravel()
        common = plans.pad(np.where(apart, -np.inf, values[0]))
        return [_Layer(common, plans.pad(masks), _reward_lookup(vectors), slice(None))]
    return [
        _Layer(
            plans.pad(column_values),
            plans.pad(np.zeros(apart.shape, dtype=np.uint8)),
            np.full((1, 1), -np.inf),
            slice(column, column + 1),
        )
        for column, column_values in enumerate(values)
    ]


def _reward_lookup(vectors: Floats) -> Floats:
    """Return for each set of masks and each column the greatest reward in the set."""
    rewards = np.full((1 << vectors.shape[1], len(vectors)), -np.inf)
    for chosen in range(1, len(rewards)):
        lowest = (chosen & -chosen).bit_length() - 1
        rewards[chosen] = np.maximum(rewards[chosen & (chosen - 1)], vectors[:, lowest])
    return rewards
