"""What commands of every game print with `--json`: one documented shape each."""

from typing import Any

import msgspec

from oddsmith.errors import Refusal

__all__ = ["ErrorReply", "ReplayReply", "RulesReply", "Share"]


class Share(msgspec.Struct, frozen=True):
    """An exact chance: `count` of `total` equally likely cases; `chance` is only for show."""

    count: int
    total: int
    chance: float

    @classmethod
    def of(cls, count: int, total: int) -> "Share":
        """Return the share of a count in a total."""
        return cls(count, total, count / total)


class ReplayReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith replay`: the game up to a ply, as a spectator sees it."""

    game: str
    rules_id: str
    seats: tuple[str, ...]
    ply: int
    plies: int
    verified: bool
    moves: tuple[str, ...]
    events: tuple[Any, ...]
    view: Any


class RulesReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith rules`: the rules in force, whole."""

    game: str
    rules_id: str
    rules: Any


class ErrorReply(msgspec.Struct, frozen=True, kw_only=True):
    """What any command with `--json` prints on stderr, with exit status 2, when it refuses."""

    error: Refusal
