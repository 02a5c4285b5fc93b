"""Classes of the hands of a composed deck (§12.3): several decks, short decks, jokers.

What a hand is worth depends on its numbers, on its suit counts, and on its jokers. A joker is read as any number and, independently, as
any suit. So the natural cards of a hand are grouped by the ranks that their numbers can be completed to, each with the most that cards
add to it; by their suit counts; and by the number of jokers. A character's best reading is found once for each class.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.cards import STANDARD_DECK, Suit
from oddsmith.games.destiny.classes import MOST_SUIT_CODES, SUIT_CODES, class_of_hands
from oddsmith.games.destiny.decks import CARDS_OF, STANDARD, numbers_of
from oddsmith.games.destiny.ranks import BY_STRENGTH, HandRank, classify
from oddsmith.games.destiny.rules import DeckRules, Rules
from oddsmith.games.destiny.scoring import Bonuses, base_hundredths, extra_value, is_trump
from oddsmith.poker import FULL_HAND

Integers = NDArray[np.int64]
Numbers: TypeAlias = tuple[int, ...]
Extras: TypeAlias = tuple[int, ...]
"""The most that cards add to each rank of `BY_STRENGTH`, or `UNREACHED`."""

UNREACHED: Final = -1
NEVER: Final = -(2**60)
TRUMP: Final = 2**50
"""What a royal flush is raised by where it comes before any total (§7.5); above every score."""
PLACES: Final = {rank: place for place, rank in enumerate(BY_STRENGTH)}
RANK_INDICES: Final = np.array([[*HandRank].index(rank) for rank in BY_STRENGTH])
NUMBER_BITS: Final = 3
JOKER_CODE: Final = 1 << NUMBER_BITS * len({held.number for held in STANDARD_DECK})
NO_SUIT: Final = -1

_SUITS: Final = tuple(Suit)


class DeckClasses(msgspec.Struct, frozen=True, eq=False):
    """A row for each class: its kind, jokers, natural cards by suit, and the one suit of them or `NO_SUIT`.

    `ways` counts its hands, equal cards of several decks as different. `squares` adds up the squares of the ways of each
    hand: the number of pairs of draws of the same five cards. `mixed` and `flush` have the extras of each kind where
    the cards are of several suits, and of one.
    """

    kind: Integers
    jokers: Integers
    patterns: Integers
    one_suit: Integers
    ways: Integers
    squares: Integers
    mixed: Integers
    flush: Integers
    keys: Integers
    kind_of_key: Integers
    row_of: Integers

    def of_hands(self, hands: NDArray[np.integer[Any]]) -> Integers:
        """Return the class of each hand; a row of `hands` is five indices of cards, those of jokers after the suited ones."""
        codes, suits = _NUMBER_CODES[hands].sum(axis=1), _SUIT_CODES[hands].sum(axis=1)
        rows: Integers = self.row_of[self.kind_of_key[np.searchsorted(self.keys, codes)], suits]
        return rows


_NUMBER_CODES: Final = np.array(
    [1 << NUMBER_BITS * (held.number - 2) for held in STANDARD_DECK] + [JOKER_CODE] * 2, dtype=np.int64
)
_SUIT_CODES: Final = np.array([SUIT_CODES[held.suit] for held in STANDARD_DECK] + [0] * 2, dtype=np.int64)


class ReadClasses(msgspec.Struct, frozen=True, eq=False):
    """The best reading of each class for a character: the index of its rank in `HandRank`, total and suit score in hundredths."""

    rank: Integers
    total: Integers
    suit: Integers


@lru_cache(maxsize=8)
def deck_classes(deck: DeckRules) -> DeckClasses:
    """Return the classes of all hands of a deck.

    >>> int(deck_classes(DeckRules(jokers=2)).ways.sum()) == comb(54, 5)
    True
    """
    made = _made_hands(deck)
    kinds: dict[tuple[Extras, Extras], int] = {}
    kind_of_key: dict[int, int] = {}
    counts: Counter[tuple[int, int, Numbers]] = Counter()
    for jokers in range(min(deck.jokers, FULL_HAND - 1) + 1):
        for natural in combinations_with_replacement(numbers_of(deck), FULL_HAND - jokers):
            if max(Counter(natural).values()) > len(Suit) * deck.decks:
                continue
            kind = kinds.setdefault(_extras(natural, jokers, made, deck), len(kinds))
            kind_of_key[_key(natural, jokers)] = kind
            counts[kind, jokers, tuple(sorted(Counter(natural).values()))] += 1
    rows: dict[tuple[int, int, Numbers], list[int]] = defaultdict(lambda: [0, 0])
    for (kind, jokers, shape), count in counts.items():
        ways, squares = _joker_ways(deck, jokers)
        for pattern, (natural_ways, natural_squares) in _suit_ways(shape, deck.decks).items():
            row = rows[kind, jokers, pattern]
            row[0] += count * natural_ways * ways
            row[1] += count * natural_squares * squares
    return _tabulate(rows, kinds, kind_of_key)


def _tabulate(
    rows: dict[tuple[int, int, Numbers], list[int]],
    kinds: dict[tuple[Extras, Extras], int],
    kind_of_key: dict[int, int],
) -> DeckClasses:
    kind = np.array([row[0] for row in rows])
    patterns = np.array([row[2] for row in rows])
    weights = np.array([*rows.values()], dtype=np.int64)
    codes = patterns @ np.array([*SUIT_CODES.values()])
    row_of = np.zeros((len(kinds), MOST_SUIT_CODES), dtype=np.int64)
    row_of[kind, codes] = range(len(rows))
    order = sorted(kind_of_key)
    return DeckClasses(
        kind=kind,
        jokers=np.array([row[1] for row in rows]),
        patterns=patterns,
        one_suit=np.where((patterns > 0).sum(axis=1) == 1, patterns.argmax(axis=1), NO_SUIT),
        ways=weights[:, 0],
        squares=weights[:, 1],
        mixed=np.array([mixed for mixed, _ in kinds], dtype=np.int64),
        flush=np.array([flush for _, flush in kinds], dtype=np.int64),
        keys=np.array(order, dtype=np.int64),
        kind_of_key=np.array([kind_of_key[key] for key in order]),
        row_of=row_of,
    )


def _made_hands(deck: DeckRules) -> dict[tuple[Numbers, bool], tuple[int, int]]:
    """Return the rank and what the cards add, for all five numbers, of several suits and of one."""
    found: dict[tuple[Numbers, bool], tuple[int, int]] = {}
    for numbers in combinations_with_replacement(numbers_of(deck), FULL_HAND):
        for is_flush in (False, True):
            suits = (_SUITS[0],) * (FULL_HAND - 1) + (_SUITS[0 if is_flush else 1],)
            hand = [CARDS_OF[held] for held in zip(numbers, suits, strict=True)]
            made = classify(hand)
            found[numbers, is_flush] = PLACES[made.rank], extra_value(made, hand)
    return found


def _extras(
    natural: Numbers, jokers: int, made: dict[tuple[Numbers, bool], tuple[int, int]], deck: DeckRules
) -> tuple[Extras, Extras]:
    """Return the extras of natural numbers completed by jokers, with several suits and with one."""
    best = [[UNREACHED] * len(BY_STRENGTH) for _ in (False, True)]
    for added in combinations_with_replacement(numbers_of(deck), jokers):
        numbers = tuple(sorted((*natural, *added)))
        for is_flush, extras in zip((False, True), best, strict=True):
            place, extra = made[numbers, is_flush]
            extras[place] = max(extras[place], extra)
    return tuple(best[0]), tuple(best[1])


def _key(natural: Sequence[int], jokers: int) -> int:
    return sum(1 << NUMBER_BITS * (number - 2) for number in natural) + jokers * JOKER_CODE


def _joker_ways(deck: DeckRules, count: int) -> tuple[int, int]:
    """Return the ways to draw jokers, and the sum of the squares of the ways of each choice of red and black ones."""
    red, black = (deck.jokers + 1) // 2, deck.jokers // 2
    squares = sum((comb(red, one) * comb(black, count - one)) ** 2 for one in range(count + 1))
    return comb(deck.jokers, count), squares


@lru_cache(maxsize=256)
def _suit_ways(shape: Numbers, decks: int) -> dict[Numbers, tuple[int, int]]:
    """Return the ways, and the sum of their squares, of each suit pattern, for numbers that occur as often as `shape` says."""
    counted = {(0,) * len(Suit): (1, 1)}
    for size in shape:
        after: dict[Numbers, list[int]] = defaultdict(lambda: [0, 0])
        for (pattern, (ways, squares)), added in product(counted.items(), _spreads(size, decks)):
            own = prod(comb(decks, count) for count in added)
            row = after[tuple(map(sum, zip(pattern, added, strict=True)))]
            row[0] += ways * own
            row[1] += squares * own**2
        counted = {pattern: (row[0], row[1]) for pattern, row in after.items()}
    return counted


def _spreads(size: int, decks: int) -> Iterator[Numbers]:
    """Yield the ways to choose suits for cards of one number."""
    for counts in product(range(min(size, decks) + 1), repeat=len(Suit)):
        if sum(counts) == size:
            yield counts


def classes_of_hands(hands: NDArray[np.integer[Any]], deck: DeckRules) -> Integers:
    """Return the class of each hand, as a row of `odds.draws`; a row of `hands` is five indices of cards."""
    return class_of_hands(hands) if deck == STANDARD else deck_classes(deck).of_hands(hands)


def read_classes(bonuses: Bonuses, rules: Rules) -> ReadClasses:
    """Return the best reading of every class for a character, as `jokers.read_jokers` reads its hands (§1.7)."""
    table = deck_classes(rules.deck)
    by_suit = np.array([bonuses.suits[suit].hundredths for suit in Suit], dtype=np.int64)
    scores = np.array([_rank_base(rank, bonuses, rules) for rank in BY_STRENGTH], dtype=np.int64)
    natural = table.patterns @ by_suit
    one_suit, jokers = table.one_suit, table.jokers
    others = np.array([max(np.delete(by_suit, place)) for place in range(len(Suit))])
    best = int(by_suit.max())
    mixed_suits = natural + np.where(
        one_suit == NO_SUIT, jokers * best, (jokers - 1) * best + others[one_suit]
    )
    mixed, mixed_rank = _best_rank(table.mixed, scores)
    flush, flush_rank = _best_rank(table.flush, scores)
    is_mixed = (one_suit == NO_SUIT) | (jokers > 0)
    mixed_value = np.where(is_mixed, mixed[table.kind], NEVER)
    flush_value = np.where(one_suit == NO_SUIT, NEVER, flush[table.kind])
    flush_suits = FULL_HAND * by_suit[one_suit]
    mixed_rank, flush_rank = mixed_rank[table.kind], flush_rank[table.kind]
    mixed_total, flush_total = mixed_value + mixed_suits, flush_value + flush_suits
    as_flush = flush_total > mixed_total
    level = flush_total == mixed_total
    as_flush |= level & (flush_suits > mixed_suits)
    as_flush |= level & (flush_suits == mixed_suits) & (flush_rank < mixed_rank)
    rank = np.where(as_flush, flush_rank, mixed_rank)
    total = np.where(as_flush, flush_total, mixed_total)
    total -= TRUMP * np.array([is_trump(one, rules) for one in BY_STRENGTH])[rank]
    total += sum(modifier.points.hundredths for modifier in bonuses.modifiers)
    return ReadClasses(
        rank=RANK_INDICES[rank],
        total=np.maximum(total, 0),
        suit=np.where(as_flush, flush_suits, mixed_suits),
    )


def _rank_base(rank: HandRank, bonuses: Bonuses, rules: Rules) -> int:
    boosts = sum(boost.points.hundredths for boost in bonuses.boosts.get(rank, ()))
    return base_hundredths(rank, 0, rules) + boosts + (TRUMP if is_trump(rank, rules) else 0)


def _best_rank(extras: Integers, scores: Integers) -> tuple[Integers, Integers]:
    """Return the highest score of each kind, and its rank as a place in `BY_STRENGTH`; of equal ones the strongest."""
    values = np.where(extras == UNREACHED, NEVER, scores + 100 * extras)
    place = values.argmax(axis=1)
    return values.max(axis=1), place
