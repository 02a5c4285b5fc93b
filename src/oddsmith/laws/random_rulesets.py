"""Random rulesets: presets with some rules changed at random, within the types and bounds that a game declares.

Every change is proposed alone and kept if the rules accept it, so fields that depend on each other stay consistent.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from msgspec import inspect

from oddsmith import wire
from oddsmith.chance import Draw, Seeded
from oddsmith.errors import LawBroken, OddsmithError
from oddsmith.game import Game
from oddsmith.laws.runner import RandomRulesResult, check_game
from oddsmith.points import Points
from oddsmith.rules import Ruleset

__all__ = ["Rule", "changed_rules", "check_random_rules", "random_rules", "rules_of"]

T = TypeVar("T")
R = TypeVar("R", bound=Ruleset)

RulePath: TypeAlias = tuple[str | int, ...]
"""The keys and the indices that lead to a rule."""
CHANGES: Final = 8
"""Changes of a ruleset, at most: a change that the rules refuse is left out."""
FEW: Final = 40
"""Whole numbers with at most this number of possible values are drawn from all of them; others are drawn near the present one."""


class Rule(NamedTuple):
    """One rule of a ruleset: its path, its type and its present value as plain data.

    `field` is the path as declared, with `*` for each key of a table and each place in a list.
    """

    path: RulePath
    field: str
    kind: inspect.Type
    value: Any


def random_rules(
    kind: type[R], draw: Draw, *, changes: int = CHANGES, fix: Callable[[R], R] | None = None
) -> R:
    """Return rules of that type: a random preset in which up to `changes` rules are changed at random.

    `fix` may adjust rules after the changes, for what a game cannot play in reasonable time.

    >>> from oddsmith.chance import Seeded
    >>> from oddsmith.games.casino import Rules
    >>> rules = random_rules(Rules, Seeded("yuma"))
    >>> rules == Rules.from_toml(rules.to_toml())
    True
    """
    names = list(kind.presets())
    rules = kind.preset(names[draw.below(len(names))])
    for _ in range(changes):
        rules = _change_one(rules, draw)
    return rules if fix is None else fix(rules)


def check_random_rules(
    game: Game[R, Any, Any, Any, Any],
    rulesets: int,
    *,
    seed: str | int = "oddsmith",
    outcomes: int = 50,
    states: int = 5_000,
    fix: Callable[[R], R] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> RandomRulesResult:
    """Check every law in one random game with each of a number of random rulesets; raise `LawBroken` as `check_game` does.

    The sentence of the error names the rules that differ from the default. The same seed makes the same rulesets.

    >>> from oddsmith.games.casino import GAME
    >>> check_random_rules(GAME, 2, seed="yuma").playouts
    2
    """
    playouts = plies = 0
    for number in range(1, rulesets + 1):
        rules = random_rules(game.rules_type, Seeded(f"{seed}/rules {number}"), fix=fix)
        try:
            report = check_game(
                game, rules, playouts=1, seed=f"{seed}/{number}", outcomes=outcomes, states=states
            )
        except LawBroken as error:
            changed = ", ".join(_differences(wire.to_builtins(rules), wire.to_builtins(type(rules)())))
            broken = LawBroken(
                error.refusal.code,
                f"{error.refusal.sentence}; random ruleset {number} of seed={str(seed)!r}: {changed}",
                where=error.refusal.where,
            )
            broken.record = error.record
            raise broken from error
        playouts, plies = playouts + report.playouts, plies + report.plies
        if progress is not None:
            progress(number, rulesets)
    return RandomRulesResult(rulesets=rulesets, playouts=playouts, plies=plies)


def _differences(data: Mapping[str, Any], base: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yield KEY=VALUE for each key whose value is not that of `base`; keys that are missing in `data` are left out."""
    for key, value in data.items():
        inner, old = f"{path}.{key}" if path else str(key), base.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            yield from _differences(value, old, inner)
        elif value != old:
            yield f"{inner}={wire.to_json(value).decode()}"


def rules_of(rules: Ruleset) -> Sequence[Rule]:
    """Return every rule of a ruleset; texts are left out, which describe or name something.

    >>> from oddsmith.games.casino import Rules
    >>> [rule.value for rule in rules_of(Rules()) if rule.field == "capture_targets"]
    [1]
    """
    return [*_rules_in(wire.to_builtins(rules), _type_info(type(rules)), (), "")]


def changed_rules(rules: R, rule: Rule, draw: Draw) -> Iterator[R]:
    """Yield rulesets with another value of one rule, in random order, as far as the rules accept it.

    One of them has the value of a similar rule, which has that of this one.

    >>> from oddsmith.chance import Seeded
    >>> from oddsmith.games.casino import Rules
    >>> deck = next(rule for rule in rules_of(Rules()) if rule.field == "capture_targets")
    >>> sorted({rules.capture_targets for rules in changed_rules(Rules(), deck, Seeded("yuma"))})
    [2, 3, 4, 5, 6, 7, 8, 9, 10]
    """
    data = wire.to_builtins(rules)
    changes = [[(rule.path, value)] for value in _other_values(rule.kind, rule.value, draw)]
    alike = [other for other in rules_of(rules) if _is_alike(rule, other)]
    if alike:
        other = alike[draw.below(len(alike))]
        changes.append([(rule.path, other.value), (other.path, rule.value)])
    for change in _shuffle(changes, draw):
        with suppress(OddsmithError):
            changed = type(rules).from_data(_replace_all(data, change))
            if changed != rules:
                yield changed


def _change_one(rules: R, draw: Draw) -> R:
    """Return the rules with one rule changed at random; the same ones where they accept no change of it."""
    listed = rules_of(rules)
    return next(changed_rules(rules, listed[draw.below(len(listed))], draw), rules)


def _is_alike(rule: Rule, other: Rule) -> bool:
    """Return whether two rules may swap their values: they have the same type and another value, and their paths one shape."""
    return (
        rule.value != other.value
        and type(rule.kind) is type(other.kind)
        and (rule.field == other.field or rule.path[:-1] == other.path[:-1])
    )


def _shuffle(values: list[T], draw: Draw) -> Iterator[T]:
    while values:
        yield values.pop(draw.below(len(values)))


def _replace_all(data: Any, changes: Iterable[tuple[RulePath, object]]) -> Any:  # noqa: ANN401  plain data
    for path, value in changes:
        data = _replace(data, path, value)
    return data


@cache
def _type_info(kind: type[Ruleset]) -> inspect.Type:
    return inspect.type_info(kind)


def _rules_in(data: Any, kind: inspect.Type, path: RulePath, field: str) -> Iterator[Rule]:  # noqa: ANN401  plain data
    """Yield the rules inside plain data; a list is a rule itself, too, as it may have another length."""
    kind = _type_of(data, kind)
    match kind:
        case inspect.StructType():
            for one in kind.fields:
                name = f"{field}.{one.encode_name}" if field else one.encode_name
                yield from _rules_in(data[one.encode_name], one.type, (*path, one.encode_name), name)
        case inspect.DictType():
            for key, value in data.items():
                yield from _rules_in(value, kind.value_type, (*path, key), f"{field}.*")
        case inspect.TupleType():
            for place, inner in enumerate(kind.item_types):
                yield from _rules_in(data[place], inner, (*path, place), f"{field}.*")
        case inspect.VarTupleType() | inspect.ListType():
            yield Rule(path, field, kind, data)
            for place, value in enumerate(data):
                yield from _rules_in(value, kind.item_type, (*path, place), f"{field}.*")
        case _ if _may_vary(kind):
            yield Rule(path, field, kind, data)


def _may_vary(kind: inspect.Type) -> bool:
    """Return whether values of a type are known: not of a text, and for null only where a number may be instead."""
    if isinstance(kind, inspect.UnionType):
        return any(isinstance(member, inspect.IntType) for member in kind.types)
    return not isinstance(kind, inspect.StrType)


def _type_of(data: object, kind: inspect.Type) -> inspect.Type:
    """Return the type without metadata, and of a union the member that the data are of, or the union for null."""
    if isinstance(kind, inspect.Metadata):
        return _type_of(data, kind.type)
    if isinstance(kind, inspect.UnionType) and data is not None:
        return next((_type_of(data, member) for member in kind.types if _fits(data, member)), kind)
    return kind


def _fits(data: object, kind: inspect.Type) -> bool:
    """Return whether plain data other than null may be of a member of a union."""
    if isinstance(kind, inspect.Metadata):
        return _fits(data, kind.type)
    if isinstance(kind, inspect.StructType) and kind.tag is not None:
        return isinstance(data, dict) and data.get(kind.tag_field) == kind.tag
    return type(data) in next((known for types, known in _PLAIN_TYPES if isinstance(kind, types)), ())


_PLAIN_TYPES: Final[Sequence[tuple[tuple[type[inspect.Type], ...], tuple[type, ...]]]] = (
    ((inspect.StructType, inspect.DictType), (dict,)),
    ((inspect.TupleType, inspect.VarTupleType, inspect.ListType), (list, tuple)),
    ((inspect.BoolType,), (bool,)),
    ((inspect.IntType,), (int,)),
    ((inspect.FloatType,), (int, float)),
    ((inspect.StrType, inspect.EnumType, inspect.LiteralType), (str,)),
)


def _other_values(kind: inspect.Type, value: Any, draw: Draw) -> Sequence[Any]:  # noqa: ANN401  plain data
    """Return values that a rule of this type may have instead, whether or not the rules accept them."""
    values: Sequence[Any] = ()
    match kind:
        case inspect.BoolType():
            values = [not value]
        case inspect.IntType():
            values = _other_integers(kind, value)
        case inspect.EnumType():
            values = [wire.to_builtins(member) for member in kind.cls]
        case inspect.LiteralType():
            values = kind.values
        case inspect.VarTupleType() | inspect.ListType():
            values = _other_lists(kind.item_type, value, draw)
        case inspect.FloatType() | inspect.DecimalType():
            values = _other_decimals(value)
        case inspect.CustomType(cls=cls) if cls is Points:
            values = _other_decimals(value)
        case inspect.UnionType():  # the value is null
            values = [0, 1, 2]
    return values


def _other_lists(kind: inspect.Type, value: Sequence[Any], draw: Draw) -> Sequence[list[Any]]:
    """Return lists with one value less and one more; an empty one gets a value of its type."""
    if not value:
        return [[least] for least in _least_values(kind)]
    place = draw.below(len(value))
    return [[*value[:place], *value[place + 1 :]], [*value, value[place]]]


def _least_values(kind: inspect.Type) -> Sequence[Any]:
    """Return a value of a type: a struct of defaults, the first member of an enumeration, or the least whole number."""
    match kind:
        case inspect.Metadata():
            return _least_values(kind.type)
        case inspect.StructType():
            return [{}]
        case inspect.EnumType():
            return [wire.to_builtins(next(iter(kind.cls)))]
        case inspect.IntType():
            return [kind.ge or 0]
    return []


def _other_integers(kind: inspect.IntType, value: int) -> Sequence[int]:
    least = kind.ge if kind.ge is not None else None if kind.gt is None else kind.gt + 1
    most = kind.le if kind.le is not None else None if kind.lt is None else kind.lt - 1
    if least is not None and most is not None and most - least < FEW:
        return range(least, most + 1)
    near = (0, 1, value - 1, value + 1, value - 3, value + 3, value // 2, 2 * value)
    return [one for one in near if (least is None or one >= least) and (most is None or one <= most)]


def _other_decimals(value: float | Decimal) -> Sequence[Decimal]:
    number = Decimal(str(value))
    return [Decimal(0), Decimal(1), number / 2, number * 2, number + 1, number - Decimal("0.25")]


def _replace(data: Any, path: RulePath, value: object) -> Any:  # noqa: ANN401  plain data
    """Return plain data with another value at a path."""
    if not path:
        return value
    key, *rest = path
    if isinstance(data, dict):
        return {**data, key: _replace(data[key], tuple(rest), value)}
    return [
        _replace(inner, tuple(rest), value) if place == key else inner for place, inner in enumerate(data)
    ]
