"""What kinds of dice, items and bosses do: what happens without them, and with them."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb
from typing import assert_never

from oddsmith.exhibit import Effect, Exhibit
from oddsmith.games.dice.model import Build
from oddsmith.games.dice.odds import roll_odds
from oddsmith.games.dice.parts import FACES, FaceEffect, Kind, PoolDie, opposite
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.throws import normal_pool
from oddsmith.odds.distribution import Distribution

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
