"""The bots "greedy" and "optimal", and the shopper of the latter: they choose one action at a time from a view."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, groupby, product
from math import comb, prod
from typing import Final

import msgspec

from oddsmith.bot import BotSettings, Chooser
from oddsmith.games.dice.bots.lookahead import discounted_value, round_plan, score_value
from oddsmith.games.dice.model import (
    Action,
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    Leave,
    Lock,
    Reroll,
    Score,
    ScoreHand,
    SetWild,
    Stage,
    Unlock,
)
from oddsmith.games.dice.odds import RerollPlan
from oddsmith.games.dice.parts import FACES, FaceEffect, PoolDie
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.scoring import score
from oddsmith.games.dice.shopping import Purchase, build_with, price, upgrade_price
from oddsmith.games.dice.views import View, imagine

MOST_SETTINGS: Final = 5000
"""The most settings of wild dice that are compared; beyond it, wild dice of all sorts are treated as equal."""

_REROLL: Final = Reroll()
_SCORE: Final = ScoreHand()


def free_wilds(view: View) -> tuple[int, ...]:
    """Return the places of the wild dice that may be set (§1.6); one that was set may be set again."""
    return _places_with_effect(FaceEffect.WILD, view)


def random_places(view: View) -> tuple[int, ...]:
    """Return the places of the dice that are neither fixed nor wild."""
    wilds, places = free_wilds(view), range(len(view.build.dice))
    return tuple(place for place in places if place not in wilds and place != _fixed_place(view))


def best_score(view: View) -> Score:
    """Return the score of the dice, with wild ones set to the best faces."""
    return score(view.build, best_faces(view), view.rules, silenced=_is_silenced(view))


def best_faces(view: View) -> tuple[int, ...]:
    """Return the faces of the dice, with wild ones set to the faces that score most (§1.6)."""
    wilds = free_wilds(view)
    if not wilds:
        return view.faces
    others = tuple(0 if place in wilds else face for place, face in enumerate(view.faces))
    return _best_faces(view.build, others, wilds, view.rules, silenced=_is_silenced(view))


@lru_cache(maxsize=10_000)
def _best_faces(
    build: Build,
    faces: tuple[int, ...],
    wilds: tuple[int, ...],
    rules: Rules,
    *,
    silenced: bool,
) -> tuple[int, ...]:
    def total(shown: tuple[int, ...]) -> int:
        return score(build, shown, rules, silenced=silenced).total

    by_sort = sorted(wilds, key=lambda place: build.dice[place])
    sizes = [len([*alike]) for _, alike in groupby(by_sort, key=lambda place: build.dice[place])]
    return max((_with_faces(faces, by_sort, chosen) for chosen in _wild_settings(sizes)), key=total)


def _wild_settings(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the settings of wild dice, given the number of dice of each sort; high faces come first."""
    ways = prod(comb(size + len(FACES) - 1, size) for size in sizes)
    alike = sizes if ways <= MOST_SETTINGS else [sum(sizes)]
    for chosen in product(*(combinations_with_replacement(FACES[::-1], size) for size in alike)):
        yield tuple(face for faces in chosen for face in faces)


def _with_faces(faces: Sequence[int], places: Sequence[int], chosen: Sequence[int]) -> tuple[int, ...]:
    changed = dict(enumerate(faces)) | dict(zip(places, chosen, strict=True))
    return tuple(changed.values())


def reroll_except(
    kept: Collection[int], view: View, actions: Sequence[Action], set_first: Sequence[SetWild] = ()
) -> Action:
    """Return the next action to reroll all dice but the kept ones: set, lock, unlock, or reroll.

    Wild dice are not locked, unless an echo may copy them. If no adjustments are left, the action scores a target that
    is reached, and otherwise rerolls the dice that are not locked.
    """
    others = (*random_places(view), *(free_wilds(view) if _places_with_effect(FaceEffect.ECHO, view) else ()))
    loose = [place for place in others if place not in view.wilds_set]
    wrong = [place for place in loose if (place in kept) != (place in view.locked)]
    missing: list[Action] = [
        *(setting for setting in set_first if view.faces[setting.place] != setting.face),
        *(Lock(place) if place in kept else Unlock(place) for place in wrong),
    ]
    for wanted in missing:
        if wanted in actions:
            return wanted
    stuck = missing and best_score(view).total >= view.target
    return score_as(best_faces(view), view, actions) if stuck or _REROLL not in actions else _REROLL


def score_as(faces: Sequence[int], view: View, actions: Sequence[Action]) -> Action:
    """Return the next action to score these faces: set a wild die that shows another one, or score."""
    for place, (face, shown) in enumerate(zip(faces, view.faces, strict=True)):
        wanted = SetWild(place, face)
        if face != shown and wanted in actions:
            return wanted
    return _SCORE


def _places_with_effect(effect: FaceEffect, view: View) -> tuple[int, ...]:
    """Return the places of the dice with this effect, except a fixed one."""

    def does(die: PoolDie) -> bool:
        return view.rules.kinds[die.kind].effect is effect

    return tuple(
        place for place, die in enumerate(view.build.dice) if does(die) and place != _fixed_place(view)
    )


def _fixed_place(view: View) -> int | None:
    return None if view.fixed is None else view.fixed.place


def _is_silenced(view: View) -> bool:
    return view.boss is BossKind.SILENCER


LEAST_GAIN: Final = 1e-9
"""A gain below this is a rounding error."""

MOST_CACHED_BUILDS: Final = 100_000
"""The most builds whose values a shopper caches."""

_LEAVE: Final = Leave()


class ShopperWeights(msgspec.Struct, frozen=True, kw_only=True):
    """The weights of a shopper's valuation of a build.

    `discount` is the factor from each target to the next one. `dollar` is the value of a dollar in targets, and 0 from
    `enough` money on. `most_dollars` limits the pay for a great score that counts. `paydays` is the number of rounds for
    which the money of an item counts.
    """

    discount: float = 0.9
    dollar: float = 0.01
    enough: int = 200
    most_dollars: int = 100
    paydays: int = 5


DEFAULT_WEIGHTS: Final = ShopperWeights()


class Shopper:
    """Chooses purchases under one ruleset; it caches the values of builds.

    The value of a build is the discounted number of targets that it reaches, counted from the next round on, plus some of
    the pay for a great score. Purchases are valued one at a time. Not considered are combinations of purchases, bosses,
    and dice that may shatter.
    """

    def __init__(self, rules: Rules, weights: ShopperWeights = DEFAULT_WEIGHTS) -> None:
        self._rules = rules
        self._weights = weights
        self._values: dict[object, float] = {}

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Return the purchase with the greatest gain, or `Leave` if none has any."""
        gains = {purchase: self.gain(purchase, view) for purchase in _distinct_purchases(view.build, actions)}
        best = max(gains, key=lambda purchase: gains[purchase], default=None)
        return best if best is not None and gains[best] > LEAST_GAIN else _LEAVE

    def gain(self, purchase: Purchase, view: View) -> float:
        """Return what a purchase adds to the value of the build, minus the value of its price."""
        number, dollar = view.round + 1, self._weights.dollar if view.money < self._weights.enough else 0.0
        after = build_with(view.build, purchase, self._rules.normal_kind)
        added = self.value(after, number, dollar) - self.value(view.build, number, dollar)
        return added - dollar * price(imagine(view), purchase)

    def value(self, build: Build, number: int, dollar: float) -> float:
        """Return the value of a build before round `number`, in targets that it reaches without a boss."""
        dice, items, levels = sorted(build.dice), frozenset(build.items), frozenset(build.levels.items())
        key = tuple(dice), items, levels, number, dollar
        if key not in self._values:
            if len(self._values) >= MOST_CACHED_BUILDS:
                self._values.clear()
            self._values[key] = self._compute_value(build, number, dollar)
        return self._values[key]

    def _compute_value(self, build: Build, number: int, dollar: float) -> float:
        weights = self._weights
        earned = sum(self._rules.items[name].money for name in build.items)
        reached = discounted_value(
            build,
            number,
            self._rules,
            discount=weights.discount,
            dollar=dollar,
            most_dollars=weights.most_dollars,
        )
        return reached + dollar * weights.paydays * earned


def _distinct_purchases(build: Build, actions: Sequence[Action]) -> Iterator[Purchase]:
    """Yield the purchases among the actions; of equal dice, only the first is replaced."""
    for action in actions:
        match action:
            case BuyDie(place, die):
                if build.dice.index(build.dice[place]) == place and build.dice[place] != die:
                    yield action
            case BuyItem() | BuyUpgrade() | BuyExtraDie():
                yield action
            case _:
                pass


MOST_CACHED_PLANS: Final = 20
"""The most round plans that a bot caches."""


def make_bot(name: str, rules: Rules, _settings: BotSettings) -> Chooser[View, Action]:
    """Return the bot with that name: "greedy" or "optimal".

    >>> from oddsmith.chance import Scripted
    >>> type(make_bot("greedy", Rules(), BotSettings(draw=Scripted([])))).__name__
    'Greedy'
    """
    return Greedy() if name == "greedy" else Optimal(rules)


class Greedy:
    """A bot that keeps the matched dice of its hand, and rerolls the others until the target is reached.

    If every die is matched and the score is too low, it rerolls the lowest die. Wild dice count as their best faces. In a
    shop it upgrades the hand that it scored last; if that is not on offer, it uses a free choice for the cheapest upgrade,
    of equal ones for that of the weakest hand.
    """

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Return the next action: lock, reroll, set or score; in a shop, buy an upgrade or leave."""
        if view.stage is Stage.SHOP:
            return self._shop(view, actions)
        faces, best, loose = best_faces(view), best_score(view), random_places(view)
        if best.total >= view.target or not view.rerolls or not loose:
            return score_as(faces, view, actions)
        unmatched = [place for place in loose if place not in best.matched]
        rerolled = unmatched or [min(loose, key=lambda place: faces[place])]
        return reroll_except([place for place in loose if place not in rerolled], view, actions)

    def _shop(self, view: View, actions: Sequence[Action]) -> Action:
        upgrades = [action for action in actions if isinstance(action, BuyUpgrade)]
        for upgrade in upgrades:
            if view.score is not None and upgrade.hand == view.score.hand:
                return upgrade
        free = [upgrade for upgrade in upgrades if _is_free(upgrade, view)]
        return min(free, key=lambda upgrade: _cost(upgrade, view), default=_LEAVE)


class Optimal:
    """A bot that keeps the dice with the best chance to win the round, and buys for the following rounds.

    Of choices that win equally often, it takes the one that pays more: a great score, or rerolls that are left. What it
    buys is a heuristic: see `Shopper`.
    """

    def __init__(self, rules: Rules) -> None:
        self._shopper = Shopper(rules)
        self._plans: dict[object, RerollPlan] = {}
        self._best = lru_cache(maxsize=MOST_CACHED_PLANS)(RerollPlan.best)

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Return the next action of the round's plan: lock, reroll, set or score; in a shop, buy or leave."""
        if view.stage is Stage.SHOP:
            return self._shopper(view, actions)
        if view.rerolls and random_places(view):
            best = self._best(self.plan(view), view.faces, view.rerolls)
            now = score_value(best_score(view).total, view.target, view.rules, unused=view.rerolls)
            if len(best.keep) < len(view.faces) and best.value > now:
                return reroll_except(best.keep, view, actions, best.set_first)
        return score_as(best_faces(view), view, actions)

    def plan(self, view: View) -> RerollPlan:
        """Return the plan of the round, cached by everything that it depends on."""
        rerolls = max(view.rerolls, round_rerolls(view.build, view.rules, view.boss))
        key = view.build, view.target, rerolls, view.boss, view.fixed
        if key not in self._plans:
            if len(self._plans) >= MOST_CACHED_PLANS:
                self._plans.clear()
            self._plans[key] = round_plan(
                view.build, view.target, rerolls, view.rules, boss=view.boss, fixed=view.fixed
            )
        return self._plans[key]


def _is_free(upgrade: BuyUpgrade, view: View) -> bool:
    full, _ = _cost(upgrade, view)
    return bool(view.stock.free_choices) and full <= view.rules.shop.free_choice_cap


def _cost(upgrade: BuyUpgrade, view: View) -> tuple[int, int]:
    """Return the price of an upgrade without free choices, and the order of its hand."""
    level = view.build.levels.get(upgrade.hand, 0)
    return upgrade_price(level, view.rules), view.rules.hands[upgrade.hand].order
