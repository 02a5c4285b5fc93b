"""Options that cannot be beaten form a staircase, so that one walk over a trie of stairs serves every attack.

The staircase is the Pareto frontier of attack and defence. Derived in
- [Hands are few](../../../../docs/explanation/perfect-play.md#hands-are-few);
- [What the opponent shows](../../../../docs/explanation/perfect-play.md#what-the-opponent-shows), for its crossings.
"""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oddsmith.odds.attrition.plans import Classes, Pairs, Setting, Trie, trie_of

Integers: TypeAlias = NDArray[np.int64]
Short: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]

ROOT: Final = 0


class StairPlan(NamedTuple):
    """What a kernel walks where own points never harm and the opponent's never help.

    Node 0 is the root: no option yet. A step from a node to the next is *crossed* by an attack that the node's
    defence leaves through and the next one's does not. The next one then stands for all that follow. A crossing is
    *free* for the defences that the next option deals more than the least to, and *held* for the others.
    """

    attack: Short
    defense: Short
    depth: Short
    after: Short
    """The first node that does not stand below this one."""
    ending: Short
    """The place among the leaves of the class that ends here, or -1."""
    free_start: Integers
    """Where the free crossings of each node begin."""
    free_attack: Short
    """The opponent's attack of a crossing."""
    free_reach: Short
    """The attack of the next option."""
    free_pair: Short
    """The greatest defence for which the crossing is free, as a number among the pairs."""
    free_weight: Floats
    run_start: Integers
    """Where the runs of each node begin: crossings that are held, with one attack."""
    run_attack: Short
    held_start: Integers
    """Where the held crossings of each run begin."""
    held_defense: Short
    held_weight: Floats
    leaf_start: Integers
    """Where the leaves of each group begin: classes whose last option is the same, in rising order of defence."""
    leaf_defense: Integers
    leaf_attack: Integers
    leaf_weight: Floats
    attacks: Integers
    """The opponent's attacks, each once."""
    pair_start: Integers
    """Where the pairs of each attack begin."""
    pair_defense: Integers
    pair_column: Integers
    pair_weight: Floats
    opposing_defense: Integers


class StairRoom(NamedTuple):
    """What a kernel writes on the way."""

    until: Integers
    """Up to which points of the opponent nothing is lost, for each row of own points."""
    best: Floats
    """The best of the options so far, for each depth of the walk."""
    holder: Integers
    """The depth that holds the best of a depth."""
    level: Integers
    """Up to where the best of a depth is known to be the best of all."""
    leaves: Floats
    settled: Integers
    free: Floats
    sums: Floats
    plain: Floats


class _Stairs(NamedTuple):
    """A trie below a root, with its kinship."""

    attack: Integers
    defense: Integers
    depth: Integers
    parent: Integers
    after: Integers
    below: Integers
    """In how many ways a hand comes about that has passed this node."""


class _Crossings(NamedTuple):
    """Crossings of one kind, gathered: by node, then by pair."""

    node: Integers
    pair: Integers
    reach: Integers
    ways: Integers


def stair_plan(classes: Classes, pairs: Pairs, setting: Setting, total: int) -> StairPlan:
    """Find every crossing, once for all rounds; a hand weighs its share of the `total` of ways."""
    trie = trie_of(classes)
    stairs = _stairs(trie, classes.ways[:, 0])
    attacks, firsts = np.unique(pairs.attack, return_index=True)
    pair_start = np.append(firsts, len(pairs.attack))
    opposing, column = np.unique(pairs.defense, return_inverse=True)
    free, held = _crossings(stairs, pairs, attacks, pair_start, setting)
    weight = pairs.ways / pairs.ways.sum()
    nodes = np.arange(len(stairs.depth) + 1)
    runs = _firsts(held.node * len(pairs.attack) + firsts[np.searchsorted(attacks, pairs.attack[held.pair])])
    last = classes.length - 1
    places = np.arange(len(last))
    leaf_attack, leaf_defense = classes.attack[places, last], classes.defense[places, last]
    order = np.lexsort((leaf_attack, leaf_defense))
    groups = _firsts(leaf_defense[order] * (2 * int(np.abs(leaf_attack).max()) + 1) + leaf_attack[order])
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = places
    ending = np.where(trie.ending < 0, -1, rank[trie.ending])
    return StairPlan(
        attack=stairs.attack.astype(np.int32),
        defense=stairs.defense.astype(np.int32),
        depth=stairs.depth.astype(np.int32),
        after=stairs.after.astype(np.int32),
        ending=np.concatenate(([-1], ending)).astype(np.int32),
        free_start=np.searchsorted(free.node, nodes).astype(np.int64),
        free_attack=pairs.attack[free.pair].astype(np.int32),
        free_reach=free.reach.astype(np.int32),
        free_pair=free.pair.astype(np.int32),
        free_weight=free.ways / total,
        run_start=np.searchsorted(held.node[runs], nodes).astype(np.int64),
        run_attack=pairs.attack[held.pair[runs]].astype(np.int32),
        held_start=np.append(runs, len(held.node)).astype(np.int64),
        held_defense=pairs.defense[held.pair].astype(np.int32),
        held_weight=held.ways / total * weight[held.pair],
        leaf_start=np.append(groups, len(order)).astype(np.int64),
        leaf_defense=leaf_defense[order][groups],
        leaf_attack=leaf_attack[order][groups],
        leaf_weight=classes.ways[order, 0] / total,
        attacks=attacks,
        pair_start=pair_start.astype(np.int64),
        pair_defense=pairs.defense,
        pair_column=column.ravel().astype(np.int64),
        pair_weight=weight,
        opposing_defense=opposing,
    )


def stair_room(plan: StairPlan, own: int, opponent: int) -> StairRoom:
    """Make room for one kernel."""
    width = opponent + int(plan.opposing_defense[-1]) - int(plan.opposing_defense[0])
    deepest = int(plan.depth.max()) + 1
    return StairRoom(
        np.zeros(own + 1, dtype=np.int64),
        np.zeros((deepest, width)),
        np.zeros(deepest, dtype=np.int64),
        np.zeros(deepest, dtype=np.int64),
        np.zeros((len(plan.leaf_weight), width)),
        np.zeros(len(plan.leaf_weight), dtype=np.int64),
        np.zeros((len(plan.pair_defense), width)),
        np.zeros((len(plan.opposing_defense), width)),
        np.zeros(width),
    )


def _firsts(keys: Integers) -> Integers:
    """Return where each run of equal keys begins."""
    return np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))[: len(keys)])


def _stairs(trie: Trie, ways: Integers) -> _Stairs:
    """Put a root above a trie, and find each node's parent, and the weight that passes it."""
    depth = np.concatenate(([0], trie.depth)).astype(np.int64)
    parent = np.zeros(len(depth), dtype=np.int64)
    after = np.full(len(depth), len(depth), dtype=np.int64)
    path = [ROOT]
    for node, level in enumerate(depth.tolist()[1:], start=1):
        while len(path) > level:
            after[path.pop()] = node
        parent[node] = path[-1]
        path.append(node)
    own = np.concatenate(([0], np.where(trie.ending < 0, 0, ways[trie.ending])))
    passed = np.concatenate(([0], np.cumsum(own)))
    return _Stairs(
        np.concatenate(([0], trie.attack)).astype(np.int64),
        np.concatenate(([0], trie.defense)).astype(np.int64),
        depth,
        parent,
        after,
        passed[after] - passed[:-1],
    )


def _crossings(
    stairs: _Stairs, pairs: Pairs, attacks: Integers, pair_start: Integers, setting: Setting
) -> tuple[_Crossings, _Crossings]:
    left = attacks - setting.least_taken
    child = np.arange(1, len(stairs.depth))
    parent = stairs.parent[child]
    first = np.where(parent == ROOT, 0, np.searchsorted(left, stairs.defense[parent]))
    stop = np.searchsorted(left, stairs.defense[child])
    child, attack = _spread(child, first, stop)
    wide = int(pairs.defense.max()) - int(pairs.defense.min()) + 2
    lowest = int(pairs.defense.min())
    keys = np.repeat(np.arange(len(attacks)), np.diff(pair_start)) * wide + pairs.defense - lowest
    dealt_to = np.clip(stairs.attack[child] - setting.least_dealt - lowest, -1, wide - 2)
    beyond = np.searchsorted(keys, attack * wide + dealt_to, side="right")
    some = beyond > pair_start[attack]
    free = _gathered(
        stairs.parent[child[some]], beyond[some] - 1, stairs.attack[child[some]], stairs.below[child[some]]
    )
    child, pair = _spread(child, beyond, pair_start[attack + 1])
    return free, _gathered(stairs.parent[child], pair, np.zeros_like(pair), stairs.below[child])


def _spread(items: Integers, first: Integers, stop: Integers) -> tuple[Integers, Integers]:
    """Repeat each item for each number from its first to before its stop.

    >>> [numbers.tolist() for numbers in _spread(np.array([7, 8]), np.array([0, 3]), np.array([2, 4]))]
    [[7, 7, 8], [0, 1, 3]]
    """
    sizes = np.maximum(stop - first, 0)
    starts = np.cumsum(sizes) - sizes
    return np.repeat(items, sizes), np.arange(int(sizes.sum())) + np.repeat(first - starts, sizes)


def _gathered(node: Integers, pair: Integers, reach: Integers, ways: Integers) -> _Crossings:
    order = np.lexsort((reach, pair, node))
    node, pair, reach, ways = node[order], pair[order], reach[order], ways[order]
    same = (node[1:] == node[:-1]) & (pair[1:] == pair[:-1]) & (reach[1:] == reach[:-1])
    starts = np.flatnonzero(np.concatenate(([True], ~same))[: len(node)])
    sums = np.add.reduceat(ways, starts) if len(starts) else ways
    return _Crossings(node[starts], pair[starts], reach[starts], sums)
