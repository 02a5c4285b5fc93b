"""A targets file says what the figures of a design should be, and which of its numbers may change for that."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Final

import msgspec

from oddsmith.balance.figures import figure_of
from oddsmith.balance.keys import names_matching
from oddsmith.balance.tuning.ranges import Range, ranges_from
from oddsmith.balance.tuning.target_range import AIM_KEYS, Aim
from oddsmith.balance.wording import brief, told
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.parsing import number_of, require_keys, tables_under
from oddsmith.rules import Ruleset

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
            f"{target.where}: {target.figure.named()} is {kind}, and cannot be {target.aim.text}",
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
