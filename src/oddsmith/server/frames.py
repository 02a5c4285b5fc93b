"""A frame is what a viewer is sent of a match: encoded once for all who may see the same."""

from typing import Any

import msgspec

from oddsmith import wire
from oddsmith.game import Event, Seat
from oddsmith.table.model import Match
from oddsmith.table.views import events_since, match_view

__all__ = ["Frames", "Told"]

MOST_FRAMES = 64


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What a viewer heard when a match came to a version."""

    version: int
    events: tuple[Event, ...]


class Frames:
    """The frames of one match at one version, made when they are first asked for."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._made: dict[tuple[Seat | None, int | None], bytes] = {}

    def frame(self, viewer: Seat | None, since: int | None) -> bytes:
        """Return a frame with all that a viewer may see now, and what it may have heard since a version."""
        made = self._made.get((viewer, since))
        if made is None:
            made = wire.to_json(_shown(self._match, viewer, since))
            if len(self._made) < MOST_FRAMES:
                self._made[viewer, since] = made
        return made


def _shown(match: Match, viewer: Seat | None, since: int | None) -> dict[str, Any]:
    """Return a view as data; the rules, which never change, are not sent again."""
    shown: dict[str, Any] = wire.builtins(match_view(match, viewer))
    if isinstance(shown["view"], dict):
        shown["view"].pop("rules", None)
    heard = () if since is None or since > match.version else events_since(match, viewer, since)
    shown["events"] = [wire.builtins(Told(version=version, events=events)) for version, events in heard]
    return shown
