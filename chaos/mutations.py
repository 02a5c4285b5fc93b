"""Nonsense is made from sense: a valid message, changed in one or a few places."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

import msgspec

DEEP: Final = 2_000
LONG: Final = 9_000
JUNK: Final[tuple[Any, ...]] = (
    None,
    True,
    -1,
    0,
    2**31,
    2**63,
    2**64,
    10**30,
    -0.5,
    1e308,
    "",
    " ",
    "0",
    "A♠",
    "\x00",
    "\u202e",
    "\U0001f0a1" * 20,
    "'; DROP TABLE matches; --",
    "../../etc/passwd",
    "x" * 600,
    [],
    {},
    [[]],
    [None] * 50,
    {"": {"": {}}},
    {"token": "0" * 64},
    {"$ref": "#"},
)


def mutated(message: dict[str, Any], draw: Random) -> str | bytes:
    """Return a valid message as somebody might send it who errs, or means harm.

    >>> mutated({"id": "c1", "version": 4, "act": "fight"}, Random(3)) != mutated({"id": "c1"}, Random(4))
    True
    """
    return draw.choice(WAYS)(message, draw)


def _as_it_is(message: dict[str, Any], draw: Random) -> str | bytes:  # noqa: ARG001  as all ways are called
    return msgspec.json.encode(message).decode()


def _with_junk(message: dict[str, Any], draw: Random) -> str | bytes:
    return msgspec.json.encode(_replaced(message, draw)).decode()


def _replaced(value: Any, draw: Random) -> Any:  # noqa: ANN401  any JSON
    """Return the value with some part of it replaced, left out, said twice, or added."""
    if isinstance(value, dict) and value and draw.random() < 0.8:  # noqa: PLR2004  mostly inside
        name = draw.choice([*value])
        changed = dict(value)
        match draw.randrange(4):
            case 0:
                del changed[name]
            case 1:
                changed[draw.choice(("extra", "", "token", name.upper(), name + "\x00"))] = draw.choice(JUNK)
            case _:
                changed[name] = _replaced(value[name], draw)
        return changed
    if isinstance(value, list) and value and draw.random() < 0.8:  # noqa: PLR2004  as above
        place = draw.randrange(len(value))
        return [*value[:place], _replaced(value[place], draw), *value[place + draw.randrange(2) :]]
    return draw.choice(JUNK)


def _with_flipped_bytes(message: dict[str, Any], draw: Random) -> str | bytes:
    text = bytearray(msgspec.json.encode(message))
    for _ in range(draw.randint(1, 4)):
        text[draw.randrange(len(text))] ^= 1 << draw.randrange(7)
    return text.decode(errors="replace")


def _cut_short(message: dict[str, Any], draw: Random) -> str | bytes:
    text = msgspec.json.encode(message).decode()
    return text[: draw.randrange(len(text))]


def _said_twice(message: dict[str, Any], draw: Random) -> str | bytes:
    text = msgspec.json.encode(message).decode()
    return draw.choice((text + text, text[:-1] + "," + text[1:], f"[{text}]", f"\ufeff{text}"))


def _too_deep(message: dict[str, Any], draw: Random) -> str | bytes:
    opening, closing = draw.choice((("[", "]"), ('{"a":', "}")))
    depth = draw.randrange(1, DEEP)
    inner = f"{opening * depth}1{closing * depth}"
    name = draw.choice([*message])
    text = msgspec.json.encode({**message, name: "HERE"}).decode()
    return text.replace('"HERE"', inner)


def _too_long(message: dict[str, Any], draw: Random) -> str | bytes:
    name = draw.choice([*message])
    return msgspec.json.encode({**message, name: "x" * draw.randrange(LONG)}).decode()


def _with_odd_text(message: dict[str, Any], draw: Random) -> str | bytes:
    name = draw.choice([*message])
    text = msgspec.json.encode({**message, name: "HERE"}).decode()
    odd = draw.choice(
        ('"\\ud800"', '"\\u0000"', "NaN", "Infinity", "-0", "1e999", "0x10", "01", "'a'", '"\\x"')
    )
    return text.replace('"HERE"', odd)


def _no_text(message: dict[str, Any], draw: Random) -> str | bytes:
    return draw.choice(
        (msgspec.json.encode(message), msgspec.msgpack.encode(message), draw.randbytes(40), b"")
    )


WAYS: Final[tuple[Callable[[dict[str, Any], Random], str | bytes], ...]] = (
    _as_it_is,
    _with_junk,
    _with_junk,
    _with_junk,
    _with_flipped_bytes,
    _cut_short,
    _said_twice,
    _too_deep,
    _too_long,
    _with_odd_text,
    _no_text,
)
