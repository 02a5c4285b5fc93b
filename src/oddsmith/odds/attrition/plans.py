"""Hands reduced to classes of equal options, and classes as tries of arrays that kernels traverse.

Derived in
- [Hands are few](../../../../docs/explanation/perfect-play.md#hands-are-few);
- [Gold](../../../../docs/explanation/perfect-play.md#gold-no-split-may-be-left-out), where fewer options may be dropped.
"""

from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Short = NDArray[np.int32]
Floats = NDArray[np.float64]

VERY_LOW: Final = -(10**9)
NO_OPTION: Final = 10**9
TILE_SIZE: Final = 80
"""Tile size: values per option that fit in the CPU cache."""


class Pruning(IntEnum):
    """Which options of a hand can be dropped because another option is never worse."""

    NONE = 0
    BEST_DEFENSE = 1
    """Keep the best defence for each attack: values rise with own points."""
    PARETO = 2
    """Keep the Pareto frontier of attack and defence: values also fall with the opponent's points."""


class Limits(NamedTuple):
    """The points at the start, and the least damage dealt and taken in a round."""

    own: int
    opponent: int
    least_dealt: int
    least_taken: int


class Pairs(NamedTuple):
    """The distinct pairs of the opponent's numbers, in ascending order of attack, then defence."""

    attack: Integers
    defense: Integers
    ways: Integers


class Classes(NamedTuple):
    """Hands with the same options merged; options in descending order of attack, then defence, padded at the end."""

    attack: Integers
    defense: Integers
    length: Integers
    ways: Integers


class Trie(NamedTuple):
    """The options of all classes as a trie of shared prefixes, in preorder."""

    attack: Short
    defense: Short
    depth: Short
    terminal: Short
    """The class whose last option this is, or -1."""


class HiddenPlan(NamedTuple):
    """The arrays that a kernel reads where the opponent's numbers are hidden."""

    depth: Short
    terminal: Short
    option: Short
    """The index of a node's option among the distinct ones."""
    option_attack: Integers
    option_start: Integers
    """The first option of each defence; options are in ascending order of defence."""
    own_defense: Integers
    pair_attack: Integers
    pair_column: Integers
    pair_weight: Floats
    opposing_defense: Integers
    weight: Floats


class HiddenBuffers(NamedTuple):
    """Scratch arrays of a kernel, the opponent's numbers hidden."""

    averaged: Floats
    option_values: Floats
    best: Floats
    total: Floats


class ShownBuffers(NamedTuple):
    """Scratch arrays of a kernel, the opponent's numbers shown."""

    best: Floats
    flags: NDArray[np.uint8]
    sums: Floats
    value: Floats
    flag: NDArray[np.uint8]


class Group(NamedTuple):
    """One attack of the opponent with some of its defences, and the classes with options clamped against it."""

    attack: int
    trie: Trie
    defense: Integers
    weight: Floats
    effective_count: Short
    """The number of options of a class that deal more than the least damage to each defence."""
    minimum_taken: Short
    """The points taken by the best of the other options, or `NO_OPTION` where there is none."""
    ways: Integers
    slot: Short
    """The index of the sums of a class: that of the first attack that none of its options blocks, or 0."""


class Groups(NamedTuple):
    """All groups, concatenated for a kernel."""

    depth: Short
    dealt: Short
    taken: Short
    terminal: Short
    node_start: Integers
    defense: Integers
    weight: Floats
    pair_start: Integers
    effective_count: Short
    minimum_taken: Short
    entry_start: Integers
    class_weight: Floats
    class_start: Integers
    slot: Short


class PairsByAttack(NamedTuple):
    """The opponent's pairs by attack, for the classes that do not block the attack with any option."""

    attacks: Integers
    pair_start: Integers
    """The first pair of each attack."""
    pair_column: Integers
    """The index of a pair's defence among all defences."""
    pair_weight: Floats


def merge_pairs(attack: Integers, defense: Integers, ways: Integers) -> Pairs:
    """Return the distinct pairs with their ways added up; pairs without ways are dropped.

    >>> merge_pairs(np.array([2, 1, 2]), np.array([0, 0, 0]), np.array([1, 1, 3])).ways.tolist()
    [1, 4]
    """
    selected = ways > 0
    pairs, inverse = np.unique(np.stack((attack[selected], defense[selected])), axis=1, return_inverse=True)
    counts = np.zeros(pairs.shape[1], dtype=np.int64)
    np.add.at(counts, inverse.ravel(), ways[selected])
    return Pairs(np.ascontiguousarray(pairs[0]), np.ascontiguousarray(pairs[1]), counts)


def reduce_options(attack: Integers, defense: Integers, ways: Integers, pruning: Pruning) -> Classes:
    """Drop options that are never better than another one, then merge the hands that have the same options.

    >>> reduce_options(np.array([[1, 2, 2]]), np.array([[5, 3, 4]]), np.array([[1]]), Pruning.PARETO).attack.tolist()
    [[2, 1]]
    """
    order = np.lexsort((-defense, -attack), axis=1)
    attack, defense = np.take_along_axis(attack, order, 1), np.take_along_axis(defense, order, 1)
    fresh_option = np.ones(attack.shape, dtype=np.bool_)
    if pruning is Pruning.PARETO:
        fresh_option[:, 1:] = defense[:, 1:] > np.maximum.accumulate(defense, axis=1)[:, :-1]
    else:
        fresh_option[:, 1:] = attack[:, 1:] != attack[:, :-1]
        if pruning is Pruning.NONE:
            fresh_option[:, 1:] |= defense[:, 1:] != defense[:, :-1]
    count = fresh_option.sum(axis=1)
    front = np.argsort(~fresh_option, axis=1, kind="stable")[:, : int(count.max())]
    present = np.arange(front.shape[1]) < count[:, None]
    attack = np.where(present, np.take_along_axis(attack, front, 1), attack[:, :1])
    defense = np.where(present, np.take_along_axis(defense, front, 1), defense[:, :1])
    rows = np.where(present, _option_codes(attack, defense), 0)
    order_of_classes = np.lexsort(rows.T[::-1])
    rows = rows[order_of_classes]
    first_of_class = np.ones(len(rows), dtype=np.bool_)
    first_of_class[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    starts = first_of_class.nonzero()[0]
    chosen = order_of_classes[starts]
    return Classes(
        attack[chosen],
        defense[chosen],
        count[chosen],
        np.add.reduceat(ways[order_of_classes], starts, axis=0),
    )


def _option_codes(attack: Integers, defense: Integers) -> Integers:
    """Return a positive number for each option, greater for a smaller attack."""
    span = int(defense.max()) - int(defense.min()) + 1
    return (int(attack.max()) - attack) * span + (defense - int(defense.min())) + 1


def build_trie(classes: Classes) -> Trie:
    """Return the trie of shared prefixes of classes in the order that `reduce_options` returns.

    >>> two = reduce_options(np.array([[9, 1], [9, 2]]), np.array([[0, 3], [0, 3]]), np.array([[1], [1]]), Pruning.NONE)
    >>> build_trie(two).depth.tolist()
    [1, 2, 2]
    """
    width = classes.attack.shape[1]
    present = np.arange(width) < classes.length[:, None]
    equal = np.zeros((len(classes.length), width), dtype=np.bool_)
    equal[1:] = (
        (classes.attack[1:] == classes.attack[:-1])
        & (classes.defense[1:] == classes.defense[:-1])
        & present[1:]
        & present[:-1]
    )
    shared = np.logical_and.accumulate(equal, axis=1)
    row, place = (present & ~shared).nonzero()
    depth = place + 1
    return Trie(
        *(
            numbers.astype(np.int32)
            for numbers in (
                classes.attack[row, place],
                classes.defense[row, place],
                depth,
                np.where(depth == classes.length[row], row, -1),
            )
        )
    )


def make_hidden_plan(classes: Classes, pairs: Pairs) -> HiddenPlan:
    """Index the distinct options by defence, and the defences of the opponent.

    The weight of a class and a column is its share of all hands.
    """
    trie = build_trie(classes)
    options, option = np.unique(np.stack((trie.defense, trie.attack)), axis=1, return_inverse=True)
    own_defense, starts = np.unique(options[0], return_index=True)
    opposing, column = np.unique(pairs.defense, return_inverse=True)
    return HiddenPlan(
        trie.depth,
        trie.terminal,
        option.ravel().astype(np.int32),
        options[1].astype(np.int64),
        np.append(starts, options.shape[1]).astype(np.int64),
        own_defense.astype(np.int64),
        pairs.attack,
        column.ravel().astype(np.int64),
        pairs.ways / pairs.ways.sum(),
        opposing,
        classes.ways / classes.ways.sum(),
    )


def make_hidden_buffers(plan: HiddenPlan, opponent: int, width: int) -> HiddenBuffers:
    """Allocate the buffers of one kernel; `width` is the number of columns of the values that it reads."""
    tiles = -(-opponent // TILE_SIZE)
    tile = -(-opponent // tiles)
    return HiddenBuffers(
        np.zeros((len(plan.opposing_defense), width)),
        np.zeros((tiles, len(plan.option_attack), tile)),
        np.zeros((int(plan.depth.max()) + 1, tile)),
        np.zeros(tile),
    )


def group_by_attack(classes: Classes, pairs: Pairs, limits: Limits, pruning: Pruning) -> Groups | None:
    """Clamp the options against each attack of the opponent, and merge the classes again.

    Classes that do not block an attack with any option are left to `group_unblocked`; if there are no others, the
    result is None. Without pruning these classes cannot be shared, and an option that deals the least damage cannot
    represent the others that do, so each pair has a group of its own.
    """
    unpruned = pruning is Pruning.NONE
    starts = np.arange(len(pairs.attack)) if unpruned else np.unique(pairs.attack, return_index=True)[1]
    stops = np.append(starts[1:], len(pairs.attack))
    strongest = classes.defense.max(axis=1)
    groups = []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        attack, defense = int(pairs.attack[start]), pairs.defense[start:stop]
        selected = (strongest > attack - limits.least_taken) | unpruned
        if selected.any():
            clamped = reduce_options(
                np.maximum(classes.attack[selected], int(defense[0]) + limits.least_dealt),
                np.minimum(classes.defense[selected], attack - limits.least_taken),
                classes.ways[selected],
                pruning,
            )
            weight = pairs.ways[start:stop] / pairs.ways.sum()
            groups.append(_group(clamped, attack, defense, weight, limits.least_dealt))
    return _concatenate(groups, int(classes.ways.sum())) if groups else None


def group_unblocked(classes: Classes, pairs: Pairs, limits: Limits) -> tuple[Groups, PairsByAttack]:
    """Put all classes into one group against an attack of 0, whose damage may be negative.

    A kernel that takes the difference of own points and attack as own points computes what holds for all attacks.
    """
    attacks, firsts = np.unique(pairs.attack, return_index=True)
    defense, column = np.unique(pairs.defense, return_inverse=True)
    slot = np.searchsorted(attacks - limits.least_taken, classes.defense.max(axis=1))
    group = _group(classes, 0, defense, np.ones(len(defense)), limits.least_dealt)
    return _concatenate([group._replace(slot=slot.astype(np.int32))], int(classes.ways.sum())), PairsByAttack(
        attacks,
        np.append(firsts, len(pairs.attack)).astype(np.int64),
        column.ravel().astype(np.int64),
        pairs.ways / pairs.ways.sum(),
    )


def make_shown_buffers(plan: Groups, opponent: int) -> ShownBuffers:
    """Allocate the buffers of one kernel."""
    width = opponent + int(plan.defense.max()) - int(plan.defense.min())
    deepest = int(plan.depth.max()) + 1
    return ShownBuffers(
        np.zeros((deepest, width)),
        np.zeros((deepest, width), dtype=np.uint8),
        np.zeros((int(np.diff(plan.pair_start).max()) * (int(plan.slot.max()) + 1), opponent)),
        np.zeros(opponent),
        np.zeros(opponent, dtype=np.uint8),
    )


def _group(classes: Classes, attack: int, defense: Integers, weight: Floats, least_dealt: int) -> Group:
    present = (np.arange(classes.attack.shape[1]) < classes.length[:, None])[:, None, :]
    effective = (classes.attack[:, None, :] >= defense[:, None] + least_dealt) & present
    effective_count = effective.sum(axis=2)
    others = np.where(effective | ~present, VERY_LOW, classes.defense[:, None, :])
    minimum_taken = np.where(
        effective_count == classes.length[:, None], NO_OPTION, attack - others.max(axis=2)
    )
    return Group(
        attack,
        build_trie(classes),
        defense,
        weight,
        effective_count.astype(np.int32),
        minimum_taken.astype(np.int32),
        classes.ways,
        np.zeros(len(classes.length), dtype=np.int32),
    )


def _concatenate(groups: list[Group], total: int) -> Groups:
    def concatenate(parts: list[NDArray[np.int32]]) -> Short:
        return np.concatenate([part.ravel() for part in parts])

    def starts(sizes: list[int]) -> Integers:
        return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)

    return Groups(
        depth=concatenate([group.trie.depth for group in groups]),
        dealt=concatenate([group.trie.attack for group in groups]),
        taken=concatenate([(group.attack - group.trie.defense).astype(np.int32) for group in groups]),
        terminal=concatenate([group.trie.terminal for group in groups]),
        node_start=starts([len(group.trie.depth) for group in groups]),
        defense=np.concatenate([group.defense for group in groups]),
        weight=np.concatenate([group.weight for group in groups]),
        pair_start=starts([len(group.defense) for group in groups]),
        effective_count=concatenate([group.effective_count for group in groups]),
        minimum_taken=concatenate([group.minimum_taken for group in groups]),
        entry_start=starts([group.effective_count.size for group in groups]),
        class_weight=np.concatenate([group.ways for group in groups]) / total,
        class_start=starts([len(group.ways) for group in groups]),
        slot=concatenate([group.slot for group in groups]),
    )
