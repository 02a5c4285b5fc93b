"""Numbers of a reply by their path, such as `success`, `degrees.failure` or `quantiles.0.5`."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, nearest
from oddsmith.points import Points
from oddsmith.question import Share

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


def numeric_paths(kind: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  a type
    """Yield the path and the type of every number of a reply type; tables have a path for each key that is known.

    Fields that are marked with `NO_FIGURE`, lists and tables of unknown keys are left out.
    """
    for field in msgspec.structs.fields(kind):
        annotation = get_type_hints(kind, include_extras=True)[field.name]
        if not _is_marked(annotation):
            yield from _paths(field.name, annotation)


def _paths(path: str, annotation: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  an annotation
    kind = _plain_type(annotation)
    if kind in (int, float, bool, Points, Fraction, Decimal, Share) or _is_name(kind):
        yield path, kind
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield from ((f"{path}.{inner}", found) for inner, found in numeric_paths(kind))
    elif get_origin(kind) is not None and _is_mapping(get_origin(kind)):
        key, value = get_args(kind)
        for name in _names(_plain_type(key)):
            yield from _paths(f"{path}.{name}", value)


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
