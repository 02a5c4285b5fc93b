"""Games of Casino in bulk, over the kernel's rows: played out by chance, or counted line by line.

Every function is written for Python and for the compiler alike.
"""

from typing import Any, Final

from oddsmith.games.casino.kernel import (
    STOCK,
    apply_move,
    clear_table,
    copy_state,
    deal_cards,
    generate_moves,
    next_turn,
)

__all__ = ["count_lines", "next_luck", "play_out", "play_outs", "shuffle"]

WORD: Final = 2**32 - 1

Row = Any
"""A list or an array of whole numbers; the compiler knows which."""


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


def play_out(
    state: Row,
    rules: Row,
    deck: Row,
    each: int,
    luck: int,
    heads: Row,
    looses: Row,
    builds: Row,
    groups: Row,
    sums: Row,
) -> int:
    """Play on by chance to the end, with all legal moves written at each turn.

    Returns how many moves were made, times 2^32, plus the luck that is next.
    """
    made = 0
    while True:
        count = generate_moves(state, rules, heads, looses, builds, groups, sums)
        luck = next_luck(luck)
        chosen = luck * count >> 32
        apply_move(state, rules, heads[chosen], looses[chosen], builds[chosen])
        made += 1
        if not next_turn(state):
            if state[STOCK] == 0:
                clear_table(state)
                return made << 32 | luck
            deal_cards(state, deck, each, 0)


def play_outs(
    games: int,
    start: Row,
    state: Row,
    rules: Row,
    deck: Row,
    each: int,
    to_table: int,
    luck: int,
    heads: Row,
    looses: Row,
    builds: Row,
    groups: Row,
    sums: Row,
) -> int:
    """Play whole games by chance, each from a deck shuffled anew, and return how many moves were made in all."""
    made = 0
    for _ in range(games):
        luck = shuffle(deck, luck)
        copy_state(start, state)
        deal_cards(state, deck, each, to_table)
        played = play_out(state, rules, deck, each, luck, heads, looses, builds, groups, sums)
        made += played >> 32
        luck = played & WORD
    return made


def count_lines(
    depth: int,
    states: Row,
    rules: Row,
    deck: Row,
    each: int,
    counts: Row,
    places: Row,
    heads: Row,
    looses: Row,
    builds: Row,
    groups: Row,
    sums: Row,
) -> int:
    """Return how many lines of `depth` moves lead on from the first of the states; deals are no moves.

    The other rows are room, one for each depth.
    """
    if depth == 0:
        return 1
    lines = 0
    level = 0
    counts[0] = generate_moves(states[0], rules, heads[0], looses[0], builds[0], groups, sums)
    places[0] = 0
    while level >= 0:
        if level == depth - 1:
            lines += counts[level]
            level -= 1
            continue
        place = places[level]
        if place == counts[level]:
            level -= 1
            continue
        places[level] = place + 1
        state = states[level + 1]
        copy_state(states[level], state)
        apply_move(state, rules, heads[level][place], looses[level][place], builds[level][place])
        if not next_turn(state):
            if state[STOCK] == 0:
                continue
            deal_cards(state, deck, each, 0)
        level += 1
        counts[level] = generate_moves(state, rules, heads[level], looses[level], builds[level], groups, sums)
        places[level] = 0
    return lines
