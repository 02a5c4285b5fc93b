"""A tree of what may follow, grown over the kernel's rows: every game of it is dealt anew from what one seat cannot see.

It is information-set Monte Carlo tree search with a single observer (Cowling, Powley and Whitehouse 2012): a node is
what all have seen happen, and a move is weighed by how often it was there to be chosen. Every function is written
for Python and for the compiler alike, and computes the same for both.
"""

# ruff: noqa: PLR0917  compiled functions take rows by place

from math import frexp, sqrt
from typing import Any, Final

from oddsmith.games.casino.kernel import (
    BUILD_CARDS,
    BUILDS,
    HANDS,
    LOOSE,
    NO_CARD,
    PAIR,
    PLAYERS,
    SPADE_CARDS,
    STOCK,
    SWEEP,
    TURN,
    apply_move,
    card_points,
    clear_table,
    copy_state,
    count_cards,
    deal_cards,
    generate_moves,
    next_turn,
    seat_points,
    standing,
)
from oddsmith.games.casino.playouts import next_luck, shuffle

__all__ = ["find_node", "grow", "log2", "redeal"]

PARENT: Final = 0
HEAD: Final = 1
LOOSE_TAKEN: Final = 2
BUILDS_TAKEN: Final = 3
VISITS: Final = 4
CHANCES: Final = 5
"""How often the move was there to be chosen."""
REWARDS: Final = 6
"""What the seat that made the move had of it, in all."""
SHARES: Final = 7
"""Which shares of the victory that seat had, in all."""
FIELDS: Final = 8

EXPLORATION: Final = 0
MARGIN: Final = 1
GREED: Final = 2
FARSIGHTED: Final = 3

ROOT: Final = 0
WHOLE: Final = 12_000
"""A whole victory; two, three or four seats can share it."""
WIDEST: Final = 8
"""A lead of so many points is worth as much as any greater one."""
CERTAIN: Final = 100
"""Habits are in hundredths."""

POINT_WORTH: Final = 12
CARD_WORTH: Final = 3
SPADE_WORTH: Final = 2

Row = Any
"""A list or an array of whole numbers; the compiler knows which."""


def grow(
    iterations: int,
    nodes: int,
    luck: int,
    tree: Row,
    slots: Row,
    root: Row,
    state: Row,
    rules: Row,
    scoring: Row,
    deck: Row,
    each: int,
    habits: Row,
    moves: Row,
    groups: Row,
    sums: Row,
    path: Row,
    movers: Row,
    rewards: Row,
    shares: Row,
    outcome: Row,
) -> None:
    """Play so many games from the root, each dealt anew, and count them in the tree.

    `outcome` gets the number of nodes there are then, and the luck that is next.
    """
    for _ in range(iterations):
        luck = redeal(root, state, deck, luck)
        nodes, depth, luck = _descend(
            nodes, luck, tree, slots, state, rules, deck, each, habits, moves, groups, sums, path, movers
        )
        luck = _play_on(state, rules, scoring, deck, each, habits[GREED], luck, moves, groups, sums)
        clear_table(state)
        _judge(state, scoring, habits[MARGIN], rewards, shares)
        for level in range(1, depth + 1):
            node = path[level]
            tree[VISITS][node] += 1
            tree[REWARDS][node] += rewards[movers[level]]
            tree[SHARES][node] += shares[movers[level]]
    outcome[0] = nodes
    outcome[1] = luck


def redeal(root: Row, state: Row, deck: Row, luck: int) -> int:
    """Make the state like the root, but for the cards that the seat on turn cannot see: those are dealt anew.

    `deck` has exactly those cards; its last ones are the stock afterwards. Returns the luck that is next.
    """
    copy_state(root, state)
    luck = shuffle(deck, luck)
    place = 0
    for seat in range(root[PLAYERS]):
        if seat != root[TURN]:
            hand = 0
            for _ in range(count_cards(root[HANDS + seat])):
                hand |= 1 << deck[place]
                place += 1
            state[HANDS + seat] = hand
    return luck


def _descend(
    nodes: int,
    luck: int,
    tree: Row,
    slots: Row,
    state: Row,
    rules: Row,
    deck: Row,
    each: int,
    habits: Row,
    moves: Row,
    groups: Row,
    sums: Row,
    path: Row,
    movers: Row,
) -> tuple[int, int, int]:
    """Follow the tree from its root to a move that it does not have, and add that one if there is room.

    Returns how many nodes there are, how deep the last one is, and the luck that is next; `path` and `movers` get the
    nodes from the root on, and the seats that moved there.
    """
    depth = 0
    path[0] = ROOT
    while True:
        count = generate_moves(state, rules, moves[0], moves[1], moves[2], groups, sums)
        luck = next_luck(luck)
        room = len(tree[0]) - nodes
        chosen, child = _chosen(path[depth], count, luck, tree, slots, moves, habits[EXPLORATION], room)
        is_new = child == 0
        if is_new and room > 0:
            child = nodes
            nodes += 1
            _add_node(child, path[depth], moves[0][chosen], moves[1][chosen], moves[2][chosen], tree, slots)
        if child:
            depth += 1
            path[depth] = child
            movers[depth] = state[TURN]
        apply_move(state, rules, moves[0][chosen], moves[1][chosen], moves[2][chosen])
        is_dealt = next_turn(state)
        if not is_dealt and state[STOCK]:
            deal_cards(state, deck, each, 0)
            is_dealt = habits[FARSIGHTED] == 1
        if is_new or not is_dealt:
            return nodes, depth, luck


def _chosen(
    node: int, count: int, luck: int, tree: Row, slots: Row, moves: Row, exploration: int, room: int
) -> tuple[int, int]:
    """Return a move and its node: any one that was never tried, with no node, or else the most promising."""
    untried = 0
    chosen = 0
    best = 0
    highest = -1.0
    for place in range(count):
        child = find_node(node, moves[0][place], moves[1][place], moves[2][place], tree, slots)
        if child == 0:
            moves[3][untried] = place
            untried += 1
            continue
        tree[CHANCES][child] += 1
        visits = tree[VISITS][child]
        promise = tree[REWARDS][child] / visits + exploration * sqrt(log2(tree[CHANCES][child]) / visits)
        if promise > highest:
            highest = promise
            chosen = place
            best = child
    if untried and (room > 0 or best == 0):
        return moves[3][luck * untried >> 32], 0
    return chosen, best


def log2(number: int) -> float:
    """Return the logarithm, along straight lines between the powers of two: so that every machine finds the same.

    >>> log2(8), log2(12)
    (3.0, 3.5)
    """
    share, power = frexp(number)
    return power + 2.0 * share - 2.0


def find_node(node: int, head: int, loose: int, builds: int, tree: Row, slots: Row) -> int:
    """Return the node to which a move leads, or 0."""
    slot = _slot(node, head, loose, builds, len(slots))
    while slots[slot]:
        child: int = slots[slot]
        if (
            tree[PARENT][child] == node
            and tree[HEAD][child] == head
            and tree[LOOSE_TAKEN][child] == loose
            and tree[BUILDS_TAKEN][child] == builds
        ):
            return child
        slot = (slot + 1) % len(slots)
    return 0


def _slot(node: int, head: int, loose: int, builds: int, slots: int) -> int:
    """Return where to look for a node first."""
    mixed = (node * 40_503 + head) % 1_000_003
    mixed = (mixed * 2_654_435 + loose % 999_983) % 1_000_003
    return (mixed * 2_246_822 + builds) % slots


def _add_node(child: int, node: int, head: int, loose: int, builds: int, tree: Row, slots: Row) -> None:
    slot = _slot(node, head, loose, builds, len(slots))
    while slots[slot]:
        slot = (slot + 1) % len(slots)
    slots[slot] = child
    tree[PARENT][child] = node
    tree[HEAD][child] = head
    tree[LOOSE_TAKEN][child] = loose
    tree[BUILDS_TAKEN][child] = builds
    tree[VISITS][child] = 0
    tree[CHANCES][child] = 1
    tree[REWARDS][child] = 0
    tree[SHARES][child] = 0


def _play_on(
    state: Row,
    rules: Row,
    scoring: Row,
    deck: Row,
    each: int,
    greed: int,
    luck: int,
    moves: Row,
    groups: Row,
    sums: Row,
) -> int:
    """Play on to the end, each move the one that takes most or, less often the greater the greed, any; return the luck."""
    while state[HANDS + state[TURN]]:
        count = generate_moves(state, rules, moves[0], moves[1], moves[2], groups, sums)
        luck = next_luck(luck)
        chosen = luck * count >> 32
        luck = next_luck(luck)
        if luck * CERTAIN >> 32 < greed:
            chosen = _greediest(state, scoring, count, chosen, moves)
        apply_move(state, rules, moves[0][chosen], moves[1][chosen], moves[2][chosen])
        if not next_turn(state) and state[STOCK]:
            deal_cards(state, deck, each, 0)
    return luck


def _greediest(state: Row, scoring: Row, count: int, first: int, moves: Row) -> int:
    """Return the move that takes most; of equal ones the next from the first on."""
    chosen = first
    most = -1
    for step in range(count):
        place = first + step
        if place >= count:
            place -= count
        taken = _worth(state, scoring, moves[0][place], moves[1][place], moves[2][place])
        if taken > most:
            most = taken
            chosen = place
    return chosen


def _worth(state: Row, scoring: Row, head: int, loose: int, builds: int) -> int:
    """Return what a move takes: sure points above all, then cards, and spades among them."""
    kind = head & 7
    if kind > PAIR:
        return 0
    taken = loose | 1 << (head >> 3 & 63)
    if head >> 9 != NO_CARD:
        taken |= 1 << (head >> 9)
    left = state[BUILDS]
    for number in range(state[BUILDS]):
        if builds >> number & 1:
            taken |= state[BUILD_CARDS + number]
            left -= 1
    points = card_points(taken, scoring)
    if left == 0 and state[LOOSE] == loose:
        points += scoring[SWEEP]
    worth: int = POINT_WORTH * points + CARD_WORTH * count_cards(taken)
    return worth + SPADE_WORTH * count_cards(taken & SPADE_CARDS)


def _judge(state: Row, scoring: Row, margin: int, rewards: Row, shares: Row) -> None:
    """Write what each seat has of the end of a game: its share of the victory, mixed with how far it leads."""
    players = state[PLAYERS]
    highest = -1
    winners = 0
    for seat in range(players):
        rewards[seat] = seat_points(state, scoring, seat)
        shares[seat] = standing(state, scoring, seat)
        if shares[seat] > highest:
            highest = shares[seat]
            winners = 0
        if shares[seat] == highest:
            winners += 1
    best = -1
    second = -1
    for seat in range(players):
        shares[seat] = WHOLE // winners if shares[seat] == highest else 0
        if rewards[seat] > best:
            second = best
            best = rewards[seat]
        elif rewards[seat] > second:
            second = rewards[seat]
    for seat in range(players):
        lead = rewards[seat] - (second if rewards[seat] == best else best)
        lead = max(-WIDEST, min(WIDEST, lead))
        led = WHOLE * (lead + WIDEST) // (2 * WIDEST)
        rewards[seat] = (margin * led + (CERTAIN - margin) * shares[seat]) // CERTAIN
