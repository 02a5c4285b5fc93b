"""Exact odds of Dice Hands: what one roll shows and scores, and the best choice at every roll.

Every answer is a count over a count. A pool with more positions than are counted is refused: `oddsmith.games.dice.simulation` has
estimates for it.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeAlias

import msgspec
import numpy as np

from oddsmith.errors import InputError
from oddsmith.games.dice.die_values import find_die_values
from oddsmith.games.dice.model import Build, FixedDie
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.rules import DEFAULT, LARGEST_TARGET, BossKind, Rules, Selection
from oddsmith.games.dice.scoring import (
    Ratio,
    item_ratio,
    level_base,
    level_multiplier,
    require_faces,
    require_level,
    scaled,
)
from oddsmith.odds.distribution import Distribution
from oddsmith.odds.rerolls import Position, Solution, solve

__all__ = ["KeepChoice", "RerollPlan", "RollOdds", "plan_rerolls", "roll_odds"]


Row: TypeAlias = tuple[int, int, int, int, Ratio]
"""Rolls that are scored alike: the total, how many ways they are, the matched sum, bonuses, and what items multiply by."""

Rows: TypeAlias = Mapping[str, Sequence[Row]]
"""Of each hand that is scored, the rows."""


def roll_odds(
    build: Build,
    rules: Rules = DEFAULT,
    *,
    boss: BossKind | None = None,
    fixed: FixedDie | None = None,
) -> "RollOdds":
    """Return exactly what one roll of all dice shows and scores; wild dice are set to the best face.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> five = roll_odds(Build(dice=(PoolDie("normal"),) * 5))
    >>> five.hands.weight("full_house"), five.hands.total, five.at_least(90)
    (300, 7776, Fraction(193, 648))
    """
    pool = Pool(build, rules, boss=boss, fixed=fixed)
    scored = find_die_values(pool)
    ways = pool.ways()
    counts = np.zeros(len(scored.layers), dtype=ways.dtype)
    np.add.at(counts, pool.spread(scored.classes).ravel(), ways.ravel())
    rows: dict[str, list[Row]] = {}
    for layers, count in zip(scored.layers, counts.tolist(), strict=True):
        if count:
            ratio = item_ratio(layers.multiplier)
            row = layers.total, count, layers.matched_sum, layers.bonus, ratio
            rows.setdefault(layers.hand, []).append(row)
    return RollOdds(pool, build.levels, rows)


class RollOdds:
    """What one roll of a pool shows and scores, exactly; `roll_odds` makes it. `scores` is how likely each score is."""

    def __init__(
        self, pool: Pool, levels: Mapping[str, int], rows: Rows, totals: dict[int, int] | None = None
    ) -> None:
        self._pool = pool
        self._levels = levels
        self._rows = rows
        self._totals = _totals(rows) if totals is None else totals
        self.scores: Final = Distribution.from_counts(self._totals)

    @cached_property
    def build(self) -> Build:
        """The dice, items and levels that were asked about."""
        return msgspec.structs.replace(self._pool.build, levels=self._levels)

    @cached_property
    def hands(self) -> Distribution[str]:
        """The hand that is scored."""
        return Distribution({name: sum(ways for _, ways, *_ in made) for name, made in self._rows.items()})

    def at_least(self, target: int) -> Fraction:
        """Return the probability of scoring `target` or more."""
        return self.scores.at_least(target)

    def scores_of(self, hand: str) -> Distribution[int] | None:
        """Return what a hand scores when it is the one that is scored; None where it never is.

        >>> from oddsmith.games.dice.parts import PoolDie
        >>> list(roll_odds(Build(dice=(PoolDie("normal"),) * 5)).scores_of("small_straight"))
        [100, 110, 120]
        """
        self._pool.rules.hand(hand)
        made = self._rows.get(hand)
        return None if made is None else Distribution((total, ways) for total, ways, *_ in made)

    @cached_property
    def missed(self) -> Fraction:
        """How often another hand of the same dice would have scored more than the one that is selected (§2.4).

        >>> from oddsmith.games.dice.parts import PoolDie
        >>> roll_odds(Build(dice=(PoolDie("normal"),) * 5)).missed
        Fraction(5, 324)
        """
        pool = Pool(self.build, self._pool.rules, boss=self._pool.boss, fixed=self._pool.fixed)
        better = find_die_values(pool, Selection.BEST_SCORE).scores > find_die_values(pool).scores
        ways = pool.ways()
        return Fraction(int(ways[pool.spread(better)].sum()), pool.cases)

    def with_levels(self, levels: Mapping[str, int]) -> "RollOdds":
        """Return the odds of the same roll with other levels of hands; those not named are as before.

        >>> from oddsmith.games.dice.parts import PoolDie
        >>> five = roll_odds(Build(dice=(PoolDie("normal"),) * 5))
        >>> five.with_levels({"pair": 5}).scores.weight(180)
        710
        """
        rules = self._pool.rules
        for name, level in levels.items():
            require_level(name, level, rules)
        after = {**self._levels, **levels}
        if rules.selection is not Selection.FIRST_MATCH or any(sort.wild for sort in self._pool.sorts):
            build = msgspec.structs.replace(self._pool.build, levels=after)
            return roll_odds(build, rules, boss=self._pool.boss, fixed=self._pool.fixed)
        rows, totals = dict(self._rows), dict(self._totals)
        for name in levels:
            if name in rows:
                rows[name] = self._scored_anew(name, levels[name], totals)
        return RollOdds(self._pool, after, rows, totals)

    def _scored_anew(self, name: str, level: int, totals: dict[int, int]) -> list[Row]:
        """Return the rows of a hand at another level, and change the ways of each total accordingly."""
        rules = self._pool.rules
        hand, before = rules.hands[name], self._rows[name]
        base = level_base(hand.base, level, rules.upgrades.base_growth)
        ratio = level_multiplier(hand, level, rules).as_integer_ratio()
        rows = [
            (
                scaled(scaled(base + matched_sum, ratio) + bonus, multiplier),
                ways,
                matched_sum,
                bonus,
                multiplier,
            )
            for _, ways, matched_sum, bonus, multiplier in before
        ]
        for total, ways, _, _, _ in before:
            totals[total] -= ways
            if not totals[total]:
                del totals[total]
        for total, ways, _, _, _ in rows:
            totals[total] = totals.get(total, 0) + ways
        return rows

    def __repr__(self) -> str:
        return f"<RollOdds of {' '.join(map(str, self._pool.build.dice))}: {len(self.scores)} scores>"


def _totals(rows: Rows) -> dict[int, int]:
    """Add up the ways of each total."""
    totals: dict[int, int] = {}
    for made in rows.values():
        for total, ways, _, _, _ in made:
            totals[total] = totals.get(total, 0) + ways
    return totals


class KeepChoice(msgspec.Struct, frozen=True):
    """The places of the dice to keep, and what it is worth to roll the others; to keep all is to score now."""

    keep: tuple[int, ...]
    value: Fraction | float


def plan_rerolls(
    build: Build,
    rerolls: int,
    rules: Rules = DEFAULT,
    *,
    target: int | None = None,
    boss: BossKind | None = None,
    fixed: FixedDie | None = None,
    wilds_set: Mapping[int, int] | None = None,
    exact: bool = True,
    progress: Callable[[float], None] | None = None,
) -> "RerollPlan":
    """Solve which dice to keep, for every roll and every number of rerolls up to `rerolls`.

    With a target the plan makes the probability of reaching it as large as can be, without one the expected score.
    Wild dice are set last, to the best face. Without `exact` values are floats with an `error`, and come sooner.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> plan = plan_rerolls(Build(dice=(PoolDie("normal"),) * 5), 2, target=98)
    >>> plan.best((5, 5, 2, 3, 6), 2).keep
    (0, 1, 3)
    """
    if target is not None and not 0 <= target <= LARGEST_TARGET:
        raise InputError("bad_target", f"a target is a whole number from 0 to {LARGEST_TARGET:,}")
    pool = Pool(build, rules, boss=boss, fixed=fixed, wilds_set=wilds_set)
    pool.require_solvable()
    scores = find_die_values(pool).scores
    worth = scores if target is None else (scores >= target).astype(np.int64)
    solved = solve(pool.groups(), pool.spread(worth), rerolls, exact=exact, progress=progress)
    return RerollPlan(pool, solved, target)


class RerollPlan:
    """The best choice at every roll of a pool, and what it is worth; `plan_rerolls` makes it."""

    def __init__(self, pool: Pool, solved: Solution, target: int | None) -> None:
        self._pool = pool
        self._solved = solved
        self.target = target

    @property
    def build(self) -> Build:
        """The dice, items and levels that were asked about."""
        return self._pool.build

    @property
    def error(self) -> float:
        """How far rounding may have moved any value: 0 where they are exact."""
        return self._solved.error

    def start(self, left: int) -> Fraction | float:
        """Return what the round is worth before the first roll, with `left` rerolls after it.

        >>> from oddsmith.games.dice.parts import PoolDie
        >>> plan_rerolls(Build(dice=(PoolDie("normal"),)), 1).start(1)
        Fraction(37, 4)
        """
        return self._solved.start_value(left)

    def value(self, faces: Sequence[int], left: int) -> Fraction | float:
        """Return what it is worth that the dice show these faces, with `left` rerolls left."""
        return self._solved.value(self._position(faces), left)

    def choices(self, faces: Sequence[int], left: int) -> list[KeepChoice]:
        """Return every choice, the best first; dice that are alike are kept from the left.

        Wild dice are kept, unless an echo may copy what another roll of them shows; those that were set are always
        kept. Of choices that are worth the same, the one that keeps more dice comes first.
        """
        position = self._position(faces)
        everything = tuple(range(self._pool.size))
        now = KeepChoice(everything, self._solved.value(position, 0))
        if not left:
            self._solved.value(position, left)
            return [now]
        kept = {
            self._kept(choice.keep, faces): choice.value for choice in self._solved.choices(position, left)
        }
        others = [KeepChoice(keep, value) for keep, value in kept.items() if keep != everything]
        return sorted([now, *others], key=lambda choice: (-choice.value, -len(choice.keep), choice.keep))

    def best(self, faces: Sequence[int], left: int) -> KeepChoice:
        """Return the best choice."""
        return self.choices(faces, left)[0]

    def _position(self, faces: Sequence[int]) -> Position:
        require_faces(faces, self._pool.build)
        fixed = self._pool.fixed
        if fixed is not None and faces[fixed.place] != fixed.face:
            raise InputError(
                "bad_faces",
                f"the lockdown holds die {fixed.place} at {fixed.face}: it cannot show {faces[fixed.place]}",
            )
        return tuple(
            tuple(sorted(faces[place] - 1 for place in self._pool.places[number]))
            for number in self._pool.rolled
        )

    def _kept(self, keep: Position, faces: Sequence[int]) -> tuple[int, ...]:
        """Return the places of the faces that are kept of each sort, and of the dice that no roll is about."""
        pool = self._pool
        kept = set(range(pool.size))
        for number, wanted in zip(pool.rolled, keep, strict=True):
            left = list(wanted)
            for place in pool.places[number]:
                if faces[place] - 1 in left:
                    left.remove(faces[place] - 1)
                elif pool.may_roll(number, place):
                    kept.discard(place)
        return tuple(sorted(kept))
