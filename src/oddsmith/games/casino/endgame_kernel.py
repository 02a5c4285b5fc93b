"""Alpha-beta search of the last deal of two players over the kernel's rows, with a transposition table.

Functions run as plain Python or compiled.
"""

from typing import Final, NamedTuple

from oddsmith.games.casino.compiler import Row, Rows
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
"""The value of a win: more than any difference of points."""
LIMIT: Final = 1_000_000
"""A bound above all values."""

NODES: Final = 0
MOST_NODES: Final = 1
TALLY: Final = 2

SLOTS: Final = 1 << 16
BUILD_KEYS: Final = 5
MOST_CACHED_BUILDS: Final = 7
"""States with more builds are rare, and are not stored in the transposition table."""
KEY: Final = BUILD_KEYS + MOST_CACHED_BUILDS
VALUE: Final = KEY
BOUND: Final = KEY + 1
SLOT: Final = KEY + 2
EMPTY: Final = 0
EXACTLY: Final = 1
AT_LEAST: Final = 2
AT_MOST: Final = 3

FACTOR: Final = 1_000_003
MODULUS: Final = 2**31 - 1

POINT_CARDS: Final = ACE_CARDS | TWO_OF_SPADES_CARD | TEN_OF_DIAMONDS_CARD


class Search(NamedTuple):
    """Rules, scoring and buffers of a search: a state, its moves, their ranks and a key for each level.

    `slots` is the transposition table of `SLOTS` entries. `tally` has the nodes visited, and the most that may be.
    """

    rules: RuleNumbers
    scoring: ScoringNumbers
    states: Rows
    moves: MoveLists
    ranks: Rows
    keys: Rows
    slots: Row
    tally: Row


def final_value(state: Row, scoring: ScoringNumbers) -> int:
    """Return the value of a final state for seat 0: the win, then the margin in points."""
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
    """Write the state after a move to `into`, and return whether the game goes on; at its end the table is cleared."""
    copy_state(source, into)
    apply_move(into, rules, moves, place)
    if next_turn(into):
        return True
    clear_table(into)
    return False


def best_value(level: int, low: int, high: int, search: Search) -> int:
    """Return the minimax value of the state of a level for seat 0 (alpha-beta).

    Between `low` and `high` the value is exact, else it is a bound: at most `low`, or at least `high`. Nodes are counted
    in the tally. Where they exceed its limit, the value is meaningless.
    """
    return _best_value(level, low, high, borrow(search))


def _best_value(level: int, low: int, high: int, search: Search) -> int:  # noqa: C901  a search in one pass: a call at each state costs more than a branch
    tally, slots, key = search.tally, search.slots, search.keys[level]
    tally[NODES] += 1
    if tally[NODES] > tally[MOST_NODES]:
        return 0
    state = search.states[level]
    slot = -1
    if _write_key(state, key):
        slot = _slot(key)
        if _is_stored(key, slots, slot):
            stored = slots[slot + VALUE]
            bound = slots[slot + BOUND]
            if (
                bound == EXACTLY
                or (bound == AT_LEAST and stored >= high)
                or (bound == AT_MOST and stored <= low)
            ):
                return stored
    moves, ranks, after = moves_at(search.moves, level), search.ranks[level], search.states[level + 1]
    count = generate_moves(state, search.rules, moves)
    for place in range(count):
        ranks[place] = _rank(state, moves, place)
    highest = state[TURN] == 0
    best = -LIMIT if highest else LIMIT
    alpha = low
    beta = high
    for place in range(count):
        _select_best(place, count, ranks, moves)
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
        _store(key, slots, slot, best, AT_MOST if best <= low else AT_LEAST if best >= high else EXACTLY)
    return best


def _rank(state: Row, moves: MoveList, place: int) -> int:
    """Return the rank by which moves are ordered: captures of most cards and points first."""
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
    return 2 * count_cards(taken) + count_cards(taken & SPADE_CARDS) + 4 * count_cards(taken & POINT_CARDS)


def _select_best(place: int, count: int, ranks: Row, moves: MoveList) -> None:
    """Swap the move of the highest rank from `place` on to `place`."""
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
    """Write the key of a state within its deal; return False where it has too many builds."""
    if state[BUILDS] > MOST_CACHED_BUILDS:
        return False
    key[0] = state[LOOSE] | state[LAST] + 1 << CARDS | state[TURN] << CARDS + 2
    key[1] = state[HANDS]
    key[2] = state[HANDS + 1]
    key[3] = state[PILES]
    key[4] = state[SWEEPS] << 20 | state[SWEEPS + 1]
    for number in range(state[BUILDS]):
        mark = state[BUILD_VALUES + number] << CARDS | state[BUILD_OWNERS + number] << CARDS + 5
        key[BUILD_KEYS + number] = state[BUILD_CARDS + number] | mark
    for place in range(BUILD_KEYS + state[BUILDS], KEY):
        key[place] = 0
    return True


def _slot(key: Row) -> int:
    """Return the first index of a key's slot in the transposition table."""
    mixed = 0
    for place in range(KEY):
        mixed = (mixed * FACTOR + key[place] % MODULUS) % MODULUS
    return mixed % SLOTS * SLOT


def _is_stored(key: Row, slots: Row, slot: int) -> bool:
    if slots[slot + BOUND] == EMPTY:
        return False
    for place in range(KEY):  # noqa: SIM110  the compiler has no generators
        if slots[slot + place] != key[place]:
            return False
    return True


def _store(key: Row, slots: Row, slot: int, value: int, bound: int) -> None:
    for place in range(KEY):
        slots[slot + place] = key[place]
    slots[slot + VALUE] = value
    slots[slot + BOUND] = bound
