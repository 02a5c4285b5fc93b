"""A tree of what may follow, grown over the kernel's rows: every game of it is dealt anew from what one seat cannot see.

It is information-set Monte Carlo tree search with a single observer (Cowling, Powley and Whitehouse 2012): a node is
what all have seen happen, and a move is weighed by how often it was there to be chosen; docs/explanation/casino-search.md
describes it. Every function is written for Python and for the compiler alike, and computes the same for both.
"""

from math import frexp, sqrt
from typing import Final, NamedTuple

from oddsmith.games.casino.compiled import Row
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
"""A whole victory; two, three or four seats can share it."""
WIDEST: Final = 8
"""A lead of so many points is worth as much as any greater one."""
CERTAIN: Final = 100
"""Habits are in hundredths."""

POINT_WORTH: Final = 12
CARD_WORTH: Final = 3
SPADE_WORTH: Final = 2


class Tree(NamedTuple):
    """The nodes of a tree, by their number: the move that leads to each, and what was counted there.

    `chances` is how often the move was there to be chosen, `rewards` and `shares` what the seat that made it had of it
    in all: of what is looked for, and of the victory. `slots` is a hash table of the nodes by parent and move.
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
    """How the search looks ahead: exploration in parts of a whole victory, the others in hundredths."""

    exploration: int
    margin: int
    greed: int
    farsighted: bool


class Start(NamedTuple):
    """What the search starts from: a state, the cards that the seat on turn cannot see, and how many a deal gives."""

    rules: RuleNumbers
    scoring: ScoringNumbers
    root: Row
    unseen: Row
    each: int


class WorkSpace(NamedTuple):
    """Where one game is played: its state, its moves, those untried, the nodes it passed, who moved there, and its end."""

    state: Row
    moves: MoveList
    untried: Row
    path: Row
    movers: Row
    rewards: Row
    shares: Row


class Search(NamedTuple):
    """All that a search reads and writes."""

    tree: Tree
    start: Start
    habits: HabitNumbers
    space: WorkSpace


def grow(iterations: int, nodes: int, luck: int, search: Search) -> tuple[int, int]:
    """Play so many games from the root, each dealt anew, and count them in the tree, which has so many nodes.

    Returns how many nodes there are then, and the luck that is next.
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


def _descend(nodes: int, luck: int, search: Search) -> tuple[int, int, int]:
    """Follow the tree from its root to a move that it does not have, and add that one if there is room.

    Returns how many nodes there are, how deep the last one is, and the luck that is next; the nodes from the root on and
    the seats that moved there are written to the path and the movers.
    """
    tree, start, habits, space = search
    state, moves, path = space.state, space.moves, space.path
    depth = 0
    path[0] = ROOT
    while True:
        count = generate_moves(state, start.rules, moves)
        luck = next_luck(luck)
        has_room = nodes < len(tree.parents)
        chosen, child = _choose(count, path[depth], luck, has_room, search)
        is_new = child == 0
        if is_new and has_room:
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


def _choose(count: int, node: int, luck: int, has_room: bool, search: Search) -> tuple[int, int]:  # noqa: FBT001  the compiler has no keyword-only parameters
    """Return a move and its node: any one that was never tried, with no node, or else the most promising."""
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
    if untried and (has_room or best == 0):
        return tried[luck * untried >> 32], 0
    return chosen, best


def log2(number: int) -> float:
    """Return the logarithm, along straight lines between the powers of two: so that every machine finds the same.

    >>> log2(8), log2(12)
    (3.0, 3.5)
    """
    share, power = frexp(number)
    return power + 2.0 * share - 2.0


def find_node(node: int, moves: MoveList, place: int, tree: Tree) -> int:
    """Return the node to which a move of a list leads, or 0."""
    head = moves.heads[place]
    loose = moves.looses[place]
    builds = moves.builds[place]
    slots = tree.slots
    slot = _slot(node, head, loose, builds, len(slots))
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


def _slot(node: int, head: int, loose: int, builds: int, slots: int) -> int:
    """Return where to look for a node first."""
    mixed = (node * 40_503 + head) % 1_000_003
    mixed = (mixed * 2_654_435 + loose % 999_983) % 1_000_003
    return (mixed * 2_246_822 + builds) % slots


def _add_node(child: int, node: int, moves: MoveList, place: int, tree: Tree) -> None:
    """Add a node for a move of a list."""
    head = moves.heads[place]
    loose = moves.looses[place]
    builds = moves.builds[place]
    slots = tree.slots
    slot = _slot(node, head, loose, builds, len(slots))
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
    """Play on to the end, each move the one that takes most or, less often the greater the greed, any; return the luck."""
    state, moves = space.state, space.moves
    while state[HANDS + state[TURN]]:
        count = generate_moves(state, start.rules, moves)
        luck = next_luck(luck)
        chosen = luck * count >> 32
        luck = next_luck(luck)
        if luck * CERTAIN >> 32 < greed:
            chosen = _greediest(state, start.scoring, count, chosen, moves)
        apply_move(state, start.rules, moves, chosen)
        if not next_turn(state) and state[STOCK]:
            deal_cards(state, start.unseen, start.each, 0)
    return luck


def _greediest(state: Row, scoring: ScoringNumbers, count: int, first: int, moves: MoveList) -> int:
    """Return the move that takes most; of equal ones the next from the first on."""
    chosen = first
    most = -1
    for step in range(count):
        place = first + step
        if place >= count:
            place -= count
        taken = _worth(state, scoring, moves, place) if moves.heads[place] & 7 <= PAIR else 0
        if taken > most:
            most = taken
            chosen = place
    return chosen


def _worth(state: Row, scoring: ScoringNumbers, moves: MoveList, place: int) -> int:
    """Return what a capture takes: sure points above all, then cards, and spades among them."""
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
    worth = POINT_WORTH * points + CARD_WORTH * count_cards(taken)
    return worth + SPADE_WORTH * count_cards(taken & SPADE_CARDS)


def _judge(state: Row, scoring: ScoringNumbers, margin: int, rewards: Row, shares: Row) -> None:
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
