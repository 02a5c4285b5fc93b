"""The most expensive inputs that are known, as data: requests by route, found by `chaos.stall_search`."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

CORPUS: Final = Path(__file__).parent / "stall_corpus.jsonl"
LARGEST_BODY: Final = 64 * 1024
_REPEATED: Final = re.compile(r"(.{1,400}?)\1{3,}", re.DOTALL)

Piece: TypeAlias = str | tuple[str, int]
"""A part of a body: a text, or a text and how often it is repeated."""


class MatchOf(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The match that a request is about: `{match}` in its path, `{version}` in its body, and the token of seat 0."""

    game: str
    seats: tuple[str | None, ...] = (None, None)
    rules: Any = "default"


class ExpensiveInput(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request, and the milliseconds of its answer when it was found; `route` has the method and the path's pattern."""

    route: str
    path: str
    body: tuple[Piece, ...] = ()
    match: MatchOf | None = None
    milliseconds: float

    @property
    def method(self) -> str:
        """The method of the request."""
        return self.route.partition(" ")[0]

    @property
    def text(self) -> str:
        """The body."""
        return "".join(piece if isinstance(piece, str) else piece[0] * piece[1] for piece in self.body)


def pieces_of(text: str) -> tuple[Piece, ...]:
    """Return a body in pieces, so that a long repetition is short in a file.

    >>> pieces_of('{"toml": "' + "a" * 9 + '"}')
    ('{"toml": "', ('a', 9), '"}')
    """
    found: list[Piece] = []
    end = 0
    for run in _REPEATED.finditer(text):
        if run.start() > end:
            found.append(text[end : run.start()])
        found.append((run[1], len(run[0]) // len(run[1])))
        end = run.end()
    if end < len(text):
        found.append(text[end:])
    return tuple(found)


def read_corpus() -> tuple[ExpensiveInput, ...]:
    """Return all inputs, by route, the most expensive first."""
    return tuple(msgspec.json.decode(line, type=ExpensiveInput) for line in CORPUS.read_bytes().splitlines())


def write_corpus(inputs: Iterable[ExpensiveInput]) -> None:
    """Replace the file by these inputs."""
    ordered = sorted(inputs, key=lambda one: (one.route, -one.milliseconds, one.path))
    CORPUS.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in ordered))


def worst_of_each_route(inputs: Sequence[ExpensiveInput], count: int) -> tuple[ExpensiveInput, ...]:
    """Return the most expensive inputs of each route; `inputs` are in the order of `read_corpus`."""
    return tuple(one for _, group in groupby(inputs, key=lambda one: one.route) for one in [*group][:count])
