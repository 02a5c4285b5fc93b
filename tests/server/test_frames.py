"""Frames contain the view of a game without its rules."""

from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from oddsmith import wire
from oddsmith.match.views import match_view
from oddsmith.server.frames import without_rules
from tests.match.drivers import MatchDriver


class Struct(msgspec.Struct, frozen=True, tag="struct"):
    rules: dict[str, int]
    hand: int = 7


class Row(msgspec.Struct, frozen=True, array_like=True):
    rules: dict[str, int]
    hand: int = 7


class Bare(msgspec.Struct, frozen=True):
    hand: int = 7


@dataclass
class Plain:
    rules: dict[str, int]
    hand: int = 7


@pytest.mark.parametrize(
    ("view", "sent"),
    [
        (Struct({"goal": 100}), {"type": "struct", "hand": 7}),
        (Bare(), {"hand": 7}),
        (Plain({"goal": 100}), {"hand": 7}),
        ({"rules": {"goal": 100}, "hand": 7}, {"hand": 7}),
        (Row({"goal": 100}), [{"goal": 100}, 7]),
        (7, 7),
        (None, None),
    ],
    ids=["a struct", "a struct without rules", "a dataclass", "a mapping", "a row", "a number", "none"],
)
def test_a_frame_contains_the_view_without_rules(view: Any, sent: object) -> None:  # noqa: ANN401  a view of any game
    """The view itself is unchanged."""
    shown = msgspec.structs.replace(match_view(MatchDriver("duel").match, None), view=view)
    before = wire.to_json(view)

    assert sent == msgspec.json.decode(wire.to_json(without_rules(shown)))["view"]
    assert before == wire.to_json(view)
