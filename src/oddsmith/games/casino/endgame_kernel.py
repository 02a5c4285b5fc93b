"""The last deal of two players in whole numbers: what a table comes to when both play their best, and all is seen.

Every function is written for Python and for the compiler alike, over the kernel's rows.
"""

from typing import Final, NamedTuple

from oddsmith.games.casino.compiled import Row, Rows
from oddsmith.games.casino.kernel import (
    ACE_CARDS,
    BUILD_CARDS,
    BUILD_OWNERS,
    BUILD_VALUES,
    BUILDS,
    CARDS,
    HANDS,
    LAST,
    LOOSE,
    PAIR,
    PILES,
    SPADE_CARDS,
    SWEEPS,
    TEN_OF_DIAMONDS_CARD,
    TURN,
    TWO_OF_SPADES_CARD,
    MoveList,
    MoveLists,
    RuleNumbers,
    ScoringNumbers,
    apply_move,
    clear_table,
    copy_state,
    count_cards,
    generate_moves,
    moves_at,
    next_turn,
    seat_points,
    standing,
)
from oddsmith.odds.borrowing import borrow

WIN: Final = 10_000
"""More than any difference of points: a win by one point is better than any draw."""
LIMIT: Final = 1_000_000
"""More than any value."""

NODES: Final = 0
MOST_NODES: Final = 1
TALLY: Final = 2

SLOTS: Final = 1 << 16
BARE: Final = 5
KEPT_BUILDS: Final = 7
"""Tables with more builds are not remembered: they are few."""
KEY: Final = BARE + KEPT_BUILDS
VALUE: Final = KEY
BOUND: Final = KEY + 1
SLOT: Final = KEY + 2
NOTHING: Final = 0
EXACTLY: Final = 1
AT_LEAST: Final = 2
AT_MOST: Final = 3

FACTOR: Final = 1_000_003
MODULUS: Final = 2**31 - 1

WORTHY: Final = ACE_CARDS | TWO_OF_SPADES_CARD | TEN_OF_DIAMONDS_CARD


class Search(NamedTuple):
    """What a search plays by, and its work space: a state, its moves, their ranks and a key for each level.

    `memory` has a slot for each of `SLOTS` states. `tally` has how many states were looked at, and how many may be.
    """

    rules: RuleNumbers
    scoring: ScoringNumbers
    states: Rows
    moves: MoveLists
    ranks: Rows
    keys: Rows
    memory: Row
    tally: Row


def final_value(state: Row, scoring: ScoringNumbers) -> int:
    """Return what the end of a game is worth to seat 0: first who won, then by how many points."""
    margin = 0
    lead = 0
    ahead = 1
    for seat in range(2):
        margin += ahead * seat_points(state, scoring, seat)
        lead += ahead * standing(state, scoring, seat)
        ahead = -ahead
    if lead > 0:
        margin += WIN
    elif lead < 0:
        margin -= WIN
    return margin


def step_into(source: Row, into: Row, rules: RuleNumbers, moves: MoveList, place: int) -> bool:
    """Write the state after a move, and say whether the game goes on; where it does not, the table is cleared."""
    copy_state(source, into)
    apply_move(into, rules, moves, place)
    if next_turn(into):
        return True
    clear_table(into)
    return False


def best_value(level: int, low: int, high: int, search: Search) -> int:
    """Return what the state of a level comes to for seat 0, who wants the most of it, as seat 1 wants the least.

    Between `low` and `high` the value is exact; else it is a bound: at most `low`, or at least `high`. The work is
    counted in the tally; where it is more than is allowed, the value says nothing.
    """
    return _best_value(level, low, high, borrow(search))


def _best_value(level: int, low: int, high: int, search: Search) -> int:  # noqa: C901  a search in one pass: a call at each state costs more than a branch
    tally, memory, key = search.tally, search.memory, search.keys[level]
    tally[NODES] += 1
    if tally[NODES] > tally[MOST_NODES]:
        return 0
    state = search.states[level]
    slot = -1
    if _write_key(state, key):
        slot = _slot(key)
        if _is_kept(key, memory, slot):
            kept = memory[slot + VALUE]
            bound = memory[slot + BOUND]
            if bound == EXACTLY or (bound == AT_LEAST and kept >= high) or (bound == AT_MOST and kept <= low):
                return kept
    moves, ranks, after = moves_at(search.moves, level), search.ranks[level], search.states[level + 1]
    count = generate_moves(state, search.rules, moves)
    for place in range(count):
        ranks[place] = _rank(state, moves, place)
    highest = state[TURN] == 0
    best = -LIMIT if highest else LIMIT
    alpha = low
    beta = high
    for place in range(count):
        _bring_best(place, count, ranks, moves)
        if step_into(state, after, search.rules, moves, place):
            value = _best_value(level + 1, alpha, beta, search)
        else:
            value = final_value(after, search.scoring)
        if highest:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    if slot >= 0 and tally[NODES] <= tally[MOST_NODES]:
        _keep(key, memory, slot, best, AT_MOST if best <= low else AT_LEAST if best >= high else EXACTLY)
    return best


def _rank(state: Row, moves: MoveList, place: int) -> int:
    """Return how soon a move is looked at: what takes most comes first."""
    head = moves.heads[place]
    if head & 7 > PAIR:
        return -(head & 7)
    taken = moves.looses[place]
    builds = moves.builds[place]
    number = 0
    while builds:
        if builds & 1:
            taken |= state[BUILD_CARDS + number]
        builds >>= 1
        number += 1
    taken |= 1 << (head >> 3 & 63)
    return 2 * count_cards(taken) + count_cards(taken & SPADE_CARDS) + 4 * count_cards(taken & WORTHY)


def _bring_best(place: int, count: int, ranks: Row, moves: MoveList) -> None:
    """Put the move that is to be looked at next in its place."""
    best = place
    highest = ranks[place]
    for other in range(place + 1, count):
        if ranks[other] > highest:
            best = other
            highest = ranks[other]
    if best != place:
        heads, looses, builds = moves.heads, moves.looses, moves.builds
        ranks[place], ranks[best] = ranks[best], ranks[place]
        heads[place], heads[best] = heads[best], heads[place]
        looses[place], looses[best] = looses[best], looses[place]
        builds[place], builds[best] = builds[best], builds[place]


def _write_key(state: Row, key: Row) -> bool:
    """Write the numbers that tell a state from all others of the same deal; say False where they are too many."""
    if state[BUILDS] > KEPT_BUILDS:
        return False
    key[0] = state[LOOSE] | state[LAST] + 1 << CARDS | state[TURN] << CARDS + 2
    key[1] = state[HANDS]
    key[2] = state[HANDS + 1]
    key[3] = state[PILES]
    key[4] = state[SWEEPS] << 20 | state[SWEEPS + 1]
    for number in range(state[BUILDS]):
        mark = state[BUILD_VALUES + number] << CARDS | state[BUILD_OWNERS + number] << CARDS + 5
        key[BARE + number] = state[BUILD_CARDS + number] | mark
    for place in range(BARE + state[BUILDS], KEY):
        key[place] = 0
    return True


def _slot(key: Row) -> int:
    """Return where a state is remembered."""
    mixed = 0
    for place in range(KEY):
        mixed = (mixed * FACTOR + key[place] % MODULUS) % MODULUS
    return mixed % SLOTS * SLOT


def _is_kept(key: Row, memory: Row, slot: int) -> bool:
    if memory[slot + BOUND] == NOTHING:
        return False
    for place in range(KEY):  # noqa: SIM110  the compiler has no generators
        if memory[slot + place] != key[place]:
            return False
    return True


def _keep(key: Row, memory: Row, slot: int, value: int, bound: int) -> None:
    for place in range(KEY):
        memory[slot + place] = key[place]
    memory[slot + VALUE] = value
    memory[slot + BOUND] = bound
