"""The ruleset of Dice Hands: every number and switch, with its bounds and checks."""

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Annotated, ClassVar, Final, TypeAlias, TypeVar

from msgspec import Meta

from oddsmith.errors import InputError, RulesError, nearest
from oddsmith.games.dice.parts import (
    HANDS,
    ITEMS,
    KINDS,
    MOST_DICE,
    Condition,
    Hand,
    Item,
    Kind,
    Money,
    Name,
    PoolDie,
    require_decimal,
)
from oddsmith.rules import PresetChanges, Ruleset, ValidatedStruct

DieText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=50)]

T = TypeVar("T")

LARGEST_TARGET: Final = 10**15
LONGEST_LEVEL: Final = 2
LARGEST_GROWTH: Final = Decimal(10)
LARGEST_UPGRADE_GROWTH: Final = Decimal(3)


class Selection(StrEnum):
    """Which of the hands that the dice make is scored (§2.4)."""

    FIRST_MATCH = "first_match"
    BEST_SCORE = "best_score"


class BossKind(StrEnum):
    """The effect of a boss on a round (§7)."""

    LOCKDOWN = "lockdown"
    INVERTER = "inverter"
    COLLECTOR = "collector"
    MISER = "miser"
    SILENCER = "silencer"


def parse_boss(name: str) -> BossKind:
    """Return the boss with that name; raise `InputError` if there is none.

    >>> parse_boss("miser")
    <BossKind.MISER: 'miser'>
    """
    if name not in [*BossKind]:
        raise InputError("unknown_boss", f"unknown boss '{name[:40]}'{nearest(name[:40], BossKind)}")
    return BossKind(name)


class Upgrades(ValidatedStruct, frozen=True, kw_only=True):
    """Effects and prices of the levels of a hand (§2.5)."""

    most_levels: Annotated[int, Meta(ge=0, le=10)] = 5
    base_growth: Decimal = Decimal("1.3")
    multiplier_step: Decimal = Decimal("0.5")
    price: Money = 5
    price_step: Money = 5

    def check(self) -> None:
        """Raise `RulesError` for a factor that is out of bounds or has too many decimals."""
        require_decimal("base_growth", self.base_growth, LARGEST_UPGRADE_GROWTH, Decimal(1))
        require_decimal("multiplier_step", self.multiplier_step, Decimal(100))


class Pay(ValidatedStruct, frozen=True, kw_only=True):
    """The payment for a won round (§5.8)."""

    least: Money = 5
    target_share: Annotated[int, Meta(ge=1, le=10_000)] = 8
    great_at: Annotated[int, Meta(ge=1, le=10_000)] = 2
    great_share: Annotated[int, Meta(ge=1, le=10_000)] = 10
    per_reroll: Money = 1
    interest_step: Annotated[int, Meta(ge=1, le=10_000)] = 5
    most_interest: Money = 5


class Shop(ValidatedStruct, frozen=True, kw_only=True):
    """The size of the shop's stock, its free choices, and the price of an extra die (§6)."""

    dice: Annotated[int, Meta(ge=0, le=10)] = 3
    items: Annotated[int, Meta(ge=0, le=10)] = 3
    upgrades: Annotated[int, Meta(ge=0, le=10)] = 5
    free_choices: Annotated[int, Meta(ge=0, le=10)] = 1
    free_choice_cap: Money = 25
    extra_die_price: Money = 15
    extra_die_step: Money = 10


class Bosses(ValidatedStruct, frozen=True, kw_only=True):
    """Which rounds have a boss, and the bosses that may come (§7); `every` 0 means no round."""

    every: Annotated[int, Meta(ge=0, le=1000)] = 4
    kinds: Annotated[tuple[BossKind, ...], Meta(max_length=len(BossKind))] = tuple(BossKind)
    miser_rerolls: Annotated[int, Meta(ge=0, le=10)] = 2

    def check(self) -> None:
        """Raise `RulesError` if a boss is listed twice, or if rounds have bosses and none is listed."""
        if len(set(self.kinds)) != len(self.kinds) or (self.every and not self.kinds):
            raise RulesError(
                "bad_bosses",
                "kinds: bosses are listed once each, and at least one where they come",
                where="kinds",
            )


class FinalScore(ValidatedStruct, frozen=True, kw_only=True):
    """What the final score of a run counts: won rounds, points scored in them, and dollars that are left (§8.5)."""

    per_round: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    per_point: Annotated[int, Meta(ge=0, le=1000)] = 1
    per_dollar: Annotated[int, Meta(ge=0, le=10_000)] = 0

    def check(self) -> None:
        """Raise `RulesError` if nothing counts."""
        if not (self.per_round or self.per_point or self.per_dollar):
            raise RulesError(
                "no_final_score",
                "per_point: rounds, points or dollars must count for the final score",
                where="per_point",
            )


class Rules(Ruleset, frozen=True, kw_only=True):
    """The rules of Dice Hands.

    >>> [Rules().target(number) for number in range(1, 11)]
    [40, 54, 72, 98, 132, 179, 242, 326, 441, 595]
    """

    game: ClassVar[str] = "dice"
    preset_changes: ClassVar[PresetChanges] = {
        "best_score": {"selection": Selection.BEST_SCORE},
        "endless": {"rounds": 100, "final_score": FinalScore(per_round=1, per_point=0)},
    }
    """The one that scores the best of all hands, and the one with more rounds than can be won."""

    selection: Selection = Selection.FIRST_MATCH
    hands: Annotated[Mapping[Name, Hand], Meta(min_length=1, max_length=100)] = HANDS
    kinds: Annotated[Mapping[Name, Kind], Meta(min_length=1, max_length=100)] = KINDS
    items: Annotated[Mapping[Name, Item], Meta(max_length=100)] = ITEMS
    upgrades: Upgrades = Upgrades()
    most_die_level: Annotated[int, Meta(ge=0, le=10)] = 3
    normal_kind: Name = "normal"

    pool: Annotated[tuple[DieText, ...], Meta(min_length=1, max_length=MOST_DICE)] = ("normal",) * 5
    most_dice: Annotated[int, Meta(ge=1, le=MOST_DICE)] = MOST_DICE
    money: Money = 0
    rerolls: Annotated[int, Meta(ge=0, le=10)] = 3
    most_adjustments: Annotated[int, Meta(ge=1, le=1000)] = 100
    first_target: Annotated[int, Meta(ge=1, le=1_000_000)] = 40
    target_growth: Decimal = Decimal("1.35")
    rounds: Annotated[int, Meta(ge=1, le=100)] = 12
    final_score: FinalScore = FinalScore()
    pay: Pay = Pay()
    shop: Shop = Shop()
    bosses: Bosses = Bosses()

    @cached_property
    def hands_in_order(self) -> tuple[str, ...]:
        """The names of the enabled hands, strongest first (§2.1)."""
        enabled = [name for name, hand in self.hands.items() if hand.enabled]
        return tuple(sorted(enabled, key=lambda name: -self.hands[name].order))

    def target(self, number: int) -> int:
        """Return the target score of round `number`, counted from 1, rounded down (§5.1)."""
        numerator, denominator = self.target_growth.as_integer_ratio()
        target: int = self.first_target * numerator ** (number - 1) // denominator ** (number - 1)
        return target

    def is_boss_round(self, number: int) -> bool:
        """Return whether round `number` has a boss (§7.1)."""
        return bool(self.bosses.every) and number % self.bosses.every == 0

    def hand(self, name: str) -> Hand:
        """Return the hand with that name; raise `InputError` if there is none."""
        return _look_up(name, self.hands, "hand")

    def kind(self, name: str) -> Kind:
        """Return the kind of die with that name; raise `InputError` if there is none."""
        return _look_up(name, self.kinds, "kind of die")

    def item(self, name: str) -> Item:
        """Return the item with that name; raise `InputError` if there is none."""
        return _look_up(name, self.items, "item")

    def check(self) -> None:
        """Raise `RulesError` for targets that grow too large, and for inconsistent hands, dice or items."""
        require_decimal("target_growth", self.target_growth, LARGEST_GROWTH, Decimal(1))
        if self.target(self.rounds) > LARGEST_TARGET:
            raise RulesError(
                "out_of_bounds",
                f"target_growth: the target of round {self.rounds} would be above {LARGEST_TARGET:,}; "
                "let targets grow more slowly, or have fewer rounds",
                where="target_growth",
            )
        self._check_hands()
        self._check_dice()
        self._check_items()

    def _check_hands(self) -> None:
        orders = Counter(hand.order for hand in self.hands.values())
        for name, hand in self.hands.items():
            if orders[hand.order] > 1:
                path = f"hands.{name}.order"
                raise RulesError("bad_order", f"{path}: another hand has the order {hand.order}", where=path)
        if not any(_always_matches(self.hands[name]) for name in self.hands_in_order):
            raise RulesError(
                "no_hand",
                "hands: one hand in force must match every roll, as high_roll does: "
                "highest, pattern [1], min_dice 1",
                where="hands",
            )

    def _check_dice(self) -> None:
        if self.normal_kind not in self.kinds:
            raise RulesError(
                "unknown_key",
                f"normal_kind: unknown kind of die '{self.normal_kind}'{nearest(self.normal_kind, self.kinds)}",
                where="normal_kind",
            )
        for name, kind in self.kinds.items():
            if kind.sold_to_level > self.most_die_level:
                path = f"kinds.{name}.sold_to_level"
                raise RulesError(
                    "out_of_bounds",
                    f"{path}: expected 0 to {self.most_die_level}, not {kind.sold_to_level}",
                    where=path,
                )
        if len(self.pool) > self.most_dice:
            raise RulesError(
                "out_of_bounds",
                f"pool: a pool has at most {self.most_dice} dice, not {len(self.pool)}",
                where="pool",
            )
        for place, text in enumerate(self.pool):
            try:
                self.die(text)
            except InputError as error:
                path = f"pool[{place}]"
                raise RulesError(error.refusal.code, f"{path}: {error}", where=path) from error

    def _check_items(self) -> None:
        reweighed: dict[str, str] = {}
        for name, item in self.items.items():
            if not item.reweighs:
                continue
            path = f"items.{name}.reweighs"
            if item.reweighs not in self.kinds:
                raise RulesError(
                    "unknown_key",
                    f"{path}: unknown kind of die '{item.reweighs}'{nearest(item.reweighs, self.kinds)}",
                    where=path,
                )
            if item.reweighs in reweighed:
                raise RulesError(
                    "bad_weights",
                    f"{path}: '{reweighed[item.reweighs]}' reweighs '{item.reweighs}' already",
                    where=path,
                )
            reweighed[item.reweighs] = name

    def die(self, text: str) -> PoolDie:
        """Parse a die such as `normal` or `glass+2`: its kind and its level (§1.3).

        Raises `InputError` for an unknown kind, for other text, and for a level above `most_die_level`.

        >>> Rules().die("glass+2")
        PoolDie(kind='glass', level=2)
        """
        name, plus, level = text.partition("+")
        self.kind(name)
        if not plus:
            return PoolDie(name)
        if not (level.isascii() and level.isdigit() and len(level) <= LONGEST_LEVEL):
            raise InputError(
                "bad_die", f"'{text[:50]}' is no die: write a kind, or a kind and a level as in glass+2"
            )
        if int(level) > self.most_die_level:
            raise InputError(
                "bad_level", f"a die has a level from 0 to {self.most_die_level}, not {int(level)}"
            )
        return PoolDie(name, int(level))


def _look_up(name: str, known: Mapping[str, T], what: str) -> T:
    if name not in known:
        raise InputError(
            f"unknown_{what.split(maxsplit=1)[0]}", f"unknown {what} '{name[:40]}'{nearest(name[:40], known)}"
        )
    return known[name]


def _always_matches(hand: Hand) -> bool:
    return hand.condition is Condition.HIGHEST and hand.pattern == (1,) and hand.min_dice == 1


DEFAULT: Final = Rules.preset("default")
"""The default rules, as on the rules page."""
