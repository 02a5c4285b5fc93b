"""Pareto frontiers of attack and defence as a trie, so that one traversal serves every attack of the opponent.

Derived in
- [Hands are few](../../../../docs/explanation/perfect-play.md#hands-are-few);
- [What the opponent shows](../../../../docs/explanation/perfect-play.md#what-the-opponent-shows), for its blocking edges.
"""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oddsmith.odds.attrition.plans import Classes, Limits, Pairs, Trie, build_trie

Integers: TypeAlias = NDArray[np.int64]
Short: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]

ROOT: Final = 0


class FrontierPlan(NamedTuple):
    """The arrays that a kernel reads where values rise with own points and fall with the opponent's.

    Node 0 is the root: no option yet. An edge to a child is a *blocking edge* of an attack that the child's defence
    blocks and the parent's does not. The child is then the best of all options that block it. A blocking edge is
    *effective* for the defences to which the child deals more than the least damage, and *minimal* for the others.
    """

    attack: Short
    defense: Short
    depth: Short
    subtree_end: Short
    """The first node after the subtree of this one."""
    terminal: Short
    """The index among the terminals of the class that ends here, or -1."""
    effective_start: Integers
    """The first effective edge of each node."""
    effective_attack: Short
    """The opponent's attack that is blocked."""
    effective_own_attack: Short
    """The attack of the child."""
    effective_pair: Short
    """The greatest defence for which the edge is effective, as an index among the pairs."""
    effective_weight: Floats
    run_start: Integers
    """The first run of each node: minimal edges with the same attack of the opponent."""
    run_attack: Short
    minimal_start: Integers
    """The first minimal edge of each run."""
    minimal_defense: Short
    minimal_weight: Floats
    terminal_start: Integers
    """The first terminal of each group: classes with the same last option, in ascending order of its defence."""
    terminal_defense: Integers
    terminal_attack: Integers
    terminal_weight: Floats
    attacks: Integers
    """The opponent's distinct attacks."""
    pair_start: Integers
    """The first pair of each attack."""
    pair_defense: Integers
    pair_column: Integers
    pair_weight: Floats
    opposing_defense: Integers


class FrontierBuffers(NamedTuple):
    """Scratch arrays of a kernel."""

    saturated_until: Integers
    """The greatest points of the opponent at which a row of own points has the greatest value, 0."""
    best: Floats
    """The maximum over the options so far, for each depth of the traversal."""
    best_depth: Integers
    """The depth whose row has the maximum of a depth."""
    saturated: Integers
    """Up to which points the maximum of a depth is known to be 0."""
    terminal_rows: Floats
    terminal_saturated: Integers
    effective_sums: Floats
    terminal_sums: Floats
    plain_sum: Floats


class _FrontierTrie(NamedTuple):
    """A trie below a root, with parents and subtrees."""

    attack: Integers
    defense: Integers
    depth: Integers
    parent: Integers
    subtree_end: Integers
    subtree_ways: Integers
    """The ways of all hands whose options pass this node."""


class _BlockingEdges(NamedTuple):
    """Blocking edges of one kind, merged: by node, then by pair."""

    node: Integers
    pair: Integers
    own_attack: Integers
    ways: Integers


def make_frontier_plan(classes: Classes, pairs: Pairs, limits: Limits, total: int) -> FrontierPlan:
    """Return the plan with all blocking edges, for all rounds; a hand weighs its share of the `total` of ways."""
    trie = build_trie(classes)
    frontier = _add_root(trie, classes.ways[:, 0])
    attacks, firsts = np.unique(pairs.attack, return_index=True)
    pair_start = np.append(firsts, len(pairs.attack))
    opposing, column = np.unique(pairs.defense, return_inverse=True)
    effective, minimal = _find_blocking_edges(frontier, pairs, attacks, pair_start, limits)
    weight = pairs.ways / pairs.ways.sum()
    nodes = np.arange(len(frontier.depth) + 1)
    runs = _run_starts(
        minimal.node * len(pairs.attack) + firsts[np.searchsorted(attacks, pairs.attack[minimal.pair])]
    )
    last = classes.length - 1
    places = np.arange(len(last))
    terminal_attack, terminal_defense = classes.attack[places, last], classes.defense[places, last]
    order = np.lexsort((terminal_attack, terminal_defense))
    groups = _run_starts(
        terminal_defense[order] * (2 * int(np.abs(terminal_attack).max()) + 1) + terminal_attack[order]
    )
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = places
    terminal = np.where(trie.terminal < 0, -1, rank[trie.terminal])
    return FrontierPlan(
        attack=frontier.attack.astype(np.int32),
        defense=frontier.defense.astype(np.int32),
        depth=frontier.depth.astype(np.int32),
        subtree_end=frontier.subtree_end.astype(np.int32),
        terminal=np.concatenate(([-1], terminal)).astype(np.int32),
        effective_start=np.searchsorted(effective.node, nodes).astype(np.int64),
        effective_attack=pairs.attack[effective.pair].astype(np.int32),
        effective_own_attack=effective.own_attack.astype(np.int32),
        effective_pair=effective.pair.astype(np.int32),
        effective_weight=effective.ways / total,
        run_start=np.searchsorted(minimal.node[runs], nodes).astype(np.int64),
        run_attack=pairs.attack[minimal.pair[runs]].astype(np.int32),
        minimal_start=np.append(runs, len(minimal.node)).astype(np.int64),
        minimal_defense=pairs.defense[minimal.pair].astype(np.int32),
        minimal_weight=minimal.ways / total * weight[minimal.pair],
        terminal_start=np.append(groups, len(order)).astype(np.int64),
        terminal_defense=terminal_defense[order][groups],
        terminal_attack=terminal_attack[order][groups],
        terminal_weight=classes.ways[order, 0] / total,
        attacks=attacks,
        pair_start=pair_start.astype(np.int64),
        pair_defense=pairs.defense,
        pair_column=column.ravel().astype(np.int64),
        pair_weight=weight,
        opposing_defense=opposing,
    )


def make_frontier_buffers(plan: FrontierPlan, own: int, opponent: int) -> FrontierBuffers:
    """Allocate the buffers of one kernel."""
    width = opponent + int(plan.opposing_defense[-1]) - int(plan.opposing_defense[0])
    deepest = int(plan.depth.max()) + 1
    return FrontierBuffers(
        np.zeros(own + 1, dtype=np.int64),
        np.zeros((deepest, width)),
        np.zeros(deepest, dtype=np.int64),
        np.zeros(deepest, dtype=np.int64),
        np.zeros((len(plan.terminal_weight), width)),
        np.zeros(len(plan.terminal_weight), dtype=np.int64),
        np.zeros((len(plan.pair_defense), width)),
        np.zeros((len(plan.opposing_defense), width)),
        np.zeros(width),
    )


def _run_starts(keys: Integers) -> Integers:
    """Return the index at which each run of equal keys begins."""
    return np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))[: len(keys)])


def _add_root(trie: Trie, ways: Integers) -> _FrontierTrie:
    """Put a root above a trie, and compute each node's parent, the end of its subtree and the ways that pass it."""
    depth = np.concatenate(([0], trie.depth)).astype(np.int64)
    parent = np.zeros(len(depth), dtype=np.int64)
    subtree_end = np.full(len(depth), len(depth), dtype=np.int64)
    path = [ROOT]
    for node, level in enumerate(depth.tolist()[1:], start=1):
        while len(path) > level:
            subtree_end[path.pop()] = node
        parent[node] = path[-1]
        path.append(node)
    own = np.concatenate(([0], np.where(trie.terminal < 0, 0, ways[trie.terminal])))
    passed = np.concatenate(([0], np.cumsum(own)))
    return _FrontierTrie(
        np.concatenate(([0], trie.attack)).astype(np.int64),
        np.concatenate(([0], trie.defense)).astype(np.int64),
        depth,
        parent,
        subtree_end,
        passed[subtree_end] - passed[:-1],
    )


def _find_blocking_edges(
    frontier: _FrontierTrie, pairs: Pairs, attacks: Integers, pair_start: Integers, limits: Limits
) -> tuple[_BlockingEdges, _BlockingEdges]:
    blocking_defense = attacks - limits.least_taken
    child = np.arange(1, len(frontier.depth))
    parent = frontier.parent[child]
    first = np.where(parent == ROOT, 0, np.searchsorted(blocking_defense, frontier.defense[parent]))
    stop = np.searchsorted(blocking_defense, frontier.defense[child])
    child, attack = _expand_ranges(child, first, stop)
    wide = int(pairs.defense.max()) - int(pairs.defense.min()) + 2
    lowest = int(pairs.defense.min())
    keys = np.repeat(np.arange(len(attacks)), np.diff(pair_start)) * wide + pairs.defense - lowest
    dealt_to = np.clip(frontier.attack[child] - limits.least_dealt - lowest, -1, wide - 2)
    beyond = np.searchsorted(keys, attack * wide + dealt_to, side="right")
    some = beyond > pair_start[attack]
    effective = _merge_edges(
        frontier.parent[child[some]],
        beyond[some] - 1,
        frontier.attack[child[some]],
        frontier.subtree_ways[child[some]],
    )
    child, pair = _expand_ranges(child, beyond, pair_start[attack + 1])
    return effective, _merge_edges(
        frontier.parent[child], pair, np.zeros_like(pair), frontier.subtree_ways[child]
    )


def _expand_ranges(items: Integers, first: Integers, stop: Integers) -> tuple[Integers, Integers]:
    """Return each item repeated for each number from its first to before its stop, and these numbers.

    >>> [numbers.tolist() for numbers in _expand_ranges(np.array([7, 8]), np.array([0, 3]), np.array([2, 4]))]
    [[7, 7, 8], [0, 1, 3]]
    """
    sizes = np.maximum(stop - first, 0)
    starts = np.cumsum(sizes) - sizes
    return np.repeat(items, sizes), np.arange(int(sizes.sum())) + np.repeat(first - starts, sizes)


def _merge_edges(node: Integers, pair: Integers, own_attack: Integers, ways: Integers) -> _BlockingEdges:
    order = np.lexsort((own_attack, pair, node))
    node, pair, own_attack, ways = node[order], pair[order], own_attack[order], ways[order]
    same = (node[1:] == node[:-1]) & (pair[1:] == pair[:-1]) & (own_attack[1:] == own_attack[:-1])
    starts = np.flatnonzero(np.concatenate(([True], ~same))[: len(node)])
    sums = np.add.reduceat(ways, starts) if len(starts) else ways
    return _BlockingEdges(node[starts], pair[starts], own_attack[starts], sums)
