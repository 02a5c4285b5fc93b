"""Hands, kinds of dice and items as data, and the default ones of each."""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from math import gcd, lcm
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.decoding_faults import FORM, NAME_FORM
from oddsmith.die import Die
from oddsmith.errors import RulesError
from oddsmith.rules import ValidatedStruct
from oddsmith.wire import frozen_mapping

FACES: Final = (1, 2, 3, 4, 5, 6)
MOST_DICE: Final = 10
MOST_DECIMALS: Final = 6
LARGEST_MULTIPLIER: Final = Decimal(1000)
LARGEST_WEIGHT: Final = Decimal(1000)

Name: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}$", extra={FORM: NAME_FORM})]
Face: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Money: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]
Bonus: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]
Weights: TypeAlias = Annotated[tuple[Decimal, ...], Meta(max_length=len(FACES))]

FAIR_WEIGHTS: Final = (Decimal(1),) * len(FACES)


class Condition(StrEnum):
    """The condition that dice must meet to make a hand; the hand's `pattern` has its numbers (§2.2)."""

    GROUPS = "groups"
    RUN = "run"
    FACES = "faces"
    ONLY = "only"
    HIGHEST = "highest"


class FaceEffect(StrEnum):
    """How a die turns its roll into the face that it shows (§1.6 to §1.8)."""

    PLAIN = "plain"
    MIRROR = "mirror"
    WILD = "wild"
    ECHO = "echo"


class Hand(ValidatedStruct, frozen=True, kw_only=True):
    """A row of the table of hands; the hand with the highest `order` is matched first (§2.1).

    >>> Hand(order=8, base=40, multiplier="2.5", min_dice=5, condition="groups", pattern=(3, 2)).pattern
    (3, 2)
    """

    order: Annotated[int, Meta(ge=1, le=1000)]
    base: Annotated[int, Meta(ge=0, le=10_000)]
    multiplier: Decimal
    min_dice: Annotated[int, Meta(ge=1, le=MOST_DICE)]
    condition: Condition
    pattern: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=MOST_DICE)], ...], Meta(min_length=1, max_length=10)
    ]
    enabled: bool = True

    def check(self) -> None:
        """Raise `RulesError` for a multiplier out of bounds, or a pattern that does not fit the condition."""
        require_decimal("multiplier", self.multiplier, LARGEST_MULTIPLIER)
        wrong = _PATTERN_FAULTS[self.condition](self.pattern)
        if wrong is not None:
            raise RulesError("bad_pattern", f"pattern: {wrong}", where="pattern")


def _groups_fault(pattern: tuple[int, ...]) -> str | None:
    is_valid = len(pattern) <= len(FACES) and sum(pattern) <= MOST_DICE
    return None if is_valid else f"groups are at most {len(FACES)} sizes, of {MOST_DICE} dice in all"


def _run_fault(pattern: tuple[int, ...]) -> str | None:
    is_valid = len(pattern) == 1 and pattern[0] <= len(FACES)
    return None if is_valid else f"a run is one number, its length from 1 to {len(FACES)}"


def _faces_fault(pattern: tuple[int, ...]) -> str | None:
    return None if all(face in FACES for face in pattern) else "faces are from 1 to 6"


def _only_fault(pattern: tuple[int, ...]) -> str | None:
    is_valid = _faces_fault(pattern) is None and len(set(pattern)) == len(pattern)
    return None if is_valid else "faces are from 1 to 6, each listed once"


def _highest_fault(pattern: tuple[int, ...]) -> str | None:
    return None if len(pattern) == 1 else "the highest dice are one number: how many of them"


_PATTERN_FAULTS: Final = {
    Condition.GROUPS: _groups_fault,
    Condition.RUN: _run_fault,
    Condition.FACES: _faces_fault,
    Condition.ONLY: _only_fault,
    Condition.HIGHEST: _highest_fault,
}


class Kind(ValidatedStruct, frozen=True, kw_only=True, dict=True):
    """A kind of die: its weights, face effect, bonus, chance to shatter, and price (§1.2).

    >>> Kind(weights=("0.5", "0.5", "0.8", "1.2", "1.5", "1.8")).die.weights
    (5, 5, 8, 12, 15, 18)
    """

    weights: Weights = FAIR_WEIGHTS
    effect: FaceEffect = FaceEffect.PLAIN
    bonus: Bonus = 0
    bonus_per_level: Bonus = 0
    bonus_faces: Annotated[tuple[Face, ...], Meta(max_length=len(FACES))] = FACES
    bonus_needs_match: bool = False
    shatter: Decimal = Decimal(0)
    sold_to_level: Annotated[int, Meta(ge=0, le=10)] = 0
    price: Money = 8
    price_per_level: Money = 4

    def check(self) -> None:
        """Raise `RulesError` for weights, or a chance to shatter, out of bounds."""
        _require_weights(self.weights)
        require_decimal("shatter", self.shatter, Decimal(1))

    @cached_property
    def die(self) -> Die:
        """The weighted die that is rolled."""
        return weighted_die(self.weights)


class PoolDie(msgspec.Struct, frozen=True, order=True):
    """A die of a pool: its kind and its level.

    >>> str(PoolDie("glass", 2)), str(PoolDie("normal"))
    ('glass+2', 'normal')
    """

    kind: Name
    level: Annotated[int, Meta(ge=0, le=10)] = 0

    def __str__(self) -> str:
        return f"{self.kind}+{self.level}" if self.level else self.kind


class Item(ValidatedStruct, frozen=True, kw_only=True, dict=True):
    """An item: bought once, in effect until the run ends (§4).

    >>> Item(price=15, multiplier="0.5", faces=(2, 4, 6)).faces
    (2, 4, 6)
    """

    price: Money
    rerolls: Annotated[int, Meta(ge=0, le=10)] = 0
    flat: Bonus = 0
    multiplier: Decimal = Decimal(0)
    faces: Annotated[tuple[Face, ...], Meta(max_length=len(FACES))] = ()
    money: Money = 0
    saves: Annotated[int, Meta(ge=0, le=MOST_DICE)] = 0
    reweighs: Annotated[str, Meta(max_length=40)] = ""
    weights: Weights = ()

    def check(self) -> None:
        """Raise `RulesError` for a multiplier without faces, weights without a kind, or the reverse."""
        require_decimal("multiplier", self.multiplier, LARGEST_MULTIPLIER)
        if bool(self.multiplier) != bool(self.faces) or len(set(self.faces)) != len(self.faces):
            raise RulesError(
                "bad_faces",
                "faces: an item with a multiplier needs the faces that it counts, each listed once, another none",
                where="faces",
            )
        if bool(self.reweighs) != bool(self.weights):
            raise RulesError(
                "bad_weights",
                "weights: an item that reweighs a kind needs six weights, another none",
                where="weights",
            )
        if self.weights:
            _require_weights(self.weights)

    @cached_property
    def die(self) -> Die:
        """The weighted die that dice of the reweighed kind roll."""
        return weighted_die(self.weights)


def opposite_face(face: int) -> int:
    """Return the face on the opposite side.

    >>> opposite_face(2)
    5
    """
    return FACES[0] + FACES[-1] - face


def weighted_die(weights: tuple[Decimal, ...]) -> Die:
    """Return the die with these weights, scaled to the smallest integers in the same ratio.

    >>> weighted_die((Decimal("0.5"), Decimal(1), Decimal(0), Decimal(0), Decimal(0), Decimal(0))).weights
    (1, 2, 0, 0, 0, 0)
    """
    ratios = [weight.as_integer_ratio() for weight in weights]
    scale = lcm(*[denominator for _, denominator in ratios])
    integers = [numerator * scale // denominator for numerator, denominator in ratios]
    return Die(FACES, tuple(weight // gcd(*integers) for weight in integers))


def _require_weights(weights: tuple[Decimal, ...]) -> None:
    if len(weights) != len(FACES) or not any(weights):
        raise RulesError(
            "bad_weights", f"weights: a die has {len(FACES)} weights, not all 0", where="weights"
        )
    for place, weight in enumerate(weights):
        require_decimal(f"weights[{place}]", weight, LARGEST_WEIGHT)


def require_decimal(path: str, number: Decimal, most: Decimal, least: Decimal = Decimal(0)) -> None:
    """Raise `RulesError` for a number out of bounds, or with more than `MOST_DECIMALS` decimals."""
    exponent = number.as_tuple().exponent
    if not least <= number <= most or not isinstance(exponent, int) or exponent < -MOST_DECIMALS:
        raise RulesError(
            "out_of_bounds",
            f"{path}: expected {least} to {most} with at most {MOST_DECIMALS} decimals, not {number}",
            where=path,
        )


def _hand(order: int, base: int, multiplier: str, min_dice: int, condition: Condition, *pattern: int) -> Hand:
    return Hand(
        order=order,
        base=base,
        multiplier=Decimal(multiplier),
        min_dice=min_dice,
        condition=condition,
        pattern=pattern,
    )


HANDS: Final[Mapping[str, Hand]] = frozen_mapping(
    {
        "pyramid": _hand(17, 200, "10", 9, Condition.FACES, 2, 4, 4, 4, 6, 6, 6, 6, 6),
        "seven_of_a_kind": _hand(16, 175, "8", 7, Condition.GROUPS, 7),
        "six_of_a_kind": _hand(15, 130, "6", 6, Condition.GROUPS, 6),
        "five_of_a_kind": _hand(14, 100, "5", 5, Condition.GROUPS, 5),
        "full_run": _hand(13, 80, "4.5", 6, Condition.RUN, 6),
        "two_triplets": _hand(12, 65, "4", 6, Condition.GROUPS, 3, 3),
        "four_of_a_kind": _hand(11, 60, "3.5", 4, Condition.GROUPS, 4),
        "three_pairs": _hand(10, 50, "3", 6, Condition.GROUPS, 2, 2, 2),
        "large_straight": _hand(9, 45, "3", 5, Condition.RUN, 5),
        "full_house": _hand(8, 40, "2.5", 5, Condition.GROUPS, 3, 2),
        "all_even": _hand(7, 40, "3", 5, Condition.ONLY, 2, 4, 6),
        "all_odd": _hand(6, 40, "3", 5, Condition.ONLY, 1, 3, 5),
        "small_straight": _hand(5, 30, "2.5", 4, Condition.RUN, 4),
        "three_of_a_kind": _hand(4, 30, "2", 3, Condition.GROUPS, 3),
        "two_pair": _hand(3, 20, "1.5", 4, Condition.GROUPS, 2, 2),
        "pair": _hand(2, 10, "1.5", 2, Condition.GROUPS, 2),
        "high_roll": _hand(1, 5, "1", 1, Condition.HIGHEST, 1),
    }
)

KINDS: Final[Mapping[str, Kind]] = frozen_mapping(
    {
        "normal": Kind(),
        "weighted": Kind(weights=tuple(map(Decimal, ("0.5", "0.5", "0.8", "1.2", "1.5", "1.8")))),
        "light": Kind(weights=tuple(map(Decimal, (1, 1, 1, 0, 0, 0)))),
        "heavy": Kind(weights=tuple(map(Decimal, (0, 0, 1, 1, 1, 1)))),
        "glass": Kind(
            bonus=10, bonus_per_level=5, bonus_needs_match=True, shatter=Decimal("0.2"), sold_to_level=3
        ),
        "odd": Kind(bonus=5, bonus_per_level=3, bonus_faces=(1, 3, 5), sold_to_level=3),
        "even": Kind(bonus=5, bonus_per_level=3, bonus_faces=(2, 4, 6), sold_to_level=3),
        "wild": Kind(effect=FaceEffect.WILD),
        "mirror": Kind(effect=FaceEffect.MIRROR),
        "echo": Kind(effect=FaceEffect.ECHO),
    }
)

ITEMS: Final[Mapping[str, Item]] = frozen_mapping(
    {
        "extra_reroll": Item(price=10, rerolls=1),
        "even_steven": Item(price=15, multiplier=Decimal("0.5"), faces=(2, 4, 6)),
        "odd_todd": Item(price=15, multiplier=Decimal("0.5"), faces=(1, 3, 5)),
        "lucky_penny": Item(price=8, money=3),
        "insurance": Item(price=12, saves=1),
        "high_roller": Item(price=20, flat=15),
        "loaded_dice": Item(
            price=18,
            reweighs="normal",
            weights=tuple(map(Decimal, ("0.8", "0.8", "1", "1.1", "1.2", "1.3"))),
        ),
    }
)
