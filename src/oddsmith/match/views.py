"""What a viewer is shown of a match: built up field by field from the game's own view, never from its state."""

from typing import Any

import msgspec

from oddsmith.errors import InputError
from oddsmith.game import Event, Outcome, Seat, audible
from oddsmith.match.fairness import client_seeds, match_commitment
from oddsmith.match.fold import deciding_seats, game_of
from oddsmith.match.machine import dues
from oddsmith.match.model import Abandonment, Clock, Match


class ChairView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as everyone sees it; `due_at` is when its time is up, where it must choose and a clock runs."""

    name: str | None
    bot: str | None
    bank: int
    due_at: int | None


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A match as one seat sees it, or a spectator; `secret` and `seeds` are shown when it is over.

    In a `practice` with a chosen seed, which everyone is told, there is nothing that a server could be bound to:
    `commitment`, `secret` and `seeds` are null. A `private` match is in no list: who knows its id may look and join.
    """

    match: str
    version: int
    game: str
    rules_id: str
    viewer: Seat | None
    chairs: tuple[ChairView, ...]
    deciding: tuple[Seat, ...]
    commitment: str | None
    clock: Clock | None
    due_at: int | None
    view: Any
    actions: tuple[Any, ...]
    outcome: Outcome | None
    abandonment: Abandonment | None
    secret: str | None
    seeds: tuple[str, ...] | None
    practice: str | None = None
    private: bool = False


def match_view(match: Match, viewer: Seat | None) -> MatchView:
    """Return what the viewer is shown; `None` is a spectator."""
    game, begun = game_of(match), match.state is not None
    deciding, due = deciding_seats(match), dues(match)
    reveals = match.is_over and match.practice is None
    return MatchView(
        match=match.id,
        version=match.version,
        game=match.game,
        rules_id=match.rules.rules_id,
        viewer=viewer,
        chairs=tuple(
            ChairView(name=chair.name, bot=chair.bot, bank=chair.bank, due_at=due.get(seat))
            for seat, chair in enumerate(match.chairs)
        ),
        deciding=deciding,
        commitment=match_commitment(match),
        clock=match.clock,
        due_at=min(due.values(), default=None),
        view=game.view(match.state, viewer) if begun else None,
        actions=tuple(game.actions(match.state, viewer)) if viewer in deciding else (),
        outcome=match.outcome,
        abandonment=match.abandonment,
        secret=match.secret if reveals else None,
        seeds=client_seeds(match) if reveals else None,
        practice=match.practice,
        private=match.private,
    )


def events_since(
    match: Match, viewer: Seat | None, version: int
) -> tuple[tuple[int, tuple[Event, ...]], ...] | None:
    """Return what the viewer was entitled to hear after a version, version by version.

    None where that is no longer known here: then the whole view must do. A version yet to come has no events.
    """
    if version < 0:
        raise InputError("bad_version", f"versions count from 0, and {version} is none", where="version")
    if version < match.forgotten:
        return None
    later = enumerate(match.told.after(version - match.forgotten), version + 1)
    return tuple((number, audible(told, viewer)) for number, told in later)
