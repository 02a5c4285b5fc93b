"""One walk over the stairs for each difference of own points and attack: what it finds is shared by all attacks.

Derived in [What the opponent shows](../../../../docs/explanation/perfect-play.md#what-the-opponent-shows).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from oddsmith.odds.attrition.frontier import StairPlan, StairRoom
from oddsmith.odds.attrition.kernels import (
    add_better,
    add_better_of_each,
    add_scaled,
    compiled,
    copy_row,
    inlined,
    keep_better,
)
from oddsmith.odds.borrowing import borrow

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NOWHERE: Final = -(10**9)
FOUR: Final = 4
"""So many rows are added at once."""


@compiled
def _find_best(table: Floats, left: int, until: Integers) -> None:
    """Find up to which points of the opponent nothing is lost: there a row is 0, which no value exceeds."""
    for row in range(len(table)):
        until[row] = NOWHERE
        place = left
        while place < table.shape[1] and table[row, place] == 0.0:
            until[row] = place - left
            place += 1


@inlined
def _cross_free(  # noqa: PLR0917  a compiled function takes its arguments by position
    node: int,
    rest: int,
    settled: int,
    table: Floats,
    left: int,
    least_taken: int,
    plan: StairPlan,
    room: StairRoom,
    here: Floats,
) -> None:
    """Add up the free crossings of a node, for each pair."""
    own = len(room.until) - 1
    lowest = plan.opposing_defense[0] + 1
    highest = len(here) - 1 + lowest
    for crossing in range(plan.free_start[node], plan.free_start[node + 1]):
        points = rest + plan.free_attack[crossing]
        if points < 1 or points > own:
            continue
        row = max(0, points - least_taken)
        reach = plan.free_reach[crossing]
        begin = max(settled, room.until[row] + reach) + 1
        if begin <= highest:
            add_better(
                room.free[plan.free_pair[crossing], begin - lowest :],
                plan.free_weight[crossing],
                here[begin - lowest :],
                table[row, left + begin - reach : left + highest + 1 - reach],
            )


@inlined
def _cross_held(  # noqa: PLR0917  as above
    node: int,
    rest: int,
    settled: int,
    table: Floats,
    left: int,
    least_dealt: int,
    least_taken: int,
    plan: StairPlan,
    room: StairRoom,
    here: Floats,
    out: Floats,
) -> None:
    """Add up the held crossings of a node, where they belong."""
    own, opponent = out.shape[0] - 1, out.shape[1] - 1
    lowest = plan.opposing_defense[0] + 1
    for run in range(plan.run_start[node], plan.run_start[node + 1]):
        points = rest + plan.run_attack[run]
        if points < 1 or points > own:
            continue
        row = max(0, points - least_taken)
        least = max(0, room.until[row] + least_dealt)
        crossing, stop = plan.held_start[run], plan.held_start[run + 1]
        while crossing < stop:
            taken = FOUR if crossing + FOUR <= stop else 1
            first, last = plan.held_defense[crossing], plan.held_defense[crossing + taken - 1]
            begin = max(least, settled - last) + 1
            if begin <= opponent:
                source = table[row, left + begin - least_dealt : left + opponent + 1 - least_dealt]
                offset = begin - lowest
                if taken == FOUR:
                    second, third = plan.held_defense[crossing + 1], plan.held_defense[crossing + 2]
                    add_better_of_each(
                        out[points, begin:],
                        plan.held_weight[crossing : crossing + FOUR],
                        here[offset + first :],
                        here[offset + second :],
                        here[offset + third :],
                        here[offset + last :],
                        source,
                    )
                else:
                    add_better(
                        out[points, begin:], plan.held_weight[crossing], here[offset + first :], source
                    )
            crossing += taken


@inlined
def _add_leaves(  # noqa: PLR0917  as above
    group: int, rest: int, table: Floats, left: int, least_dealt: int, plan: StairPlan, room: StairRoom
) -> None:
    """Add the classes that end with the same option to the sums of each defence."""
    leaves, weights, settled = room.leaves, plan.leaf_weight, room.settled
    lowest = plan.opposing_defense[0] + 1
    opponent = leaves.shape[1] + lowest - 1 - plan.opposing_defense[-1]
    row = max(0, rest + plan.leaf_defense[group])
    room.plain[:] = 0.0
    for leaf in range(plan.leaf_start[group], plan.leaf_start[group + 1]):
        add_scaled(room.plain, weights[leaf], leaves[leaf])
    for column in range(len(plan.opposing_defense)):
        defense = plan.opposing_defense[column]
        if plan.leaf_attack[group] >= defense + least_dealt:
            add_scaled(room.sums[column], 1.0, room.plain)
            continue
        least = max(defense, room.until[row] + defense + least_dealt)
        end = defense + opponent + 1 - lowest
        offset = left + lowest - defense - least_dealt
        leaf, stop = plan.leaf_start[group], plan.leaf_start[group + 1]
        while leaf < stop:
            taken = FOUR if leaf + FOUR <= stop else 1
            lower = settled[leaf]
            for other in range(leaf + 1, leaf + taken):
                lower = min(lower, settled[other])
            begin = max(least, lower) + 1 - lowest
            if begin < end:
                source = table[row, offset + begin : offset + end]
                if taken == FOUR:
                    add_better_of_each(
                        room.sums[column, begin:end],
                        weights[leaf : leaf + FOUR],
                        leaves[leaf, begin:],
                        leaves[leaf + 1, begin:],
                        leaves[leaf + 2, begin:],
                        leaves[leaf + 3, begin:],
                        source,
                    )
                else:
                    add_better(room.sums[column, begin:end], weights[leaf], leaves[leaf, begin:], source)
            leaf += taken


@compiled
def _add_walk(  # noqa: PLR0917  as above
    rest: int,
    table: Floats,
    left: int,
    least_dealt: int,
    least_taken: int,
    plan: StairPlan,
    room: StairRoom,
    out: Floats,
) -> None:
    """Hand what a walk has found to each of its attacks."""
    own, opponent = out.shape[0] - 1, out.shape[1] - 1
    lowest = plan.opposing_defense[0] + 1
    room.sums[:] = 0.0
    group = 0
    for number in range(len(plan.attacks)):
        points = rest + plan.attacks[number]
        if points < 1 or points > own:
            continue
        spared = plan.attacks[number] - least_taken
        while group < len(plan.leaf_defense) and plan.leaf_defense[group] <= spared:
            _add_leaves(group, rest, table, left, least_dealt, plan, room)
            group += 1
        begin, end = plan.pair_start[number], plan.pair_start[number + 1]
        for pair in range(end - 1, begin - 1, -1):
            if pair + 1 < end:
                add_scaled(room.free[pair], 1.0, room.free[pair + 1])
            start = plan.pair_defense[pair] + 1 - lowest
            sums = room.sums[plan.pair_column[pair]]
            add_scaled(out[points, 1:], plan.pair_weight[pair], room.free[pair, start : start + opponent])
            add_scaled(out[points, 1:], plan.pair_weight[pair], sums[start : start + opponent])
        room.free[begin:end] = 0.0


@compiled
def _walk(  # noqa: PLR0917  as above
    rest: int,
    deepest: int,
    table: Floats,
    left: int,
    least_dealt: int,
    least_taken: int,
    plan: StairPlan,
    room: StairRoom,
    out: Floats,
) -> None:
    """Visit every node whose defence an attack can still leave through, and keep what its classes end with."""
    best, holder, level = room.best, room.holder, room.level
    lowest = plan.opposing_defense[0] + 1
    highest = best.shape[1] - 1 + lowest
    room.settled[:] = highest
    room.leaves[:] = 0.0
    node = 0
    while node < len(plan.depth):
        depth = plan.depth[node]
        if depth > 0:
            if plan.defense[node] > deepest or level[depth - 1] == highest:
                node = plan.after[node]
                continue
            row = max(0, rest + plan.defense[node])
            reach = plan.attack[node]
            level[depth] = max(level[depth - 1], min(room.until[row] + reach, highest))
            holder[depth] = holder[depth - 1]
            if row > 0 or depth == 1:
                holder[depth] = depth
                start = level[depth] + 1
                keep_better(
                    best[depth, start - lowest :],
                    best[holder[depth - 1], start - lowest :],
                    table[row, left + start - reach : left + highest + 1 - reach],
                )
        here = best[holder[depth]]
        _cross_free(node, rest, level[depth], table, left, least_taken, plan, room, here)
        if plan.run_start[node] < plan.run_start[node + 1]:
            here[: level[depth] + 1 - lowest] = 0.0
            _cross_held(
                node, rest, level[depth], table, left, least_dealt, least_taken, plan, room, here, out
            )
        leaf = plan.ending[node]
        if leaf >= 0:
            room.settled[leaf] = level[depth]
            start = level[depth] + 1 - lowest
            copy_row(room.leaves[leaf, start:], here[start:])
        node += 1


@compiled
def stair_walks(  # noqa: PLR0917  as above
    chunk: int,
    chunks: int,
    table: Floats,
    left: int,
    least_dealt: int,
    least_taken: int,
    flight: float,
    plan: StairPlan,
    room: StairRoom,
    out: Floats,
) -> None:
    """Add every value's share of one chunk of the walks: each of `chunks` takes one walk in turn.

    No value of the table is above 0.
    """
    table, plan, room, out = borrow((table, plan, room, out))
    own = out.shape[0] - 1
    _find_best(table, left, room.until)
    room.best[0] = flight
    room.holder[0] = 0
    room.level[0] = plan.opposing_defense[0]
    if flight == 0.0:
        room.level[0] += room.best.shape[1]
    for rest in range(1 - plan.attacks[-1] + chunk, own - plan.attacks[0] + 1, chunks):
        strongest = NOWHERE
        for number in range(len(plan.attacks)):
            if 1 <= rest + plan.attacks[number] <= own:
                strongest = plan.attacks[number]
        if strongest != NOWHERE:
            _walk(rest, strongest - least_taken, table, left, least_dealt, least_taken, plan, room, out)
            _add_walk(rest, table, left, least_dealt, least_taken, plan, room, out)
