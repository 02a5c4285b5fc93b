"""A toy ruleset with simple figures whose values are known in advance."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from oddsmith.balance.rule_keys import keys_of
from oddsmith.balance.tuning.targets import NumberRange, Target, TargetRange, Targets
from oddsmith.errors import RulesError
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.points import Points
from oddsmith.rules import Ruleset
from oddsmith.wire import frozen_mapping

Whole = Annotated[int, Meta(ge=-1000, le=1000)]


class Toy(Ruleset, frozen=True, kw_only=True):
    """Three whole numbers, a price, a factor, a table and a list; the sum of the numbers may not be 13."""

    game: ClassVar[str] = "toy"

    one: Whole = 10
    two: Whole = 10
    three: Whole = 10
    price: Points = Points("2.50")
    factor: Decimal = Decimal("1.1")
    prices: Mapping[str, Points] = frozen_mapping({"beer": Points(3), "whiskey": Points(5)})
    rows: tuple[tuple[int, Points], ...] = ((1, Points(0)), (5, Points("3.31")))
    is_fair: bool = True

    def check(self) -> None:
        if self.one + self.two + self.three == 13:
            raise RulesError("unlucky", "three numbers whose sum is 13", where="one")


class Sum(Figure, frozen=True, kw_only=True, tag="sum"):
    """A weighted sum of the three numbers, rounded down to a step and divided by `over`."""

    one: int = 0
    two: int = 0
    three: int = 0
    over: int = 1
    step: int = 1

    def read(self, rules: Toy) -> Reading:
        total = self.one * rules.one + self.two * rules.two + self.three * rules.three
        return Reading(Fraction(total // self.step * self.step, self.over))


class Chance(Sum, frozen=True, kw_only=True, tag="chance"):
    """The same as a chance, between 0 and 1."""

    unit: ClassVar[Unit] = Unit.CHANCE

    def read(self, rules: Toy) -> Reading:
        return Reading(min(max(super().read(rules).value, Fraction(0)), Fraction(1)))


class Product(Figure, frozen=True, kw_only=True, tag="product"):
    """The product of two of the numbers."""

    def read(self, rules: Toy) -> Reading:
        return Reading(Fraction(rules.one * rules.two))


class Square(Figure, frozen=True, kw_only=True, tag="square"):
    """The square of the first number, which falls and rises."""

    def read(self, rules: Toy) -> Reading:
        return Reading(Fraction(rules.one**2))


class Sign(Figure, frozen=True, kw_only=True, tag="sign"):
    """Whether the first number is below zero."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Toy) -> Reading:
        return Reading(name="minus" if rules.one < 0 else "plus")


def make_targets(
    wanted_ranges: Mapping[Any, Mapping[str, Any]],
    changes: Mapping[str, tuple[int, int]],
    *,
    rules: Ruleset | None = None,
    order_group: int | None = None,
) -> Targets:
    """Return targets for the toy: a range for each figure, bounds for each number."""
    toy = rules or Toy()
    known = keys_of(toy)
    targets = []
    for place, (figure, wanted_range) in enumerate(wanted_ranges.items()):
        preferred = (
            Fraction(str(wanted_range["is"]))
            if set(wanted_range) == {"is"} and not isinstance(wanted_range["is"], str)
            else None
        )
        name, where = f"{figure.figure_name()} {place}", f"targets[{place}]"
        targets.append(
            Target(
                name=name,
                figure=figure,
                wanted=TargetRange.pop_from(dict(wanted_range)),
                preferred=preferred,
                where=where,
            )
        )
    ranges = [
        NumberRange.between(
            known[key], Decimal(least), Decimal(most), known[key].step, order_group=order_group
        )
        for key, (least, most) in changes.items()
    ]
    return Targets(rules=toy, targets=tuple(targets), ranges=tuple(ranges))
