"""Compiled traversal of the frontier trie, once for each difference of own points and attack, shared by all attacks.

Derived in [What the opponent shows](../../../../docs/explanation/perfect-play.md#what-the-opponent-shows).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from oddsmith.odds.attrition.frontier import FrontierBuffers, FrontierPlan
from oddsmith.odds.attrition.kernels import (
    add_four_maxima,
    add_maximum,
    add_scaled,
    copy_row,
    jit,
    jit_inline,
    write_maximum,
)
from oddsmith.odds.borrowing import borrow

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

VERY_LOW: Final = -(10**9)
UNROLL: Final = 4
"""The number of rows that are added in one pass."""


@jit
def _find_saturation(next_values: Floats, padding: int, saturated_until: Integers) -> None:
    """Find up to which points of the opponent each row has the greatest value, which is 0."""
    for row in range(len(next_values)):
        saturated_until[row] = VERY_LOW
        place = padding
        while place < next_values.shape[1] and next_values[row, place] == 0.0:
            saturated_until[row] = place - padding
            place += 1


@jit_inline
def _add_effective_edges(
    node: int,
    difference: int,
    saturated: int,
    next_values: Floats,
    padding: int,
    least_taken: int,
    plan: FrontierPlan,
    buffers: FrontierBuffers,
    here: Floats,
) -> None:
    """Add the effective edges of a node to the sums of their pairs."""
    own = len(buffers.saturated_until) - 1
    lowest = plan.opposing_defense[0] + 1
    highest = len(here) - 1 + lowest
    for edge in range(plan.effective_start[node], plan.effective_start[node + 1]):
        points = difference + plan.effective_attack[edge]
        if points < 1 or points > own:
            continue
        row = max(0, points - least_taken)
        own_attack = plan.effective_own_attack[edge]
        begin = max(saturated, buffers.saturated_until[row] + own_attack) + 1
        if begin <= highest:
            add_maximum(
                buffers.effective_sums[plan.effective_pair[edge], begin - lowest :],
                plan.effective_weight[edge],
                here[begin - lowest :],
                next_values[row, padding + begin - own_attack : padding + highest + 1 - own_attack],
            )


@jit_inline
def _add_minimal_edges(
    node: int,
    difference: int,
    saturated: int,
    next_values: Floats,
    padding: int,
    least_dealt: int,
    least_taken: int,
    plan: FrontierPlan,
    buffers: FrontierBuffers,
    here: Floats,
    out: Floats,
) -> None:
    """Add the minimal edges of a node to the output."""
    own, opponent = out.shape[0] - 1, out.shape[1] - 1
    lowest = plan.opposing_defense[0] + 1
    for run in range(plan.run_start[node], plan.run_start[node + 1]):
        points = difference + plan.run_attack[run]
        if points < 1 or points > own:
            continue
        row = max(0, points - least_taken)
        least = max(0, buffers.saturated_until[row] + least_dealt)
        edge, stop = plan.minimal_start[run], plan.minimal_start[run + 1]
        while edge < stop:
            count = UNROLL if edge + UNROLL <= stop else 1
            first, last = plan.minimal_defense[edge], plan.minimal_defense[edge + count - 1]
            begin = max(least, saturated - last) + 1
            if begin <= opponent:
                source = next_values[
                    row, padding + begin - least_dealt : padding + opponent + 1 - least_dealt
                ]
                offset = begin - lowest
                if count == UNROLL:
                    second, third = plan.minimal_defense[edge + 1], plan.minimal_defense[edge + 2]
                    add_four_maxima(
                        out[points, begin:],
                        plan.minimal_weight[edge : edge + UNROLL],
                        here[offset + first :],
                        here[offset + second :],
                        here[offset + third :],
                        here[offset + last :],
                        source,
                    )
                else:
                    add_maximum(
                        out[points, begin:], plan.minimal_weight[edge], here[offset + first :], source
                    )
            edge += count


@jit_inline
def _add_terminals(
    group: int,
    difference: int,
    next_values: Floats,
    padding: int,
    least_dealt: int,
    plan: FrontierPlan,
    buffers: FrontierBuffers,
) -> None:
    """Add the classes that end with the same option to the sums of each defence."""
    terminal_rows, weights, saturated = (
        buffers.terminal_rows,
        plan.terminal_weight,
        buffers.terminal_saturated,
    )
    lowest = plan.opposing_defense[0] + 1
    opponent = terminal_rows.shape[1] + lowest - 1 - plan.opposing_defense[-1]
    row = max(0, difference + plan.terminal_defense[group])
    buffers.plain_sum[:] = 0.0
    for terminal in range(plan.terminal_start[group], plan.terminal_start[group + 1]):
        add_scaled(buffers.plain_sum, weights[terminal], terminal_rows[terminal])
    for column in range(len(plan.opposing_defense)):
        defense = plan.opposing_defense[column]
        if plan.terminal_attack[group] >= defense + least_dealt:
            add_scaled(buffers.terminal_sums[column], 1.0, buffers.plain_sum)
            continue
        least = max(defense, buffers.saturated_until[row] + defense + least_dealt)
        end = defense + opponent + 1 - lowest
        offset = padding + lowest - defense - least_dealt
        terminal, stop = plan.terminal_start[group], plan.terminal_start[group + 1]
        while terminal < stop:
            count = UNROLL if terminal + UNROLL <= stop else 1
            lower = saturated[terminal]
            for other in range(terminal + 1, terminal + count):
                lower = min(lower, saturated[other])
            begin = max(least, lower) + 1 - lowest
            if begin < end:
                source = next_values[row, offset + begin : offset + end]
                if count == UNROLL:
                    add_four_maxima(
                        buffers.terminal_sums[column, begin:end],
                        weights[terminal : terminal + UNROLL],
                        terminal_rows[terminal, begin:],
                        terminal_rows[terminal + 1, begin:],
                        terminal_rows[terminal + 2, begin:],
                        terminal_rows[terminal + 3, begin:],
                        source,
                    )
                else:
                    add_maximum(
                        buffers.terminal_sums[column, begin:end],
                        weights[terminal],
                        terminal_rows[terminal, begin:],
                        source,
                    )
            terminal += count


@jit
def _add_to_output(
    difference: int,
    next_values: Floats,
    padding: int,
    least_dealt: int,
    least_taken: int,
    plan: FrontierPlan,
    buffers: FrontierBuffers,
    out: Floats,
) -> None:
    """Add the sums of a traversal to the output, for each attack."""
    own, opponent = out.shape[0] - 1, out.shape[1] - 1
    lowest = plan.opposing_defense[0] + 1
    buffers.terminal_sums[:] = 0.0
    group = 0
    for number in range(len(plan.attacks)):
        points = difference + plan.attacks[number]
        if points < 1 or points > own:
            continue
        blocking_defense = plan.attacks[number] - least_taken
        while group < len(plan.terminal_defense) and plan.terminal_defense[group] <= blocking_defense:
            _add_terminals(group, difference, next_values, padding, least_dealt, plan, buffers)
            group += 1
        begin, end = plan.pair_start[number], plan.pair_start[number + 1]
        for pair in range(end - 1, begin - 1, -1):
            if pair + 1 < end:
                add_scaled(buffers.effective_sums[pair], 1.0, buffers.effective_sums[pair + 1])
            start = plan.pair_defense[pair] + 1 - lowest
            sums = buffers.terminal_sums[plan.pair_column[pair]]
            add_scaled(
                out[points, 1:],
                plan.pair_weight[pair],
                buffers.effective_sums[pair, start : start + opponent],
            )
            add_scaled(out[points, 1:], plan.pair_weight[pair], sums[start : start + opponent])
        buffers.effective_sums[begin:end] = 0.0


@jit
def _traverse(
    difference: int,
    most_defense: int,
    next_values: Floats,
    padding: int,
    least_dealt: int,
    least_taken: int,
    plan: FrontierPlan,
    buffers: FrontierBuffers,
    out: Floats,
) -> None:
    """Visit every node whose defence does not block all attacks, and write the maximum of each class that ends there."""
    best, best_depth, saturated = buffers.best, buffers.best_depth, buffers.saturated
    lowest = plan.opposing_defense[0] + 1
    highest = best.shape[1] - 1 + lowest
    buffers.terminal_saturated[:] = highest
    buffers.terminal_rows[:] = 0.0
    node = 0
    while node < len(plan.depth):
        depth = plan.depth[node]
        if depth > 0:
            if plan.defense[node] > most_defense or saturated[depth - 1] == highest:
                node = plan.subtree_end[node]
                continue
            row = max(0, difference + plan.defense[node])
            own_attack = plan.attack[node]
            saturated[depth] = max(
                saturated[depth - 1], min(buffers.saturated_until[row] + own_attack, highest)
            )
            best_depth[depth] = best_depth[depth - 1]
            if row > 0 or depth == 1:
                best_depth[depth] = depth
                start = saturated[depth] + 1
                write_maximum(
                    best[depth, start - lowest :],
                    best[best_depth[depth - 1], start - lowest :],
                    next_values[row, padding + start - own_attack : padding + highest + 1 - own_attack],
                )
        here = best[best_depth[depth]]
        _add_effective_edges(
            node, difference, saturated[depth], next_values, padding, least_taken, plan, buffers, here
        )
        if plan.run_start[node] < plan.run_start[node + 1]:
            here[: saturated[depth] + 1 - lowest] = 0.0
            _add_minimal_edges(
                node,
                difference,
                saturated[depth],
                next_values,
                padding,
                least_dealt,
                least_taken,
                plan,
                buffers,
                here,
                out,
            )
        terminal = plan.terminal[node]
        if terminal >= 0:
            buffers.terminal_saturated[terminal] = saturated[depth]
            start = saturated[depth] + 1 - lowest
            copy_row(buffers.terminal_rows[terminal, start:], here[start:])
        node += 1


@jit
def add_frontier_rows(
    chunk: int,
    chunks: int,
    next_values: Floats,
    padding: int,
    least_dealt: int,
    least_taken: int,
    flight: float,
    plan: FrontierPlan,
    buffers: FrontierBuffers,
    out: Floats,
) -> None:
    """Add the values of every `chunks`-th difference of own points and attack, the first being number `chunk`.

    No next value may be above 0.
    """
    next_values, plan, buffers, out = borrow((next_values, plan, buffers, out))
    own = out.shape[0] - 1
    _find_saturation(next_values, padding, buffers.saturated_until)
    buffers.best[0] = flight
    buffers.best_depth[0] = 0
    buffers.saturated[0] = plan.opposing_defense[0]
    if flight == 0.0:
        buffers.saturated[0] += buffers.best.shape[1]
    for difference in range(1 - plan.attacks[-1] + chunk, own - plan.attacks[0] + 1, chunks):
        strongest = VERY_LOW
        for number in range(len(plan.attacks)):
            if 1 <= difference + plan.attacks[number] <= own:
                strongest = plan.attacks[number]
        if strongest != VERY_LOW:
            _traverse(
                difference,
                strongest - least_taken,
                next_values,
                padding,
                least_dealt,
                least_taken,
                plan,
                buffers,
                out,
            )
            _add_to_output(difference, next_values, padding, least_dealt, least_taken, plan, buffers, out)
