"""Games of Casino watched move by move, over the kernel's rows and for the compiler alike: no law is broken.

Every function here counts anew what the kernel keeps: nothing is asked of it but to move.
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


class WorkSpace(NamedTuple):
    """Where one game is played: its state, the state before the last move, and its moves."""

    state: Row
    before: Row
    moves: MoveList


def watch_games(games: int, luck: int, setup: Setup, space: WorkSpace) -> int:  # noqa: C901, PLR0911  one law after the other
    """Play whole games by chance, and return which law was broken; 0 where none was."""
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
            broken = law_broken(before, state, moves, chosen)
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
        if not ends_well(before, state, deck):
            return WRONG_END
    return ALL_IS_WELL


def has_all_cards(state: Row, deck: Row) -> bool:
    """Say whether every card of the deck lies in one place: stock, hands, table or piles."""
    union = state[LOOSE]
    total = size(state[LOOSE])
    for seat in range(state[PLAYERS]):
        union |= state[HANDS + seat] | state[PILES + seat]
        total += size(state[HANDS + seat]) + size(state[PILES + seat])
    for number in range(state[BUILDS]):
        union |= state[BUILD_CARDS + number]
        total += size(state[BUILD_CARDS + number])
    for place in range(len(deck) - state[STOCK], len(deck)):
        union |= 1 << deck[place]
        total += 1
    return total == len(deck) and size(union) == total


def size(cards: int) -> int:
    """Return how many cards a mask has."""
    count = 0
    for number in range(CARDS):
        count += cards >> number & 1
    return count


def law_broken(before: Row, state: Row, moves: MoveList, place: int) -> int:  # noqa: C901, PLR0911  as above
    """Return which law a move breaks, the turn not yet given on."""
    head = moves.heads[place]
    loose = moves.looses[place]
    builds = moves.builds[place]
    me = before[TURN]
    kind = head & 7
    played = 1 << (head >> 3 & 63)
    if head >> 9 != NO_CARD:
        played |= 1 << (head >> 9)
    captures = kind == CAPTURE or kind == PAIR  # noqa: PLR1714  as in the kernel
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
    """Say whether a build has an owner, two cards or more, and is worth its sum: at most ten, or a marriage's twenty."""
    cards = state[BUILD_CARDS + number]
    total = 0
    for card in range(CARDS):
        if cards >> card & 1:
            total += min(card // 4 + 1, 10)
    worth = state[BUILD_VALUES + number]
    fits = worth <= 10 or (worth == 20 and size(cards) == 2)
    owned = 0 <= state[BUILD_OWNERS + number] < state[PLAYERS]
    return worth == total and fits and owned and size(cards) > 1


def next_seat(before: Row, state: Row) -> int:
    """Return the seat after the one that moved that has cards; where none has, the very next."""
    for step in range(1, state[PLAYERS] + 1):
        seat = (before[TURN] + step) % state[PLAYERS]
        if state[HANDS + seat]:
            return int(seat)
    return int((before[TURN] + 1) % state[PLAYERS])


def ends_well(before: Row, state: Row, deck: Row) -> bool:
    """Clear the table, and say whether all went to whoever captured last, with no sweep for it."""
    copy_state(state, before)
    clear_table(state)
    left = size(before[LOOSE])
    for number in range(before[BUILDS]):
        left += size(before[BUILD_CARDS + number])
    last = before[LAST]
    if not has_all_cards(state, deck) or state[DEAL] != before[DEAL]:
        return False
    for seat in range(state[PLAYERS]):
        gained = size(state[PILES + seat]) - size(before[PILES + seat])
        if state[SWEEPS + seat] != before[SWEEPS + seat] or gained != (left if seat == last else 0):
            return False
    return bool(last == NOBODY or (state[LOOSE] == 0 and state[BUILDS] == 0))
