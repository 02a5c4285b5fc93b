"""Compiled kernels that compute rows of a round's values from the values of the next round.

Derived in
- [What the opponent shows](../../../../docs/explanation/perfect-play.md#what-the-opponent-shows), hidden and shown;
- [Gold](../../../../docs/explanation/perfect-play.md#gold-no-split-may-be-left-out), for several payoff columns.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

import oddsmith.odds.borrowing.arrays  # noqa: F401  so that the compiler knows `borrow`
from oddsmith.odds.attrition.plans import (
    NO_OPTION,
    Groups,
    HiddenBuffers,
    HiddenPlan,
    PairsByAttack,
    ShownBuffers,
)
from oddsmith.odds.borrowing import borrow

Floats = NDArray[np.float64]
Bits = NDArray[np.uint8]
Function = TypeVar("Function", bound=Callable[..., Any])


OPTIONS: Final[dict[str, Any]] = {
    "cache": True,  # keep the machine code on disk
    "nogil": True,  # let other threads run meanwhile
    "error_model": "numpy",
    "fastmath": {"contract"},  # a product and a sum may be rounded once
}


def jit(function: Function) -> Function:
    """Compile a function on its first call; all arrays are allocated by the caller."""
    return cast("Function", njit(function, **OPTIONS))


def jit_inline(function: Function) -> Function:
    """Compile a function into each caller, because passing many arrays takes longer than processing a row."""
    return cast("Function", njit(function, **OPTIONS, forceinline=True))


@jit
def write_maximum(here: Floats, above: Floats, source: Floats) -> None:
    """Write the elementwise maximum of two rows to `here`."""
    for place in range(len(here)):
        here[place] = max(above[place], source[place])


@jit
def copy_row(here: Floats, source: Floats) -> None:
    """Write `source` to `here`."""
    for place in range(len(here)):
        here[place] = source[place]


@jit
def add_scaled(total: Floats, weight: float, source: Floats) -> None:
    """Add a row times a weight to `total`."""
    for place in range(len(total)):
        total[place] += weight * source[place]


@jit
def add_maximum(total: Floats, weight: float, one: Floats, other: Floats) -> None:
    """Add the elementwise maximum of two rows times a weight to `total`."""
    for place in range(len(total)):
        total[place] += weight * max(one[place], other[place])


@jit
def add_four_maxima(
    total: Floats,
    weights: Floats,
    first: Floats,
    second: Floats,
    third: Floats,
    fourth: Floats,
    other: Floats,
) -> None:
    """Add the elementwise maxima of each of four rows with `other`, times their weights, to `total`."""
    one, two, three, four = weights[0], weights[1], weights[2], weights[3]
    for place in range(len(total)):
        total[place] += (
            one * max(first[place], other[place])
            + two * max(second[place], other[place])
            + three * max(third[place], other[place])
            + four * max(fourth[place], other[place])
        )


@jit
def _combine_flags(here: Bits, above: Bits, source: Bits) -> None:
    for place in range(len(here)):
        here[place] = above[place] | source[place]


@jit
def _add_with_rewards(total: Floats, weights: Floats, value: Floats, flags: Bits, rewards: Floats) -> None:
    """Add for each column the greater of the value and the reward of the flags, times the column's weight."""
    begin = 0
    while begin < len(total):
        flag = flags[begin]
        end = begin + 1
        while end < len(total) and flags[end] == flag:
            end += 1
        for column in range(len(weights)):
            weight = weights[column]
            reward = rewards[flag, column]
            for place in range(begin, end):
                total[place] += weight * max(value[place], reward)
        begin = end


@jit
def _average_options(
    own: int,
    next_values: Floats,
    padding: int,
    least_dealt: int,
    least_taken: int,
    plan: HiddenPlan,
    averaged: Floats,
    option_values: Floats,
) -> None:
    """Write the value of each distinct option, averaged over the opponent's numbers, in tiles of the opponent's points."""
    width = option_values.shape[2]
    for defense in range(len(plan.own_defense)):
        averaged[:] = 0.0
        for pair in range(len(plan.pair_attack)):
            taken = max(least_taken, plan.pair_attack[pair] - plan.own_defense[defense])
            add_scaled(
                averaged[plan.pair_column[pair]], plan.pair_weight[pair], next_values[max(0, own - taken)]
            )
        for option in range(plan.option_start[defense], plan.option_start[defense + 1]):
            for tile in range(len(option_values)):
                option_values[tile, option] = 0.0
                for opposing in range(len(plan.opposing_defense)):
                    dealt = max(least_dealt, plan.option_attack[option] - plan.opposing_defense[opposing])
                    offset = padding + tile * width + 1 - dealt
                    source = averaged[opposing, offset : offset + width]
                    add_scaled(option_values[tile, option, : len(source)], 1.0, source)


@jit
def add_hidden_rows(
    first: int,
    stop: int,
    next_values: Floats,
    padding: int,
    least_dealt: int,
    least_taken: int,
    flight: float,
    column: int,
    plan: HiddenPlan,
    buffers: HiddenBuffers,
    out: Floats,
) -> None:
    """Add the values of own points `first` to `stop - 1` for one column, the opponent's numbers unknown."""
    next_values, plan, buffers, out = borrow((next_values, plan, buffers, out))
    option_values, best, total = buffers.option_values, buffers.best, buffers.total
    depths, options, terminals = plan.depth, plan.option, plan.terminal
    width = len(total)
    best[0] = flight
    for own in range(first, stop):
        _average_options(
            own, next_values, padding, least_dealt, least_taken, plan, buffers.averaged, option_values
        )
        for tile in range(len(option_values)):
            total[:] = 0.0
            for node in range(len(depths)):
                depth = depths[node]
                option = options[node]
                for place in range(width):
                    best[depth, place] = max(best[depth - 1, place], option_values[tile, option, place])
                if terminals[node] >= 0:
                    weight = plan.weight[terminals[node], column]
                    for place in range(width):
                        total[place] += weight * best[depth, place]
            begin = tile * len(total) + 1
            row = out[own, begin : begin + len(total)]
            add_scaled(row, 1.0, total[: len(row)])


@jit
def _add_class(
    own: int,
    group: int,
    terminal: int,
    next_values: Floats,
    masks: Bits,
    rewards: Floats,
    offset: int,
    plan: Groups,
    buffers: ShownBuffers,
) -> None:
    """Add the value of a class against each defence of a group, after all its options were visited."""
    best, flags, sums, value, flag = buffers
    opponent = sums.shape[1]
    pairs = plan.pair_start[group]
    count = plan.pair_start[group + 1] - pairs
    weights = plan.class_weight[plan.class_start[group] + terminal]
    slot = plan.slot[plan.class_start[group] + terminal] * count
    for pair in range(count):
        entry = plan.entry_start[group] + terminal * count + pair
        effective_count = plan.effective_count[entry]
        minimum_taken = plan.minimum_taken[entry]
        start = plan.defense[pairs + pair] - plan.defense[pairs]
        here = best[effective_count, start : start + opponent]
        row = min(max(0, own - minimum_taken), len(next_values) - 1)
        source = next_values[row, offset : offset + opponent]
        if len(rewards) == 1:
            if minimum_taken == NO_OPTION:
                add_scaled(sums[slot + pair], weights[0], here)
            else:
                add_maximum(sums[slot + pair], weights[0], here, source)
            continue
        lower = flags[effective_count, start : start + opponent]
        if minimum_taken == NO_OPTION:
            _add_with_rewards(sums[slot + pair], weights, here, lower, rewards)
        else:
            write_maximum(value, here, source)
            _combine_flags(flag, lower, masks[row, offset : offset + opponent])
            _add_with_rewards(sums[slot + pair], weights, value, flag, rewards)


@jit
def _add_group(
    own: int,
    group: int,
    next_values: Floats,
    masks: Bits,
    rewards: Floats,
    padding: int,
    least_dealt: int,
    plan: Groups,
    buffers: ShownBuffers,
) -> None:
    """Add the values of the classes of a group to the sums, for each defence of the group."""
    depths, dealt, taken, terminals, defenses = (
        plan.depth,
        plan.dealt,
        plan.taken,
        plan.terminal,
        plan.defense,
    )
    best, flags = buffers.best, buffers.flags
    pairs = plan.pair_start[group]
    width = buffers.sums.shape[1] + defenses[plan.pair_start[group + 1] - 1] - defenses[pairs]
    for node in range(plan.node_start[group], plan.node_start[group + 1]):
        depth = depths[node]
        row = min(max(0, own - taken[node]), len(next_values) - 1)
        offset = padding + defenses[pairs] + 1 - dealt[node]
        source = next_values[row, offset : offset + width]
        write_maximum(best[depth, :width], best[depth - 1, :width], source)
        if len(rewards) > 1:
            marks = masks[row, offset : offset + width]
            _combine_flags(flags[depth, :width], flags[depth - 1, :width], marks)
        if terminals[node] >= 0:
            start = padding + 1 - least_dealt
            _add_class(own, group, terminals[node], next_values, masks, rewards, start, plan, buffers)


@jit
def add_shown_rows(
    first: int,
    stop: int,
    next_values: Floats,
    masks: Bits,
    rewards: Floats,
    padding: int,
    least_dealt: int,
    flight: float,
    plan: Groups,
    buffers: ShownBuffers,
    out: Floats,
) -> None:
    """Add the values of own points `first` to `stop - 1`, the opponent's numbers known before an option is taken.

    `rewards` has for each set of masks and each column the greatest reward.
    """
    next_values, masks, rewards, plan, buffers, out = borrow(
        (next_values, masks, rewards, plan, buffers, out)
    )
    buffers.best[0] = flight
    buffers.flags[0] = 0
    for own in range(first, stop):
        for group in range(len(plan.node_start) - 1):
            buffers.sums[:] = 0.0
            _add_group(own, group, next_values, masks, rewards, padding, least_dealt, plan, buffers)
            for pair in range(plan.pair_start[group], plan.pair_start[group + 1]):
                add_scaled(out[own, 1:], plan.weight[pair], buffers.sums[pair - plan.pair_start[group]])


@jit
def add_shared_rows(
    chunk: int,
    chunks: int,
    next_values: Floats,
    masks: Bits,
    rewards: Floats,
    padding: int,
    least_dealt: int,
    flight: float,
    plan: Groups,
    by_attack: PairsByAttack,
    buffers: ShownBuffers,
    out: Floats,
) -> None:
    """Add the values of classes that block no attack, for every `chunks`-th difference of own points and attack.

    The first difference is number `chunk`.
    """
    next_values, masks, rewards, plan, by_attack, buffers, out = borrow(
        (next_values, masks, rewards, plan, by_attack, buffers, out)
    )
    own = out.shape[0] - 1
    count = len(plan.defense)
    buffers.best[0] = flight
    buffers.flags[0] = 0
    for difference in range(1 - by_attack.attacks[-1] + chunk, own - by_attack.attacks[0] + 1, chunks):
        buffers.sums[:] = 0.0
        _add_group(difference, 0, next_values, masks, rewards, padding, least_dealt, plan, buffers)
        for place in range(count, len(buffers.sums)):
            add_scaled(buffers.sums[place], 1.0, buffers.sums[place - count])
        for attack in range(len(by_attack.attacks)):
            points = difference + by_attack.attacks[attack]
            if points < 1 or points > own:
                continue
            slot = min(attack, len(buffers.sums) // count - 1) * count
            for pair in range(by_attack.pair_start[attack], by_attack.pair_start[attack + 1]):
                add_scaled(
                    out[points, 1:],
                    by_attack.pair_weight[pair],
                    buffers.sums[slot + by_attack.pair_column[pair]],
                )
