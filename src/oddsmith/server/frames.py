"""A frame is what a viewer is sent of a match: encoded once for all who may see the same."""

from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.game import Event, Seat
from oddsmith.match.model import Made, Match
from oddsmith.match.views import MatchView, events_since, match_view

MOST_TOLD: Final = 64
MOST_MISSED: Final = 1_000
"""How many versions somebody may have missed to be told what happened in them; who missed more has the view."""


class Told(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a viewer heard when a match came to a version, and whether a clock chose what led to it."""

    version: int
    events: tuple[Event, ...]
    by_clock: bool = False


class Frames:
    """The frames of one match at one version, made when they are first asked for."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._shown: dict[Seat | None, str] = {}
        self._told: dict[tuple[Seat | None, int], str] = {}

    def frame(self, viewer: Seat | None, since: int | None) -> str:
        """Return a frame with all that a viewer may see now, and what it may have heard since a version.

        `events` is null where what was asked for is no longer known, or too much: then the view must do.
        """
        shown = self._shown.get(viewer)
        if shown is None:
            shown = wire.to_json(plain(match_view(self._match, viewer))).decode()
            self._shown[viewer] = shown
        return f'{shown[:-1]},"events":{self._heard(viewer, since)}}}'

    def _heard(self, viewer: Seat | None, since: int | None) -> str:
        if since is None or since >= self._match.version:
            return "[]"
        if self._match.version - since > MOST_MISSED:
            return "null"
        told = self._told.get((viewer, since))
        if told is None:
            told = _told(self._match, viewer, since)
            if len(self._told) < MOST_TOLD:
                self._told[viewer, since] = told
        return told


def plain(view: MatchView) -> dict[str, Any]:
    """Return a view as plain data; the rules, which never change, are not sent again."""
    shown: dict[str, Any] = wire.builtins(view)
    if isinstance(shown["view"], dict):
        shown["view"].pop("rules", None)
    return shown


def _told(match: Match, viewer: Seat | None, since: int) -> str:
    heard = events_since(match, viewer, since)
    if heard is None:
        return "null"
    log = match.log.after(since - match.forgotten)
    told = [
        Told(version=version, events=events, by_clock=isinstance(entry, Made) and entry.by_clock)
        for (version, events), entry in zip(heard, log, strict=True)
    ]
    return wire.to_json(told).decode()
