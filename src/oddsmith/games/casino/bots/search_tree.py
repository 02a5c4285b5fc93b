"""Kernel of the bot `search`: single-observer information-set Monte Carlo tree search over the kernel's rows.

The algorithm is that of Cowling, Powley and Whitehouse (2012): a node is a public history, unseen cards are redealt for each
game, and a move is weighted by how often it was available; see docs/explanation/casino-search.md. Functions run as plain
Python or compiled, with equal results.
"""

from math import frexp, sqrt
from typing import Final, NamedTuple

from oddsmith.games.casino.compiler import Row
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
    TURN,
    MoveList,
    RuleNumbers,
    ScoringNumbers,
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
from oddsmith.odds.borrowing import borrow

ROOT: Final = 0
WHOLE: Final = 12_000
"""The value of a win; it can be divided by two, three and four."""
WIDEST: Final = 8
"""The lead in points from which the reward is constant."""
CERTAIN: Final = 100
"""The unit of parameters: hundredths."""

POINT_VALUE: Final = 12
CARD_VALUE: Final = 3
SPADE_VALUE: Final = 2


class Tree(NamedTuple):
    """The nodes of a tree, by number: parent, move and counts.

    `chances` is how often the move was available; `rewards` and `shares` are the sums of the mover's rewards and shares
    of the win. `slots` is a hash table of the nodes by parent and move.
    """

    parents: Row
    heads: Row
    looses: Row
    builds: Row
    visits: Row
    chances: Row
    rewards: Row
    shares: Row
    slots: Row


class HabitNumbers(NamedTuple):
    """Parameters of the search: exploration in parts of a win, the others in hundredths."""

    exploration: int
    margin: int
    greed: int
    farsighted: bool


class Start(NamedTuple):
    """The initial position of a search: a state, the cards that the seat on turn cannot see, and the size of a hand in a deal."""

    rules: RuleNumbers
    scoring: ScoringNumbers
    root: Row
    unseen: Row
    each: int


class WorkSpace(NamedTuple):
    """Buffers of one game: its state, its moves, those untried, the path of nodes, their movers, and its result."""

    state: Row
    moves: MoveList
    untried: Row
    path: Row
    movers: Row
    rewards: Row
    shares: Row


class Search(NamedTuple):
    """The arguments of a search: tree, initial position, parameters and buffers."""

    tree: Tree
    start: Start
    habits: HabitNumbers
    space: WorkSpace


def grow(iterations: int, nodes: int, luck: int, search: Search) -> tuple[int, int]:
    """Simulate `iterations` games from the root, each redealt, and count them in the tree of `nodes` nodes.

    Returns the number of nodes, and the next state of the random generator.
    """
    search = borrow(search)
    tree, start, habits, space = search
    for _ in range(iterations):
        luck = redeal(start.root, space.state, start.unseen, luck)
        nodes, depth, luck = _descend(nodes, luck, search)
        luck = _play_on(habits.greed, luck, start, space)
        clear_table(space.state)
        _judge(space.state, start.scoring, habits.margin, space.rewards, space.shares)
        for level in range(1, depth + 1):
            node = space.path[level]
            mover = space.movers[level]
            tree.visits[node] += 1
            tree.rewards[node] += space.rewards[mover]
            tree.shares[node] += space.shares[mover]
    return nodes, luck


def redeal(root: Row, state: Row, deck: Row, luck: int) -> int:
    """Copy the root to `state`, with the cards that the seat on turn cannot see dealt again.

    `deck` has exactly those cards; its last ones are the stock. Returns the next state of the random generator.
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


def _descend(nodes: int, luck: int, search: Search) -> tuple[int, int, int]:
    """Follow the tree from its root to a move without a node, and add a node for it if there is space.

    Returns the number of nodes, the depth of the last one, and the next state of the random generator. The nodes and the
    seats that moved are written to the path and the movers.
    """
    tree, start, habits, space = search
    state, moves, path = space.state, space.moves, space.path
    depth = 0
    path[0] = ROOT
    while True:
        count = generate_moves(state, start.rules, moves)
        luck = next_luck(luck)
        has_space = nodes < len(tree.parents)
        chosen, child = _choose(count, path[depth], luck, has_space, search)
        is_new = child == 0
        if is_new and has_space:
            child = nodes
            nodes += 1
            _add_node(child, path[depth], moves, chosen, tree)
        if child:
            depth += 1
            path[depth] = child
            space.movers[depth] = state[TURN]
        apply_move(state, start.rules, moves, chosen)
        is_dealt = next_turn(state)
        if not is_dealt and state[STOCK]:
            deal_cards(state, start.unseen, start.each, 0)
            is_dealt = habits.farsighted
        if is_new or not is_dealt:
            return nodes, depth, luck


def _choose(count: int, node: int, luck: int, has_space: bool, search: Search) -> tuple[int, int]:  # noqa: FBT001  the compiler has no keyword-only parameters
    """Return a move and its node: a random untried move with node 0, else the move with the highest bound (UCB1)."""
    tree, moves, tried = search.tree, search.space.moves, search.space.untried
    untried = 0
    chosen = 0
    best = 0
    highest = -1.0
    for place in range(count):
        child = find_node(node, moves, place, tree)
        if child == 0:
            tried[untried] = place
            untried += 1
            continue
        tree.chances[child] += 1
        visits = tree.visits[child]
        promise = tree.rewards[child] / visits + search.habits.exploration * sqrt(
            log2(tree.chances[child]) / visits
        )
        if promise > highest:
            highest = promise
            chosen = place
            best = child
    if untried and (has_space or best == 0):
        return tried[luck * untried >> 32], 0
    return chosen, best


def log2(number: int) -> float:
    """Return the logarithm, linear between powers of two, so that all machines give the same result.

    >>> log2(8), log2(12)
    (3.0, 3.5)
    """
    share, power = frexp(number)
    return power + 2.0 * share - 2.0


def find_node(node: int, moves: MoveList, place: int, tree: Tree) -> int:
    """Return the child node of a move of a list, or 0."""
    head = moves.heads[place]
    loose = moves.looses[place]
    builds = moves.builds[place]
    slots = tree.slots
    slot = _first_slot(node, head, loose, builds, len(slots))
    while slots[slot]:
        child = slots[slot]
        if (
            tree.parents[child] == node
            and tree.heads[child] == head
            and tree.looses[child] == loose
            and tree.builds[child] == builds
        ):
            return child
        slot = (slot + 1) % len(slots)
    return 0


def _first_slot(node: int, head: int, loose: int, builds: int, slots: int) -> int:
    """Return the first hash slot of a node."""
    mixed = (node * 40_503 + head) % 1_000_003
    mixed = (mixed * 2_654_435 + loose % 999_983) % 1_000_003
    return (mixed * 2_246_822 + builds) % slots


def _add_node(child: int, node: int, moves: MoveList, place: int, tree: Tree) -> None:
    """Add a node for a move of a list."""
    head = moves.heads[place]
    loose = moves.looses[place]
    builds = moves.builds[place]
    slots = tree.slots
    slot = _first_slot(node, head, loose, builds, len(slots))
    while slots[slot]:
        slot = (slot + 1) % len(slots)
    slots[slot] = child
    tree.parents[child] = node
    tree.heads[child] = head
    tree.looses[child] = loose
    tree.builds[child] = builds
    tree.visits[child] = 0
    tree.chances[child] = 1
    tree.rewards[child] = 0
    tree.shares[child] = 0


def _play_on(greed: int, luck: int, start: Start, space: WorkSpace) -> int:
    """Play to the end, each move greedy with the chance `greed`, else random; return the next state of the random generator."""
    state, moves = space.state, space.moves
    while state[HANDS + state[TURN]]:
        count = generate_moves(state, start.rules, moves)
        luck = next_luck(luck)
        chosen = luck * count >> 32
        luck = next_luck(luck)
        if luck * CERTAIN >> 32 < greed:
            chosen = _greedy_move(state, start.scoring, count, chosen, moves)
        apply_move(state, start.rules, moves, chosen)
        if not next_turn(state) and state[STOCK]:
            deal_cards(state, start.unseen, start.each, 0)
    return luck


def _greedy_move(state: Row, scoring: ScoringNumbers, count: int, first: int, moves: MoveList) -> int:
    """Return the index of the capture of the highest value; of equal ones the next from `first` on."""
    chosen = first
    most = -1
    for step in range(count):
        place = first + step
        if place >= count:
            place -= count
        taken = _capture_value(state, scoring, moves, place) if moves.heads[place] & 7 <= PAIR else 0
        if taken > most:
            most = taken
            chosen = place
    return chosen


def _capture_value(state: Row, scoring: ScoringNumbers, moves: MoveList, place: int) -> int:
    """Return the value of a capture: a weighted sum of points, cards and spades."""
    head = moves.heads[place]
    loose = moves.looses[place]
    builds = moves.builds[place]
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
        points += scoring.sweep
    value = POINT_VALUE * points + CARD_VALUE * count_cards(taken)
    return value + SPADE_VALUE * count_cards(taken & SPADE_CARDS)


def _judge(state: Row, scoring: ScoringNumbers, margin: int, rewards: Row, shares: Row) -> None:
    """Write each seat's share of the win, and its reward: the share weighted with its lead in points."""
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
