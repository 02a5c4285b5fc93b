"""Every throw of a pool of normal dice, counted: which hands it makes, which is scored, and what that pays."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.exhibit import Example, UnderpaidCase
from oddsmith.games.dice.classes import NOTHING, matches
from oddsmith.games.dice.die_values import DieValues, Layers, find_die_values
from oddsmith.games.dice.model import NO_LEVELS, Build
from oddsmith.games.dice.parts import FACES, FaceEffect, PoolDie
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.rules import Rules, Selection
from oddsmith.odds.multisets import Multisets

Numbers = NDArray[Any]


def pool_sizes(rules: Rules) -> range:
    """Return how many dice a pool may have: those that a run begins with, and all that can be bought."""
    return range(len(rules.pool), rules.most_dice + 1)


def normal_pool(rules: Rules, size: int) -> tuple[PoolDie, ...]:
    """Return so many normal dice.

    >>> normal_pool(Rules(), 2)
    (PoolDie(kind='normal', level=0), PoolDie(kind='normal', level=0))
    """
    return (PoolDie(rules.normal_kind),) * size


@lru_cache(maxsize=8)
def thrown(rules: Rules) -> Rules:
    """Return rules under which normal dice lie as they fall: where they are wild, they are plain instead."""
    normal = rules.kinds[rules.normal_kind]
    if normal.effect is not FaceEffect.WILD:
        return rules
    plain = msgspec.structs.replace(normal, effect=FaceEffect.PLAIN)
    return msgspec.structs.replace(rules, kinds={**rules.kinds, rules.normal_kind: plain})


class Throws:
    """All throws of `size` normal dice with some levels of hands, in the order of their multisets.

    >>> Throws(Rules(), 5).made("full_house"), Throws(Rules(), 5).scored("high_roll")
    (Fraction(25, 648), Fraction(5, 162))
    """

    def __init__(self, rules: Rules, size: int, levels: Mapping[str, int] = NO_LEVELS) -> None:
        self.rules = thrown(rules)
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

    def made(self, hand: str) -> Fraction:
        """Return how often a throw makes a hand, whichever hand is then scored; too few dice never do."""
        needed = self.rules.hands[hand]
        if needed.min_dice > self.size:
            return Fraction(0)
        return self._share(matches([needed], self.size)[0] != NOTHING)

    def scored(self, hand: str) -> Fraction:
        """Return how often a throw is scored as a hand."""
        is_hand = np.array([layers.hand == hand for layers in self._selected.layers])
        return self._share(is_hand[self._selected.classes])

    @cached_property
    def missed(self) -> Fraction:
        """How often another hand of the same throw pays more than the one that is scored."""
        return self._share(self._loss > 0)

    @cached_property
    def _loss(self) -> Numbers:
        """What each throw that can fall loses to the hand that pays most."""
        return (self._best.scores - self._selected.scores) * (self._ways > 0)

    def costliest(self) -> UnderpaidCase | None:
        """Return the throw that loses most by the hand that is scored; None where none loses anything."""
        place = int(self._loss.argmax())
        if not self._loss[place]:
            return None
        scored = self._selected.layers[self._selected.classes[place]]
        best = self._best.layers[self._best.classes[place]]
        return UnderpaidCase(
            text=self._text(place),
            selected=scored.hand,
            worth=Fraction(scored.total),
            better=best.hand,
            better_worth=Fraction(best.total),
        )

    def examples(self, hand: str) -> tuple[Example, Example] | None:
        """Return a throw that is scored as a hand for the least, and one for the most; None where none is.

        >>> [example.text for example in Throws(Rules(), 5).examples("all_even")]
        ['2 2 2 4 6', '2 4 6 6 6']
        """
        cases = [(layers.total, place) for place, layers in self._cases() if layers.hand == hand]
        if not cases:
            return None
        (least, low), (most, high) = min(cases), max(cases)
        return (
            Example(text=self._text(low), worth=Fraction(least)),
            Example(text=self._text(high), worth=Fraction(most)),
        )

    def _cases(self) -> Iterator[tuple[int, Layers]]:
        """Yield a throw of each class that can fall."""
        falling = np.flatnonzero(self._ways)
        numbers, first = np.unique(self._selected.classes[falling], return_index=True)
        for number, place in zip(numbers.tolist(), falling[first].tolist(), strict=True):
            yield place, self._selected.layers[number]

    def _share(self, chosen: Numbers) -> Fraction:
        return Fraction(int(self._ways[chosen].sum()), self.pool.cases)

    def _text(self, place: int) -> str:
        counts = Multisets(self.size, len(FACES)).full_counts[place].tolist()
        return " ".join(str(face) for face, count in zip(FACES, counts, strict=True) for _ in range(count))
