"""Numbers of a reply by their path, such as `success`, `degrees.failure` or `quantiles.0.5`."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, nearest
from oddsmith.figure import Unit
from oddsmith.points import Points
from oddsmith.question import Share

NUMBERS: Final = (int, float, bool, Points, Fraction, Decimal, Share)
CHANCE: Final = Meta(extra={"unit": Unit.CHANCE}, extra_json_schema={"x-unit": Unit.CHANCE.value})
"""Marks a fraction of a reply that is a chance; its JSON schema says so as `x-unit`."""
NO_FIGURE: Final = Meta(extra={"figure": False})
"""Marks a field of a reply that repeats what was asked, or that luck decided: it is no figure."""


def value_at(reply: Any, path: str) -> Any:  # noqa: ANN401  a reply, and whatever is in it
    """Return what stands at a path of a reply; keys of a mapping may hold dots.

    >>> value_at(Share.of(1, 4), "count")
    1
    """
    value, rest = reply, path
    while rest:
        value, rest = _enter(value, rest, path)
    return value


def _enter(value: Any, rest: str, path: str) -> tuple[Any, str]:  # noqa: ANN401  as above
    """Return what the longest key that the path begins with stands for, and the rest of the path."""
    known = _keys(value)
    for key in sorted(known, key=len, reverse=True):
        if rest == key or rest.startswith(f"{key}."):
            return known[key], rest[len(key) + 1 :]
    raise InputError("unknown_path", f"'{path[:60]}' is no part of this reply{nearest(rest[:40], known)}")


def _keys(value: Any) -> Mapping[str, Any]:  # noqa: ANN401  as above
    match value:
        case msgspec.Struct():
            return {name: getattr(value, name) for name in value.__struct_fields__}
        case Mapping():
            return {str(key.value if isinstance(key, Enum) else key): inner for key, inner in value.items()}
        case list() | tuple():
            return {str(place): inner for place, inner in enumerate(value)}
    return {}


def number_at(reply: Any, path: str) -> Fraction | None:  # noqa: ANN401  as above
    """Return the exact number at a path of a reply; None where there is none.

    The share of a count is exact, whether the path ends at the share or at its `chance`.

    >>> number_at({"win": Share.of(1, 3)}, "win.chance")
    Fraction(1, 3)
    """
    owner, _, last = path.rpartition(".")
    if last == "chance":
        share = value_at(reply, owner)
        if isinstance(share, Share):
            return Fraction(share.count, share.total)
    return as_number(value_at(reply, path))


def as_number(value: Any) -> Fraction | None:  # noqa: ANN401  as above
    """Return the exact number that a value stands for; None where it is none."""
    match value:
        case Share():
            return Fraction(value.count, value.total)
        case Points():
            return value.fraction
        case bool():
            return Fraction(int(value))
        case int() | Fraction() | Decimal() | float():
            return Fraction(value)
    return None


def type_at(kind: Any, path: str) -> Any:  # noqa: ANN401  types
    """Return the annotation at a path of a reply type; what is no number and no name is refused."""
    annotation: Any = kind
    rest = path
    while rest:
        annotation, rest = _enter_type(annotation, rest, path)
    plain = _plain_type(annotation)
    if plain not in NUMBERS and not _is_name(plain):
        raise InputError("no_number", f"'{path[:60]}' is no number of this reply")
    return annotation


def _enter_type(annotation: Any, rest: str, path: str) -> tuple[Any, str]:  # noqa: ANN401  annotations
    plain = _plain_type(annotation)
    first, _, after = rest.partition(".")
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        hints = get_type_hints(plain, include_extras=True)
        fields = [name for name in plain.__struct_fields__ if not _is_marked(hints[name])]
        if first in fields:
            return hints[first], after
        raise InputError(
            "unknown_path", f"'{path[:60]}' is no part of this reply{nearest(first[:40], fields)}"
        )
    if get_origin(plain) is tuple and first.isdecimal():
        return get_args(plain)[0], after
    if get_origin(plain) is not None and _is_mapping(get_origin(plain)):
        key, value = get_args(plain)
        names = _names(_plain_type(key))
        if names and first not in names and not first.startswith("{"):
            raise InputError(
                "unknown_path", f"'{path[:60]}' is no part of this reply{nearest(first[:40], names)}"
            )
        return value, after if _is_container(value) else ""
    raise InputError("unknown_path", f"'{path[:60]}' is no part of this reply")


def _is_container(annotation: Any) -> bool:  # noqa: ANN401  an annotation
    """Say whether a value of this type has parts: keys of a table of numbers may hold dots."""
    plain = _plain_type(annotation)
    return plain not in NUMBERS and not _is_name(plain)


def unit_of(kind: Any, path: str) -> Unit:  # noqa: ANN401  a type
    """Return the unit of the number at a path of a reply type."""
    annotation = type_at(kind, path)
    if get_origin(annotation) is Annotated and CHANCE in get_args(annotation)[1:]:
        return Unit.CHANCE
    plain = _plain_type(annotation)
    if _is_name(plain):
        return Unit.NAME
    return Unit.CHANCE if plain is Share else Unit.NUMBER


def _plain_type(annotation: Any) -> Any:  # noqa: ANN401  an annotation
    if get_origin(annotation) is Annotated:
        return _plain_type(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        parts = [part for part in get_args(annotation) if part is not NoneType]
        return _plain_type(parts[0]) if len(parts) == 1 else None
    return annotation


def _is_marked(annotation: Any) -> bool:  # noqa: ANN401  an annotation
    return get_origin(annotation) is Annotated and NO_FIGURE in get_args(annotation)[1:]


def _is_mapping(origin: Any) -> bool:  # noqa: ANN401  a type
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _is_name(kind: Any) -> bool:  # noqa: ANN401  a type
    return isinstance(kind, type) and issubclass(kind, Enum)


def _names(kind: Any) -> Sequence[str]:  # noqa: ANN401  a type
    return [str(member.value) for member in kind] if _is_name(kind) else ()
