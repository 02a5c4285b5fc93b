"""A range is where a number of the rules may go: from a least to a most, by steps, and always back to what it is today."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final, Self

import msgspec

from oddsmith.balance.keys import Key, keys_matching
from oddsmith.errors import InputError
from oddsmith.parsing import number_at, require_keys
from oddsmith.rules import Ruleset

KEYS: Final = ("key", "least", "most", "step", "keep_order")
MOST_PLACES: Final = 1_000_000


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """The places that a number may have: the multiples of a step between two bounds, and the number of today.

    >>> threshold = Range.between(Key("threshold", Decimal(273), Decimal("0.01")), Decimal(260), Decimal(280), Decimal(5))
    >>> [str(threshold.number(place)) for place in range(threshold.places)], threshold.start
    (['260', '265', '270', '273', '275', '280'], 3)
    """

    key: Key
    step: Decimal
    first: Decimal
    """The least multiple of the step that lies within the bounds."""
    multiples: int
    start: int
    """The place of the number of today, or the place that is nearest to it."""
    strays: bool
    """Whether the number of today is within the bounds, and between two multiples."""
    family: int | None = None
    """Numbers of one family keep the order that they have today."""

    @classmethod
    def between(
        cls, key: Key, least: Decimal, most: Decimal, step: Decimal, *, family: int | None = None
    ) -> Self:
        """Return the range between two bounds."""
        lowest, highest = (
            ceil(Fraction(least) / Fraction(step)),
            floor(Fraction(most) / Fraction(step)),
        )
        today = Fraction(key.value) / Fraction(step)
        strays = least <= key.value <= most and today.denominator != 1
        multiples = max(highest - lowest + 1, 0)
        start = min(max(ceil(today) - lowest, 0), max(multiples - 1 + strays, 0))
        return cls(
            key=key,
            step=step,
            first=lowest * step,
            multiples=multiples,
            start=start,
            strays=strays,
            family=family,
        )

    @property
    def places(self) -> int:
        """How many numbers it holds."""
        return self.multiples + self.strays

    def number(self, place: int) -> Decimal:
        """Return the number at a place, counted from the least."""
        if self.strays and place >= self.start:
            return self.key.value if place == self.start else self.first + self.step * (place - 1)
        return self.first + self.step * place

    def first_from(self, number: Decimal) -> int:
        """Return the first place whose number is not below this one; the last where all are."""
        return min(bisect_left(range(self.places), number, key=self.number), self.places - 1)

    def last_to(self, number: Decimal) -> int:
        """Return the last place whose number is not above this one; the first where all are."""
        return max(bisect_right(range(self.places), number, key=self.number) - 1, 0)

    def share(self, place: int) -> Fraction:
        """Return how far a place is from the number of today, as a share of the whole range.

        >>> Range.between(Key("hp", Decimal(10), Decimal(1)), Decimal(0), Decimal(20), Decimal(1)).share(15)
        Fraction(1, 4)
        """
        width = self.number(self.places - 1) - self.number(0)
        return Fraction(abs(self.number(place) - self.key.value)) / Fraction(width) if width else Fraction(0)


def ranges_from(given: Mapping[str, Any], rules: Ruleset, place: int = 0) -> list[Range]:
    """Return the ranges that plain data describe, one for each number of the rules that the key fits.

    >>> from oddsmith.games.destiny import Rules
    >>> given = {"key": "crimes.*.threshold", "least": 50, "most": 500, "step": 1, "keep_order": True}
    >>> {found.places for found in ranges_from(given, Rules())}
    {451}
    """
    where = f"change[{place}]"
    _require_keys(given, where)
    least, most = (number_at(given[name], f"{where}.{name}") for name in ("least", "most"))
    if least > most:
        raise InputError(
            "bad_bounds", f"{where}: the bounds are upside down: least {least}, most {most}", where=where
        )
    family = place if given.get("keep_order") else None
    return [
        _range(key, (least, most), given.get("step"), where, family)
        for key in keys_matching(rules, given["key"])
    ]


def _require_keys(given: Mapping[str, Any], where: str) -> None:
    require_keys(given, KEYS, where)
    for name in KEYS[:3]:
        if name not in given:
            raise InputError("missing_key", f"{where} needs '{name}'", where=f"{where}.{name}")
    if not isinstance(given["key"], str):
        raise InputError("bad_value", f"{where}.key: expected the key of a number", where=f"{where}.key")
    if not isinstance(given.get("keep_order", False), bool):
        place = f"{where}.keep_order"
        raise InputError("bad_value", f"{place}: expected true or false", where=place)


def _range(
    key: Key, bounds: tuple[Decimal, Decimal], given_step: object, where: str, family: int | None
) -> Range:
    least, most = bounds
    step = key.step if given_step is None else number_at(given_step, f"{where}.step")
    if step <= 0 or (not key.finer and step % key.step):
        kind = "any number above 0" if key.finer else f"a multiple of {key.step}"
        sentence = f"{where}.step: {key.path} changes by {kind}, not by {step}"
        raise InputError("bad_step", sentence, where=f"{where}.step")
    found = Range.between(key, least, most, step, family=family)
    if not found.places:
        sentence = f"{where}: no multiple of {step} lies between {least} and {most}"
        raise InputError("bad_bounds", sentence, where=where)
    if found.places > MOST_PLACES:
        sentence = f"{where}: {key.path} could have {found.places:,} numbers, and at most {MOST_PLACES:,} are tried: take a larger step"
        raise InputError("bad_step", sentence, where=where)
    return found
