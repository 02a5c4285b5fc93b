"""Games of Casino checked move by move on the kernel's rows, also compiled.

Every function counts independently of the kernel, which only moves.
"""

from typing import Final, NamedTuple

from oddsmith.games.casino.compiler import Row
from oddsmith.games.casino.kernel import (
    BUILD_CARDS,
    BUILD_OWNERS,
    BUILD_VALUES,
    BUILDS,
    CAPTURE,
    CARDS,
    DEAL,
    HANDS,
    LAST,
    LOOSE,
    MARRIAGE,
    NO_CARD,
    NOBODY,
    PAIR,
    PILES,
    PLAYERS,
    STOCK,
    SWEEPS,
    TURN,
    MoveList,
    apply_move,
    clear_table,
    copy_state,
    deal_cards,
    generate_moves,
    next_turn,
)
from oddsmith.games.casino.playouts import Setup, next_luck, shuffle

ALL_IS_WELL: Final = 0
CARDS_LOST: Final = 1
NO_MOVE: Final = 2
WRONG_SWEEP: Final = 3
WRONG_LAST: Final = 4
WRONG_PILE: Final = 5
WRONG_BUILD: Final = 6
WRONG_TURN: Final = 7
NO_END: Final = 8
WRONG_END: Final = 9


class GameBuffers(NamedTuple):
    """Buffers of one game: its state, the state before the last move, and its moves."""

    state: Row
    before: Row
    moves: MoveList


def check_games(games: int, luck: int, setup: Setup, space: GameBuffers) -> int:  # noqa: C901, PLR0911  one law after the other
    """Play whole random games, and return the number of the broken law; 0 for none."""
    deck, rules = setup.deck, setup.rules
    state, before, moves = space.state, space.before, space.moves
    for _ in range(games):
        luck = shuffle(deck, luck)
        copy_state(setup.start, state)
        deal_cards(state, deck, setup.each, setup.to_table)
        plies = 0
        while True:
            if not has_all_cards(state, deck):
                return CARDS_LOST
            count = generate_moves(state, rules, moves)
            if count == 0:
                return NO_MOVE
            luck = next_luck(luck)
            chosen = luck * count >> 32
            copy_state(state, before)
            apply_move(state, rules, moves, chosen)
            broken = broken_law(before, state, moves, chosen)
            if broken:
                return broken
            plies += 1
            if plies > len(deck):
                return NO_END
            goes_on = next_turn(state)
            if state[TURN] != next_seat(before, state):
                return WRONG_TURN
            if not goes_on and state[STOCK] == 0:
                break
            if not goes_on:
                deal_cards(state, deck, setup.each, 0)
        if not ends_correctly(before, state, deck):
            return WRONG_END
    return ALL_IS_WELL


def has_all_cards(state: Row, deck: Row) -> bool:
    """Return whether every card of the deck is in one place: stock, hands, table or piles."""
    union = state[LOOSE]
    total = count_bits(state[LOOSE])
    for seat in range(state[PLAYERS]):
        union |= state[HANDS + seat] | state[PILES + seat]
        total += count_bits(state[HANDS + seat]) + count_bits(state[PILES + seat])
    for number in range(state[BUILDS]):
        union |= state[BUILD_CARDS + number]
        total += count_bits(state[BUILD_CARDS + number])
    for place in range(len(deck) - state[STOCK], len(deck)):
        union |= 1 << deck[place]
        total += 1
    return total == len(deck) and count_bits(union) == total


def count_bits(cards: int) -> int:
    """Return the number of cards in a mask."""
    count = 0
    for number in range(CARDS):
        count += cards >> number & 1
    return count


def broken_law(before: Row, state: Row, moves: MoveList, place: int) -> int:  # noqa: C901, PLR0911  one law after the other
    """Return the number of the law that a move breaks, before the turn passes."""
    head = moves.heads[place]
    loose = moves.looses[place]
    builds = moves.builds[place]
    me = before[TURN]
    kind = head & 7
    played = 1 << (head >> 3 & 63)
    if head >> 9 != NO_CARD:
        played |= 1 << (head >> 9)
    captures = kind == CAPTURE or kind == PAIR  # noqa: PLR1714  two comparisons are faster than a search in a tuple
    is_swept = captures and state[LOOSE] == 0 and state[BUILDS] == 0
    taken = 0
    if captures:
        taken = played | loose
        for number in range(before[BUILDS]):
            if builds >> number & 1:
                taken |= before[BUILD_CARDS + number]
    for seat in range(before[PLAYERS]):
        mine = seat == me
        if state[SWEEPS + seat] - before[SWEEPS + seat] != (1 if mine and is_swept else 0):
            return WRONG_SWEEP
        if state[PILES + seat] != (before[PILES + seat] | taken if mine else before[PILES + seat]):
            return WRONG_PILE
        if state[HANDS + seat] != (before[HANDS + seat] & ~played if mine else before[HANDS + seat]):
            return WRONG_PILE
    if state[LAST] != (me if captures else before[LAST]):
        return WRONG_LAST
    for number in range(state[BUILDS]):
        if not is_build(state, number):
            return WRONG_BUILD
    if kind == MARRIAGE and state[BUILD_VALUES + state[BUILDS] - 1] != 20:
        return WRONG_BUILD
    return ALL_IS_WELL


def is_build(state: Row, number: int) -> bool:
    """Return whether a build has an owner, two cards or more, and its sum: at most ten, or 20 for a marriage."""
    cards = state[BUILD_CARDS + number]
    total = 0
    for card in range(CARDS):
        if cards >> card & 1:
            total += min(card // 4 + 1, 10)
    value = state[BUILD_VALUES + number]
    fits = value <= 10 or (value == 20 and count_bits(cards) == 2)
    owned = 0 <= state[BUILD_OWNERS + number] < state[PLAYERS]
    return value == total and fits and owned and count_bits(cards) > 1


def next_seat(before: Row, state: Row) -> int:
    """Return the next seat with cards after the one that moved; where none has, the very next."""
    for step in range(1, state[PLAYERS] + 1):
        seat = (before[TURN] + step) % state[PLAYERS]
        if state[HANDS + seat]:
            return int(seat)
    return int((before[TURN] + 1) % state[PLAYERS])


def ends_correctly(before: Row, state: Row, deck: Row) -> bool:
    """Clear the table; return whether the rest went to the last capturer, without a sweep."""
    copy_state(state, before)
    clear_table(state)
    left = count_bits(before[LOOSE])
    for number in range(before[BUILDS]):
        left += count_bits(before[BUILD_CARDS + number])
    last = before[LAST]
    if not has_all_cards(state, deck) or state[DEAL] != before[DEAL]:
        return False
    for seat in range(state[PLAYERS]):
        gained = count_bits(state[PILES + seat]) - count_bits(before[PILES + seat])
        if state[SWEEPS + seat] != before[SWEEPS + seat] or gained != (left if seat == last else 0):
            return False
    return bool(last == NOBODY or (state[LOOSE] == 0 and state[BUILDS] == 0))
