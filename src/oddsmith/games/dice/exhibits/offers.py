"""What the shop sells, its prices and worth, and what kinds of dice, items and bosses do."""

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
from oddsmith.games.dice.parts import FACES, FaceEffect, Kind, PoolDie, opposite
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.shopping import die_price, upgrade_price
from oddsmith.games.dice.throws import normal_pool, pool_sizes
from oddsmith.odds.distribution import Distribution
from oddsmith.odds.rerolls import solve

Chances = Mapping[str, Fraction]


def dice(rules: Rules) -> Iterator[Exhibit]:
    """Yield what each kind of die does: a mirror to its own faces, another one to the scores of a roll."""
    start = Build(dice=normal_pool(rules, len(rules.pool)))
    without = _chances(roll_odds(start, rules).scores, "scores")
    for name, kind in rules.kinds.items():
        if kind.effect is FaceEffect.MIRROR:
            yield _flip(f"the flip of {name} dice", f"kinds.{name}.effect", kind)
        elif name != rules.normal_kind:
            having = Build(dice=(PoolDie(name, kind.sold_to_level), *start.dice[1:]))
            yield Effect(
                about=f"one {name} die among {len(start.dice)} dice",
                where=f"kinds.{name}",
                without=without,
                having=_chances(roll_odds(having, rules).scores, "scores"),
            )


def _flip(about: str, where: str, kind: Kind) -> Effect:
    weights = dict(zip(FACES, kind.die.weights, strict=True))
    return Effect(
        about=about,
        where=where,
        without=_chances(Distribution(weights), "a"),
        having=_chances(Distribution((opposite(face), weight) for face, weight in weights.items()), "a"),
    )


def items(rules: Rules) -> Iterator[Exhibit]:
    """Yield what each item does to the scores of a roll, to rerolls, to pay, and to dice that shatter."""
    for name, item in rules.items.items():
        kind = item.reweighs or rules.normal_kind
        dice = (PoolDie(kind),) * len(rules.pool)
        yield Effect(
            about=f"the item {name}",
            where=f"items.{name}",
            without=_aspects(Build(dice=dice), rules),
            having=_aspects(Build(dice=dice, items=(name,)), rules),
        )


def _aspects(build: Build, rules: Rules) -> Chances:
    """Return what a build does in a round, each side of it as chances that add up to 1."""
    saves = sum(rules.items[name].saves for name in build.items)
    paid = sum(rules.items[name].money for name in build.items)
    return {
        **_chances(roll_odds(build, rules).scores, "scores"),
        f"rerolls: {round_rerolls(build, rules)}": Fraction(1),
        f"dollars of a won round: {paid}": Fraction(1),
        f"dice saved: {saved_dice(saves, rules)}": Fraction(1),
    }


def saved_dice(saves: int, rules: Rules) -> Fraction:
    """Return how many dice an item saves in a won round on average, in a pool of those that shatter most.

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
    """Yield what the bosses do: the inverter to a normal die, others to whatever they are there for."""
    for boss in rules.bosses.kinds if rules.bosses.every else ():
        yield _boss(boss, rules)


def _boss(boss: BossKind, rules: Rules) -> Effect:
    size = len(rules.pool)
    match boss:
        case BossKind.INVERTER:
            name = rules.normal_kind
            return _flip(f"the inverter's flip of {name} dice", "bosses.kinds", rules.kinds[name])
        case BossKind.MISER:
            start = Build(dice=normal_pool(rules, size))
            left = [f"rerolls: {round_rerolls(start, rules, one)}" for one in (None, boss)]
            return _taken("the miser", "bosses.miser_rerolls", *left)
        case BossKind.SILENCER:
            most = max(
                kind.bonus + kind.bonus_per_level * kind.sold_to_level for kind in rules.kinds.values()
            )
            return _taken("the silencer", "bosses.kinds", f"points of a die: {most}", "points of a die: 0")
        case BossKind.COLLECTOR:
            return _taken(
                "the collector", "bosses.kinds", f"kinds of dice: {len(rules.kinds)}", "kinds of dice: 1"
            )
        case BossKind.LOCKDOWN:
            return _taken(
                "the lockdown", "bosses.kinds", f"dice that roll: {size}", f"dice that roll: {size - 1}"
            )
        case _ as never:
            assert_never(never)


def _taken(about: str, where: str, without: str, having: str) -> Effect:
    """Return what a boss takes away for certain."""
    return Effect(about=about, where=where, without={without: Fraction(1)}, having={having: Fraction(1)})


def _chances(shown: Distribution[int], word: str) -> dict[str, Fraction]:
    return {f"{word} {outcome}": shown.probability(outcome) for outcome in shown}


LAST_ROUND: Final = 20
"""Later rounds are no situations: bare pools have lost long before."""
MORE_DICE: Final = 2
"""By how many dice the larger pool exceeds the one that a run begins with."""


class Prospect:
    """What a build may expect of a round without a boss, scored once and solved as often as it is asked.

    >>> five = Prospect(Build(dice=(PoolDie("normal"),) * 5), Rules())
    >>> round(float(five.chance(132)), 4), round(float(five.mean), 2)
    (0.8305, 207.73)
    """

    def __init__(self, build: Build, rules: Rules) -> None:
        self.build = build
        self.rules = rules
        self._pool = Pool(build, rules)
        self._scores = find_die_values(self._pool).scores
        self._rerolls = round_rerolls(build, rules)
        self._chances: dict[int, Fraction] = {}

    @cached_property
    def mean(self) -> Fraction:
        """The mean score under best play for it."""
        return self._solved(self._scores)

    def chance(self, target: int) -> Fraction:
        """Return the chance to reach a target under best play; targets that the same positions reach are one."""
        reached = self._scores >= target
        count = int(reached.sum())
        if count not in self._chances:
            self._chances[count] = self._solved(reached.astype("int64")) if count else Fraction(0)
        return self._chances[count]

    def _solved(self, worth: NDArray[Any]) -> Fraction:
        solved = solve(self._pool.groups(), self._pool.spread(worth), self._rerolls, exact=True)
        return Fraction(solved.start_value(self._rerolls))


class Situation(NamedTuple):
    """Where a purchase is weighed: the build that has nothing bought, and what a build is worth there."""

    name: str
    build: Build
    worth: Callable[[Prospect], Fraction]


def dice_for_sale(rules: Rules) -> Iterator[Exhibit]:
    """Yield every die that the shop sells, one of it among normal dice and a whole pool of it.

    A normal die is none of them: it is what takes the place of nothing.
    """
    start = len(rules.pool)
    larger = min(start + MORE_DICE, rules.most_dice)
    situations = [
        *_rounds(rules, start),
        *(_mean(rules, size) for size in dict.fromkeys((start, larger))),
        Situation("dice that outlast a won round", Build(dice=normal_pool(rules, start)), _lasting),
    ]
    sold = [
        PoolDie(name, level)
        for name, kind in rules.kinds.items()
        if name != rules.normal_kind
        for level in range(kind.sold_to_level + 1)
    ]
    offers = tuple(
        Offer(
            name=str(die),
            where=f"kinds.{die.kind}.price",
            price=Fraction(die_price(die, rules)),
            worths=_among(situations, die, rules),
        )
        for die in sold
    )
    nothing = _among(situations, PoolDie(rules.normal_kind), rules)
    yield Offers(about="dice", where="kinds", offers=offers, nothing=nothing)


def _among(situations: Sequence[Situation], die: PoolDie, rules: Rules) -> dict[str, Reading]:
    """Return what a die is worth as one of the pool, and as all of it."""

    def one(build: Build) -> Build:
        return Build(dice=(die, *build.dice[1:]))

    def every(build: Build) -> Build:
        return Build(dice=(die,) * len(build.dice))

    return {
        f"{among}, {name}": reading
        for among, bought in (("one die", one), ("all dice", every))
        for name, reading in _worths(situations, bought, rules).items()
    }


def _lasting(prospect: Prospect) -> Fraction:
    """Return the share of dice that do not shatter."""
    kinds = [prospect.rules.kinds[die.kind] for die in prospect.build.dice]
    return sum((1 - Fraction(kind.shatter) for kind in kinds), Fraction(0)) / len(kinds)


def items_for_sale(rules: Rules) -> Iterator[Exhibit]:
    """Yield every item: what it adds to rounds, to the mean of pools of each kind, to pay, and to dice that shatter."""
    start = Build(dice=normal_pool(rules, len(rules.pool)))
    situations = [
        *_rounds(rules, len(rules.pool)),
        *(_mean_of((PoolDie(kind),) * len(rules.pool)) for kind in rules.kinds),
        Situation("dollars of a won round", start, _paid),
        Situation("dice saved in a won round", start, _saved),
    ]
    offers = tuple(
        Offer(
            name=name,
            where=f"items.{name}.price",
            price=Fraction(item.price),
            worths=_worths(situations, _owning(name), rules),
        )
        for name, item in rules.items.items()
    )
    yield Offers(about="items", where="items", offers=offers, nothing=_worths(situations, _as_is, rules))


def _owning(name: str) -> Callable[[Build], Build]:
    return lambda build: msgspec.structs.replace(build, items=(name,))


def _paid(prospect: Prospect) -> Fraction:
    return Fraction(sum(prospect.rules.items[name].money for name in prospect.build.items))


def _saved(prospect: Prospect) -> Fraction:
    rules = prospect.rules
    return saved_dice(sum(rules.items[name].saves for name in prospect.build.items), rules)


def upgrades_for_sale(rules: Rules) -> Iterator[Exhibit]:
    """Yield every hand, brought to its top level at one price: what it adds to rounds, and to the mean of every pool."""
    top = rules.upgrades.most_levels
    if not top:
        return
    start = len(rules.pool)
    later = {min(start + MORE_DICE, rules.most_dice), rules.most_dice} - {start}
    situations = [
        *_rounds(rules, start),
        *(ahead for size in sorted(later) for ahead in _late_rounds(rules, size)),
        *(_mean(rules, size) for size in pool_sizes(rules)),
    ]
    price = Fraction(sum(upgrade_price(level, rules) for level in range(top)))
    offers = tuple(
        Offer(
            name=name, where=f"hands.{name}", price=price, worths=_worths(situations, _at(name, top), rules)
        )
        for name in rules.hands_in_order
        if rules.hands[name].min_dice <= rules.most_dice
    )
    nothing = _worths(situations, _as_is, rules)
    yield Offers(about=f"hands at level {top}", where="upgrades", offers=offers, nothing=nothing)


def _at(name: str, level: int) -> Callable[[Build], Build]:
    return lambda build: msgspec.structs.replace(build, levels={name: level})


def _as_is(build: Build) -> Build:
    return build


def _worths(
    situations: Sequence[Situation], bought: Callable[[Build], Build], rules: Rules
) -> Mapping[str, Reading]:
    """Return what a purchase is worth in each situation; a build that is met again is not scored again."""
    prospects: dict[Build, Prospect] = {}
    readings = {}
    for one in situations:
        if one.build not in prospects:
            prospects[one.build] = Prospect(bought(one.build), rules)
        readings[one.name] = Reading(one.worth(prospects[one.build]))
    return readings


def _rounds(rules: Rules, size: int) -> Iterator[Situation]:
    """Yield the rounds without a boss that bare dice may win or lose, each worth the chance to win it."""
    yield from (ahead for ahead, chance in _bare_rounds(rules, size) if 0 < chance < 1)


def _late_rounds(rules: Rules, size: int) -> Iterator[Situation]:
    """Yield the rounds without a boss that bare dice rather lose, or cannot win at all."""
    yield from (ahead for ahead, chance in _bare_rounds(rules, size) if chance < Fraction(1, 2))


def _bare_rounds(rules: Rules, size: int) -> Iterator[tuple[Situation, Fraction]]:
    """Yield the rounds without a boss, and the chance of so many normal dice to win each."""
    build = Build(dice=normal_pool(rules, size))
    bare = Prospect(build, rules)
    for number in range(1, min(rules.rounds, LAST_ROUND) + 1):
        if not rules.is_boss_round(number):
            target = rules.target(number)
            yield (
                Situation(f"round {number} with {size} dice", build, _chance_of(target)),
                bare.chance(target),
            )


def _chance_of(target: int) -> Callable[[Prospect], Fraction]:
    return lambda prospect: prospect.chance(target)


def _mean(rules: Rules, size: int) -> Situation:
    return _mean_of(normal_pool(rules, size))


def _mean_of(dice: tuple[PoolDie, ...]) -> Situation:
    return Situation(
        f"mean score of {len(dice)} {dice[0]} dice", Build(dice=dice), lambda prospect: prospect.mean
    )
