"""The 2,598,960 hands in 7,462 equivalence classes (kinds): hands of one kind have splits of the same powers.

The power of a side depends on its ranks and on whether it is five cards of one suit, so a kind is five ranks and
whether they are a flush. The scoring rule is called once for each distinct side.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.cards import STANDARD_DECK, Card, Suit
from oddsmith.games.duel.conditions import abilities_of
from oddsmith.games.duel.optional_rules import Ability
from oddsmith.games.duel.rules import Fighter, Rules
from oddsmith.games.duel.scoring import SPLITS, attack, defense, split
from oddsmith.games.duel.views import house_attack
from oddsmith.odds.distribution import Distribution
from oddsmith.poker import FULL_HAND, HandRank

Integers = NDArray[np.int64]

_SUITS: Final = tuple(Suit)
RADIX: Final = 16
"""More than any rank's number, so that ranks can be the digits of one number."""

RULES_CACHED: Final = 8
"""Cache size for powers and exchanges: both fighters of a few duels, some megabytes each."""

_CARDS_BY_RANK_AND_SUIT: Final = {(card.number, card.suit): card for card in STANDARD_DECK}


class HandKinds(msgspec.Struct, frozen=True, eq=False):
    """All kinds of hands.

    `hands[kind]` is an example. `ways[kind, cards]` is the number of hands with that many cards of one given suit.
    `sides` are the distinct sides of all splits; `attackers[kind, split]` and `defenders[kind, split]` are indices
    in it.
    """

    hands: tuple[tuple[Card, ...], ...]
    ways: Integers
    sides: tuple[tuple[Card, ...], ...]
    attackers: Integers
    defenders: Integers

    def __len__(self) -> int:
        return len(self.hands)


class SplitPowers(msgspec.Struct, frozen=True, eq=False):
    """Attack and defense of each split of each kind of hand: `attack[kind, split]`."""

    attack: Integers
    defense: Integers


@cache
def hand_kinds() -> HandKinds:
    """Return the kinds of hands, with the number of hands that have 0 to 5 cards of one given suit.

    >>> kinds = hand_kinds()
    >>> len(kinds), int(kinds.ways.sum()), int(kinds.ways[:, 5].sum())
    (7462, 2598960, 1287)
    """
    hands, ways = zip(*_iterate_kinds(), strict=True)
    codes = _attack_codes(hands)
    _, firsts, attackers = np.unique(codes, return_index=True, return_inverse=True)
    examples = zip(*np.unravel_index(firsts, codes.shape), strict=True)
    places = _read_only_array(attackers.reshape(codes.shape))
    return HandKinds(
        hands=hands,
        ways=_read_only_array(ways),
        attackers=places,
        defenders=places[:, ::-1],
        sides=tuple(split(hands[kind], SPLITS[number])[0] for kind, number in examples),
    )


def _attack_codes(hands: Sequence[Sequence[Card]]) -> Integers:
    """Return a code for the attackers of each split, made of ranks and flush: equal codes have equal power."""
    codes = np.zeros((len(hands), len(SPLITS)), dtype=np.int64)
    for place in range(FULL_HAND):
        ranks = np.array([hand[place].number for hand in hands])[:, np.newaxis]
        attacks = ~np.array(SPLITS)[:, place]
        codes = np.where(attacks, codes * RADIX + ranks, codes)
    flush = np.array([len({card.suit for card in hand}) == 1 for hand in hands])
    codes[:, 0] += np.where(flush, RADIX**FULL_HAND, 0)
    return codes


def _iterate_kinds() -> Iterator[tuple[tuple[Card, ...], tuple[int, ...]]]:
    """Yield a hand of each kind, and the number of its hands with 0 to 5 cards of one given suit."""
    for ranks in combinations_with_replacement(range(2, 15), FULL_HAND):
        counts = Counter(ranks)
        if max(counts.values()) > len(_SUITS):
            continue
        ways = [1]
        for count in counts.values():
            ways = _multiply_ways(ways, (comb(3, count), comb(3, count - 1)))
        if len(counts) < FULL_HAND:
            yield (
                _make_hand(ranks, [_SUITS[ranks[:place].count(rank)] for place, rank in enumerate(ranks)]),
                _pad_ways(ways),
            )
            continue
        yield (
            _make_hand(ranks, [_SUITS[1], *_SUITS[:1] * 4]),
            _pad_ways([ways[0] - 3, *ways[1:5], ways[5] - 1]),
        )
        yield _make_hand(ranks, [_SUITS[0]] * 5), _pad_ways([3, 0, 0, 0, 0, 1])


def _multiply_ways(ways: Sequence[int], factor: tuple[int, int]) -> list[int]:
    """Multiply a polynomial in the number of suited cards by a linear factor."""
    without, including = factor
    return [low * without + high * including for low, high in zip([*ways, 0], [0, *ways], strict=True)]


def _pad_ways(ways: Sequence[int]) -> tuple[int, ...]:
    return (*ways, *[0] * (FULL_HAND + 1 - len(ways)))


def _make_hand(ranks: Sequence[int], suits: Sequence[Suit]) -> tuple[Card, ...]:
    return tuple(_CARDS_BY_RANK_AND_SUIT[rank, suit] for rank, suit in zip(ranks, suits, strict=True))


@lru_cache(maxsize=RULES_CACHED)
def split_powers(fighter: Fighter, rules: Rules) -> SplitPowers:
    """Return the powers of a fighter by kind and split; the rule is called once for each class of sides.

    >>> split_powers(Fighter(), Rules()).attack.max()
    np.int64(101)
    """
    kinds, (examples, classes) = hand_kinds(), side_classes(_card_value_rules(rules))
    sides = [kinds.sides[place] for place in examples]
    guards = [defense(side, fighter, rules) for side in sides]
    defenses = _read_only_array([guard.total for guard in guards])[classes]
    totals = _read_only_array([attack(side, fighter, rules).total for side in sides])[classes]
    attacks = totals[kinds.attackers]
    if Ability.RIPOSTE in abilities_of(fighter, rules):
        strikes_back = np.array([guard.rank in rules.riposte_ranks for guard in guards])[classes]
        raised = [attack(side, fighter, rules, defending=_strongest_side()).total for side in sides]
        with_riposte = _read_only_array(raised)[classes]
        attacks = np.where(strikes_back[kinds.defenders], with_riposte[kinds.attackers], attacks)
    return SplitPowers(attack=_read_only_array(attacks), defense=_read_only_array(defenses[kinds.defenders]))


@cache
def _strongest_side() -> tuple[Card, ...]:
    """Return cards with which every fighter who can riposte does: a royal flush."""
    return tuple(_CARDS_BY_RANK_AND_SUIT[rank, _SUITS[0]] for rank in range(10, 15))


@lru_cache(maxsize=RULES_CACHED)
def side_classes(rules: Rules) -> tuple[list[int], Integers]:
    """Return the index of a side of each class, and the class of each side.

    Sides of one class have the same number of cards, the same total value and the same rank, so they have the same
    power for every fighter, and make the same riposte.
    """
    powers = [attack(side, Fighter(), rules) for side in hand_kinds().sides]
    seen: dict[tuple[int, int, HandRank], int] = {}
    classes = [seen.setdefault((len(power.cards), power.values, power.rank), len(seen)) for power in powers]
    return [classes.index(number) for number in range(len(seen))], _read_only_array(classes)


def _card_value_rules(rules: Rules) -> Rules:
    """Return a representative of all rules with the same card values."""
    return Rules(card_values=rules.card_values)


def house_exchange(rules: Rules) -> Distribution[tuple[int, int]]:
    """Return the distribution of the house's attack and defense in one round.

    >>> house_exchange(Rules(difficulty=10)).total
    2598960
    """
    return cached_house_exchange(rules.replace(player=Fighter(), rival=Fighter(), player_hp=1, rounds=1))


@lru_cache(maxsize=RULES_CACHED)
def cached_house_exchange(rules: Rules) -> Distribution[tuple[int, int]]:
    """Return the exchange of `house_exchange`, cached by rules without the player and the rounds."""
    kinds, powers = hand_kinds(), split_powers(rules.house_fighter, rules)
    ways, rows = kinds.ways.sum(axis=1), np.arange(len(kinds))
    weights: Counter[tuple[int, int]] = Counter()
    for count, times in Counter(rules.house_counts).items():
        chosen = _house_splits(count)
        pairs = np.stack((powers.attack[rows, chosen], powers.defense[rows, chosen]))
        met, place = np.unique(pairs, axis=1, return_inverse=True)
        for hit, guard, found in zip(*met.tolist(), np.bincount(place.ravel(), ways).tolist(), strict=True):
            weights[hit, guard] += int(found) * times
    return Distribution(weights)


@cache
def _house_splits(count: int) -> Integers:
    """Return the index of the house's split for each kind of hand when it attacks with `count` cards."""
    return _read_only_array([_split_index(house_attack(hand, count)) for hand in hand_kinds().hands])


@lru_cache(maxsize=RULES_CACHED)
def random_exchange(fighter: Fighter, rules: Rules) -> Distribution[tuple[int, int]]:
    """Return the distribution of attack and defense of a fighter who splits at random."""
    kinds, powers = hand_kinds(), split_powers(fighter, rules)
    attacks, one = np.unique(powers.attack, return_inverse=True)
    defenses, other = np.unique(powers.defense, return_inverse=True)
    weights = np.zeros((len(attacks), len(defenses)), dtype=np.int64)
    ways = np.broadcast_to(kinds.ways.sum(axis=1, keepdims=True), powers.attack.shape)
    np.add.at(weights, (one.ravel(), other.ravel()), ways.ravel())
    return Distribution(
        {
            (int(attacks[row]), int(defenses[column])): int(weights[row, column])
            for row, column in np.argwhere(weights)
        }
    )


def _split_index(attacking: Sequence[int]) -> int:
    return sum(1 << place for place in range(FULL_HAND) if place not in attacking)


def _read_only_array(rows: object) -> Integers:
    array = np.array(rows, dtype=np.int64)
    array.flags.writeable = False
    return array
