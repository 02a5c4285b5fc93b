"""Mutations of valid messages, for fuzzing."""

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


def mutate(message: dict[str, Any], draw: Random) -> str | bytes:
    """Return a valid message with a random mutation.

    >>> mutate({"id": "c1", "version": 4, "act": "fight"}, Random(3)) != mutate({"id": "c1"}, Random(4))
    True
    """
    return draw.choice(MUTATIONS)(message, draw)


def _leave_valid(message: dict[str, Any], draw: Random) -> str | bytes:  # noqa: ARG001  the signature of all mutations
    return msgspec.json.encode(message).decode()


def _add_junk(message: dict[str, Any], draw: Random) -> str | bytes:
    return msgspec.json.encode(_replace_part(message, draw)).decode()


def _replace_part(value: Any, draw: Random) -> Any:  # noqa: ANN401  any JSON
    """Return the value with a random part replaced, removed, repeated or added."""
    if isinstance(value, dict) and value and draw.random() < 0.8:  # noqa: PLR2004  mostly a part, seldom the whole
        name = draw.choice([*value])
        changed = dict(value)
        match draw.randrange(4):
            case 0:
                del changed[name]
            case 1:
                changed[draw.choice(("extra", "", "token", name.upper(), name + "\x00"))] = draw.choice(JUNK)
            case _:
                changed[name] = _replace_part(value[name], draw)
        return changed
    if isinstance(value, list) and value and draw.random() < 0.8:  # noqa: PLR2004  mostly a part, seldom the whole
        place = draw.randrange(len(value))
        return [*value[:place], _replace_part(value[place], draw), *value[place + draw.randrange(2) :]]
    return draw.choice(JUNK)


def _flip_bits(message: dict[str, Any], draw: Random) -> str | bytes:
    text = bytearray(msgspec.json.encode(message))
    for _ in range(draw.randint(1, 4)):
        text[draw.randrange(len(text))] ^= 1 << draw.randrange(7)
    return text.decode(errors="replace")


def _truncate(message: dict[str, Any], draw: Random) -> str | bytes:
    text = msgspec.json.encode(message).decode()
    return text[: draw.randrange(len(text))]


def _repeat(message: dict[str, Any], draw: Random) -> str | bytes:
    text = msgspec.json.encode(message).decode()
    return draw.choice((text + text, text[:-1] + "," + text[1:], f"[{text}]", f"\ufeff{text}"))


def _nest_deeply(message: dict[str, Any], draw: Random) -> str | bytes:
    opening, closing = draw.choice((("[", "]"), ('{"a":', "}")))
    depth = draw.randrange(1, DEEP)
    inner = f"{opening * depth}1{closing * depth}"
    name = draw.choice([*message])
    text = msgspec.json.encode({**message, name: "HERE"}).decode()
    return text.replace('"HERE"', inner)


def _lengthen(message: dict[str, Any], draw: Random) -> str | bytes:
    name = draw.choice([*message])
    return msgspec.json.encode({**message, name: "x" * draw.randrange(LONG)}).decode()


def _insert_odd_literal(message: dict[str, Any], draw: Random) -> str | bytes:
    name = draw.choice([*message])
    text = msgspec.json.encode({**message, name: "HERE"}).decode()
    odd = draw.choice(
        ('"\\ud800"', '"\\u0000"', "NaN", "Infinity", "-0", "1e999", "0x10", "01", "'a'", '"\\x"')
    )
    return text.replace('"HERE"', odd)


def _send_bytes(message: dict[str, Any], draw: Random) -> str | bytes:
    return draw.choice(
        (msgspec.json.encode(message), msgspec.msgpack.encode(message), draw.randbytes(40), b"")
    )


MUTATIONS: Final[tuple[Callable[[dict[str, Any], Random], str | bytes], ...]] = (
    _leave_valid,
    _add_junk,
    _add_junk,
    _add_junk,
    _flip_bits,
    _truncate,
    _repeat,
    _nest_deeply,
    _lengthen,
    _insert_odd_literal,
    _send_bytes,
)
