"""Exact odds of Dice Hands: the hands and scores of one roll, and the best dice to keep at every roll.

A pool with too many positions raises `WorkLimitError`: `oddsmith.games.dice.simulation` has estimates for it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeAlias

import msgspec
import numpy as np

from oddsmith.errors import InputError
from oddsmith.games.dice.die_values import find_die_values
from oddsmith.games.dice.model import Build, FixedDie, SetWild
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.rules import DEFAULT, LARGEST_TARGET, BossKind, Rules, Selection
from oddsmith.games.dice.scoring import (
    Ratio,
    item_ratio,
    level_base,
    level_multiplier,
    require_faces,
    require_level,
    scale_points,
)
from oddsmith.odds.distribution import Distribution
from oddsmith.odds.rerolls import Position, Solution, solve

__all__ = ["KeepChoice", "RerollPlan", "RollOdds", "plan_rerolls", "roll_odds"]


Row: TypeAlias = tuple[int, int, int, int, Ratio]
"""A class of rolls: the total, the number of ways, the matched sum, the bonuses, and the factor of the items."""

Rows: TypeAlias = Mapping[str, Sequence[Row]]
"""The rows of each hand that is scored."""


def roll_odds(
    build: Build,
    rules: Rules = DEFAULT,
    *,
    boss: BossKind | None = None,
    fixed: FixedDie | None = None,
) -> "RollOdds":
    """Return the exact odds of one roll of all dice; wild dice are set to the best face.

    Raises `InputError` for a build, boss or fixed die that the rules do not allow, and `WorkLimitError` for a pool with
    too many positions.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> five = roll_odds(Build(dice=(PoolDie("normal"),) * 5))
    >>> five.hands.weight("full_house"), five.hands.total, five.at_least(90)
    (300, 7776, Fraction(193, 648))
    """
    pool = Pool(build, rules, boss=boss, fixed=fixed)
    scored = find_die_values(pool)
    ways = pool.ways()
    counts = np.zeros(len(scored.layers), dtype=ways.dtype)
    np.add.at(counts, pool.broadcast(scored.classes).ravel(), ways.ravel())
    rows: dict[str, list[Row]] = {}
    for layers, count in zip(scored.layers, counts.tolist(), strict=True):
        if count:
            ratio = item_ratio(layers.multiplier)
            row = layers.total, count, layers.matched_sum, layers.bonus, ratio
            rows.setdefault(layers.hand, []).append(row)
    return RollOdds(pool, build.levels, rows)


class RollOdds:
    """The exact odds of one roll of a pool, made by `roll_odds`; `scores` is the distribution of its score."""

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
        """The dice, items and levels of the roll."""
        return msgspec.structs.replace(self._pool.build, levels=self._levels)

    @cached_property
    def hands(self) -> Distribution[str]:
        """The distribution of the hand that is scored."""
        return Distribution({name: sum(ways for _, ways, *_ in rows) for name, rows in self._rows.items()})

    def at_least(self, target: int) -> Fraction:
        """Return the probability of scoring `target` or more."""
        return self.scores.at_least(target)

    def scores_of(self, hand: str) -> Distribution[int] | None:
        """Return the distribution of the score of rolls that are scored as a hand; None if no roll is.

        >>> from oddsmith.games.dice.parts import PoolDie
        >>> list(roll_odds(Build(dice=(PoolDie("normal"),) * 5)).scores_of("small_straight"))
        [100, 110, 120]
        """
        self._pool.rules.hand(hand)
        rows = self._rows.get(hand)
        return None if rows is None else Distribution((total, ways) for total, ways, *_ in rows)

    @cached_property
    def missed_chance(self) -> Fraction:
        """The chance that another hand of the same dice would score more than the selected one (§2.4).

        >>> from oddsmith.games.dice.parts import PoolDie
        >>> roll_odds(Build(dice=(PoolDie("normal"),) * 5)).missed_chance
        Fraction(5, 324)
        """
        pool = Pool(self.build, self._pool.rules, boss=self._pool.boss, fixed=self._pool.fixed)
        better = find_die_values(pool, Selection.BEST_SCORE).scores > find_die_values(pool).scores
        ways = pool.ways()
        return Fraction(int(ways[pool.broadcast(better)].sum()), pool.cases)

    def with_levels(self, levels: Mapping[str, int]) -> "RollOdds":
        """Return the odds of the same roll with other levels of hands; hands that are not named keep theirs.

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
                rows[name] = self._rows_at_level(name, levels[name], totals)
        return RollOdds(self._pool, after, rows, totals)

    def _rows_at_level(self, name: str, level: int, totals: dict[int, int]) -> list[Row]:
        """Return the rows of a hand at another level, and update `totals` in place."""
        rules = self._pool.rules
        hand, before = rules.hands[name], self._rows[name]
        base = level_base(hand.base, level, rules.upgrades.base_growth)
        ratio = level_multiplier(hand, level, rules).as_integer_ratio()
        rows = [
            (
                scale_points(scale_points(base + matched_sum, ratio) + bonus, multiplier),
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
    """Return the ways of each total."""
    totals: dict[int, int] = {}
    for hand_rows in rows.values():
        for total, ways, _, _, _ in hand_rows:
            totals[total] = totals.get(total, 0) + ways
    return totals


class KeepChoice(msgspec.Struct, frozen=True):
    """The places of the dice to keep, and the value of rolling the others; keeping all dice is scoring now.

    `set_first` has the kept wild dice that are set to another face before the others are rolled, for echoes to copy.
    """

    keep: tuple[int, ...]
    value: Fraction | float
    set_first: tuple[SetWild, ...] = ()


def plan_rerolls(
    build: Build,
    rerolls: int,
    rules: Rules = DEFAULT,
    *,
    target: int | None = None,
    boss: BossKind | None = None,
    fixed: FixedDie | None = None,
    exact: bool = True,
    progress: Callable[[float], None] | None = None,
) -> "RerollPlan":
    """Solve which dice to keep, for every roll and every number of rerolls up to `rerolls`.

    With a target the plan maximizes the probability of reaching it, without one the expected score. Wild dice are set
    to the best faces, for echoes to copy before a reroll and for the score; it is not counted how often dice are set and
    locked (§5.3). Without `exact` values are floats with an `error`, and are computed faster. `progress` is
    called with the share that is done. Raises `InputError` for arguments that the rules do not allow, and
    `WorkLimitError` for a pool with too many positions.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> plan = plan_rerolls(Build(dice=(PoolDie("normal"),) * 5), 2, target=98)
    >>> plan.best((5, 5, 2, 3, 6), 2).keep
    (0, 1, 3)
    """
    if target is not None and not 0 <= target <= LARGEST_TARGET:
        raise InputError("bad_target", f"a target is a whole number from 0 to {LARGEST_TARGET:,}")
    pool = Pool(build, rules, boss=boss, fixed=fixed)
    pool.require_solvable()
    scores = find_die_values(pool).scores
    values = scores if target is None else (scores >= target).astype(np.int64)
    solved = solve(pool.groups(), pool.broadcast(values), rerolls, exact=exact, progress=progress)
    return RerollPlan(pool, solved, target)


class RerollPlan:
    """The best choice at every roll of a pool, and its value; made by `plan_rerolls`."""

    def __init__(self, pool: Pool, solved: Solution, target: int | None) -> None:
        self._pool = pool
        self._solved = solved
        self.target = target

    @property
    def build(self) -> Build:
        """The dice, items and levels of the plan."""
        return self._pool.build

    @property
    def error(self) -> float:
        """A bound on the rounding error of every value; 0 if values are exact."""
        return self._solved.error

    def start_value(self, left: int) -> Fraction | float:
        """Return the value of the round before the first roll, with `left` rerolls after it.

        >>> from oddsmith.games.dice.parts import PoolDie
        >>> plan_rerolls(Build(dice=(PoolDie("normal"),)), 1).start_value(1)
        Fraction(37, 4)
        """
        return self._solved.start_value(left)

    def value(self, faces: Sequence[int], left: int) -> Fraction | float:
        """Return the value of dice that show these faces, with `left` rerolls left."""
        return self._solved.value(self._position(faces), left)

    def choices(self, faces: Sequence[int], left: int) -> list[KeepChoice]:
        """Return every choice, the best first; of equal dice, the leftmost are kept.

        Wild dice are always kept: to set them to the best faces for echoes to copy is never worse than to roll them. Of
        settings with the same value, the one that changes fewest dice is listed; of choices with the same value, the one
        that keeps more dice comes first.
        """
        position = self._position(faces)
        all_places = tuple(range(self._pool.size))
        now = KeepChoice(all_places, self._solved.value(position, 0))
        if not left:
            self._solved.value(position, left)
            return [now]
        found: dict[tuple[int, ...], KeepChoice] = {all_places: now}
        for choice in self._solved.choices(position, left):
            keep = self._kept_places(choice.keep, faces)
            best = found.get(keep)
            if best is not None and (not best.set_first or choice.value < best.value):
                continue
            set_first = tuple(self._settings(choice.keep, faces))
            if best is None or len(set_first) < len(best.set_first):
                found[keep] = KeepChoice(keep, choice.value, set_first)
        return sorted(found.values(), key=lambda choice: (-choice.value, -len(choice.keep), choice.keep))

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
            for number in self._pool.rolled_sorts
        )

    def _kept_places(self, keep: Position, faces: Sequence[int]) -> tuple[int, ...]:
        """Return the places of the dice that show the kept faces of each sort, and of dice that are not rolled."""
        pool = self._pool
        kept = set(range(pool.size))
        for number, wanted in zip(pool.rolled_sorts, keep, strict=True):
            left = list(wanted)
            for place in pool.places[number]:
                if faces[place] - 1 in left:
                    left.remove(faces[place] - 1)
                elif pool.sorts[number].is_random:
                    kept.discard(place)
        return tuple(sorted(kept))

    def _settings(self, keep: Position, faces: Sequence[int]) -> Iterator[SetWild]:
        """Yield the settings of wild dice that do not show the faces that a choice sets them to."""
        pool = self._pool
        for number, wanted in zip(pool.rolled_sorts, keep, strict=True):
            if pool.sorts[number].wild:
                left = [face + 1 for face in wanted]
                wrong = []
                for place in pool.places[number]:
                    if faces[place] in left:
                        left.remove(faces[place])
                    else:
                        wrong.append(place)
                yield from map(SetWild, wrong, left)
