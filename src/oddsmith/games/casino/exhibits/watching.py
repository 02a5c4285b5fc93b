"""Games of Casino are played in bulk over the kernel's rows, and what happens in them is counted deck by deck.

A deck is played as often as there are seats, every time with the same hands one seat further: so that no seat has better
cards than another. Every function is written for Python and for the compiler alike, and counts the same for both.
"""

# ruff: noqa: PLR0917  compiled functions take rows by place

from typing import Any, Final

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
    SWEEP,
    SWEEPS,
    TRAIL,
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

__all__ = ["choose", "greediest", "turn_hands", "watch_games"]

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

Row = Any
"""A list or an array of whole numbers; the compiler knows which."""


def watch_games(
    decks: int,
    turns: int,
    habit: int,
    start: Row,
    state: Row,
    rules: Row,
    scorings: Row,
    deck: Row,
    dealt: Row,
    each: int,
    to_table: int,
    luck: int,
    marks: Row,
    totals: Row,
    squares: Row,
    found: Row,
    longest: Row,
    heads: Row,
    looses: Row,
    builds: Row,
    groups: Row,
    sums: Row,
) -> int:
    """Play so many decks, each so many times with the hands one seat further, and return the luck that is next.

    `totals` and `squares` get the marks of each deck and their squares, `found` how long lists of moves were, and
    `longest` the table of the longest one.
    """
    for _ in range(decks):
        luck = shuffle(deck, luck)
        for place in range(len(marks)):
            marks[place] = 0
        for turned in range(turns):
            turn_hands(deck, dealt, turned, start[PLAYERS], each, to_table)
            copy_state(start, state)
            deal_cards(state, dealt, each, to_table)
            while True:
                count = generate_moves(state, rules, heads, looses, builds, groups, sums)
                found[LISTED] += count
                found[LISTS] += 1
                if count > found[LONGEST]:
                    found[LONGEST] = count
                    copy_state(state, longest)
                luck = next_luck(luck)
                if habit == GREEDY:
                    chosen = greediest(state, scorings[0], count, heads, looses, builds)
                else:
                    chosen = choose(count, habit, luck, heads, looses, builds)
                _mark_move(state, heads[chosen], builds[chosen], marks)
                apply_move(state, rules, heads[chosen], looses[chosen], builds[chosen])
                if not next_turn(state):
                    if state[STOCK] == 0:
                        break
                    deal_cards(state, dealt, each, 0)
            marks[LEFT] += state[BUILDS]
            clear_table(state)
            _mark_end(state, scorings, marks)
        for place in range(len(marks)):
            totals[place] += marks[place]
            squares[place] += marks[place] * marks[place]
    return luck


def turn_hands(deck: Row, dealt: Row, turned: int, players: int, each: int, to_table: int) -> None:
    """Lay a deck out anew so that every deal gives each hand to a seat so many further; the table's cards stay."""
    first = 0
    laid = to_table
    while first < len(deck):
        for seat in range(players):
            for number in range(each):
                dealt[first + (seat + turned) % players * each + number] = deck[first + seat * each + number]
        first += players * each
        for _ in range(laid):
            dealt[first] = deck[first]
            first += 1
        laid = 0


def choose(count: int, trailing: int, luck: int, heads: Row, looses: Row, builds: Row) -> int:
    """Return the place of a move by chance, whatever the order of the list; a trail where there is one to be made."""
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


def greediest(state: Row, scoring: Row, count: int, heads: Row, looses: Row, builds: Row) -> int:
    """Return the place of the move that brings most at once; of equal moves the first in canonical order (§4.7)."""
    chosen = 0
    most = -1
    for place in range(count):
        brought = _brought(state, scoring, heads[place], looses[place], builds[place])
        if brought > most or (brought == most and _comes_before(place, chosen, heads, looses, builds)):
            most = brought
            chosen = place
    return chosen


def _brought(state: Row, scoring: Row, head: int, loose: int, builds: int) -> int:
    """Return a number that is greater the more a move brings: sure points, then cards, then spades, then a sweep."""
    if head & 7 > PAIR:
        return 0
    taken = loose | 1 << (head >> 3 & 63)
    if head >> 9 != NO_CARD:
        taken |= 1 << (head >> 9)
    left = state[BUILDS]
    for number in range(state[BUILDS]):
        if builds >> number & 1:
            taken |= state[BUILD_CARDS + number]
            left -= 1
    sweep = 1 if left == 0 and state[LOOSE] == loose else 0
    points: int = card_points(taken, scoring) + scoring[SWEEP] * sweep
    return ((points * 100 + count_cards(taken)) * 100 + count_cards(taken & SPADE_CARDS)) * 2 + sweep


def _comes_before(place: int, other: int, heads: Row, looses: Row, builds: Row) -> bool:
    """Say whether one move is listed before another: by kind, hand cards, then items one by one (§4.7)."""
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


def _mark_end(state: Row, scorings: Row, marks: Row) -> None:
    """Mark each seat's share of the victory, and what its points are for: all of them, then part by part."""
    players = state[PLAYERS]
    highest = -1
    winners = 0
    for seat in range(players):
        stands = standing(state, scorings[0], seat)
        if stands > highest:
            highest = stands
            winners = 0
        if stands == highest:
            winners += 1
    for seat in range(players):
        first = SEATS + seat * (1 + len(scorings))
        marks[SWEPT] += state[SWEEPS + seat]
        if standing(state, scorings[0], seat) == highest:
            marks[first] += WHOLE // winners
        for part in range(len(scorings)):
            marks[first + 1 + part] += seat_points(state, scorings[part], seat)
