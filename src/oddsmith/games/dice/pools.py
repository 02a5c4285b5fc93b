"""Pools of dice by sort: dice that differ in nothing but their place are one sort, which shows a multiset of faces."""

from functools import cache, cached_property
from math import comb, prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.dice.model import Build, FixedDie
from oddsmith.games.dice.parts import FACES, FaceEffect, PoolDie
from oddsmith.games.dice.rolling import echo_sources, effective_die, shown_face
from oddsmith.games.dice.rules import BossKind, Rules, parse_boss
from oddsmith.games.dice.scoring import die_bonus, match_gain, require_build
from oddsmith.odds.multisets import Multisets
from oddsmith.odds.rerolls import MOST_POSITIONS, Group, count_positions

Integers = NDArray[np.int64]
Numbers = NDArray[Any]

MOST_SCORED: Final = 2_000_000
"""The most positions of a pool that are scored."""

_INT64_LIMIT: Final = 2**63


class Sort(NamedTuple):
    """The properties by which dice differ.

    `weights` are those of the faces shown after a roll. `bonus` is what the ability adds for each face, matched or not;
    `gain` is what a match adds to that. A die with a `fixed_face` always shows it. A `wild` die is set to any
    face after the first roll. An `echo` copies another die, if there is one.
    """

    weights: tuple[int, ...]
    bonus: tuple[int, ...]
    gain: tuple[int, ...]
    fixed_face: int | None
    wild: bool
    echo: bool

    @property
    def is_random(self) -> bool:
        """Whether rolls decide the face that is scored: the die is neither fixed nor wild."""
        return self.fixed_face is None and not self.wild


class Pool:
    """The dice of a build by sort, in a round with this boss.

    `fixed` is the die that the lockdown fixes. Raises `InputError` for arguments that the rules do not allow.

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> normal, mirror, glass = PoolDie("normal"), PoolDie("mirror"), PoolDie("glass")
    >>> Pool(Build(dice=(normal, glass, mirror, normal)), DEFAULT).places
    ((0, 2, 3), (1,))
    """

    def __init__(
        self,
        build: Build,
        rules: Rules,
        *,
        boss: BossKind | None = None,
        fixed: FixedDie | None = None,
    ) -> None:
        require_build(build, rules)
        boss = None if boss is None else parse_boss(boss)
        _require_fixed(build, boss, fixed)
        self.build = build
        self.rules = rules
        self.boss = boss
        self.fixed = fixed
        self.silenced = boss is BossKind.SILENCER
        self._sources = echo_sources(build.dice, rules)
        by_sort: dict[Sort, list[int]] = {}
        sort = cache(self._sort)
        for place, die in enumerate(build.dice):
            fixed_face = fixed.face if fixed is not None and fixed.place == place else None
            by_sort.setdefault(sort(die, fixed_face), []).append(place)
        self.sorts = tuple(by_sort)
        self.places = tuple(tuple(places) for places in by_sort.values())

    def _sort(self, die: PoolDie, fixed_face: int | None) -> Sort:
        rules, effect = self.rules, self.rules.kinds[die.kind].effect
        held = None if fixed_face is None else tuple(int(face == fixed_face) for face in FACES)
        return Sort(
            weights=held or self._weights(die),
            bonus=tuple(0 if self.silenced else die_bonus(die, face, rules, matched=False) for face in FACES),
            gain=tuple(match_gain(die, face, rules, silenced=self.silenced) for face in FACES),
            fixed_face=fixed_face,
            wild=effect is FaceEffect.WILD and fixed_face is None,
            echo=effect is FaceEffect.ECHO and bool(self._sources),
        )

    def _weights(self, die: PoolDie) -> tuple[int, ...]:
        """Return the weights of the faces that a die shows after a roll, flipped by mirrors and the inverter."""
        rolled = effective_die(die, self.build.items, self.rules)
        weights = [0] * len(FACES)
        for face, weight in zip(rolled.faces, rolled.weights, strict=True):
            weights[shown_face(die, face, self.boss, self.rules) - 1] += weight
        return tuple(weights)

    @property
    def size(self) -> int:
        """The number of dice."""
        return len(self.build.dice)

    @cached_property
    def has_echoes(self) -> bool:
        """Whether some random die copies another one."""
        return any(sort.echo and sort.is_random for sort in self.sorts)

    @cached_property
    def random_sorts(self) -> tuple[int, ...]:
        """The numbers of the random sorts: neither fixed nor wild."""
        return tuple(number for number, sort in enumerate(self.sorts) if sort.is_random)

    @cached_property
    def rolled_sorts(self) -> tuple[int, ...]:
        """The numbers of the sorts that rolls are computed for: random ones and, with echoes, all that they may copy.

        Without random sorts these are all sorts, so that there is always a roll.
        """
        return tuple(
            number
            for number, sort in enumerate(self.sorts)
            if sort.is_random or not self.random_sorts or (self.has_echoes and not sort.echo)
        )

    def count(self, number: int) -> int:
        """Return the number of dice of a sort."""
        return len(self.places[number])

    def multisets(self, number: int) -> Multisets:
        """Return the multisets of faces that the dice of a sort may show."""
        return Multisets(self.count(number), len(FACES))

    def scored_counts(self, number: int) -> Integers:
        """Return the face counts of each multiset that the dice of a sort may show when they are scored."""
        fixed_face = self.sorts[number].fixed_face
        if fixed_face is None:
            return self.multisets(number).full_counts
        return np.array([[self.count(number) * (face == fixed_face) for face in FACES]], dtype=np.int64)

    @property
    def scored_positions(self) -> int:
        """The number of positions of the dice that may be scored."""
        return prod(
            1 if sort.fixed_face is not None else comb(self.count(number) + len(FACES) - 1, len(FACES) - 1)
            for number, sort in enumerate(self.sorts)
        )

    def require_scorable(self) -> None:
        """Raise `WorkLimitError` for a pool with more positions than `MOST_SCORED`."""
        if self.scored_positions > MOST_SCORED:
            raise WorkLimitError(
                "too_many_positions",
                f"these {self.size} dice of {len(self.sorts)} sorts can lie in {self.scored_positions:,} ways: "
                f"at most {MOST_SCORED:,} are counted one by one, which always does for three sorts",
            )

    def require_solvable(self) -> None:
        """Raise `WorkLimitError` for too many positions to score, or too many sets of kept dice to solve."""
        self.require_scorable()
        kept = count_positions(self.groups())
        if kept > MOST_POSITIONS:
            raise WorkLimitError(
                "too_many_positions",
                f"of these {self.size} dice of {len(self.sorts)} sorts {kept:,} sets can be kept: "
                f"at most {MOST_POSITIONS:,} are solved, which always does for three sorts",
            )

    def groups(self) -> list[Group]:
        """Return the rolled sorts as groups for the reroll solver."""
        return [
            Group(
                self.count(number),
                self.sorts[number].weights,
                copies=self.sorts[number].echo,
                settable=self.sorts[number].wild,
            )
            for number in self.rolled_sorts
        ]

    def broadcast(self, scored: Numbers) -> Numbers:
        """Broadcast an array with an axis for each random sort to one with an axis for each rolled sort."""
        lengths = [len(self.multisets(number).full_counts) for number in self.rolled_sorts]
        shape = [
            length if number in self.random_sorts else 1
            for number, length in zip(self.rolled_sorts, lengths, strict=True)
        ]
        return np.broadcast_to(scored.reshape(shape), lengths)

    @property
    def cases(self) -> int:
        """The number of equally likely outcomes of one roll."""
        return prod(
            (len(self._sources) if self.sorts[number].echo else sum(self.sorts[number].weights))
            ** self.count(number)
            for number in self.rolled_sorts
        )

    def ways(self) -> Numbers:
        """Return, for each position of the rolled sorts, the number of outcomes of one roll that show it.

        >>> from oddsmith.games.dice.rules import DEFAULT
        >>> int(Pool(Build(dice=(PoolDie("normal"), PoolDie("echo"))), DEFAULT).ways()[5, 5])
        1
        """
        kind = np.int64 if self.cases < _INT64_LIMIT else object
        echoes = [number for number in self.rolled_sorts if self.sorts[number].echo]
        others = [number for number in self.rolled_sorts if number not in echoes]
        ways: Numbers = np.ones(1, dtype=kind)
        shown = np.zeros((1, len(FACES)), dtype=np.int64)
        for number in others:
            ways = np.multiply.outer(ways, self.multisets(number).ways(self.sorts[number].weights)).ravel()
            shown = (shown[:, None] + self.multisets(number).full_counts).reshape(-1, len(FACES))
        for number in echoes:
            copied = self._echo_ways(number, shown, kind)
            ways = ways[..., None] * copied.reshape(len(shown), *(1,) * (ways.ndim - 1), -1)
        lengths = [len(self.multisets(number).full_counts) for number in (*others, *echoes)]
        order = [(*others, *echoes).index(number) for number in self.rolled_sorts]
        return ways.reshape(lengths).transpose(order)

    def _echo_ways(self, number: int, shown: Integers, kind: type) -> Numbers:
        """Return, for each row of face counts, the number of ways in which echoes copy each multiset."""
        once: Numbers = self.multisets(number).ways((1,) * len(FACES)).astype(kind)
        powers: Numbers = np.array(
            [[base**exponent for exponent in range(self.count(number) + 1)] for base in range(self.size + 1)],
            dtype=kind,
        )
        copied: Numbers = np.ones((len(shown), len(once)), dtype=kind) * once
        for face, counts in enumerate(self.multisets(number).full_counts.T):
            copied *= powers[shown[:, face, None], counts]
        return copied


def _require_fixed(build: Build, boss: BossKind | None, fixed: FixedDie | None) -> None:
    if (boss is BossKind.LOCKDOWN) != (fixed is not None):
        raise InputError(
            "no_fixed_die",
            "the lockdown holds one die at a face: say which, and only with that boss",
        )
    if fixed is not None and not (0 <= fixed.place < len(build.dice) and fixed.face in FACES):
        raise InputError(
            "bad_fixed_die",
            f"the lockdown holds one of {len(build.dice)} dice, counted from 0, at a face from 1 to {FACES[-1]}",
        )
