"""Kernel of `game_statistics`: plays games in bulk over the kernel's rows and counts events deck by deck.

A deck is played once for each rotation of the hands over the seats, so that no seat has better cards than another.
Functions run as plain Python or compiled, with equal results.
"""

from typing import Final, NamedTuple

from oddsmith.games.casino.compiler import Row
from oddsmith.games.casino.kernel import (
    BUILD_CARDS,
    BUILD_OWNERS,
    BUILDS,
    LOOSE,
    NO_CARD,
    PAIR,
    PLAYERS,
    SPADE_CARDS,
    STOCK,
    SWEEPS,
    TRAIL,
    TURN,
    MoveList,
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
from oddsmith.games.casino.playouts import Setup, next_luck, shuffle
from oddsmith.odds.borrowing import borrow

BY_CHANCE: Final = 0
TRAILING: Final = 1
GREEDY: Final = 2

MOVES: Final = 0
"""Index of the counts of moves by kind. Captured and remaining builds, sweeps and the counts of each seat follow."""
BY_OTHERS: Final = 6
BY_OWNER: Final = 7
LEFT: Final = 8
SWEPT: Final = 9
SEATS: Final = 10

WHOLE: Final = 12
"""The value of a win; it can be divided by two, three and four."""

LONGEST: Final = 0
LISTED: Final = 1
LISTS: Final = 2
FOUND: Final = 3

PRIME: Final = 2**31 - 1
PREFERRED: Final = 2**40


class Plan(NamedTuple):
    """The games to play: each deck `turns` times, all seats by the policy `habit`.

    `scoring` has the points of a game, `parts` one scoring for each part.
    """

    turns: int
    habit: int
    setup: Setup
    scoring: ScoringNumbers
    parts: tuple[ScoringNumbers, ...]


class Counts(NamedTuple):
    """The counts of a deck (`marks`), their sums over all decks, and the sums of their squares.

    `found` has the lengths of lists of moves, `longest` the state with the longest one.
    """

    marks: Row
    totals: Row
    squares: Row
    found: Row
    longest: Row


class WorkSpace(NamedTuple):
    """Buffers of one game: its state, the rotated deck, and its moves."""

    state: Row
    dealt: Row
    moves: MoveList


def count_games(decks: int, luck: int, plan: Plan, counts: Counts, space: WorkSpace) -> int:
    """Play `decks` decks with rotated hands, add the counts, and return the next state of the random generator."""
    plan, counts, space = borrow((plan, counts, space))
    setup, marks = plan.setup, counts.marks
    for _ in range(decks):
        luck = shuffle(setup.deck, luck)
        for place in range(len(marks)):
            marks[place] = 0
        for turned in range(plan.turns):
            rotate_hands(turned, setup, space.dealt)
            luck = _count_game(luck, plan, counts, space)
        for place in range(len(marks)):
            counts.totals[place] += marks[place]
            counts.squares[place] += marks[place] * marks[place]
    return luck


def _count_game(luck: int, plan: Plan, counts: Counts, space: WorkSpace) -> int:
    """Play a game from the rotated deck, and return the next state of the random generator."""
    setup, found = plan.setup, counts.found
    state, moves = space.state, space.moves
    copy_state(setup.start, state)
    deal_cards(state, space.dealt, setup.each, setup.to_table)
    while True:
        count = generate_moves(state, setup.rules, moves)
        found[LISTED] += count
        found[LISTS] += 1
        if count > found[LONGEST]:
            found[LONGEST] = count
            copy_state(state, counts.longest)
        luck = next_luck(luck)
        if plan.habit == GREEDY:
            chosen = greedy_move(state, plan.scoring, count, moves)
        else:
            chosen = choose(count, plan.habit, luck, moves)
        _count_move(state, moves.heads[chosen], moves.builds[chosen], counts.marks)
        apply_move(state, setup.rules, moves, chosen)
        if not next_turn(state):
            if state[STOCK] == 0:
                break
            deal_cards(state, space.dealt, setup.each, 0)
    counts.marks[LEFT] += state[BUILDS]
    clear_table(state)
    _count_end(state, plan.scoring, plan.parts, counts.marks)
    return luck


def rotate_hands(turned: int, setup: Setup, dealt: Row) -> None:
    """Write the deck of `setup` to `dealt` with the hands of every deal rotated by `turned` seats; the table's cards stay."""
    deck, each, players = setup.deck, setup.each, setup.start[PLAYERS]
    first = 0
    laid = setup.to_table
    while first < len(deck):
        for seat in range(players):
            for number in range(each):
                dealt[first + (seat + turned) % players * each + number] = deck[first + seat * each + number]
        first += players * each
        for _ in range(laid):
            dealt[first] = deck[first]
            first += 1
        laid = 0


def choose(count: int, trailing: int, luck: int, moves: MoveList) -> int:
    """Return the index of a random move, independent of the order of the list; if `trailing`, of a trail where one is legal."""
    heads, looses, builds = moves.heads, moves.looses, moves.builds
    chosen = 0
    highest = -1
    for place in range(count):
        mixed = heads[place] * 69_621 + looses[place] % PRIME * 48_271 + builds[place] % PRIME * 40_692
        drawn = next_luck((mixed + luck) % PRIME + 1)
        if trailing and heads[place] & 7 == TRAIL:
            drawn += PREFERRED
        if drawn > highest:
            chosen = place
            highest = drawn
    return chosen


def greedy_move(state: Row, scoring: ScoringNumbers, count: int, moves: MoveList) -> int:
    """Return the index of the move with the largest immediate gain; of equal moves the first in canonical order (§4.7)."""
    chosen = 0
    most = -1
    for place in range(count):
        rank = _capture_rank(state, scoring, moves, place) if moves.heads[place] & 7 <= PAIR else 0
        if rank > most or (rank == most and _comes_before(place, chosen, moves)):
            most = rank
            chosen = place
    return chosen


def _capture_rank(state: Row, scoring: ScoringNumbers, moves: MoveList, place: int) -> int:
    """Return the rank of a capture: by points of its cards, then cards, then spades, then a sweep."""
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
    sweep = 1 if left == 0 and state[LOOSE] == loose else 0
    points = card_points(taken, scoring) + scoring.sweep * sweep
    return ((points * 100 + count_cards(taken)) * 100 + count_cards(taken & SPADE_CARDS)) * 2 + sweep


def _comes_before(place: int, other: int, moves: MoveList) -> bool:
    """Return whether one move precedes another in canonical order: by kind, hand cards, then items (§4.7)."""
    heads, looses, builds = moves.heads, moves.looses, moves.builds
    if heads[place] != heads[other]:
        return _head_order(heads[place]) < _head_order(heads[other])
    if looses[place] != looses[other]:
        return _lists_before(looses[place], looses[other], builds[place], builds[other])
    return _lists_before(builds[place], builds[other], 0, 0)


def _head_order(head: int) -> int:
    return ((head & 7) << 6 | (head >> 3 & NO_CARD)) << 6 | head >> 9


def _lists_before(items: int, others: int, after_items: int, after_others: int) -> bool:
    """Return whether the sorted items of one mask precede those of another, different mask.

    At the first difference the lower item precedes, unless the other list ends there.
    """
    lowest = (items ^ others) & -(items ^ others)
    if items & lowest:
        return others >= lowest or after_others != 0
    return items < lowest and after_items == 0


def _count_move(state: Row, head: int, builds: int, marks: Row) -> None:
    marks[MOVES + (head & 7)] += 1
    if head & 7 <= PAIR:
        for number in range(state[BUILDS]):
            if builds >> number & 1:
                marks[BY_OWNER if state[BUILD_OWNERS + number] == state[TURN] else BY_OTHERS] += 1


def _count_end(state: Row, scoring: ScoringNumbers, parts: tuple[ScoringNumbers, ...], marks: Row) -> None:
    """Count each seat's share of the win, its points, and the points of each part."""
    players = state[PLAYERS]
    highest = -1
    winners = 0
    for seat in range(players):
        score = standing(state, scoring, seat)
        if score > highest:
            highest = score
            winners = 0
        if score == highest:
            winners += 1
    for seat in range(players):
        first = SEATS + seat * (2 + len(parts))
        marks[SWEPT] += state[SWEEPS + seat]
        if standing(state, scoring, seat) == highest:
            marks[first] += WHOLE // winners
        marks[first + 1] += seat_points(state, scoring, seat)
        for part in range(len(parts)):
            marks[first + 2 + part] += seat_points(state, parts[part], seat)
