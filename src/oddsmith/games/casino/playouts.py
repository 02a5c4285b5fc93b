"""Kernel functions for whole games: random playouts, shuffling, and counts of lines of play.

Functions run as plain Python or compiled.
"""

from typing import Final, NamedTuple

from oddsmith.games.casino.compiler import Row, Rows
from oddsmith.games.casino.kernel import (
    STOCK,
    MoveList,
    MoveLists,
    RuleNumbers,
    apply_move,
    clear_table,
    copy_state,
    deal_cards,
    generate_moves,
    moves_at,
    next_turn,
)
from oddsmith.odds.borrowing import borrow

WORD: Final = 2**32 - 1


class Setup(NamedTuple):
    """The rules, the initial state, the deck, and the sizes of a deal: cards for each seat and for the table."""

    rules: RuleNumbers
    start: Row
    deck: Row
    each: int
    to_table: int


class Levels(NamedTuple):
    """A state and its moves for each level of a search."""

    states: Rows
    moves: MoveLists


def next_luck(luck: int) -> int:
    """Return the next state of Marsaglia's 32-bit xorshift generator, which has period 2**32 - 1 and never reaches 0.

    It is for simulation only, not for deals of a match.
    """
    luck ^= luck << 13 & WORD
    luck ^= luck >> 17
    return luck ^ (luck << 5 & WORD)


def shuffle(deck: Row, luck: int) -> int:
    """Shuffle a row in place, and return the next state of the random generator."""
    for left in range(len(deck) - 1, 0, -1):
        luck = next_luck(luck)
        place = luck * (left + 1) >> 32
        deck[left], deck[place] = deck[place], deck[left]
    return luck


def play_out(state: Row, setup: Setup, luck: int, moves: MoveList) -> tuple[int, int]:
    """Play uniformly random legal moves to the end of the game.

    Returns the number of moves, and the next state of the random generator.
    """
    rules = setup.rules
    made = 0
    while True:
        count = generate_moves(state, rules, moves)
        luck = next_luck(luck)
        apply_move(state, rules, moves, luck * count >> 32)
        made += 1
        if not next_turn(state):
            if state[STOCK] == 0:
                clear_table(state)
                return made, luck
            deal_cards(state, setup.deck, setup.each, 0)


def play_games(games: int, luck: int, setup: Setup, state: Row, moves: MoveList) -> int:
    """Play random games, each from a newly shuffled deck, and return the number of moves of all of them."""
    setup, state, moves = borrow((setup, state, moves))
    total = 0
    for _ in range(games):
        luck = shuffle(setup.deck, luck)
        copy_state(setup.start, state)
        deal_cards(state, setup.deck, setup.each, setup.to_table)
        made, luck = play_out(state, setup, luck, moves)
        total += made
    return total


def count_lines(level: int, depth: int, setup: Setup, levels: Levels) -> int:
    """Return the number of lines from the state of a level to a depth; deals are no moves, and some hand is not empty."""
    return _count_lines(level, depth, borrow(setup), borrow(levels))


def _count_lines(level: int, depth: int, setup: Setup, levels: Levels) -> int:
    if level == depth:
        return 1
    state, rules = levels.states[level], setup.rules
    moves = moves_at(levels.moves, level)
    count = generate_moves(state, rules, moves)
    if level + 1 == depth:
        return count
    after = levels.states[level + 1]
    lines = 0
    for place in range(count):
        copy_state(state, after)
        apply_move(after, rules, moves, place)
        if not next_turn(after):
            if after[STOCK] == 0:
                continue
            deal_cards(after, setup.deck, setup.each, 0)
        lines += _count_lines(level + 1, depth, setup, levels)
    return lines
