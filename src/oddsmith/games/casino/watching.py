"""Games of Casino are played in bulk over the kernel's rows, and what happens in them is counted deck by deck.

A deck is played as often as there are seats, every time with the same hands one seat further: so that no seat has better
cards than another. Every function is written for Python and for the compiler alike, and counts the same for both.
"""

from typing import Final, NamedTuple

from oddsmith.games.casino.compiled import Row
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
"""How many moves of each kind were made; then what became of builds, how often the table was swept, and each seat's marks."""
BY_OTHERS: Final = 6
BY_OWNER: Final = 7
LEFT: Final = 8
SWEPT: Final = 9
SEATS: Final = 10

WHOLE: Final = 12
"""A victory that two, three or four seats can share in whole parts."""

LONGEST: Final = 0
LISTED: Final = 1
LISTS: Final = 2
FOUND: Final = 3

PRIME: Final = 2**31 - 1
PREFERRED: Final = 2**40


class Plan(NamedTuple):
    """What is played: each deck `turns` times, by the habit that everybody has.

    `scoring` is what is worth points, `parts` the same part by part.
    """

    turns: int
    habit: int
    setup: Setup
    scoring: ScoringNumbers
    parts: tuple[ScoringNumbers, ...]


class Counts(NamedTuple):
    """What is counted: the marks of a deck, of all decks, and the squares of those of each deck.

    `found` has how long lists of moves were, `longest` the table of the longest one.
    """

    marks: Row
    totals: Row
    squares: Row
    found: Row
    longest: Row


class WorkSpace(NamedTuple):
    """Where one game is played: its state, the deck as it is dealt, and its moves."""

    state: Row
    dealt: Row
    moves: MoveList


def watch_games(decks: int, luck: int, plan: Plan, counts: Counts, space: WorkSpace) -> int:
    """Play so many decks, each with the hands one seat further every time, and return the luck that is next."""
    plan, counts, space = borrow((plan, counts, space))
    setup, marks = plan.setup, counts.marks
    for _ in range(decks):
        luck = shuffle(setup.deck, luck)
        for place in range(len(marks)):
            marks[place] = 0
        for turned in range(plan.turns):
            turn_hands(turned, setup, space.dealt)
            luck = _watch_game(luck, plan, counts, space)
        for place in range(len(marks)):
            counts.totals[place] += marks[place]
            counts.squares[place] += marks[place] * marks[place]
    return luck


def _watch_game(luck: int, plan: Plan, counts: Counts, space: WorkSpace) -> int:
    """Play a game with the cards as they are dealt, and return the luck that is next."""
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
            chosen = greediest(state, plan.scoring, count, moves)
        else:
            chosen = choose(count, plan.habit, luck, moves)
        _mark_move(state, moves.heads[chosen], moves.builds[chosen], counts.marks)
        apply_move(state, setup.rules, moves, chosen)
        if not next_turn(state):
            if state[STOCK] == 0:
                break
            deal_cards(state, space.dealt, setup.each, 0)
    counts.marks[LEFT] += state[BUILDS]
    clear_table(state)
    _mark_end(state, plan.scoring, plan.parts, counts.marks)
    return luck


def turn_hands(turned: int, setup: Setup, dealt: Row) -> None:
    """Lay a deck out anew so that every deal gives each hand to a seat so many further; the table's cards stay."""
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
    """Return the place of a move by chance, whatever the order of the list; a trail where there is one to be made."""
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


def greediest(state: Row, scoring: ScoringNumbers, count: int, moves: MoveList) -> int:
    """Return the place of the move that brings most at once; of equal moves the first in canonical order (§4.7)."""
    chosen = 0
    most = -1
    for place in range(count):
        brought = _brought(state, scoring, moves, place) if moves.heads[place] & 7 <= PAIR else 0
        if brought > most or (brought == most and _comes_before(place, chosen, moves)):
            most = brought
            chosen = place
    return chosen


def _brought(state: Row, scoring: ScoringNumbers, moves: MoveList, place: int) -> int:
    """Return a number that is greater the more a capture brings: sure points, then cards, then spades, then a sweep."""
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
    """Say whether one move is listed before another: by kind, hand cards, then items one by one (§4.7)."""
    heads, looses, builds = moves.heads, moves.looses, moves.builds
    if heads[place] != heads[other]:
        return _head_order(heads[place]) < _head_order(heads[other])
    if looses[place] != looses[other]:
        return _lists_before(looses[place], looses[other], builds[place], builds[other])
    return _lists_before(builds[place], builds[other], 0, 0)


def _head_order(head: int) -> int:
    return ((head & 7) << 6 | (head >> 3 & NO_CARD)) << 6 | head >> 9


def _lists_before(items: int, others: int, after_items: int, after_others: int) -> bool:
    """Say whether the items of one mask, listed one by one, come before those of another mask that is not the same.

    Where they first differ, who has the lower item comes first, unless the other list is at its end there.
    """
    lowest = (items ^ others) & -(items ^ others)
    if items & lowest:
        return others >= lowest or after_others != 0
    return items < lowest and after_items == 0


def _mark_move(state: Row, head: int, builds: int, marks: Row) -> None:
    marks[MOVES + (head & 7)] += 1
    if head & 7 <= PAIR:
        for number in range(state[BUILDS]):
            if builds >> number & 1:
                marks[BY_OWNER if state[BUILD_OWNERS + number] == state[TURN] else BY_OTHERS] += 1


def _mark_end(state: Row, scoring: ScoringNumbers, parts: tuple[ScoringNumbers, ...], marks: Row) -> None:
    """Mark each seat's share of the victory, and what its points are for: all of them, then part by part."""
    players = state[PLAYERS]
    highest = -1
    winners = 0
    for seat in range(players):
        stands = standing(state, scoring, seat)
        if stands > highest:
            highest = stands
            winners = 0
        if stands == highest:
            winners += 1
    for seat in range(players):
        first = SEATS + seat * (2 + len(parts))
        marks[SWEPT] += state[SWEEPS + seat]
        if standing(state, scoring, seat) == highest:
            marks[first] += WHOLE // winners
        marks[first + 1] += seat_points(state, scoring, seat)
        for part in range(len(parts)):
            marks[first + 2 + part] += seat_points(state, parts[part], seat)
