"""Options that lead to the same points are one: hands become tries of arrays that a kernel can walk.

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

FAR: Final = -(10**9)
NOTHING: Final = 10**9
TILE: Final = 80
"""So many numbers of each option stay near the processor while all classes are walked."""


class Keep(IntEnum):
    """Which options of a hand can be best, from what is known of the values that they lead to."""

    EVERY = 0
    BEST_DEFENSE = 1
    """For each attack the best defence: own points never harm."""
    PARETO = 2
    """No option with less of one and no more of the other: the opponent's points never help, either."""


class Setting(NamedTuple):
    """The whole numbers of a contest."""

    own: int
    opponent: int
    least_dealt: int
    least_taken: int


class Pairs(NamedTuple):
    """The opponent's numbers, each pair once, in rising order of attack, then defence."""

    attack: Integers
    defense: Integers
    ways: Integers


class Classes(NamedTuple):
    """Hands with the same options are one; options in falling order of attack, then defence, padded at the end."""

    attack: Integers
    defense: Integers
    length: Integers
    ways: Integers


class Trie(NamedTuple):
    """The options of all classes as a tree, in preorder: what begins alike is shared."""

    attack: Short
    defense: Short
    depth: Short
    ending: Short
    """The class whose last option this is, or -1."""


class HiddenPlan(NamedTuple):
    """What a kernel walks where the opponent's numbers are hidden."""

    depth: Short
    ending: Short
    point: Short
    """The number of a node's option among the distinct ones."""
    point_attack: Integers
    point_start: Integers
    """Where the options of each defence begin: they stand in rising order of defence."""
    own_defense: Integers
    pair_attack: Integers
    pair_column: Integers
    pair_weight: Floats
    opposing_defense: Integers
    weight: Floats


class HiddenRoom(NamedTuple):
    """What a kernel writes on the way, the opponent's numbers hidden."""

    weighed: Floats
    worth: Floats
    best: Floats
    total: Floats


class ShownRoom(NamedTuple):
    """What a kernel writes on the way, the opponent's numbers shown."""

    best: Floats
    flags: NDArray[np.uint8]
    sums: Floats
    value: Floats
    flag: NDArray[np.uint8]


class Group(NamedTuple):
    """One attack of the opponent with some of its defences, and the classes as they stand against it."""

    attack: int
    trie: Trie
    defense: Integers
    weight: Floats
    cut: Short
    """How many options of a class still deal more than the least to each defence."""
    held: Short
    """The points taken by the best of the other options, or `NOTHING` where there is none."""
    ways: Integers
    slot: Short
    """Where the sums of a class belong: with the first attack that blocks none of its options, if that is asked."""


class Groups(NamedTuple):
    """All groups behind each other, as a kernel walks them."""

    depth: Short
    dealt: Short
    taken: Short
    ending: Short
    node_start: Integers
    defense: Integers
    weight: Floats
    pair_start: Integers
    cut: Short
    held: Short
    cut_start: Integers
    class_weight: Floats
    class_start: Integers
    slot: Short


class Sharing(NamedTuple):
    """What the attacks of the opponent share: the classes of which they block no option."""

    attacks: Integers
    pair_start: Integers
    """Where the pairs of each attack begin."""
    pair_column: Integers
    """The defence of a pair, as a number among all."""
    pair_weight: Floats


def merged_pairs(attack: Integers, defense: Integers, ways: Integers) -> Pairs:
    """Gather pairs that are alike, and drop those that never come.

    >>> merged_pairs(np.array([2, 1, 2]), np.array([0, 0, 0]), np.array([1, 1, 3])).ways.tolist()
    [1, 4]
    """
    kept = ways > 0
    pairs, inverse = np.unique(np.stack((attack[kept], defense[kept])), axis=1, return_inverse=True)
    counts = np.zeros(pairs.shape[1], dtype=np.int64)
    np.add.at(counts, inverse.ravel(), ways[kept])
    return Pairs(np.ascontiguousarray(pairs[0]), np.ascontiguousarray(pairs[1]), counts)


def reduced(attack: Integers, defense: Integers, ways: Integers, keep: Keep) -> Classes:
    """Drop options that are never better than another one, then gather the hands that have become alike.

    >>> reduced(np.array([[1, 2, 2]]), np.array([[5, 3, 4]]), np.array([[1]]), Keep.PARETO).attack.tolist()
    [[2, 1]]
    """
    order = np.lexsort((-defense, -attack), axis=1)
    attack, defense = np.take_along_axis(attack, order, 1), np.take_along_axis(defense, order, 1)
    new = np.ones(attack.shape, dtype=np.bool_)
    if keep is Keep.PARETO:
        new[:, 1:] = defense[:, 1:] > np.maximum.accumulate(defense, axis=1)[:, :-1]
    else:
        new[:, 1:] = attack[:, 1:] != attack[:, :-1]
        if keep is Keep.EVERY:
            new[:, 1:] |= defense[:, 1:] != defense[:, :-1]
    count = new.sum(axis=1)
    front = np.argsort(~new, axis=1, kind="stable")[:, : int(count.max())]
    filled = np.arange(front.shape[1]) < count[:, None]
    attack = np.where(filled, np.take_along_axis(attack, front, 1), attack[:, :1])
    defense = np.where(filled, np.take_along_axis(defense, front, 1), defense[:, :1])
    rows = np.where(filled, _codes(attack, defense), 0)
    ranked = np.lexsort(rows.T[::-1])
    rows = rows[ranked]
    fresh = np.ones(len(rows), dtype=np.bool_)
    fresh[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    starts = fresh.nonzero()[0]
    chosen = ranked[starts]
    return Classes(
        attack[chosen], defense[chosen], count[chosen], np.add.reduceat(ways[ranked], starts, axis=0)
    )


def _codes(attack: Integers, defense: Integers) -> Integers:
    """Return one positive number for each option, greater for a smaller attack."""
    span = int(defense.max()) - int(defense.min()) + 1
    return (int(attack.max()) - attack) * span + (defense - int(defense.min())) + 1


def trie_of(classes: Classes) -> Trie:
    """Share what begins alike: the classes stand in the order that `reduced` gives them.

    >>> two = reduced(np.array([[9, 1], [9, 2]]), np.array([[0, 3], [0, 3]]), np.array([[1], [1]]), Keep.EVERY)
    >>> trie_of(two).depth.tolist()
    [1, 2, 2]
    """
    width = classes.attack.shape[1]
    filled = np.arange(width) < classes.length[:, None]
    alike = np.zeros((len(classes.length), width), dtype=np.bool_)
    alike[1:] = (
        (classes.attack[1:] == classes.attack[:-1])
        & (classes.defense[1:] == classes.defense[:-1])
        & filled[1:]
        & filled[:-1]
    )
    shared = np.logical_and.accumulate(alike, axis=1)
    row, place = (filled & ~shared).nonzero()
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


def hidden_plan(classes: Classes, pairs: Pairs) -> HiddenPlan:
    """Give a number to each distinct option, by defence, and to each defence of the opponent.

    The weight of a class and a column is its share of all hands.
    """
    trie = trie_of(classes)
    points, point = np.unique(np.stack((trie.defense, trie.attack)), axis=1, return_inverse=True)
    own_defense, starts = np.unique(points[0], return_index=True)
    opposing, column = np.unique(pairs.defense, return_inverse=True)
    return HiddenPlan(
        trie.depth,
        trie.ending,
        point.ravel().astype(np.int32),
        points[1].astype(np.int64),
        np.append(starts, points.shape[1]).astype(np.int64),
        own_defense.astype(np.int64),
        pairs.attack,
        column.ravel().astype(np.int64),
        pairs.ways / pairs.ways.sum(),
        opposing,
        classes.ways / classes.ways.sum(),
    )


def hidden_room(plan: HiddenPlan, opponent: int, width: int) -> HiddenRoom:
    """Make room for one kernel: the table that it reads has so many columns."""
    tiles = -(-opponent // TILE)
    tile = -(-opponent // tiles)
    return HiddenRoom(
        np.zeros((len(plan.opposing_defense), width)),
        np.zeros((tiles, len(plan.point_attack), tile)),
        np.zeros((int(plan.depth.max()) + 1, tile)),
        np.zeros(tile),
    )


def grouped(classes: Classes, pairs: Pairs, setting: Setting, keep: Keep) -> Groups | None:
    """Clamp the options against each attack of the opponent, and gather the classes anew.

    Classes of which an attack blocks no option are left to `unblocked`: there may be no others. Where own points may harm, that cannot be
    shared, nor can an option that deals the least stand for the others that do: each pair needs a group of its own.
    """
    every = keep is Keep.EVERY
    starts = np.arange(len(pairs.attack)) if every else np.unique(pairs.attack, return_index=True)[1]
    stops = np.append(starts[1:], len(pairs.attack))
    strongest = classes.defense.max(axis=1)
    groups = []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        attack, defense = int(pairs.attack[start]), pairs.defense[start:stop]
        kept = (strongest > attack - setting.least_taken) | every
        if kept.any():
            clamped = reduced(
                np.maximum(classes.attack[kept], int(defense[0]) + setting.least_dealt),
                np.minimum(classes.defense[kept], attack - setting.least_taken),
                classes.ways[kept],
                keep,
            )
            weight = pairs.ways[start:stop] / pairs.ways.sum()
            groups.append(_group(clamped, attack, defense, weight, setting.least_dealt))
    return _joined(groups, int(classes.ways.sum())) if groups else None


def unblocked(classes: Classes, pairs: Pairs, setting: Setting) -> tuple[Groups, Sharing]:
    """Gather all classes in one group, as they stand against an attack of 0 that they may even gain from.

    A kernel that takes the difference of own points and attack for own points finds what holds for all attacks.
    """
    attacks, firsts = np.unique(pairs.attack, return_index=True)
    defense, column = np.unique(pairs.defense, return_inverse=True)
    slot = np.searchsorted(attacks - setting.least_taken, classes.defense.max(axis=1))
    group = _group(classes, 0, defense, np.ones(len(defense)), setting.least_dealt)
    return _joined([group._replace(slot=slot.astype(np.int32))], int(classes.ways.sum())), Sharing(
        attacks,
        np.append(firsts, len(pairs.attack)).astype(np.int64),
        column.ravel().astype(np.int64),
        pairs.ways / pairs.ways.sum(),
    )


def shown_room(plan: Groups, opponent: int) -> ShownRoom:
    """Make room for one kernel."""
    width = opponent + int(plan.defense.max()) - int(plan.defense.min())
    deepest = int(plan.depth.max()) + 1
    return ShownRoom(
        np.zeros((deepest, width)),
        np.zeros((deepest, width), dtype=np.uint8),
        np.zeros((int(np.diff(plan.pair_start).max()) * (int(plan.slot.max()) + 1), opponent)),
        np.zeros(opponent),
        np.zeros(opponent, dtype=np.uint8),
    )


def _group(classes: Classes, attack: int, defense: Integers, weight: Floats, least_dealt: int) -> Group:
    filled = (np.arange(classes.attack.shape[1]) < classes.length[:, None])[:, None, :]
    dealing = (classes.attack[:, None, :] >= defense[:, None] + least_dealt) & filled
    cut = dealing.sum(axis=2)
    others = np.where(dealing | ~filled, FAR, classes.defense[:, None, :])
    held = np.where(cut == classes.length[:, None], NOTHING, attack - others.max(axis=2))
    return Group(
        attack,
        trie_of(classes),
        defense,
        weight,
        cut.astype(np.int32),
        held.astype(np.int32),
        classes.ways,
        np.zeros(len(classes.length), dtype=np.int32),
    )


def _joined(groups: list[Group], total: int) -> Groups:
    def joined(parts: list[NDArray[np.int32]]) -> Short:
        return np.concatenate([part.ravel() for part in parts])

    def starts(sizes: list[int]) -> Integers:
        return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)

    return Groups(
        depth=joined([group.trie.depth for group in groups]),
        dealt=joined([group.trie.attack for group in groups]),
        taken=joined([(group.attack - group.trie.defense).astype(np.int32) for group in groups]),
        ending=joined([group.trie.ending for group in groups]),
        node_start=starts([len(group.trie.depth) for group in groups]),
        defense=np.concatenate([group.defense for group in groups]),
        weight=np.concatenate([group.weight for group in groups]),
        pair_start=starts([len(group.defense) for group in groups]),
        cut=joined([group.cut for group in groups]),
        held=joined([group.held for group in groups]),
        cut_start=starts([group.cut.size for group in groups]),
        class_weight=np.concatenate([group.ways for group in groups]) / total,
        class_start=starts([len(group.ways) for group in groups]),
        slot=joined([group.slot for group in groups]),
    )
