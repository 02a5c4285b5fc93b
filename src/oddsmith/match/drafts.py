"""Drafts of a match: what a seat shows to all viewers while it must choose. They are no part of the match."""

from typing import Any

import msgspec

from oddsmith import wire
from oddsmith.errors import NOT_YOUR_TURN, DecodingError, IllegalMove, InputError
from oddsmith.game import Seat
from oddsmith.match.model import Match
from oddsmith.registry import find_mechanic


class DraftView(msgspec.Struct, frozen=True, kw_only=True):
    """A draft as all viewers of a match see it; `draft` is null where the seat shows none.

    It ends with the next version of the match.
    """

    version: int
    seat: Seat
    draft: Any


def view_draft(match: Match, seat: Seat, data: object) -> DraftView:
    """Return what all viewers see of a draft of a seat, given as plain data; None withdraws it.

    Raise `IllegalMove` for a seat that has nothing to choose, and where the game refuses the draft; `InputError` where the
    game has no drafts, or the data are none of its drafts.
    """
    drafts = find_mechanic(match.game).drafts
    if drafts is None:
        raise InputError("no_drafts", f"{match.game} has no drafts", where="draft")
    if data is None:
        return DraftView(version=match.version, seat=seat, draft=None)
    if seat not in match.deciding:
        raise IllegalMove.of(NOT_YOUR_TURN)
    try:
        draft = wire.from_builtins(data, drafts.draft_type, code="bad_draft")
    except DecodingError as error:
        where = ".".join(filter(None, ("draft", error.refusal.where)))
        raise DecodingError("bad_draft", error.refusal.sentence, where=where) from error
    shown = drafts.show(draft, match.engine.view(match.state, seat))
    return DraftView(version=match.version, seat=seat, draft=shown)
