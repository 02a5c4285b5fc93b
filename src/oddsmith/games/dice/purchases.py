"""The value of purchases: what they add to the chance of winning a round under best rerolls (§9.4)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import assert_never

import msgspec

from oddsmith.errors import InputError
from oddsmith.games.dice.model import Build, BuyDie, BuyExtraDie, BuyItem, BuyUpgrade, FixedDie
from oddsmith.games.dice.odds import plan_rerolls
from oddsmith.games.dice.parts import FACES
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import DEFAULT, BossKind, Rules
from oddsmith.games.dice.scoring import require_build
from oddsmith.games.dice.shopping import (
    Purchase,
    build_with,
    die_price,
    extra_die_price,
    offered_dice,
    offered_upgrades,
    upgrade_price,
)

__all__ = [
    "PurchaseValue",
    "build_after",
    "every_purchase",
    "list_price",
    "purchase_values",
    "require_solvable_round",
    "round_cases",
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
        """The difference that the purchase makes to the chance."""
        return self.after - self.before


def round_chance(
    build: Build,
    number: int,
    rules: Rules = DEFAULT,
    *,
    exact: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Fraction | float:
    """Return the chance of winning round `number` under best rerolls, averaged over bosses in a boss round.

    Without `exact` it is a float with a rounding error below 1e-12 for up to a dozen rerolls: the error of each plan is
    below 3e-13 then, and averaging adds only its own rounding. `progress` is called with the share that is done. Raises
    the errors of `require_solvable_round`.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> round(float(round_chance(Build(dice=(PoolDie("normal"),) * 5), 3)), 4)
    0.9471
    """
    require_solvable_round(build, number, rules)
    cases = list(round_cases(build, number, rules))
    weight = sum(ways for _, _, ways in cases)
    chance: Fraction | float = Fraction(0) if exact else 0.0
    for done, (boss, fixed, ways) in enumerate(cases, 1):
        rerolls = round_rerolls(build, rules, boss)
        plan = plan_rerolls(
            build, rerolls, rules, target=rules.target(number), boss=boss, fixed=fixed, exact=exact
        )
        chance += plan.start_value(rerolls) * ways / weight
        if progress is not None:
            progress(done / len(cases))
    return chance


def require_solvable_round(build: Build, number: int, rules: Rules = DEFAULT) -> None:
    """Raise `InputError` for a round that does not exist, `WorkLimitError` for too many positions with some boss."""
    if not 1 <= number <= rules.rounds:
        raise InputError("bad_round", f"rounds are numbered from 1 to {rules.rounds}, not {number}")
    for boss, fixed, _ in round_cases(build, number, rules):
        Pool(build, rules, boss=boss, fixed=fixed).require_solvable()


def round_cases(
    build: Build, number: int, rules: Rules
) -> Iterator[tuple[BossKind | None, FixedDie | None, int]]:
    """Yield the possible bosses with their weights; the lockdown once for each different die and face."""
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
    """Yield every purchase that a shop can offer to this build; of equal dice, the first is replaced.

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
    """Return the price of a purchase without free choices (§6.2)."""
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


def build_after(build: Build, purchase: Purchase, rules: Rules = DEFAULT) -> Build:
    """Return the build after a purchase; raise `InputError` for one that no shop can offer to it.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> [str(die) for die in build_after(Build(dice=(PoolDie("normal"),)), BuyExtraDie()).dice]
    ['normal', 'normal']
    """
    size = len(build.dice)
    if isinstance(purchase, BuyDie) and not 0 <= purchase.place < size:
        raise InputError(
            "no_such_die", f"there is no die {purchase.place} to replace: the pool has dice 0 to {size - 1}"
        )
    if isinstance(purchase, BuyExtraDie) and size >= rules.most_dice:
        raise InputError("too_many_dice", f"a pool has at most {rules.most_dice} dice")
    after = build_with(build, purchase, rules.normal_kind)
    require_build(after, rules)
    return after


def purchase_values(
    build: Build,
    number: int,
    rules: Rules = DEFAULT,
    purchases: Sequence[Purchase] | None = None,
    *,
    exact: bool = True,
    progress: Callable[[float], None] | None = None,
) -> list[PurchaseValue]:
    """Return the value of each purchase before round `number`, the greatest gain first, then the lowest price.

    Without `purchases` these are all that a shop can offer. Raises the errors of `build_after` and of
    `require_solvable_round` before it solves any build.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> wild = BuyDie(0, PoolDie("wild"))
    >>> value = purchase_values(Build(dice=(PoolDie("normal"),) * 5), 5, purchases=[wild])[0]
    >>> round(float(value.before), 4), round(float(value.after), 4)
    (0.8305, 0.9351)
    """
    wanted = list(every_purchase(build, rules)) if purchases is None else list(purchases)
    builds = [build, *(build_after(build, purchase, rules) for purchase in wanted)]
    for one in builds:
        require_solvable_round(one, number, rules)
    before, *after = _chances(builds, number, rules, exact=exact, progress=progress)
    values = [
        PurchaseValue(
            purchase=purchase, price=list_price(build, purchase, rules), before=before, after=chance
        )
        for purchase, chance in zip(wanted, after, strict=True)
    ]
    return sorted(values, key=lambda value: (-value.gain, value.price))


def _chances(
    builds: Sequence[Build],
    number: int,
    rules: Rules,
    *,
    exact: bool,
    progress: Callable[[float], None] | None,
) -> Iterator[Fraction | float]:
    """Yield the chance of each build to win a round; `progress` is called after each boss."""
    for done, build in enumerate(builds):

        def report(share: float, done: int = done) -> None:
            if progress is not None:
                progress((done + share) / len(builds))

        yield round_chance(build, number, rules, exact=exact, progress=report)
