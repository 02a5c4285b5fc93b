"""Exhibits of offers with their prices and values, and of the effects of kinds of dice, items and bosses."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any, Final, NamedTuple, assert_never

import msgspec
from numpy.typing import NDArray

from oddsmith.exhibit import Effect, Exhibit, Offer, Offers
from oddsmith.figure import Reading
from oddsmith.games.dice.die_values import find_die_values
from oddsmith.games.dice.model import Build
from oddsmith.games.dice.odds import roll_odds
from oddsmith.games.dice.parts import FACES, FaceEffect, Kind, PoolDie, opposite_face
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.shopping import die_price, upgrade_price
from oddsmith.games.dice.throws import normal_pool, pool_sizes
from oddsmith.odds.distribution import Distribution
from oddsmith.odds.rerolls import solve

Chances = Mapping[str, Fraction]


def dice(rules: Rules) -> Iterator[Exhibit]:
    """Yield the effect of each kind of die: of a mirror on its own faces, of others on the scores of a roll."""
    start = Build(dice=normal_pool(rules, len(rules.pool)))
    without = _named_chances(roll_odds(start, rules).scores, "scores")
    for name, kind in rules.kinds.items():
        if kind.effect is FaceEffect.MIRROR:
            yield _flip_effect(f"the flip of {name} dice", f"kinds.{name}.effect", kind)
        elif name != rules.normal_kind:
            having = Build(dice=(PoolDie(name, kind.sold_to_level), *start.dice[1:]))
            yield Effect(
                about=f"one {name} die among {len(start.dice)} dice",
                where=f"kinds.{name}",
                without=without,
                having=_named_chances(roll_odds(having, rules).scores, "scores"),
            )


def _flip_effect(about: str, where: str, kind: Kind) -> Effect:
    weights = dict(zip(FACES, kind.die.weights, strict=True))
    return Effect(
        about=about,
        where=where,
        without=_named_chances(Distribution(weights), "a"),
        having=_named_chances(
            Distribution((opposite_face(face), weight) for face, weight in weights.items()), "a"
        ),
    )


def items(rules: Rules) -> Iterator[Exhibit]:
    """Yield the effect of each item on the scores of a roll, on rerolls, on pay, and on dice that shatter."""
    for name, item in rules.items.items():
        kind = item.reweighs or rules.normal_kind
        dice = (PoolDie(kind),) * len(rules.pool)
        yield Effect(
            about=f"the item {name}",
            where=f"items.{name}",
            without=_round_chances(Build(dice=dice), rules),
            having=_round_chances(Build(dice=dice, items=(name,)), rules),
        )


def _round_chances(build: Build, rules: Rules) -> Chances:
    """Return the distributions of score, rerolls, pay and saved dice of a build, each as chances that add up to 1."""
    saves = sum(rules.items[name].saves for name in build.items)
    paid = sum(rules.items[name].money for name in build.items)
    return {
        **_named_chances(roll_odds(build, rules).scores, "scores"),
        f"rerolls: {round_rerolls(build, rules)}": Fraction(1),
        f"dollars of a won round: {paid}": Fraction(1),
        f"dice saved: {saved_dice(saves, rules)}": Fraction(1),
    }


def saved_dice(saves: int, rules: Rules) -> Fraction:
    """Return the mean number of dice that are saved in a won round, for a pool of dice that shatter most.

    >>> saved_dice(1, Rules())
    Fraction(2101, 3125)
    """
    shatter = max(Fraction(kind.shatter) for kind in rules.kinds.values())
    size = len(rules.pool)
    chances = {
        count: comb(size, count) * shatter**count * (1 - shatter) ** (size - count)
        for count in range(size + 1)
    }
    return sum((min(count, saves) * chance for count, chance in chances.items()), Fraction(0))


def bosses(rules: Rules) -> Iterator[Exhibit]:
    """Yield the effect of each boss: of the inverter on a normal die, of others on what they change."""
    for boss in rules.bosses.kinds if rules.bosses.every else ():
        yield _boss_effect(boss, rules)


def _boss_effect(boss: BossKind, rules: Rules) -> Effect:
    size = len(rules.pool)
    match boss:
        case BossKind.INVERTER:
            name = rules.normal_kind
            return _flip_effect(f"the inverter's flip of {name} dice", "bosses.kinds", rules.kinds[name])
        case BossKind.MISER:
            start = Build(dice=normal_pool(rules, size))
            left = [f"rerolls: {round_rerolls(start, rules, one)}" for one in (None, boss)]
            return _certain_effect("the miser", "bosses.miser_rerolls", *left)
        case BossKind.SILENCER:
            most = max(
                kind.bonus + kind.bonus_per_level * kind.sold_to_level for kind in rules.kinds.values()
            )
            return _certain_effect(
                "the silencer", "bosses.kinds", f"points of a die: {most}", "points of a die: 0"
            )
        case BossKind.COLLECTOR:
            return _certain_effect(
                "the collector", "bosses.kinds", f"kinds of dice: {len(rules.kinds)}", "kinds of dice: 1"
            )
        case BossKind.LOCKDOWN:
            return _certain_effect(
                "the lockdown", "bosses.kinds", f"dice that roll: {size}", f"dice that roll: {size - 1}"
            )
        case _ as never:
            assert_never(never)


def _certain_effect(about: str, where: str, without: str, having: str) -> Effect:
    """Return an effect that replaces one certain outcome by another."""
    return Effect(about=about, where=where, without={without: Fraction(1)}, having={having: Fraction(1)})


def _named_chances(shown: Distribution[int], word: str) -> dict[str, Fraction]:
    return {f"{word} {outcome}": shown.probability(outcome) for outcome in shown}


LAST_ROUND: Final = 20
"""The last round that is a situation: in later ones pools without purchases never win."""
MORE_DICE: Final = 2
"""The number of dice that the larger pool has more than the one that a run begins with."""


class RoundSolver:
    """Solves rounds without a boss for a build; the pool is scored once, and solutions are cached.

    >>> five = RoundSolver(Build(dice=(PoolDie("normal"),) * 5), Rules())
    >>> round(float(five.chance(132)), 4), round(float(five.mean), 2)
    (0.8305, 207.73)
    """

    def __init__(self, build: Build, rules: Rules) -> None:
        self.build = build
        self.rules = rules
        self._pool = Pool(build, rules)
        self._scores = find_die_values(self._pool).scores
        self._rerolls = round_rerolls(build, rules)
        self._chances_by_count: dict[int, Fraction] = {}

    @cached_property
    def mean(self) -> Fraction:
        """The mean score under best play for it."""
        return self._solve(self._scores)

    def chance(self, target: int) -> Fraction:
        """Return the chance to reach a target under best play, cached by the number of positions that reach it."""
        reached = self._scores >= target
        count = int(reached.sum())
        if count not in self._chances_by_count:
            self._chances_by_count[count] = self._solve(reached.astype("int64")) if count else Fraction(0)
        return self._chances_by_count[count]

    def _solve(self, values: NDArray[Any]) -> Fraction:
        solved = solve(self._pool.groups(), self._pool.broadcast(values), self._rerolls, exact=True)
        return Fraction(solved.start_value(self._rerolls))


class Situation(NamedTuple):
    """A situation in which purchases are compared: the build before the purchase, and the value of a build."""

    name: str
    build: Build
    value: Callable[[RoundSolver], Fraction]


def dice_for_sale(rules: Rules) -> Iterator[Exhibit]:
    """Yield every die that the shop sells, as one die among normal ones and as a whole pool.

    Normal dice are not listed: they are what other dice are compared with. Nor are dice that differ from them in nothing;
    `dice` has these as effects that change nothing.
    """
    start = len(rules.pool)
    larger = min(start + MORE_DICE, rules.most_dice)
    situations = [
        *_round_situations(rules, start),
        *(_mean_situation(rules, size) for size in dict.fromkeys((start, larger))),
        Situation("dice that outlast a won round", Build(dice=normal_pool(rules, start)), _lasting_share),
    ]
    sold = [
        PoolDie(name, level)
        for name, kind in rules.kinds.items()
        if name != rules.normal_kind and not _is_like_normal(kind, rules.kinds[rules.normal_kind])
        for level in range(kind.sold_to_level + 1)
    ]
    offers = tuple(
        Offer(
            name=str(die),
            where=f"kinds.{die.kind}.price",
            price=Fraction(die_price(die, rules)),
            worths=_values_in_pool(situations, die, rules),
        )
        for die in sold
    )
    nothing = _values_in_pool(situations, PoolDie(rules.normal_kind), rules)
    yield Offers(about="dice", where="kinds", offers=offers, nothing=nothing)


def _is_like_normal(kind: Kind, normal: Kind) -> bool:
    """Return whether dice of a kind show the same faces as normal ones, add nothing, and do not shatter."""
    if {kind.effect, normal.effect} - {FaceEffect.PLAIN, FaceEffect.MIRROR}:
        return False
    adds = any(one.bonus or one.bonus_per_level or one.shatter for one in (kind, normal))
    return not adds and _shown_chances(kind) == _shown_chances(normal)


def _shown_chances(kind: Kind) -> list[Fraction]:
    """Return the chance that a die of a plain or mirrored kind shows each face."""
    weights = kind.die.weights[::-1] if kind.effect is FaceEffect.MIRROR else kind.die.weights
    return [Fraction(weight, sum(weights)) for weight in weights]


def _values_in_pool(situations: Sequence[Situation], die: PoolDie, rules: Rules) -> dict[str, Reading]:
    """Return the values of a die in each situation, as one die of the pool and as all of it."""

    def one(build: Build) -> Build:
        return Build(dice=(die, *build.dice[1:]))

    def every(build: Build) -> Build:
        return Build(dice=(die,) * len(build.dice))

    return {
        f"{among}, {name}": reading
        for among, purchase in (("one die", one), ("all dice", every))
        for name, reading in _values(situations, purchase, rules).items()
    }


def _lasting_share(solver: RoundSolver) -> Fraction:
    """Return the share of dice that do not shatter."""
    kinds = [solver.rules.kinds[die.kind] for die in solver.build.dice]
    return sum((1 - Fraction(kind.shatter) for kind in kinds), Fraction(0)) / len(kinds)


def items_for_sale(rules: Rules) -> Iterator[Exhibit]:
    """Yield every item with its values: in rounds, for the mean of pools of each kind, for pay, and for saved dice."""
    start = Build(dice=normal_pool(rules, len(rules.pool)))
    situations = [
        *_round_situations(rules, len(rules.pool)),
        *(_mean_situation_of((PoolDie(kind),) * len(rules.pool)) for kind in rules.kinds),
        Situation("dollars of a won round", start, _item_pay),
        Situation("dice saved in a won round", start, _mean_saved),
    ]
    offers = tuple(
        Offer(
            name=name,
            where=f"items.{name}.price",
            price=Fraction(item.price),
            worths=_values(situations, _add_item(name), rules),
        )
        for name, item in rules.items.items()
    )
    yield Offers(about="items", where="items", offers=offers, nothing=_values(situations, _unchanged, rules))


def _add_item(name: str) -> Callable[[Build], Build]:
    return lambda build: msgspec.structs.replace(build, items=(name,))


def _item_pay(solver: RoundSolver) -> Fraction:
    return Fraction(sum(solver.rules.items[name].money for name in solver.build.items))


def _mean_saved(solver: RoundSolver) -> Fraction:
    rules = solver.rules
    return saved_dice(sum(rules.items[name].saves for name in solver.build.items), rules)


def upgrades_for_sale(rules: Rules) -> Iterator[Exhibit]:
    """Yield every hand at its top level, for the price of all levels, with its values in rounds and for mean scores."""
    top = rules.upgrades.most_levels
    if not top:
        return
    start = len(rules.pool)
    later = {min(start + MORE_DICE, rules.most_dice), rules.most_dice} - {start}
    situations = [
        *_round_situations(rules, start),
        *(situation for size in sorted(later) for situation in _late_round_situations(rules, size)),
        *(_mean_situation(rules, size) for size in pool_sizes(rules)),
    ]
    price = Fraction(sum(upgrade_price(level, rules) for level in range(top)))
    offers = tuple(
        Offer(
            name=name,
            where=f"hands.{name}",
            price=price,
            worths=_values(situations, _set_level(name, top), rules),
        )
        for name in rules.hands_in_order
        if rules.hands[name].min_dice <= rules.most_dice
    )
    nothing = _values(situations, _unchanged, rules)
    yield Offers(about=f"hands at level {top}", where="upgrades", offers=offers, nothing=nothing)


def _set_level(name: str, level: int) -> Callable[[Build], Build]:
    return lambda build: msgspec.structs.replace(build, levels={name: level})


def _unchanged(build: Build) -> Build:
    return build


def _values(
    situations: Sequence[Situation], purchase: Callable[[Build], Build], rules: Rules
) -> Mapping[str, Reading]:
    """Return the value of a purchase in each situation; situations with the same build share its solver."""
    solvers: dict[Build, RoundSolver] = {}
    readings = {}
    for one in situations:
        if one.build not in solvers:
            solvers[one.build] = RoundSolver(purchase(one.build), rules)
        readings[one.name] = Reading(one.value(solvers[one.build]))
    return readings


def _round_situations(rules: Rules, size: int) -> Iterator[Situation]:
    """Yield the rounds without a boss that normal dice may win or lose, valued by the chance to win."""
    yield from (situation for situation, chance in _rounds_and_chances(rules, size) if 0 < chance < 1)


def _late_round_situations(rules: Rules, size: int) -> Iterator[Situation]:
    """Yield the rounds without a boss that normal dice win with a chance below one half."""
    yield from (
        situation for situation, chance in _rounds_and_chances(rules, size) if chance < Fraction(1, 2)
    )


def _rounds_and_chances(rules: Rules, size: int) -> Iterator[tuple[Situation, Fraction]]:
    """Yield the rounds without a boss, and the chance of `size` normal dice to win each."""
    build = Build(dice=normal_pool(rules, size))
    bare = RoundSolver(build, rules)
    for number in range(1, min(rules.rounds, LAST_ROUND) + 1):
        if not rules.is_boss_round(number):
            target = rules.target(number)
            yield (
                Situation(f"round {number} with {size} dice", build, _chance_to_reach(target)),
                bare.chance(target),
            )


def _chance_to_reach(target: int) -> Callable[[RoundSolver], Fraction]:
    return lambda solver: solver.chance(target)


def _mean_situation(rules: Rules, size: int) -> Situation:
    return _mean_situation_of(normal_pool(rules, size))


def _mean_situation_of(dice: tuple[PoolDie, ...]) -> Situation:
    return Situation(
        f"mean score of {len(dice)} {dice[0]} dice", Build(dice=dice), lambda solver: solver.mean
    )
