"""Exact chances of the hands of one throw of normal dice: made, scored, and missed for a better one."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.exhibit import Example, UnderpaidCase
from oddsmith.games.dice.die_values import DieValues, Layers, find_die_values
from oddsmith.games.dice.matches import NO_MATCH, find_matches
from oddsmith.games.dice.model import NO_LEVELS, Build
from oddsmith.games.dice.parts import FACES, FaceEffect, PoolDie
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.rules import Rules, Selection
from oddsmith.odds.multisets import Multisets

Numbers = NDArray[Any]


def pool_sizes(rules: Rules) -> range:
    """Return the possible sizes of a pool: from that of a run's first pool to the most dice."""
    return range(len(rules.pool), rules.most_dice + 1)


def normal_pool(rules: Rules, size: int) -> tuple[PoolDie, ...]:
    """Return `size` normal dice.

    >>> normal_pool(Rules(), 2)
    (PoolDie(kind='normal', level=0), PoolDie(kind='normal', level=0))
    """
    return (PoolDie(rules.normal_kind),) * size


@lru_cache(maxsize=8)
def with_plain_normal_dice(rules: Rules) -> Rules:
    """Return the rules with plain normal dice; those of the rules may be wild."""
    normal = rules.kinds[rules.normal_kind]
    if normal.effect is not FaceEffect.WILD:
        return rules
    plain = msgspec.structs.replace(normal, effect=FaceEffect.PLAIN)
    return msgspec.structs.replace(rules, kinds={**rules.kinds, rules.normal_kind: plain})


class Throws:
    """All throws of `size` normal dice, in the order of their multisets, scored with some levels of hands.

    >>> Throws(Rules(), 5).made_chance("full_house"), Throws(Rules(), 5).scored_chance("high_roll")
    (Fraction(25, 648), Fraction(5, 162))
    """

    def __init__(self, rules: Rules, size: int, levels: Mapping[str, int] = NO_LEVELS) -> None:
        self.rules = with_plain_normal_dice(rules)
        self.size = size
        self.pool = Pool(Build(dice=normal_pool(rules, size), levels=levels), self.rules)
        self._ways: Numbers = self.pool.ways()

    @cached_property
    def _selected(self) -> DieValues:
        return find_die_values(self.pool)

    @cached_property
    def _best(self) -> DieValues:
        is_best = self.rules.selection is Selection.BEST_SCORE
        return self._selected if is_best else find_die_values(self.pool, Selection.BEST_SCORE)

    def made_chance(self, hand: str) -> Fraction:
        """Return the chance that a throw makes a hand, whichever hand is scored; 0 if there are too few dice."""
        needed = self.rules.hands[hand]
        if needed.min_dice > self.size:
            return Fraction(0)
        return self._chance(find_matches([needed], self.size)[0] != NO_MATCH)

    def scored_chance(self, hand: str) -> Fraction:
        """Return the chance that a throw is scored as a hand."""
        is_hand = np.array([layers.hand == hand for layers in self._selected.layers])
        return self._chance(is_hand[self._selected.classes])

    @cached_property
    def missed_chance(self) -> Fraction:
        """The chance that another hand of the same throw would score more than the selected one."""
        return self._chance(self._loss > 0)

    @cached_property
    def _loss(self) -> Numbers:
        """For each possible throw, the points by which the best hand exceeds the selected one."""
        return (self._best.scores - self._selected.scores) * (self._ways > 0)

    def costliest_selection(self) -> UnderpaidCase | None:
        """Return the throw whose selected hand loses most points to its best hand; None if none loses any."""
        place = int(self._loss.argmax())
        if not self._loss[place]:
            return None
        scored = self._selected.layers[self._selected.classes[place]]
        best = self._best.layers[self._best.classes[place]]
        return UnderpaidCase(
            text=self._format_faces(place),
            selected=scored.hand,
            worth=Fraction(scored.total),
            better=best.hand,
            better_worth=Fraction(best.total),
        )

    def examples(self, hand: str) -> tuple[Example, Example] | None:
        """Return the throws that score least and most as a hand; None if no throw is scored as it.

        >>> [example.text for example in Throws(Rules(), 5).examples("all_even")]
        ['2 2 2 4 6', '2 4 6 6 6']
        """
        cases = [(layers.total, place) for place, layers in self._class_examples() if layers.hand == hand]
        if not cases:
            return None
        (least, low), (most, high) = min(cases), max(cases)
        return (
            Example(text=self._format_faces(low), worth=Fraction(least)),
            Example(text=self._format_faces(high), worth=Fraction(most)),
        )

    def _class_examples(self) -> Iterator[tuple[int, Layers]]:
        """Yield, for each class of possible throws, the place of one throw and its score layers."""
        possible = np.flatnonzero(self._ways)
        numbers, first = np.unique(self._selected.classes[possible], return_index=True)
        for number, place in zip(numbers.tolist(), possible[first].tolist(), strict=True):
            yield place, self._selected.layers[number]

    def _chance(self, chosen: Numbers) -> Fraction:
        return Fraction(int(self._ways[chosen].sum()), self.pool.cases)

    def _format_faces(self, place: int) -> str:
        counts = Multisets(self.size, len(FACES)).full_counts[place].tolist()
        return " ".join(str(face) for face, count in zip(FACES, counts, strict=True) for _ in range(count))
