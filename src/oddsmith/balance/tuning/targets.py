"""A targets file: what figures should be, and which numbers of the rules may change, within which range."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, MutableMapping
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from math import ceil, floor
from typing import Any, Final, Self

import msgspec

from oddsmith.balance.figures import figure_of
from oddsmith.balance.formatting import brief, told
from oddsmith.balance.rule_keys import Key, keys_matching, names_matching
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.parsing import is_number_text, number_at, number_of, require_keys, tables_under
from oddsmith.rules import Ruleset

RANGE_KEYS: Final = ("key", "least", "most", "step", "keep_order")
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
    require_keys(given, RANGE_KEYS, where)
    for name in RANGE_KEYS[:3]:
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


AIM_KEYS: Final[tuple[str, ...]] = ("is", "at_least", "at_most", "between", "within")


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted of a figure; `text` is how it was written."""

    text: str
    low: Fraction | None = None
    high: Fraction | None = None
    name: str | None = None

    @classmethod
    def taken_from(cls, given: MutableMapping[str, Any], where: str = "") -> Self:
        """Take the aim out of plain data, and leave the rest: `is`, `at_least`, `at_most`, `between` or `within`.

        >>> Aim.taken_from({"is": "35%"})
        Aim(text='35%', low=Fraction(69, 200), high=Fraction(71, 200), name=None)
        >>> Aim.taken_from({"between": ["60%", "65%"]}).text
        '60% to 65%'
        """
        written = {key: given.pop(key) for key in AIM_KEYS if key in given}
        if not written:
            raise InputError(
                "no_aim", f"say what it should be: {', '.join(AIM_KEYS[:-1])}", where=where or None
            )
        if "between" in written:
            return cls._between(written, where)
        if "is" in written:
            return cls._is(written, where)
        if "within" in written:
            raise InputError("bad_aim", "'within' stands beside 'is' only", where=where or None)
        low, high = (
            number_of(written[key], where)[0] if key in written else None for key in ("at_least", "at_most")
        )
        words = " and ".join(f"{key.replace('_', ' ')} {value}" for key, value in written.items())
        return cls._ranged(words, low, high, where)

    @classmethod
    def _between(cls, written: Mapping[str, Any], where: str) -> Self:
        _require_only(written, {"between"}, where)
        ends = written["between"]
        if not isinstance(ends, (list, tuple)) or len(ends) != 2:  # noqa: PLR2004  two ends
            raise InputError(
                "bad_aim", 'between: expected two numbers, such as ["60%", "65%"]', where=where or None
            )
        low, high = (number_of(end, where)[0] for end in ends)
        return cls._ranged(f"{ends[0]} to {ends[1]}", low, high, where)

    @classmethod
    def _is(cls, written: Mapping[str, Any], where: str) -> Self:
        _require_only(written, {"is", "within"}, where)
        given = written["is"]
        if isinstance(given, str) and not is_number_text(given):
            return cls(text=given, name=given)
        number, margin = number_of(given, where)
        if "within" in written:
            margin = number_of(written["within"], where)[0]
            return cls._ranged(f"{given} ± {written['within']}", number - margin, number + margin, where)
        return cls._ranged(str(given), number - margin, number + margin, where)

    @classmethod
    def _ranged(cls, text: str, low: Fraction | None, high: Fraction | None, where: str) -> Self:
        if low is not None and high is not None and low > high:
            raise InputError("bad_aim", f"the bounds are upside down: {text}", where=where or None)
        return cls(text=text, low=low, high=high)

    def distance(self, reading: Reading) -> Fraction:
        """Return how far a value is from what is wanted; 0 where it is met.

        >>> Aim.taken_from({"at_most": "40%"}).distance(Reading(Fraction(1, 2)))
        Fraction(1, 10)
        """
        if self.name is not None or reading.name is not None:
            return Fraction(reading.name != self.name)
        below = Fraction(0) if self.low is None else self.low - reading.high
        above = Fraction(0) if self.high is None else reading.low - self.high
        return max(below, above, Fraction(0))

    def is_met(self, reading: Reading) -> bool:
        """Say whether a value is what is wanted, or cannot be told from it."""
        return not self.distance(reading)


def _require_only(written: Mapping[str, Any], allowed: set[str], where: str) -> None:
    other = next((key for key in written if key not in allowed), None)
    if other is not None:
        first = next(key for key in written if key != other)
        raise InputError("bad_aim", f"'{first}' and '{other}' do not go together", where=where or None)


KEYS: Final = ("game", "rules", "targets", "change")
MOST_TARGETS: Final = 1_000
MOST_KEYS: Final = 200
HEAVIEST: Final = 1_000_000


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A figure, what it should be, and how much that matters beside other targets."""

    name: str
    figure: Figure
    aim: Aim
    middle: Fraction | None = None
    """What is best within the aim, where one number was written; a range has none, and all of it is as good."""
    weight: Fraction = Fraction(1)
    where: str = ""

    @property
    def unit(self) -> Unit:
        """What kind of number the figure is."""
        return type(self.figure).unit

    @property
    def scale(self) -> Fraction:
        """What a distance is measured by: 1 for a chance, else what is wanted itself."""
        if self.unit is not Unit.NUMBER:
            return Fraction(1)
        ends = [abs(end) for end in (self.aim.low, self.aim.high) if end]
        return max(ends, default=Fraction(1))

    def distance(self, reading: Reading) -> Fraction:
        """Return how far a value is from the aim; an estimate counts as it stands, however wide its error is."""
        if reading.basis is Basis.ESTIMATED:
            return self.aim.distance(Reading(reading.value, name=reading.name))
        return self.aim.distance(reading)

    def is_met(self, reading: Reading) -> bool:
        """Say whether a value is what is wanted."""
        return not self.distance(reading)

    def lack(self, reading: Reading) -> Fraction:
        """Return how far a value is from the aim, weighted and squared; 0 where it is met."""
        return self.weight * (self.distance(reading) / self.scale) ** 2

    def offset(self, reading: Reading) -> Fraction:
        """Return how far a value is from the one number that was written, weighted and squared."""
        if self.middle is None:
            return Fraction(0)
        return self.weight * ((reading.value - self.middle) / self.scale) ** 2


class Targets(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted of some rules, and what may change for it."""

    rules: Ruleset
    targets: tuple[Target, ...]
    ranges: tuple[Range, ...]

    @property
    def figures(self) -> list[Figure]:
        """The figures that are aimed at."""
        return [target.figure for target in self.targets]


def targets_from(data: Mapping[str, Any], rules: Ruleset) -> Targets:
    """Read targets for some rules out of plain data; what contradicts itself or is not there is refused.

    >>> from oddsmith.games.destiny import Rules
    >>> robbery = {"figure": "check.success", "target": "bank_robbery", "character": {"skills": {"stealth": 40}}, "is": "35%"}
    >>> wanted = targets_from(
    ...     {"targets": [robbery], "change": [{"key": "crimes.bank_robbery.threshold", "least": 50, "most": 500}]}, Rules()
    ... )
    >>> wanted.targets[0].name, wanted.ranges[0].places
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
        for target in _targets(given, rules, f"targets[{place}]")
    )
    ranges = tuple(
        found
        for place, given in enumerate(tables_under(data, "change", most=MOST_TARGETS))
        for found in ranges_from(given, rules, place)
    )
    _require_few(targets, ranges)
    _require_once(ranges)
    _require_agreement(targets)
    return Targets(rules=rules, targets=targets, ranges=ranges)


def _targets(given: Mapping[str, Any], rules: Ruleset, where: str) -> Iterator[Target]:
    """Yield a target for each of the names that it is written for."""
    rest = dict(given)
    name, weight = rest.pop("name", ""), _weight(rest.pop("weight", 1), where)
    if not isinstance(name, str):
        raise InputError("bad_value", f"{where}.name: expected text", where=f"{where}.name")
    each = _each(rest.pop("each", {}), rules, where)
    aimed = {key: rest.pop(key) for key in AIM_KEYS if key in rest}
    middle = _middle(aimed, where)
    aim = Aim.taken_from(dict(aimed), where)
    for values in product(*each.values()):
        figure = figure_of(rules.game, {**rest, **dict(zip(each, values, strict=True))}, where)
        words = " ".join(map(brief, values))
        yield Target(
            name=f"{name}: {words}" if name and words else name or told(figure),
            figure=figure,
            aim=aim,
            middle=middle,
            weight=weight,
            where=where,
        )


def _weight(given: object, where: str) -> Fraction:
    weight = number_of(given, f"{where}.weight")[0]
    if not 0 < weight <= HEAVIEST:
        raise InputError(
            "bad_weight",
            f"{where}.weight: expected a number above 0 and up to {HEAVIEST:,}",
            where=f"{where}.weight",
        )
    return weight


def _middle(aimed: Mapping[str, Any], where: str) -> Fraction | None:
    """Return the one number that is written, if one is: with `within` or as a range, all of it is as good."""
    if set(aimed) != {"is"}:
        return None
    try:
        return number_of(aimed["is"], where)[0]
    except InputError:
        return None


def _each(given: object, rules: Ruleset, where: str) -> dict[str, list[Any]]:
    """Return, by argument, the values that it takes in turn: those of a list, or the names that a key of the rules has."""
    if not isinstance(given, Mapping):
        raise InputError(
            "bad_value",
            f'{where}.each: expected a table such as {{target = "crimes.*"}}',
            where=f"{where}.each",
        )
    return {
        argument: list(values)
        if isinstance(values, list)
        else _names(values, rules, f"{where}.each.{argument}")
        for argument, values in given.items()
    }


def _names(pattern: object, rules: Ruleset, where: str) -> list[Any]:
    if not isinstance(pattern, str):
        raise InputError(
            "bad_value",
            f"{where}: expected a list of values, or names of the rules such as crimes.*",
            where=where,
        )
    return names_matching(rules, pattern, where)


def _require_few(targets: tuple[Target, ...], ranges: tuple[Range, ...]) -> None:
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


def _require_once(ranges: tuple[Range, ...]) -> None:
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
        if one.figure == other.figure and _disjoint(one.aim, other.aim):
            raise InputError(
                "contradicting_targets",
                f"{one.where} and {other.where} contradict each other: {told(one.figure)} cannot be "
                f"{one.aim.text} and {other.aim.text}",
                where=other.where,
            )


def _require_possible(target: Target) -> None:
    named = target.aim.name is not None
    if named is not (target.unit is Unit.NAME):
        kind = "a name" if target.unit is Unit.NAME else "a number"
        raise InputError(
            "bad_aim",
            f"{target.where}: {target.figure.figure_name()} is {kind}, and cannot be {target.aim.text}",
            where=target.where,
        )
    low, high = target.aim.low, target.aim.high
    if target.unit is Unit.CHANCE and ((low is not None and low > 1) or (high is not None and high < 0)):
        raise InputError(
            "impossible_aim",
            f"{target.where}: a chance lies between 0 % and 100 %, and cannot be {target.aim.text}",
            where=target.where,
        )


def _disjoint(one: Aim, other: Aim) -> bool:
    if one.name is not None or other.name is not None:
        return one.name != other.name
    return any(
        above.low is not None and below.high is not None and above.low > below.high
        for above, below in ((one, other), (other, one))
    )
