"""Games of Casino in bulk, over the kernel's rows: played out at random, or counted line by line.

Every function is written for Python and for the compiler alike.
"""

from typing import Final, NamedTuple

from oddsmith.games.casino.compiled import Row, Rows
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
    """What games are played with: the rules, the state from which they start, the deck, and the sizes of a deal."""

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
    """Return the number that follows in a sequence that looks random: good enough to play a game out, no more.

    It is Marsaglia's xorshift of 32 bits: every number but 0 comes once before any comes again.
    """
    luck ^= luck << 13 & WORD
    luck ^= luck >> 17
    return luck ^ (luck << 5 & WORD)


def shuffle(deck: Row, luck: int) -> int:
    """Put a row in a random order, and return the luck that is next."""
    for left in range(len(deck) - 1, 0, -1):
        luck = next_luck(luck)
        place = luck * (left + 1) >> 32
        deck[left], deck[place] = deck[place], deck[left]
    return luck


def play_out(state: Row, setup: Setup, luck: int, moves: MoveList) -> tuple[int, int]:
    """Play on by chance to the end, with all legal moves written at each turn.

    Returns how many moves were made, and the luck that is next.
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


def play_outs(games: int, luck: int, setup: Setup, state: Row, moves: MoveList) -> int:
    """Play whole games by chance, each from a deck shuffled anew, and return how many moves were made in all."""
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
    """Return how many lines lead from the state of a level to a depth; somebody holds cards, and deals are no moves."""
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
