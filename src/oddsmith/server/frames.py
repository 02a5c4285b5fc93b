"""Frames of a match as JSON, encoded once for all viewers that may see the same."""

import asyncio
from copy import copy
from functools import partial
from typing import Final

import msgspec

from oddsmith import wire
from oddsmith.game import Seat
from oddsmith.match.model import Match
from oddsmith.match.views import MatchView, events_since, match_view
from oddsmith.server.charging import start_metered
from oddsmith.server.long_work import WorkTime
from oddsmith.server.rule_calls import RuleCalls

MOST_CACHED: Final = 64
MOST_MISSED: Final = 1_000
"""The number of versions whose events a frame may hold; for more, its `events` are null."""
MOST_ON_LOOP: Final = 50
"""The number of versions above which their events are always encoded in a thread."""
RULES: Final = "rules"


class Frames:
    """The frames of one match at one version, encoded on first use and cached."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._cached_views: dict[Seat | None, str] = {}
        self._cached_events: dict[tuple[Seat | None, int, bool], str] = {}
        self._last: tuple[tuple[Seat | None, int | None, bool], str] | None = None
        self._in_progress: dict[tuple[Seat | None, int | None, bool], asyncio.Task[str]] = {}

    async def make_frame(
        self,
        rules: RuleCalls,
        took: WorkTime,
        viewer: Seat | None,
        since: int | None,
        *,
        was_present: bool = False,
    ) -> str:
        """Return what `frame` returns; a frame that takes long, by the time `took` before, is made once and in a thread."""
        key = viewer, since, was_present
        work = partial(self.frame, viewer, since, was_present=was_present)
        if viewer in self._cached_views and self._has_events(*key):
            return work()
        is_late = since is not None and self._match.version - since > MOST_ON_LOOP
        if not (is_late or took.is_long or rules.is_limited(self._match.game)):
            return await rules.run(self._match.game, work, took=took)
        making = self._in_progress.get(key)
        if making is None:
            making = self._in_progress[key] = start_metered(
                rules.run(self._match.game, work, took=None if is_late else took)
            )
            making.add_done_callback(lambda _: self._in_progress.pop(key))
        return await asyncio.shield(making)

    def _has_events(self, viewer: Seat | None, since: int | None, was_present: bool) -> bool:  # noqa: FBT001  a key
        """Return whether the events of a frame need no work."""
        is_short = since is None or since >= self._match.version
        return is_short or (viewer, since, was_present) in self._cached_events

    def frame(self, viewer: Seat | None, since: int | None, *, was_present: bool = False) -> str:
        """Return the JSON of a viewer's frame, with the events after the version `since`.

        `was_present`: the viewer was connected since that version, and may know what a late spectator may not.
        `events` is null where the log no longer has them, or they are of more than `MOST_MISSED` versions. Calls in a row
        with the same arguments return the same object.
        """
        key, last = (viewer, since, was_present), self._last
        if last is None or last[0] != key:
            last = self._last = (key, self._make_frame(viewer, since, was_present=was_present))
        return last[1]

    def _make_frame(self, viewer: Seat | None, since: int | None, *, was_present: bool) -> str:
        view_json = self._cached_views.get(viewer)
        if view_json is None:
            view_json = wire.to_json(without_rules(match_view(self._match, viewer))).decode()
            self._cached_views[viewer] = view_json
        return f'{view_json[:-1]},"events":{self._events_json(viewer, since, was_present=was_present)}}}'

    def _events_json(self, viewer: Seat | None, since: int | None, *, was_present: bool) -> str:
        if since is None or since >= self._match.version:
            return "[]"
        if self._match.version - since > MOST_MISSED:
            return "null"
        events = self._cached_events.get((viewer, since, was_present))
        if events is None:
            events = wire.to_json(events_since(self._match, viewer, since, was_present=was_present)).decode()
            if len(self._cached_events) < MOST_CACHED:
                self._cached_events[viewer, since, was_present] = events
        return events


def without_rules(seen: MatchView) -> MatchView:
    """Return a view of a match without the rules in the game's view: they never change, and are sent separately."""
    view = seen.view
    if not isinstance(view, msgspec.Struct):
        view = wire.to_builtins(view)
        if isinstance(view, dict):
            view.pop(RULES, None)
    elif RULES in view.__struct_fields__ and not view.__struct_config__.array_like:
        view = copy(view)
        msgspec.structs.force_setattr(view, RULES, msgspec.UNSET)
    return msgspec.structs.replace(seen, view=view)
