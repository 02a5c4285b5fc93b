"""Tables of Casino are made on which a hand has as much to do as can be: how long a list of moves may get (§4.8)."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import Final

import msgspec

from oddsmith.cards import Card
from oddsmith.games.casino import encoding, kernel
from oddsmith.games.casino.compiled import fastest
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import State
from oddsmith.games.casino.rules import MOST_VALUE, Rules
from oddsmith.games.casino.values import in_order, value_of

VALUES: Final = range(1, MOST_VALUE + 1)


def worst_hand(size: int, rules: Rules) -> tuple[int, ...]:
    """Return how many cards of each value, from 1, a hand has that has most to do when all other cards lie loose.

    Every hand is looked at, by the values of its cards; one target a capture.

    >>> worst_hand(4, Rules())
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 4)
    """
    values = [value_of(card) for card in rules.cards]
    held = [values.count(value) for value in VALUES]
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


def full_table(size: int, rules: Rules) -> State:
    """Return the table of the hand with most to do, all other cards loose."""
    hand: list[Card] = []
    for value, held in enumerate(worst_hand(size, rules), 1):
        hand += [card for card in rules.cards if value_of(card) == value][:held]
    return _laid_out(hand, [card for card in rules.cards if card not in hand], rules)


def _laid_out(hand: Sequence[Card], loose: Sequence[Card], rules: Rules) -> State:
    """Return a table on which a hand has all these loose cards before it."""
    start = GAME.setup(rules, 2)
    kept = tuple(card for card in rules.cards if card not in (*hand, *loose))
    return msgspec.structs.replace(
        start, hands=(in_order(hand), ()), loose=in_order(loose), stock=kept, deal=2
    )


def length(state: State) -> int:
    """Return how many moves a table has."""
    core = fastest(kernel)
    row, rules = core.row(encoding.encode_state(state)), encoding.encode_rules(state.rules)
    return int(core.functions.generate_moves(row, rules, encoding.new_moves(core)))


def climbed(state: State, *, tries: int) -> State:
    """Return a table that has at least as many moves: cards go to and fro between hand, table and stock while it helps."""
    best, most, luck = state, length(state), Random("casino")  # noqa: S311  no secret
    for _ in range(tries):
        tried = _shifted(best, luck)
        count = length(tried)
        if count >= most:
            best, most = tried, count
    return best


def _shifted(state: State, luck: Random) -> State:
    """Return a table on which one to three cards, or pairs of cards, lie elsewhere."""
    hand, loose, away = list(state.hands[0]), list(state.loose), list(state.stock)
    for _ in range(luck.randint(1, 3)):
        one, other = luck.choice([(hand, loose), (hand, away), (loose, away), (away, loose), (loose, None)])
        if one and other is None:
            away.append(one.pop(luck.randrange(len(one))))
        elif one and other:
            here, there = luck.randrange(len(one)), luck.randrange(len(other))
            one[here], other[there] = other[there], one[here]
        if away and luck.random() < 1 / 3:
            loose.append(away.pop(luck.randrange(len(away))))
    return _laid_out(hand, loose, state.rules)
