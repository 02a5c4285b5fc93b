"""Targets files: the wanted values of figures, and the numbers of the rules that may change, with their ranges."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, MutableMapping
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from math import ceil, floor
from typing import Any, Final, Self

import msgspec

from oddsmith.balance.figures import parse_figure
from oddsmith.balance.formatting import format_argument, format_figure
from oddsmith.balance.rule_keys import Key, keys_matching, names_matching
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.parsing import is_number_text, number_at, number_of, require_keys, tables_under
from oddsmith.rules import Ruleset

CHANGE_KEYS: Final = ("key", "least", "most", "step", "keep_order")
MOST_VALUES: Final = 1_000_000


class NumberRange(msgspec.Struct, frozen=True, kw_only=True):
    """The values that a number may take: the multiples of a step between two bounds, and its current value.

    >>> threshold = NumberRange.between(Key("threshold", Decimal(273), Decimal("0.01")), Decimal(260), Decimal(280), Decimal(5))
    >>> [str(threshold.number(place)) for place in range(threshold.size)], threshold.start
    (['260', '265', '270', '273', '275', '280'], 3)
    """

    key: Key
    step: Decimal
    first: Decimal
    """The least multiple of the step within the bounds."""
    multiples: int
    start: int
    """The index of the current value, or of the value nearest to it."""
    off_grid: bool
    """Whether the current value is within the bounds, and between two multiples."""
    order_group: int | None = None
    """Numbers of the same group keep their current order."""

    @classmethod
    def between(
        cls, key: Key, least: Decimal, most: Decimal, step: Decimal, *, order_group: int | None = None
    ) -> Self:
        """Return the range between two bounds."""
        lowest, highest = (
            ceil(Fraction(least) / Fraction(step)),
            floor(Fraction(most) / Fraction(step)),
        )
        today = Fraction(key.value) / Fraction(step)
        off_grid = least <= key.value <= most and today.denominator != 1
        multiples = max(highest - lowest + 1, 0)
        start = min(max(ceil(today) - lowest, 0), max(multiples - 1 + off_grid, 0))
        return cls(
            key=key,
            step=step,
            first=lowest * step,
            multiples=multiples,
            start=start,
            off_grid=off_grid,
            order_group=order_group,
        )

    @property
    def size(self) -> int:
        """The number of values."""
        return self.multiples + self.off_grid

    def number(self, place: int) -> Decimal:
        """Return the value at an index, in ascending order."""
        if self.off_grid and place >= self.start:
            return self.key.value if place == self.start else self.first + self.step * (place - 1)
        return self.first + self.step * place

    def first_from(self, number: Decimal) -> int:
        """Return the first index whose value is not below a number; the last index where all are."""
        return min(bisect_left(range(self.size), number, key=self.number), self.size - 1)

    def last_to(self, number: Decimal) -> int:
        """Return the last index whose value is not above a number; the first index where all are."""
        return max(bisect_right(range(self.size), number, key=self.number) - 1, 0)

    def share(self, place: int) -> Fraction:
        """Return the distance of the value at an index from the current one, as a share of the whole range.

        >>> NumberRange.between(Key("hp", Decimal(10), Decimal(1)), Decimal(0), Decimal(20), Decimal(1)).share(15)
        Fraction(1, 4)
        """
        width = self.number(self.size - 1) - self.number(0)
        return Fraction(abs(self.number(place) - self.key.value)) / Fraction(width) if width else Fraction(0)


def parse_ranges(given: Mapping[str, Any], rules: Ruleset, place: int = 0) -> list[NumberRange]:
    """Parse a `[[change]]` table into ranges, one for each number of the rules that its key matches.

    >>> from oddsmith.games.destiny import Rules
    >>> given = {"key": "crimes.*.threshold", "least": 50, "most": 500, "step": 1, "keep_order": True}
    >>> {found.size for found in parse_ranges(given, Rules())}
    {451}
    """
    where = f"change[{place}]"
    _require_change_keys(given, where)
    least, most = (number_at(given[name], f"{where}.{name}") for name in ("least", "most"))
    if least > most:
        raise InputError(
            "bad_bounds", f"{where}: the bounds are reversed: least {least}, most {most}", where=where
        )
    order_group = place if given.get("keep_order") else None
    return [
        _make_range(key, (least, most), given.get("step"), where, order_group)
        for key in keys_matching(rules, given["key"])
    ]


def _require_change_keys(given: Mapping[str, Any], where: str) -> None:
    require_keys(given, CHANGE_KEYS, where)
    for name in CHANGE_KEYS[:3]:
        if name not in given:
            raise InputError("missing_key", f"{where} needs '{name}'", where=f"{where}.{name}")
    if not isinstance(given["key"], str):
        raise InputError("bad_value", f"{where}.key: expected the key of a number", where=f"{where}.key")
    if not isinstance(given.get("keep_order", False), bool):
        place = f"{where}.keep_order"
        raise InputError("bad_value", f"{place}: expected true or false", where=place)


def _make_range(
    key: Key, bounds: tuple[Decimal, Decimal], given_step: object, where: str, order_group: int | None
) -> NumberRange:
    least, most = bounds
    step = key.step if given_step is None else number_at(given_step, f"{where}.step")
    if step <= 0 or (not key.finer and step % key.step):
        kind = "any number above 0" if key.finer else f"a multiple of {key.step}"
        sentence = f"{where}.step: {key.path} changes by {kind}, not by {step}"
        raise InputError("bad_step", sentence, where=f"{where}.step")
    found = NumberRange.between(key, least, most, step, order_group=order_group)
    if not found.size:
        sentence = f"{where}: no multiple of {step} lies between {least} and {most}"
        raise InputError("bad_bounds", sentence, where=where)
    if found.size > MOST_VALUES:
        sentence = f"{where}: {key.path} could have {found.size:,} numbers, and at most {MOST_VALUES:,} are tried: take a larger step"
        raise InputError("bad_step", sentence, where=where)
    return found


COMPARISON_KEYS: Final[tuple[str, ...]] = ("is", "at_least", "at_most", "between", "within")


class TargetRange(msgspec.Struct, frozen=True, kw_only=True):
    """The wanted value of a figure: an interval, open where a bound is None, or a name; `text` is how it was written."""

    text: str
    low: Fraction | None = None
    high: Fraction | None = None
    name: str | None = None

    @classmethod
    def pop_from(cls, given: MutableMapping[str, Any], where: str = "") -> Self:
        """Remove `is`, `at_least`, `at_most`, `between` and `within` from plain data, and return their target range.

        Contradicting and malformed keys are refused with `bad_aim`, a target without any with `no_aim`.

        >>> TargetRange.pop_from({"is": "35%"})
        TargetRange(text='35%', low=Fraction(69, 200), high=Fraction(71, 200), name=None)
        >>> TargetRange.pop_from({"between": ["60%", "65%"]}).text
        '60% to 65%'
        """
        comparison = {key: given.pop(key) for key in COMPARISON_KEYS if key in given}
        if not comparison:
            raise InputError(
                "no_aim", f"say what it should be: {', '.join(COMPARISON_KEYS[:-1])}", where=where or None
            )
        if "between" in comparison:
            return cls._between(comparison, where)
        if "is" in comparison:
            return cls._is(comparison, where)
        if "within" in comparison:
            raise InputError("bad_aim", "'within' goes with 'is' only", where=where or None)
        low, high = (
            number_of(comparison[key], where)[0] if key in comparison else None
            for key in ("at_least", "at_most")
        )
        words = " and ".join(f"{key.replace('_', ' ')} {value}" for key, value in comparison.items())
        return cls._between_bounds(words, low, high, where)

    @classmethod
    def _between(cls, comparison: Mapping[str, Any], where: str) -> Self:
        _require_only(comparison, {"between"}, where)
        match comparison["between"]:
            case [first, last]:
                low, high = (number_of(end, where)[0] for end in (first, last))
                return cls._between_bounds(f"{first} to {last}", low, high, where)
        raise InputError(
            "bad_aim", 'between: expected two numbers, such as ["60%", "65%"]', where=where or None
        )

    @classmethod
    def _is(cls, comparison: Mapping[str, Any], where: str) -> Self:
        _require_only(comparison, {"is", "within"}, where)
        given = comparison["is"]
        if isinstance(given, str) and not is_number_text(given):
            return cls(text=given, name=given)
        number, margin = number_of(given, where)
        if "within" in comparison:
            margin = number_of(comparison["within"], where)[0]
            return cls._between_bounds(
                f"{given} ± {comparison['within']}", number - margin, number + margin, where
            )
        return cls._between_bounds(str(given), number - margin, number + margin, where)

    @classmethod
    def _between_bounds(cls, text: str, low: Fraction | None, high: Fraction | None, where: str) -> Self:
        if low is not None and high is not None and low > high:
            raise InputError("bad_aim", f"the bounds are reversed: {text}", where=where or None)
        return cls(text=text, low=low, high=high)

    def distance(self, reading: Reading) -> Fraction:
        """Return the distance of a value from the range; 0 where the interval of its error touches it.

        >>> TargetRange.pop_from({"at_most": "40%"}).distance(Reading(Fraction(1, 2)))
        Fraction(1, 10)
        """
        if self.name is not None or reading.name is not None:
            return Fraction(reading.name != self.name)
        below = Fraction(0) if self.low is None else self.low - reading.high
        above = Fraction(0) if self.high is None else reading.low - self.high
        return max(below, above, Fraction(0))

    def is_met(self, reading: Reading) -> bool:
        """Return whether a value is in the range, within its error."""
        return not self.distance(reading)


def _require_only(comparison: Mapping[str, Any], allowed: set[str], where: str) -> None:
    other = next((key for key in comparison if key not in allowed), None)
    if other is not None:
        first = next(key for key in comparison if key != other)
        raise InputError("bad_aim", f"'{first}' and '{other}' cannot be combined", where=where or None)


KEYS: Final = ("game", "rules", "targets", "change")
MOST_TARGETS: Final = 1_000
MOST_KEYS: Final = 200
HEAVIEST: Final = 1_000_000


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A figure, its target range, and its weight relative to other targets."""

    name: str
    figure: Figure
    wanted: TargetRange
    preferred: Fraction | None = None
    """The preferred value within the target range, where a single number was written; None where all are equal."""
    weight: Fraction = Fraction(1)
    where: str = ""

    @property
    def unit(self) -> Unit:
        """The unit of the figure."""
        return type(self.figure).unit

    @property
    def scale(self) -> Fraction:
        """The unit of distances: 1 for a chance, else the greatest bound of the target range."""
        if self.unit is not Unit.NUMBER:
            return Fraction(1)
        ends = [abs(end) for end in (self.wanted.low, self.wanted.high) if end]
        return max(ends, default=Fraction(1))

    def distance(self, reading: Reading) -> Fraction:
        """Return the distance of a value from the target range; the error of an estimate is ignored."""
        if reading.basis is Basis.ESTIMATED:
            return self.wanted.distance(Reading(reading.value, name=reading.name))
        return self.wanted.distance(reading)

    def is_met(self, reading: Reading) -> bool:
        """Return whether a value is in the target range."""
        return not self.distance(reading)

    def violation(self, reading: Reading) -> Fraction:
        """Return the weighted squared distance of a value from the target range."""
        return self.weight * (self.distance(reading) / self.scale) ** 2

    def deviation(self, reading: Reading) -> Fraction:
        """Return the weighted squared distance of a value from the preferred one; 0 where there is none."""
        if self.preferred is None:
            return Fraction(0)
        return self.weight * ((reading.value - self.preferred) / self.scale) ** 2


class Targets(msgspec.Struct, frozen=True, kw_only=True):
    """The targets of some rules, and the ranges of the numbers that may change."""

    rules: Ruleset
    targets: tuple[Target, ...]
    ranges: tuple[NumberRange, ...]

    @property
    def figures(self) -> list[Figure]:
        """The figures of the targets."""
        return [target.figure for target in self.targets]


def parse_targets(data: Mapping[str, Any], rules: Ruleset) -> Targets:
    """Parse targets for some rules from plain data; contradictions and unknown names are refused with an `InputError`.

    >>> from oddsmith.games.destiny import Rules
    >>> robbery = {"figure": "check.success", "target": "bank_robbery", "character": {"skills": {"stealth": 40}}, "is": "35%"}
    >>> wanted = parse_targets(
    ...     {"targets": [robbery], "change": [{"key": "crimes.bank_robbery.threshold", "least": 50, "most": 500}]}, Rules()
    ... )
    >>> wanted.targets[0].name, wanted.ranges[0].size
    ('check.success(target bank_robbery, character skills stealth 40)', 45001)
    """
    require_keys(data, KEYS)
    if data.get("game", rules.game) != rules.game:
        raise InputError(
            "wrong_game", f"game: targets of {str(data['game'])[:40]}, rules of {rules.game}", where="game"
        )
    targets = tuple(
        target
        for place, given in enumerate(tables_under(data, "targets", most=MOST_TARGETS))
        for target in _parse_targets(given, rules, f"targets[{place}]")
    )
    ranges = tuple(
        found
        for place, given in enumerate(tables_under(data, "change", most=MOST_TARGETS))
        for found in parse_ranges(given, rules, place)
    )
    _require_counts(targets, ranges)
    _require_distinct(ranges)
    _require_agreement(targets)
    return Targets(rules=rules, targets=targets, ranges=ranges)


def _parse_targets(given: Mapping[str, Any], rules: Ruleset, where: str) -> Iterator[Target]:
    """Yield a target for each combination of values under `each`."""
    rest = dict(given)
    name, weight = rest.pop("name", ""), _parse_weight(rest.pop("weight", 1), where)
    if not isinstance(name, str):
        raise InputError("bad_value", f"{where}.name: expected text", where=f"{where}.name")
    each = _argument_values(rest.pop("each", {}), rules, where)
    comparison = {key: rest.pop(key) for key in COMPARISON_KEYS if key in rest}
    preferred = _preferred_number(comparison, where)
    wanted = TargetRange.pop_from(dict(comparison), where)
    for values in product(*each.values()):
        figure = parse_figure(rules.game, {**rest, **dict(zip(each, values, strict=True))}, where)
        words = " ".join(map(format_argument, values))
        yield Target(
            name=f"{name}: {words}" if name and words else name or format_figure(figure),
            figure=figure,
            wanted=wanted,
            preferred=preferred,
            weight=weight,
            where=where,
        )


def _parse_weight(given: object, where: str) -> Fraction:
    weight = number_of(given, f"{where}.weight")[0]
    if not 0 < weight <= HEAVIEST:
        raise InputError(
            "bad_weight",
            f"{where}.weight: expected a number above 0 and up to {HEAVIEST:,}",
            where=f"{where}.weight",
        )
    return weight


def _preferred_number(comparison: Mapping[str, Any], where: str) -> Fraction | None:
    """Return the number under `is` if it is the only key; None where a range or a name is wanted."""
    if set(comparison) != {"is"}:
        return None
    try:
        return number_of(comparison["is"], where)[0]
    except InputError:
        return None


def _argument_values(given: object, rules: Ruleset, where: str) -> dict[str, list[Any]]:
    """Return the values of each argument under `each`: those of a list, or the names that match a key of the rules."""
    if not isinstance(given, Mapping):
        raise InputError(
            "bad_value",
            f'{where}.each: expected a table such as {{target = "crimes.*"}}',
            where=f"{where}.each",
        )
    return {
        argument: list(values)
        if isinstance(values, list)
        else _matching_names(values, rules, f"{where}.each.{argument}")
        for argument, values in given.items()
    }


def _matching_names(pattern: object, rules: Ruleset, where: str) -> list[Any]:
    if not isinstance(pattern, str):
        raise InputError(
            "bad_value",
            f"{where}: expected a list of values, or names of the rules such as crimes.*",
            where=where,
        )
    return names_matching(rules, pattern, where)


def _require_counts(targets: tuple[Target, ...], ranges: tuple[NumberRange, ...]) -> None:
    if not targets:
        raise InputError("no_targets", "targets: say what is wanted, under [[targets]]", where="targets")
    if not ranges:
        raise InputError(
            "no_changes", "change: say which numbers may change, under [[change]]", where="change"
        )
    if len(targets) > MOST_TARGETS or len(ranges) > MOST_KEYS:
        raise InputError(
            "too_many_targets",
            f"at most {MOST_TARGETS:,} targets and {MOST_KEYS} numbers are tuned at once",
            where="targets",
        )


def _require_distinct(ranges: tuple[NumberRange, ...]) -> None:
    seen: set[str] = set()
    for one in ranges:
        if one.key.path in seen:
            raise InputError(
                "changed_twice", f"change: {one.key.path} may change by two entries", where="change"
            )
        seen.add(one.key.path)


def _require_agreement(targets: tuple[Target, ...]) -> None:
    for target in targets:
        _require_possible(target)
    for one, other in combinations(targets, 2):
        if one.figure == other.figure and _disjoint(one.wanted, other.wanted):
            raise InputError(
                "contradicting_targets",
                f"{one.where} and {other.where} contradict each other: {format_figure(one.figure)} cannot be "
                f"{one.wanted.text} and {other.wanted.text}",
                where=other.where,
            )


def _require_possible(target: Target) -> None:
    named = target.wanted.name is not None
    if named is not (target.unit is Unit.NAME):
        kind = "a name" if target.unit is Unit.NAME else "a number"
        raise InputError(
            "bad_aim",
            f"{target.where}: {target.figure.figure_name()} is {kind}, and cannot be {target.wanted.text}",
            where=target.where,
        )
    low, high = target.wanted.low, target.wanted.high
    if target.unit is Unit.CHANCE and ((low is not None and low > 1) or (high is not None and high < 0)):
        raise InputError(
            "impossible_aim",
            f"{target.where}: a chance lies between 0 % and 100 %, and cannot be {target.wanted.text}",
            where=target.where,
        )


def _disjoint(one: TargetRange, other: TargetRange) -> bool:
    if one.name is not None or other.name is not None:
        return one.name != other.name
    return any(
        above.low is not None and below.high is not None and above.low > below.high
        for above, below in ((one, other), (other, one))
    )
