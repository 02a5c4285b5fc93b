"""JSON encoding and decoding of oddsmith's values: points, cards, fractions and structs of them."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter
from threading import RLock
from types import MappingProxyType
from typing import Any, Final, TypeVar, cast, overload

import msgspec

from oddsmith.cards import Card, card
from oddsmith.decoding_faults import JSON_NAMES, NOT_TEXT, TOO_DEEP, Fault, describe_fault
from oddsmith.errors import DecodingError, InputError, quote_value
from oddsmith.points import Points

__all__ = [
    "from_builtins",
    "from_json",
    "from_texts",
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
    raise InputError("bad_value", f"expected {_FORMS_IN_WORDS[kind]}, not {quote_value(given)}")


_FORMS_IN_WORDS: Final = {Card: "a card such as A♠", Fraction: "a fraction such as 1/3"}


class _HookError(ValueError):
    """A refusal of the decoding hook; the decoder adds the path to the message of a `ValueError`."""

    def __init__(self, refused: InputError) -> None:
        super().__init__(refused.refusal.sentence)
        self.refused = refused


def _decode_field(kind: type[Any], given: object) -> object:
    try:
        return _decode(kind, given)
    except InputError as error:
        raise _HookError(error) from error


def _is_fraction(text: str) -> bool:
    return len(text) <= LONGEST_FRACTION and re.fullmatch(_FRACTION, text) is not None


def schema_hook(kind: type[Any]) -> dict[str, Any]:
    """Return the JSON schema of `Points`, `Card` or `Fraction`; raise `NotImplementedError` for any other type."""
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
    MappingProxyType: MappingProxyType.copy,
}


def _encode_json(value: object) -> object:
    """Return the JSON form of a value; the float of points has the same digits as their exact decimal."""
    if type(value) is Points:
        hundredths = value.hundredths
        return hundredths / 100 if hundredths % 100 else hundredths // 100
    form = _FORMS.get(type(value))
    return _encode(value) if form is None else form(value)


_ENCODER = msgspec.json.Encoder(enc_hook=_encode_json, decimal_format="number")
_CANONICAL = msgspec.json.Encoder(decimal_format="number", order="sorted")


def to_json(value: object, *, canonical: bool = False) -> bytes:
    """Encode a value as JSON; the canonical form has sorted keys.

    >>> to_json({"total": Points("636.4")})
    b'{"total":636.4}'
    """
    return _CANONICAL.encode(to_builtins(value)) if canonical else _ENCODER.encode(value)


_PREPARED: Final[set[Any]] = set()
_PREPARE_LOCK: Final = RLock()


def prepare_type(kind: type[T]) -> type[T]:
    """Return the type after msgspec has built its decoder; a lock keeps two threads from building it at once, which crashes.

    >>> prepare_type(tuple[Card, ...])
    tuple[oddsmith.cards.Card, ...]
    """
    if kind not in _PREPARED:
        with _PREPARE_LOCK:
            msgspec.json.Decoder(kind, dec_hook=_decode_field)
            _PREPARED.add(kind)
    return kind


def from_json(text: bytes | str, kind: type[T]) -> T:
    """Decode and validate a value; raise `DecodingError` with the code `bad_json` where it is not of its type.

    >>> from_json('["A♠"]', tuple[Card, ...])
    (card('A♠'),)
    """
    try:
        return msgspec.json.decode(text, type=prepare_type(kind), dec_hook=_decode_field)
    except _FAULTS as error:
        raise _decoding_error("bad_json", error, kind) from error


@overload
def make_decoder(kind: type[T]) -> Callable[[bytes], T]: ...


@overload
def make_decoder(kind: object) -> Callable[[bytes], Any]: ...


def make_decoder(kind: Any) -> Callable[[bytes], Any]:
    """Return a function that decodes as `from_json` does, for many values of one type or union of types.

    >>> make_decoder(tuple[Card, ...] | None)('["A♠"]'.encode())
    (card('A♠'),)
    """
    decode = msgspec.json.Decoder(prepare_type(kind), dec_hook=_decode_field).decode

    def decode_text(text: bytes) -> Any:  # noqa: ANN401  a value of `kind`
        try:
            return decode(text)
        except _FAULTS as error:
            raise _decoding_error("bad_json", error, kind) from error

    return decode_text


def to_builtins(value: object) -> Any:  # noqa: ANN401  plain data of any shape
    """Return the value as plain dictionaries, lists, strings, numbers and decimals."""
    return msgspec.to_builtins(value, enc_hook=_encode, builtin_types=(Decimal,), str_keys=True)


def from_builtins(
    given: object, kind: type[T], *, names: Mapping[str, str] = JSON_NAMES, code: str = "bad_value"
) -> T:
    """Return the value that plain data describe; raise `DecodingError` with the code where they are not of its type.

    `names` are the words for kinds of values in the sentence. Data that are too deep, or have text that is not Unicode, are
    refused, too.

    >>> from_builtins(["two", 5], tuple[str, ...])
    Traceback (most recent call last):
    oddsmith.errors.DecodingError: [1]: expected text, not a whole number
    """
    try:
        return msgspec.convert(given, prepare_type(kind), dec_hook=_decode_field, str_keys=True)
    except _FAULTS as error:
        raise _decoding_error(code, error, kind, names) from error


def from_texts(given: Mapping[str, str], kind: type[T], *, code: str) -> T:
    """Return the value that texts by name describe, such as those of a query; numbers are read from their text.

    >>> from_texts({"limit": "5"}, dict[str, int], code="bad_query")
    {'limit': 5}
    """
    try:
        return msgspec.convert(given, prepare_type(kind), strict=False, str_keys=True)
    except _FAULTS as error:
        raise _decoding_error(code, error, kind) from error


_FAULTS: Final = (msgspec.MsgspecError, UnicodeError, RecursionError)


def _decoding_error(
    code: str, error: Exception, kind: object, names: Mapping[str, str] = JSON_NAMES
) -> InputError:
    """Return the error, in plain words and with its path, of a value that the decoder or the hook refuses."""
    if isinstance(error.__cause__, _HookError):
        refused = error.__cause__.refused
        where = refused.refusal.where or describe_fault(str(error)).where
        refused.refusal = msgspec.structs.replace(refused.refusal, where=where)
        return refused
    match error:
        case RecursionError():
            fault = Fault(TOO_DEEP, None)
        case UnicodeError():
            fault = Fault(NOT_TEXT, None)
        case _:
            fault = describe_fault(str(error), kind, names)
    return DecodingError(code, fault.placed, where=fault.where)


def frozen_mapping(given: Mapping[Any, T]) -> Mapping[Any, T]:
    """Return a read-only copy of a mapping; mappings inside it are read-only too.

    >>> frozen_mapping({"spades": 8})["spades"]
    8
    """
    return MappingProxyType({key: _freeze(value) for key, value in given.items()})


def _freeze(value: T) -> T:
    return cast("T", frozen_mapping(value)) if isinstance(value, Mapping) else value
