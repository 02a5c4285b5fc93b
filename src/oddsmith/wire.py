"""How values of the house become JSON and come back unchanged."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter
from threading import RLock
from types import MappingProxyType
from typing import Any, Final, TypeVar, cast

import msgspec

from oddsmith.cards import Card, card
from oddsmith.errors import InputError
from oddsmith.points import Points

__all__ = [
    "from_builtins",
    "from_json",
    "frozen_mapping",
    "make_decoder",
    "prepare_type",
    "schema_hook",
    "to_builtins",
    "to_json",
]

T = TypeVar("T")

LONGEST_FRACTION: Final = 4_000
_FRACTION: Final = "^-?[0-9]+(/0*[1-9][0-9]*)?$"


def _encode(value: object) -> object:
    match value:
        case Card():
            return value.text
        case Points():
            return value.hundredths // 100 if value.hundredths % 100 == 0 else value.decimal
        case Fraction():
            return str(value)
        case MappingProxyType():
            return dict(value)
    raise NotImplementedError(f"no JSON form for {type(value).__name__}")


def _decode(kind: type[Any], given: object) -> object:
    if kind is Points:
        return Points(cast("Any", given))
    if kind is Card and isinstance(given, str):
        return card(given)
    if kind is Fraction and isinstance(given, str) and _is_fraction(given):
        return Fraction(given)
    raise InputError("bad_value", f"expected {kind.__name__.lower()}, not {repr(given)[:40]}")


def _is_fraction(text: str) -> bool:
    return len(text) <= LONGEST_FRACTION and re.fullmatch(_FRACTION, text) is not None


def schema_hook(kind: type[Any]) -> dict[str, Any]:
    """Return the JSON schema of a value of the house."""
    if kind is Points:
        return {"type": "number", "description": "exact points with at most two decimals"}
    if kind is Card:
        return {"type": "string", "description": "rank and suit, such as A♠ or 10♦"}
    if kind is Fraction:
        return {"type": "string", "pattern": _FRACTION, "description": "an exact fraction"}
    raise NotImplementedError(f"no schema for {kind.__name__}")


_FORMS: Final[Mapping[type, Callable[[Any], object]]] = {
    Card: attrgetter("text"),
    Fraction: str,
    MappingProxyType: dict,
}


def _encode_json(value: object) -> object:
    """Return what JSON has for a value: for points the number with the same digits as their exact decimal."""
    if type(value) is Points:
        hundredths = value.hundredths
        return hundredths / 100 if hundredths % 100 else hundredths // 100
    form = _FORMS.get(type(value))
    return _encode(value) if form is None else form(value)


_ENCODER = msgspec.json.Encoder(enc_hook=_encode_json, decimal_format="number")
_CANONICAL = msgspec.json.Encoder(decimal_format="number", order="sorted")


def to_json(value: object, *, canonical: bool = False) -> bytes:
    """Encode a value; the canonical form has sorted keys.

    >>> to_json({"total": Points("636.4")})
    b'{"total":636.4}'
    """
    return _CANONICAL.encode(to_builtins(value)) if canonical else _ENCODER.encode(value)


_LAID_OUT: Final[set[Any]] = set()
_LAYING_OUT: Final = RLock()


def prepare_type(kind: type[T]) -> type[T]:
    """Return the type once msgspec knows its layout: two threads that ask for it first, at once, would crash.

    >>> laid_out(tuple[Card, ...])
    tuple[oddsmith.cards.Card, ...]
    """
    if kind not in _LAID_OUT:
        with _LAYING_OUT:
            msgspec.json.Decoder(kind, dec_hook=_decode)
            _LAID_OUT.add(kind)
    return kind


def from_json(text: bytes | str, kind: type[T]) -> T:
    """Decode and validate a value.

    >>> from_json('["A♠"]', tuple[Card, ...])
    (card('A♠'),)
    """
    try:
        return msgspec.json.decode(text, type=prepare_type(kind), dec_hook=_decode)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InputError("bad_json", str(error)) from error


def make_decoder(kind: Any) -> Callable[[bytes], Any]:  # noqa: ANN401  a type, or a union of types
    """Return what decodes and validates a value as `from_json` does, made once for many of them.

    >>> decoder(tuple[Card, ...] | None)('["A♠"]'.encode())
    (card('A♠'),)
    """
    decode = msgspec.json.Decoder(prepare_type(kind), dec_hook=_decode).decode

    def decoded(text: bytes) -> Any:  # noqa: ANN401  as the type has it
        try:
            return decode(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise InputError("bad_json", str(error)) from error

    return decoded


def to_builtins(value: object) -> Any:  # noqa: ANN401  whatever shape the value has
    """Return the value as plain dictionaries, lists, strings, numbers and decimals."""
    return msgspec.to_builtins(value, enc_hook=_encode, builtin_types=(Decimal,), str_keys=True)


def from_builtins(given: object, kind: type[T]) -> T:
    """Return the validated value that plain data stand for; msgspec says what is wrong, and where."""
    return msgspec.convert(given, prepare_type(kind), dec_hook=_decode, str_keys=True)


def frozen_mapping(given: Mapping[Any, T]) -> Mapping[Any, T]:
    """Return the mapping so that nobody can change it, nor a mapping inside it.

    >>> frozen_mapping({"spades": 8})["spades"]
    8
    """
    return MappingProxyType({key: _frozen(value) for key, value in given.items()})


def _frozen(value: T) -> T:
    return cast("T", frozen_mapping(value)) if isinstance(value, Mapping) else value
