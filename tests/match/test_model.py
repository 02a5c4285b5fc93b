"""Entries of a log and commands are bounded: what is one longer or larger than the limit is refused."""

from typing import Any

import pytest

from oddsmith import wire
from oddsmith.errors import DecodingError
from oddsmith.match.model import Clock, Made, Opened, Seated

OPENED: dict[str, Any] = {
    "entry": "opened",
    "at": 0,
    "match": "m",
    "game": "duel",
    "rules": "",
    "bots": [None],
    "secret": "5e" * 32,
    "key": "c4" * 32,
}
SEATED: dict[str, Any] = {
    "entry": "seated",
    "at": 0,
    "seat": 0,
    "name": "Ann",
    "token": "5e" * 32,
    "request": "c4" * 32,
    "seed": "",
}
MADE: dict[str, Any] = {"entry": "made", "at": 0, "line": "*"}


@pytest.mark.parametrize(
    ("kind", "data", "fits", "beyond"),
    [
        (Opened, OPENED, {"rules": "x" * 262_144}, {"rules": "x" * 262_145}),
        (Opened, OPENED, {"bots": ["b" * 40]}, {"bots": ["b" * 41]}),
        (Seated, SEATED, {"name": "A" * 40}, {"name": "A" * 41}),
        (Seated, SEATED, {"seed": "s" * 64}, {"seed": "s" * 65}),
        (Made, MADE, {"line": "x" * 500}, {"line": "x" * 501}),
        (Clock, {}, {"choice_seconds": 604_800}, {"choice_seconds": 604_801}),
        (
            Clock,
            {"choice_seconds": 1},
            {"bank_seconds": 604_800},
            {"bank_seconds": 604_801},
        ),
        (Clock, {}, {"choice_seconds": 1}, {"choice_seconds": 0}),
    ],
    ids=["rules", "bot", "name", "seed", "line", "choice seconds", "bank seconds", "no seconds"],
)
def test_the_limits_of_an_entry(
    kind: type[Any], data: dict[str, Any], fits: dict[str, Any], beyond: dict[str, Any]
) -> None:
    [(field, value)] = fits.items()

    read = getattr(wire.from_builtins(data | fits, kind), field)

    assert value == (list(read) if isinstance(value, list) else read)
    with pytest.raises(DecodingError):
        wire.from_builtins(data | beyond, kind)
