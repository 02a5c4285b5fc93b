"""What a purchase is worth: how much it adds to the chance of winning a round under best rerolls (§9.4)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import assert_never

import msgspec

from oddsmith.errors import InputError
from oddsmith.games.dice.economy import (
    die_price,
    extra_die_price,
    offered_dice,
    offered_upgrades,
    upgrade_price,
)
from oddsmith.games.dice.model import Build, BuyDie, BuyExtraDie, BuyItem, BuyUpgrade, FixedDie
from oddsmith.games.dice.odds import plan_rerolls
from oddsmith.games.dice.parts import FACES
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import DEFAULT, BossKind, Rules
from oddsmith.games.dice.scoring import require_build
from oddsmith.games.dice.shopping import Purchase, build_with

__all__ = [
    "PurchaseValue",
    "every_purchase",
    "list_price",
    "purchase_values",
    "round_chance",
]


class PurchaseValue(msgspec.Struct, frozen=True, kw_only=True):
    """A purchase, its list price, and the chance of winning the round without and with it."""

    purchase: Purchase
    price: int
    before: Fraction | float
    after: Fraction | float

    @property
    def gain(self) -> Fraction | float:
        """What the purchase adds to the chance."""
        return self.after - self.before


def round_chance(
    build: Build,
    number: int,
    rules: Rules = DEFAULT,
    *,
    exact: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Fraction | float:
    """Return the chance of winning round `number` under best rerolls, averaged over the bosses where one is due.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> round(float(round_chance(Build(dice=(PoolDie("normal"),) * 5), 3)), 4)
    0.9471
    """
    if not 1 <= number <= rules.rounds:
        raise InputError("bad_round", f"rounds are numbered from 1 to {rules.rounds}, not {number}")
    require_build(build, rules)
    cases = list(_cases(build, number, rules))
    weight = sum(ways for _, _, ways in cases)
    chance: Fraction | float = Fraction(0) if exact else 0.0
    for done, (boss, fixed, ways) in enumerate(cases, 1):
        rerolls = round_rerolls(build, rules, boss)
        plan = plan_rerolls(
            build, rerolls, rules, target=rules.target(number), boss=boss, fixed=fixed, exact=exact
        )
        chance += plan.start(rerolls) * ways / weight
        if progress is not None:
            progress(done / len(cases))
    return chance


def _cases(build: Build, number: int, rules: Rules) -> Iterator[tuple[BossKind | None, FixedDie | None, int]]:
    """Yield the bosses that may come, the lockdown once for each sort of die and face, with their weights."""
    if not rules.is_boss_round(number):
        yield None, None, 1
        return
    each = len(FACES) * len(build.dice)
    for boss in rules.bosses.kinds:
        if boss is not BossKind.LOCKDOWN:
            yield boss, None, each
            continue
        for die in dict.fromkeys(build.dice):
            for face in FACES:
                yield boss, FixedDie(build.dice.index(die), face), build.dice.count(die)


def every_purchase(build: Build, rules: Rules = DEFAULT) -> Iterator[Purchase]:
    """Yield all that a shop could ever offer to this build; of dice that are alike the first is replaced.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> len(list(every_purchase(Build(dice=(PoolDie("normal"),) * 5))))
    37
    """
    replaced = [build.dice.index(die) for die in dict.fromkeys(build.dice)]
    for text, _ in offered_dice(rules).outcomes():
        die = rules.die(text)
        yield from (BuyDie(place, die) for place in replaced if build.dice[place] != die)
    yield from (BuyItem(name) for name in rules.items if name not in build.items)
    yield from map(BuyUpgrade, offered_upgrades(build, rules).things)
    if len(build.dice) < rules.most_dice:
        yield BuyExtraDie()


def list_price(build: Build, purchase: Purchase, rules: Rules) -> int:
    """Return what a purchase costs where no choice is free (§6.2)."""
    match purchase:
        case BuyDie():
            return die_price(purchase.die, rules)
        case BuyItem():
            return rules.item(purchase.item).price
        case BuyUpgrade():
            return upgrade_price(build.levels.get(purchase.hand, 0), rules)
        case BuyExtraDie():
            return extra_die_price(len(build.dice), rules)
        case _ as never:
            assert_never(never)


def purchase_values(
    build: Build,
    number: int,
    rules: Rules = DEFAULT,
    purchases: Sequence[Purchase] | None = None,
    *,
    exact: bool = True,
    progress: Callable[[float], None] | None = None,
) -> list[PurchaseValue]:
    """Return what each purchase adds to the chance of winning round `number`, the most first, then the cheapest.

    Without `purchases` it is all that a shop could ever offer.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> wild = BuyDie(0, PoolDie("wild"))
    >>> value = purchase_values(Build(dice=(PoolDie("normal"),) * 5), 5, purchases=[wild])[0]
    >>> round(float(value.before), 4), round(float(value.after), 4)
    (0.8305, 0.9351)
    """
    asked = list(every_purchase(build, rules)) if purchases is None else list(purchases)
    before = round_chance(build, number, rules, exact=exact)
    values = []
    for done, purchase in enumerate(asked, 1):
        after = round_chance(build_with(build, purchase, rules.normal_kind), number, rules, exact=exact)
        price = list_price(build, purchase, rules)
        values.append(PurchaseValue(purchase=purchase, price=price, before=before, after=after))
        if progress is not None:
            progress(done / len(asked))
    return sorted(values, key=lambda value: (-value.gain, value.price))
