"""The scores of all positions of a pool, computed by the rule once for each class of positions with equal scores."""

from decimal import Decimal
from functools import lru_cache, reduce
from itertools import product
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.games.dice.matches import NO_MATCH, MultisetIndices, face_sums, find_matches
from oddsmith.games.dice.parts import FACES, MOST_DICE, PoolDie
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.rules import Rules, Selection
from oddsmith.games.dice.scoring import (
    Ratio,
    item_bonuses,
    level_base,
    level_multiplier,
    match_gain,
    matched_dice,
    scale_points,
    total_points,
)
from oddsmith.odds.multisets import Multisets

Integers = NDArray[np.int64]

_SUMS: Final = MOST_DICE * FACES[-1] + 1


class Layers(NamedTuple):
    """The score layers of a class of positions: hand, matched sum, bonuses, multiplier of items, total."""

    hand: str
    matched_sum: int
    bonus: int
    multiplier: Decimal
    total: int


class DieValues(msgspec.Struct, frozen=True, eq=False):
    """The class of each position, in an array with an axis for each random sort; better classes have higher numbers."""

    classes: Integers
    layers: tuple[Layers, ...]

    @property
    def scores(self) -> Integers:
        """The score of each position."""
        return np.array([layer.total for layer in self.layers], dtype=np.int64)[self.classes]


def find_die_values(pool: Pool, selection: Selection | None = None) -> DieValues:
    """Return the score classes of all positions of a pool, with wild dice set to the best face.

    Raises `WorkLimitError` for a pool with too many positions.

    >>> from oddsmith.games.dice.model import Build, PoolDie
    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> pair = find_die_values(Pool(Build(dice=(PoolDie("normal"),) * 2), DEFAULT))
    >>> pair.layers[-1]
    Layers(hand='pair', matched_sum=12, bonus=0, multiplier=Decimal('0'), total=33)
    """
    pool.require_scorable()
    scorer = _Scorer(pool)
    keys = (
        scorer.first_match_keys()
        if (selection or pool.rules.selection) is Selection.FIRST_MATCH
        else scorer.best_score_keys()
    )
    distinct, numbers = np.unique(keys, return_inverse=True)
    layers = scorer.layers(distinct)
    order = sorted(range(len(layers)), key=lambda number: _quality(layers[number], pool.rules))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    classes = rank[numbers.reshape(scorer.shape)]
    wild = tuple(number for number, sort in enumerate(pool.sorts) if not sort.is_random)
    return DieValues(classes.max(axis=wild), tuple(layers[number] for number in order))


def _quality(layers: Layers, rules: Rules) -> tuple[int, int]:
    return layers.total, rules.hands[layers.hand].order


class _Scorer:
    """Computes the keys of all positions of a pool: an integer of everything that the score depends on."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.rules = pool.rules
        self.multisets = Multisets(pool.size, len(FACES))
        scored = [pool.scored_counts(number) for number in range(len(pool.sorts))]
        self.shape = tuple(len(rows) for rows in scored)
        self.counts = [_reshape_along(rows, axis, len(scored)) for axis, rows in enumerate(scored)]
        self.shown = self._shown_multisets()
        self.item_numbers, self.item_sums = self._item_lookup()
        most = max(max(sort.bonus) + max(sort.gain) for sort in pool.sorts)
        self.bonuses = pool.size * most + 1
        self.plain_bonus = self._plain_bonus() if most else 0

    def _shown_multisets(self) -> Integers:
        """Return, for each position, the place of the multiset that all dice show, from 0 within its size."""
        if self.shape == (len(self.multisets.full_counts),):
            return np.arange(self.shape[0])
        shown: Integers = self.multisets.find(reduce(np.add, self.counts)) - self.multisets.full.start
        return shown

    def _item_lookup(self) -> tuple[Integers, list[tuple[int, Decimal]]]:
        """Return the distinct sums of item bonuses, and for each multiset shown the index of its sum."""
        items = [self.rules.items[name] for name in self.pool.build.items]
        counted_faces = [[int(face in item.faces) for face in FACES] for item in items if item.multiplier]
        rows = self.multisets.full_counts
        if not counted_faces:
            return np.zeros(len(rows), dtype=np.int64), [self._item_sum(rows[0])]
        showing = rows @ np.array(counted_faces).T
        _, first, numbers = np.unique(showing, axis=0, return_index=True, return_inverse=True)
        return numbers.ravel(), [self._item_sum(rows[row]) for row in first]

    def _item_sum(self, counts: Integers) -> tuple[int, Decimal]:
        bonuses = item_bonuses(tuple(counts.tolist()), self.pool.build.items, self.rules)
        return sum(bonus.flat for bonus in bonuses), sum((bonus.multiplier for bonus in bonuses), Decimal(0))

    def _plain_bonus(self) -> Integers:
        """Return what abilities add in each position, whether dice match or not."""
        parts = [
            counts @ np.array(sort.bonus) for counts, sort in zip(self.counts, self.pool.sorts, strict=True)
        ]
        return reduce(np.add, parts)

    def first_match_keys(self) -> Integers:
        """Return the key of each position, scored as the strongest hand that it makes (§2.4)."""
        hands, places = first_matches(self.rules, self.pool.size)
        return self._keys(hands[self.shown], places[self.shown])

    def best_score_keys(self) -> Integers:
        """Return the key of each position, scored as its best hand; of equal ones, the stronger (§2.4)."""
        keys, totals = np.zeros(self.shape, dtype=np.int64), np.full(self.shape, -1)
        hands = _fitting_hands(self.rules, self.pool.size)
        for number, matched in enumerate(
            find_matches([self.rules.hands[name] for name in hands], self.pool.size)
        ):
            places = matched[self.shown]
            hand_keys = self._keys(np.int64(number), np.maximum(places, 0))
            distinct, numbers = np.unique(hand_keys, return_inverse=True)
            scored = np.array([layer.total for layer in self.layers(distinct)])[numbers.reshape(self.shape)]
            better = (places != NO_MATCH) & (scored > totals)
            keys, totals = np.where(better, hand_keys, keys), np.where(better, scored, totals)
        return keys

    def _keys(self, hands: Integers | np.int64, places: MultisetIndices) -> Integers:
        bonus = self.plain_bonus + self._match_gains(places)
        keys: Integers = (hands * _SUMS + face_sums(places, self.pool.size)) * self.bonuses + bonus
        return keys * len(self.item_sums) + self.item_numbers[self.shown]

    def _match_gains(self, places: MultisetIndices) -> Integers | int:
        """Return what matches add to the abilities in each position."""
        gaining = [axis for axis, sort in enumerate(self.pool.sorts) if any(sort.gain)]
        if not gaining:
            return 0
        matched = self.multisets.counts[places]
        gain: Integers = np.zeros(self.shape, dtype=np.int64)
        for face in FACES:
            counts = [self.counts[axis][..., face - 1] for axis in gaining]
            gain += self._gain_lookup(tuple(gaining), face)[(matched[..., face - 1], *counts)]
        return gain

    def _gain_lookup(self, gaining: tuple[int, ...], face: int) -> Integers:
        """Return the gain for each number of matched dice, and of dice of each gaining sort that show `face`."""
        sizes = [self.pool.count(axis) for axis in gaining]
        dice = [self.pool.build.dice[self.pool.places[axis][0]] for axis in gaining]
        lookup = np.zeros([self.pool.size + 1, *(size + 1 for size in sizes)], dtype=np.int64)
        for counts in product(*(range(size + 1) for size in sizes)):
            shown = tuple(die for die, count in zip(dice, counts, strict=True) for _ in range(count))
            for needed in range(1, self.pool.size + 1):
                lookup[(needed, *counts)] = self._gain_of_match(shown, face, needed)
        return lookup

    def _gain_of_match(self, dice: tuple[PoolDie, ...], face: int, needed: int) -> int:
        silenced = self.pool.silenced
        wanted = tuple(needed * (shown == face) for shown in FACES)
        matched = matched_dice(wanted, dice, (face,) * len(dice), self.rules, silenced=silenced)
        return sum(match_gain(dice[place], face, self.rules, silenced=silenced) for place in matched)

    def layers(self, keys: Integers) -> list[Layers]:
        """Return the score layers of each key, by the rule."""
        names = _fitting_hands(self.rules, self.pool.size)
        values = [self._hand_values(name) for name in names]
        layers = []
        for key in keys.tolist():
            rest, item = divmod(key, len(self.item_sums))
            rest, bonus = divmod(rest, self.bonuses)
            number, matched_sum = divmod(rest, _SUMS)
            flat, multiplier = self.item_sums[item]
            base, times = values[number]
            total = total_points(scale_points(base + matched_sum, times), bonus + flat, multiplier)
            layers.append(Layers(names[number], matched_sum, bonus + flat, multiplier, total))
        return layers

    def _hand_values(self, name: str) -> tuple[int, Ratio]:
        """Return the base and the multiplier of a hand at its level."""
        hand, level = self.rules.hands[name], self.pool.build.levels.get(name, 0)
        base = level_base(hand.base, level, self.rules.upgrades.base_growth)
        return base, level_multiplier(hand, level, self.rules).as_integer_ratio()


def _reshape_along(rows: Integers, axis: int, axes: int) -> Integers:
    """Reshape rows of face counts to lie along one of several axes; the faces are the last axis."""
    return rows.reshape(*(1,) * axis, len(rows), *(1,) * (axes - axis - 1), len(FACES))


def _fitting_hands(rules: Rules, size: int) -> tuple[str, ...]:
    """Return the hands that a pool of this size has enough dice for, strongest first."""
    return tuple(name for name in rules.hands_in_order if rules.hands[name].min_dice <= size)


@lru_cache(maxsize=100)
def first_matches(rules: Rules, size: int) -> tuple[Integers, MultisetIndices]:
    """Return the index of the strongest hand of each multiset of `size` faces, and the place of the matched faces."""
    lookup = find_matches([rules.hands[name] for name in _fitting_hands(rules, size)], size)
    hands = (lookup != NO_MATCH).argmax(axis=0)
    return hands, lookup[hands, np.arange(lookup.shape[1])]
