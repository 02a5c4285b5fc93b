"""How long the move list of Casino grows: `python -m bench.casino_lists` prints the numbers of §4.8 of its rules.

The first functions are written as the kernel's are, for Python and for the compiler alike.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import Any, Final

import msgspec

from oddsmith.cards import Card
from oddsmith.games.casino import bridge, compiled, engine, kernel
from oddsmith.games.casino.kernel import (
    STOCK,
    TRAIL,
    apply_move,
    clear_table,
    copy_state,
    deal_cards,
    generate_moves,
    next_turn,
)
from oddsmith.games.casino.model import State
from oddsmith.games.casino.playouts import next_luck, shuffle
from oddsmith.games.casino.rules import Rules, TrailRestriction

GAMES: Final = 100_000
TRAILED_GAMES: Final = 10_000
FREE_GAMES: Final = {1: 2_000, 4: 100}
"""Where everybody trails freely, lists take long, and longest where a card takes several targets."""
CLIMBS: Final = 2_000
FIRST_LUCK: Final = 2_463_534_242
HANDS: Final = (4, 13)
PRESETS: Final = ("seed", "short", "traditional")
MOST_VALUE: Final = 10

PRIME: Final = 2**31 - 1
PREFERRED: Final = 2**40

LONGEST: Final = 0
LISTED: Final = 1
LISTS: Final = 2

Row = Any
"""A list or an array of whole numbers; the compiler knows which."""


def watch_games(  # noqa: PLR0917  compiled functions take rows by place
    games: int,
    trailing: int,
    start: Row,
    state: Row,
    rules: Row,
    deck: Row,
    each: int,
    to_table: int,
    luck: int,
    found: Row,
    heads: Row,
    looses: Row,
    builds: Row,
    groups: Row,
    sums: Row,
) -> int:
    """Play games by chance, note how long lists of moves were, and return the luck that is next.

    Where `trailing` is not 0, a card is trailed whenever one may be.
    """
    for _ in range(games):
        luck = shuffle(deck, luck)
        copy_state(start, state)
        deal_cards(state, deck, each, to_table)
        while True:
            count = generate_moves(state, rules, heads, looses, builds, groups, sums)
            found[LISTED] += count
            found[LISTS] += 1
            found[LONGEST] = max(found[LONGEST], count)
            luck = next_luck(luck)
            chosen = choose(count, trailing, luck, heads, looses, builds)
            apply_move(state, rules, heads[chosen], looses[chosen], builds[chosen])
            if not next_turn(state):
                if state[STOCK] == 0:
                    clear_table(state)
                    break
                deal_cards(state, deck, each, 0)
    return luck


def choose(  # noqa: PLR0917  as above
    count: int, trailing: int, luck: int, heads: Row, looses: Row, builds: Row
) -> int:
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


def played(rules: Rules, players: int, *, trailing: bool, games: int) -> tuple[int, float]:
    """Return the longest list of moves over so many games, and the mean length."""
    core = compiled.fastest(sys.modules[__name__])
    start = engine.GAME.setup(rules, players)
    each, *_, to_table = rules.deal_sizes(players, 1)
    found = core.room(3)
    core.functions.watch_games(
        games,
        int(trailing),
        core.row(bridge.row_of(start)),
        core.room(kernel.STATE),
        core.row(bridge.rules_row(rules)),
        core.row(map(bridge.number_of, rules.cards)),
        each,
        to_table,
        FIRST_LUCK,
        found,
        *(core.room(kernel.MOST_MOVES) for _ in range(3)),
        *(core.room(kernel.MOST_GROUPS) for _ in range(2)),
    )
    return int(found[LONGEST]), float(found[LISTED] / found[LISTS])


def worst_hand(size: int, rules: Rules) -> tuple[int, ...]:
    """Return how many cards of each value, from 1, a hand has that has most to do when all other cards lie loose.

    Every hand is looked at, by the values of its cards; one target a capture.
    """
    values = [bridge.value_of(card) for card in rules.cards]
    held = [values.count(value) for value in range(1, MOST_VALUE + 1)]
    return max(_hands(size, held), key=lambda hand: _moves_with(hand, held))


def _hands(size: int, held: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every hand of a size, by the number of its cards of each value, where so many are held in all."""
    if not held:
        if size == 0:
            yield ()
        return
    for count in range(min(held[0], size) + 1):
        for others in _hands(size - count, held[1:]):
            yield count, *others


def _moves_with(hand: Sequence[int], held: Sequence[int]) -> int:
    """Return how many captures and builds a hand has on a table of all other cards, by counting groups by their sums."""
    ways = [1] + [0] * MOST_VALUE
    for value, (mine, all_of_it) in enumerate(zip(hand, held, strict=True), 1):
        for _ in range(all_of_it - mine):
            for total in range(MOST_VALUE, value - 1, -1):
                ways[total] += ways[total - value]
    up_to = list(accumulate(ways))
    return sum(count * (ways[value] + up_to[MOST_VALUE - value] - 1) for value, count in enumerate(hand, 1))


def laid_out(hand: Sequence[Card], loose: Sequence[Card], rules: Rules) -> State:
    """Return a table on which a hand has all these loose cards before it."""
    start = engine.GAME.setup(rules, 2)
    kept = tuple(card for card in rules.cards if card not in (*hand, *loose))
    return msgspec.structs.replace(
        start, hands=(bridge.in_order(hand), ()), loose=bridge.in_order(loose), stock=kept, deal=2
    )


def full_table(size: int, rules: Rules) -> State:
    """Return the table of the hand with most to do, all other cards loose."""
    hand: list[Card] = []
    for value, held in enumerate(worst_hand(size, rules), 1):
        hand += [card for card in rules.cards if bridge.value_of(card) == value][:held]
    return laid_out(hand, [card for card in rules.cards if card not in hand], rules)


def length(state: State) -> int:
    """Return how many moves a table has."""
    core = compiled.fastest(kernel)
    count = core.functions.generate_moves(
        core.row(bridge.row_of(state)),
        core.row(bridge.rules_row(state.rules)),
        *(core.room(kernel.MOST_MOVES) for _ in range(3)),
        *(core.room(kernel.MOST_GROUPS) for _ in range(2)),
    )
    return int(count)


def climbed(state: State, *, tries: int) -> State:
    """Return a table that has at least as many moves: cards go to and fro between hand, table and stock while it helps."""
    best, most, luck = state, length(state), Random("casino")  # noqa: S311  no secret
    for _ in range(tries):
        hand, loose, away = list(best.hands[0]), list(best.loose), list(best.stock)
        for _ in range(luck.randint(1, 3)):
            one, other = luck.choice(
                [(hand, loose), (hand, away), (loose, away), (away, loose), (loose, None)]
            )
            if one and other is None:
                away.append(one.pop(luck.randrange(len(one))))
            elif one and other:
                here, there = luck.randrange(len(one)), luck.randrange(len(other))
                one[here], other[there] = other[there], one[here]
            if away and luck.random() < 1 / 3:
                loose.append(away.pop(luck.randrange(len(away))))
        tried = laid_out(hand, loose, best.rules)
        count = length(tried)
        if count >= most:
            best, most = tried, count
    return best


def main() -> None:
    """Print every number."""
    for preset in PRESETS:
        for players in engine.GAME.seats(Rules()):
            print(f"{preset}, {players} players:", *_told(Rules.preset(preset), players), flush=True)
    for size in HANDS:
        for preset in PRESETS:
            table = full_table(size, Rules.preset(preset))
            better = climbed(table, tries=CLIMBS)
            print(f"{preset}, a hand of {size}, all other cards loose: {length(table):,}", end="; ")
            print(
                f"climbed: {length(better):,}", *better.hands[0], "| in the stock:", *better.stock, flush=True
            )


def _told(rules: Rules, players: int) -> Iterator[str]:
    free = rules.replace(trail_restriction=TrailRestriction.NEVER)
    for how, played_by, trailing, games in (
        ("by chance", rules, False, GAMES),
        ("trailing", rules, True, TRAILED_GAMES),
        ("trailing freely", free, True, FREE_GAMES[rules.capture_targets]),
    ):
        most, mean = played(played_by, players, trailing=trailing, games=games)
        yield f"{how} {most:,} (mean {mean:.1f}, {games:,} games)"


if __name__ == "__main__":
    main()
