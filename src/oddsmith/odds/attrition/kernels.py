"""A kernel fills rows of a round's values from a table of what may follow, and sees nothing but arrays.

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
from oddsmith.odds.attrition.plans import NOTHING, Groups, HiddenPlan, HiddenRoom, Sharing, ShownRoom
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


def compiled(function: Function) -> Function:
    """Compile when first called; every array is lent by the caller."""
    return cast("Function", njit(function, **OPTIONS))


def inlined(function: Function) -> Function:
    """Compile into each caller: passing many arrays takes longer than a row of them."""
    return cast("Function", njit(function, **OPTIONS, forceinline=True))


@compiled
def keep_better(here: Floats, above: Floats, source: Floats) -> None:
    """Write the greater of two rows, number by number."""
    for place in range(len(here)):
        here[place] = max(above[place], source[place])


@compiled
def copy_row(here: Floats, source: Floats) -> None:
    """Write a row as it is."""
    for place in range(len(here)):
        here[place] = source[place]


@compiled
def add_scaled(total: Floats, weight: float, source: Floats) -> None:
    """Add a row, scaled."""
    for place in range(len(total)):
        total[place] += weight * source[place]


@compiled
def add_better(total: Floats, weight: float, one: Floats, other: Floats) -> None:
    """Add the greater of two rows, scaled."""
    for place in range(len(total)):
        total[place] += weight * max(one[place], other[place])


@compiled
def add_better_of_each(  # noqa: PLR0917  a compiled function takes its arguments by position
    total: Floats,
    weights: Floats,
    first: Floats,
    second: Floats,
    third: Floats,
    fourth: Floats,
    other: Floats,
) -> None:
    """Add the greater of each of four rows and another one, scaled."""
    one, two, three, four = weights[0], weights[1], weights[2], weights[3]
    for place in range(len(total)):
        total[place] += (
            one * max(first[place], other[place])
            + two * max(second[place], other[place])
            + three * max(third[place], other[place])
            + four * max(fourth[place], other[place])
        )


@compiled
def _mark(here: Bits, above: Bits, source: Bits) -> None:
    for place in range(len(here)):
        here[place] = above[place] | source[place]


@compiled
def _add_rewarded(total: Floats, weights: Floats, value: Floats, flags: Bits, rewards: Floats) -> None:
    """Add a row for each column: its value, or the reward of its flags where that is more."""
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


@compiled
def _weigh_options(  # noqa: PLR0917  as above
    own: int,
    table: Floats,
    left: int,
    least_dealt: int,
    least_taken: int,
    plan: HiddenPlan,
    weighed: Floats,
    worth: Floats,
) -> None:
    """Average what each distinct option leads to over the opponent's numbers, in tiles of the opponent's points."""
    width = worth.shape[2]
    for defense in range(len(plan.own_defense)):
        weighed[:] = 0.0
        for pair in range(len(plan.pair_attack)):
            taken = max(least_taken, plan.pair_attack[pair] - plan.own_defense[defense])
            add_scaled(weighed[plan.pair_column[pair]], plan.pair_weight[pair], table[max(0, own - taken)])
        for point in range(plan.point_start[defense], plan.point_start[defense + 1]):
            for tile in range(len(worth)):
                worth[tile, point] = 0.0
                for opposing in range(len(plan.opposing_defense)):
                    dealt = max(least_dealt, plan.point_attack[point] - plan.opposing_defense[opposing])
                    offset = left + tile * width + 1 - dealt
                    source = weighed[opposing, offset : offset + width]
                    add_scaled(worth[tile, point, : len(source)], 1.0, source)


@compiled
def hidden_rows(  # noqa: PLR0917  as above
    first: int,
    stop: int,
    table: Floats,
    left: int,
    least_dealt: int,
    least_taken: int,
    flight: float,
    column: int,
    plan: HiddenPlan,
    room: HiddenRoom,
    out: Floats,
) -> None:
    """Add the values of own points `first` to `stop - 1` for one column, the opponent's numbers unknown."""
    table, plan, room, out = borrow((table, plan, room, out))
    worth, best, total = room.worth, room.best, room.total
    depths, points, endings = plan.depth, plan.point, plan.ending
    width = len(total)
    best[0] = flight
    for own in range(first, stop):
        _weigh_options(own, table, left, least_dealt, least_taken, plan, room.weighed, worth)
        for tile in range(len(worth)):
            total[:] = 0.0
            for node in range(len(depths)):
                depth = depths[node]
                point = points[node]
                for place in range(width):
                    best[depth, place] = max(best[depth - 1, place], worth[tile, point, place])
                if endings[node] >= 0:
                    weight = plan.weight[endings[node], column]
                    for place in range(width):
                        total[place] += weight * best[depth, place]
            begin = tile * len(total) + 1
            row = out[own, begin : begin + len(total)]
            add_scaled(row, 1.0, total[: len(row)])


@compiled
def _add_class(  # noqa: PLR0917  as above
    own: int,
    group: int,
    ending: int,
    table: Floats,
    masks: Bits,
    rewards: Floats,
    left: int,
    plan: Groups,
    room: ShownRoom,
) -> None:
    """Add what a class is worth against each defence of a group, once all its options have been seen."""
    best, flags, sums, value, flag = room
    opponent = sums.shape[1]
    pairs = plan.pair_start[group]
    count = plan.pair_start[group + 1] - pairs
    weights = plan.class_weight[plan.class_start[group] + ending]
    slot = plan.slot[plan.class_start[group] + ending] * count
    for pair in range(count):
        entry = plan.cut_start[group] + ending * count + pair
        cut = plan.cut[entry]
        held = plan.held[entry]
        start = plan.defense[pairs + pair] - plan.defense[pairs]
        here = best[cut, start : start + opponent]
        row = min(max(0, own - held), len(table) - 1)
        source = table[row, left : left + opponent]
        if len(rewards) == 1:
            if held == NOTHING:
                add_scaled(sums[slot + pair], weights[0], here)
            else:
                add_better(sums[slot + pair], weights[0], here, source)
            continue
        lower = flags[cut, start : start + opponent]
        if held == NOTHING:
            _add_rewarded(sums[slot + pair], weights, here, lower, rewards)
        else:
            keep_better(value, here, source)
            _mark(flag, lower, masks[row, left : left + opponent])
            _add_rewarded(sums[slot + pair], weights, value, flag, rewards)


@compiled
def _climb(  # noqa: PLR0917  as above
    own: int,
    group: int,
    table: Floats,
    masks: Bits,
    rewards: Floats,
    left: int,
    least_dealt: int,
    plan: Groups,
    room: ShownRoom,
) -> None:
    """Add what each class of a group is worth to the sums, for each defence of the group."""
    depths, dealt, taken, endings, defenses = plan.depth, plan.dealt, plan.taken, plan.ending, plan.defense
    best, flags = room.best, room.flags
    pairs = plan.pair_start[group]
    width = room.sums.shape[1] + defenses[plan.pair_start[group + 1] - 1] - defenses[pairs]
    for node in range(plan.node_start[group], plan.node_start[group + 1]):
        depth = depths[node]
        row = min(max(0, own - taken[node]), len(table) - 1)
        offset = left + defenses[pairs] + 1 - dealt[node]
        source = table[row, offset : offset + width]
        keep_better(best[depth, :width], best[depth - 1, :width], source)
        if len(rewards) > 1:
            marks = masks[row, offset : offset + width]
            _mark(flags[depth, :width], flags[depth - 1, :width], marks)
        if endings[node] >= 0:
            start = left + 1 - least_dealt
            _add_class(own, group, endings[node], table, masks, rewards, start, plan, room)


@compiled
def shown_rows(  # noqa: PLR0917  as above
    first: int,
    stop: int,
    table: Floats,
    masks: Bits,
    rewards: Floats,
    left: int,
    least_dealt: int,
    flight: float,
    plan: Groups,
    room: ShownRoom,
    out: Floats,
) -> None:
    """Add the values of own points `first` to `stop - 1`, the opponent's numbers known before an option is taken.

    `rewards` says for each set of masks and each column what the best of them is worth.
    """
    table, masks, rewards, plan, room, out = borrow((table, masks, rewards, plan, room, out))
    room.best[0] = flight
    room.flags[0] = 0
    for own in range(first, stop):
        for group in range(len(plan.node_start) - 1):
            room.sums[:] = 0.0
            _climb(own, group, table, masks, rewards, left, least_dealt, plan, room)
            for pair in range(plan.pair_start[group], plan.pair_start[group + 1]):
                add_scaled(out[own, 1:], plan.weight[pair], room.sums[pair - plan.pair_start[group]])


@compiled
def shared_rows(  # noqa: PLR0917  as above
    chunk: int,
    chunks: int,
    table: Floats,
    masks: Bits,
    rewards: Floats,
    left: int,
    least_dealt: int,
    flight: float,
    plan: Groups,
    sharing: Sharing,
    room: ShownRoom,
    out: Floats,
) -> None:
    """Add every value's share of one chunk of the differences of own points and attack, with no option blocked."""
    table, masks, rewards, plan, sharing, room, out = borrow(
        (table, masks, rewards, plan, sharing, room, out)
    )
    own = out.shape[0] - 1
    count = len(plan.defense)
    room.best[0] = flight
    room.flags[0] = 0
    for rest in range(1 - sharing.attacks[-1] + chunk, own - sharing.attacks[0] + 1, chunks):
        room.sums[:] = 0.0
        _climb(rest, 0, table, masks, rewards, left, least_dealt, plan, room)
        for place in range(count, len(room.sums)):
            add_scaled(room.sums[place], 1.0, room.sums[place - count])
        for attack in range(len(sharing.attacks)):
            points = rest + sharing.attacks[attack]
            if points < 1 or points > own:
                continue
            slot = min(attack, len(room.sums) // count - 1) * count
            for pair in range(sharing.pair_start[attack], sharing.pair_start[attack + 1]):
                add_scaled(
                    out[points, 1:], sharing.pair_weight[pair], room.sums[slot + sharing.pair_column[pair]]
                )
