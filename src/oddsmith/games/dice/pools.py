"""Dice that cannot be told apart are one sort, and what a pool shows is a multiset of faces for each sort."""

from collections.abc import Mapping
from functools import cache, cached_property
from math import comb, prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.dice.model import Build, FixedDie
from oddsmith.games.dice.parts import FACES, FaceEffect, PoolDie
from oddsmith.games.dice.rolling import die_rolled, echo_sources, face_shown
from oddsmith.games.dice.rules import BossKind, Rules, boss_named
from oddsmith.games.dice.scoring import die_bonus, match_gain, require_build
from oddsmith.odds.multisets import Multisets
from oddsmith.odds.rerolls import MOST_POSITIONS, Group, count_positions

Integers = NDArray[np.int64]
Numbers = NDArray[Any]

MOST_SCORED: Final = 2_000_000
"""How many positions of a pool are scored at most."""

_WORD: Final = 2**63


class Sort(NamedTuple):
    """What matters of a die, face by face where it depends on what it shows.

    `weights` are those of the faces shown after a roll, `bonus` is what it adds matched or not, and `gain` what a
    match adds to that. A die that is `held` always shows that face. A `wild` one is set last, to the best face. An
    `echo` copies another die, where there is one.
    """

    weights: tuple[int, ...]
    bonus: tuple[int, ...]
    gain: tuple[int, ...]
    held: int | None
    wild: bool
    echo: bool

    @property
    def moves(self) -> bool:
        """Whether what it shows when the dice are scored is left to luck and to locking."""
        return self.held is None and not self.wild


class Pool:
    """The dice of a build by sort, in a round with this boss.

    `fixed` is the die that the lockdown holds; `wilds_set` says which wild dice were set, and to which face.

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
        wilds_set: Mapping[int, int] | None = None,
    ) -> None:
        require_build(build, rules)
        boss = None if boss is None else boss_named(boss)
        _require_fixed(build, boss, fixed)
        self.wilds_set = dict(wilds_set or {})
        for place, face in self.wilds_set.items():
            _require_wild(build, rules, fixed, place, face)
        self.build = build
        self.rules = rules
        self.boss = boss
        self.fixed = fixed
        self.silenced = boss is BossKind.SILENCER
        self._sources = echo_sources(build.dice, rules)
        by_sort: dict[Sort, list[int]] = {}
        sort = cache(self._sort)
        for place, die in enumerate(build.dice):
            held = fixed.face if fixed is not None and fixed.place == place else None
            by_sort.setdefault(sort(die, held, self.wilds_set.get(place)), []).append(place)
        self.sorts = tuple(by_sort)
        self.places = tuple(tuple(places) for places in by_sort.values())

    def _sort(self, die: PoolDie, held: int | None, wild_set: int | None) -> Sort:
        rules, effect = self.rules, self.rules.kinds[die.kind].effect
        shown = held or wild_set
        return Sort(
            weights=self._weights(die) if shown is None else tuple(int(face == shown) for face in FACES),
            bonus=tuple(0 if self.silenced else die_bonus(die, face, rules, matched=False) for face in FACES),
            gain=tuple(match_gain(die, face, rules, silenced=self.silenced) for face in FACES),
            held=held,
            wild=effect is FaceEffect.WILD and held is None,
            echo=effect is FaceEffect.ECHO and bool(self._sources),
        )

    def _weights(self, die: PoolDie) -> tuple[int, ...]:
        """Return how the faces that a die shows after a roll are weighted, mirrors and the inverter seen to."""
        rolled = die_rolled(die, self.build.items, self.rules)
        weights = [0] * len(FACES)
        for face, weight in zip(rolled.faces, rolled.weights, strict=True):
            weights[face_shown(die, face, self.boss, self.rules) - 1] += weight
        return tuple(weights)

    @property
    def size(self) -> int:
        """The number of dice."""
        return len(self.build.dice)

    @cached_property
    def echoes(self) -> bool:
        """Whether a die will copy another one."""
        return any(sort.echo and sort.moves for sort in self.sorts)

    @cached_property
    def moving(self) -> tuple[int, ...]:
        """The numbers of the sorts whose dice are rolled and score as they fall."""
        return tuple(number for number, sort in enumerate(self.sorts) if sort.moves)

    @cached_property
    def rolled(self) -> tuple[int, ...]:
        """The numbers of the sorts that a roll is about: those that move and, where a die copies, all it may copy.

        Where nothing moves it is about dice that do not matter, so that there is always a roll.
        """
        return tuple(
            number
            for number, sort in enumerate(self.sorts)
            if sort.moves or not self.moving or (self.echoes and not sort.echo)
        )

    def may_roll(self, number: int, place: int) -> bool:
        """Say whether it changes anything to reroll a die of this sort: it is not held, not set, and not only wild."""
        sort = self.sorts[number]
        return sort.held is None and place not in self.wilds_set and (sort.moves or self.echoes)

    def count(self, number: int) -> int:
        """Return how many dice a sort has."""
        return len(self.places[number])

    def multisets(self, number: int) -> Multisets:
        """Return what the dice of a sort may show."""
        return Multisets(self.count(number), len(FACES))

    def scored_counts(self, number: int) -> Integers:
        """Return how often each face shows in each multiset of a sort that may be scored."""
        held = self.sorts[number].held
        if held is None:
            return self.multisets(number).full_counts
        return np.array([[self.count(number) * (face == held) for face in FACES]], dtype=np.int64)

    @property
    def scored_positions(self) -> int:
        """In how many ways the dice may lie when they are scored."""
        return prod(
            1 if sort.held is not None else comb(self.count(number) + len(FACES) - 1, len(FACES) - 1)
            for number, sort in enumerate(self.sorts)
        )

    def require_scorable(self) -> None:
        """Refuse a pool with more positions than are scored."""
        if self.scored_positions > MOST_SCORED:
            raise WorkLimitError(
                "too_many_positions",
                f"these {self.size} dice of {len(self.sorts)} sorts can lie in {self.scored_positions:,} ways: "
                f"at most {MOST_SCORED:,} are counted one by one, which always does for three sorts",
            )

    def require_solvable(self) -> None:
        """Refuse a pool with more positions than are scored, or solved."""
        self.require_scorable()
        kept = count_positions(self.groups())
        if kept > MOST_POSITIONS:
            raise WorkLimitError(
                "too_many_positions",
                f"of these {self.size} dice of {len(self.sorts)} sorts {kept:,} sets can be kept: "
                f"at most {MOST_POSITIONS:,} are solved, which always does for three sorts",
            )

    def groups(self) -> list[Group]:
        """Return the sorts that a roll is about, for the solver of rerolls."""
        return [
            Group(self.count(number), self.sorts[number].weights, copies=self.sorts[number].echo)
            for number in self.rolled
        ]

    def spread(self, scored: Numbers) -> Numbers:
        """Lay numbers with an axis for each moving sort out over all sorts that a roll is about."""
        lengths = [len(self.multisets(number).full_counts) for number in self.rolled]
        shape = [
            length if number in self.moving else 1
            for number, length in zip(self.rolled, lengths, strict=True)
        ]
        return np.broadcast_to(scored.reshape(shape), lengths)

    @property
    def cases(self) -> int:
        """How many equally likely ways one roll has."""
        return prod(
            (len(self._sources) if self.sorts[number].echo else sum(self.sorts[number].weights))
            ** self.count(number)
            for number in self.rolled
        )

    def ways(self) -> Numbers:
        """Count the ways in which one roll shows each position of the sorts that it is about.

        >>> from oddsmith.games.dice.rules import DEFAULT
        >>> int(Pool(Build(dice=(PoolDie("normal"), PoolDie("echo"))), DEFAULT).ways()[5, 5])
        1
        """
        kind = np.int64 if self.cases < _WORD else object
        echoes = [number for number in self.rolled if self.sorts[number].echo]
        others = [number for number in self.rolled if number not in echoes]
        ways: Numbers = np.ones(1, dtype=kind)
        shown = np.zeros((1, len(FACES)), dtype=np.int64)
        for number in others:
            ways = np.multiply.outer(ways, self.multisets(number).ways(self.sorts[number].weights)).ravel()
            shown = (shown[:, None] + self.multisets(number).full_counts).reshape(-1, len(FACES))
        for number in echoes:
            copied = self._copied(number, shown, kind)
            ways = ways[..., None] * copied.reshape(len(shown), *(1,) * (ways.ndim - 1), -1)
        lengths = [len(self.multisets(number).full_counts) for number in (*others, *echoes)]
        order = [(*others, *echoes).index(number) for number in self.rolled]
        return ways.reshape(lengths).transpose(order)

    def _copied(self, number: int, shown: Integers, kind: type) -> Numbers:
        """Count, for each row of faces shown, the ways in which echoes copy each multiset."""
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


def _require_wild(build: Build, rules: Rules, fixed: FixedDie | None, place: int, face: int) -> None:
    wilds = [
        number
        for number, die in enumerate(build.dice)
        if rules.kinds[die.kind].effect is FaceEffect.WILD and (fixed is None or fixed.place != number)
    ]
    if place not in wilds or face not in FACES:
        raise InputError(
            "bad_wild",
            f"wild dice that are not fixed, counted from 0, are set to a face from 1 to {FACES[-1]}: "
            f"die {place} at {face} was given",
        )
