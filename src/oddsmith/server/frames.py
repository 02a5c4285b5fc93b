"""A frame is what a viewer is sent of a match: encoded once for all who may see the same."""

from copy import copy
from typing import Final

import msgspec

from oddsmith import wire
from oddsmith.game import Seat
from oddsmith.match.model import Match
from oddsmith.match.views import MatchView, events_since, match_view

MOST_TOLD: Final = 64
MOST_MISSED: Final = 1_000
"""How many versions somebody may have missed to be told what happened in them; who missed more has the view."""
RULES: Final = "rules"


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
            shown = wire.to_json(without_rules(match_view(self._match, viewer))).decode()
            self._shown[viewer] = shown
        return f'{shown[:-1]},"events":{self._heard(viewer, since)}}}'

    def _heard(self, viewer: Seat | None, since: int | None) -> str:
        if since is None or since >= self._match.version:
            return "[]"
        if self._match.version - since > MOST_MISSED:
            return "null"
        told = self._told.get((viewer, since))
        if told is None:
            told = wire.to_json(events_since(self._match, viewer, since)).decode()
            if len(self._told) < MOST_TOLD:
                self._told[viewer, since] = told
        return told


def without_rules(shown: MatchView) -> MatchView:
    """Return what a viewer is shown without the rules in the view of the game: they never change, and are not sent again."""
    view = shown.view
    if not isinstance(view, msgspec.Struct):
        view = wire.to_builtins(view)
        if isinstance(view, dict):
            view.pop(RULES, None)
    elif RULES in view.__struct_fields__ and not view.__struct_config__.array_like:
        view = copy(view)
        msgspec.structs.force_setattr(view, RULES, msgspec.UNSET)
    return msgspec.structs.replace(shown, view=view)
