"""A match at a version as plain data: with the later entries of its log it goes on as if all were played again."""

from collections.abc import Iterable
from functools import reduce
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.errors import OddsmithError, RecordError
from oddsmith.game import Outcome
from oddsmith.match.fold import after
from oddsmith.match.model import Abandonment, Chair, Clock, Digest, Entry, Match, PracticeSeed
from oddsmith.match.persistent import Ledger, Trail
from oddsmith.registry import find_game

FORMAT: Final = "oddsmith-snapshot-1"


class _Kept(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of a match but its log and what was told; values of a game are JSON texts, so that no store rounds them.

    What has a default was not kept by earlier versions.
    """

    format: str
    match: str
    game: str
    rules: str
    secret: Digest
    key: Digest
    clock: Clock | None
    chairs: tuple[Chair, ...]
    answered: dict[str, int]
    latest: str | None
    version: int
    opened_at: int
    at: int
    state: str | None
    plies: int
    outcome: str | None
    abandonment: Abandonment | None
    practice: PracticeSeed | None = None
    private: bool = False
    drawn: int = 0


def snapshot_data(match: Match) -> dict[str, Any]:
    """Return a match as plain data that survive JSON; they hold its secrets, and go to nobody but a store."""
    kept = _Kept(
        format=FORMAT,
        match=match.id,
        game=match.game,
        rules=match.rules.to_toml(),
        secret=match.secret,
        key=match.key,
        clock=match.clock,
        chairs=match.chairs,
        answered=match.answered.numbers(),
        latest=match.latest,
        version=match.version,
        opened_at=match.opened_at,
        at=match.at,
        state=_text(match.state),
        plies=match.plies,
        outcome=_text(match.outcome),
        abandonment=match.abandonment,
        practice=match.practice,
        private=match.private,
        drawn=match.drawn,
    )
    data: dict[str, Any] = wire.builtins(kept)
    return data


def _text(value: object) -> str | None:
    return None if value is None else wire.to_json(value).decode()


def resumed(data: dict[str, Any], entries: Iterable[Entry] = ()) -> Match:
    """Return the match that was kept, after the entries that came later.

    It plays on as the whole log would have it, but knows the log, and what was told, only from there. Data that are
    no snapshot of this version raise a `RecordError`: then the log is replayed from its beginning.
    """
    try:
        kept = wire.from_builtins(data, _Kept)
        match = _match(kept)
    except (msgspec.ValidationError, OddsmithError) as error:
        raise RecordError("bad_snapshot", f"the snapshot cannot be read: {error}") from error
    return reduce(after, entries, match)


def _match(kept: _Kept) -> Match:
    if kept.format != FORMAT:
        raise RecordError("bad_snapshot", f"only '{FORMAT}' is known, not '{kept.format[:40]}'")
    game = find_game(kept.game)
    state = None if kept.state is None else wire.from_json(kept.state, game.state_type)
    return Match(
        id=kept.match,
        game=kept.game,
        rules=game.rules_type.from_toml(kept.rules),
        secret=kept.secret,
        key=kept.key,
        clock=kept.clock,
        chairs=kept.chairs,
        log=Trail(),
        told=Trail(),
        answered=Ledger.of(kept.answered.items()),
        latest=kept.latest,
        version=kept.version,
        forgotten=kept.version,
        opened_at=kept.opened_at,
        at=kept.at,
        state=state,
        turn=None if state is None else game.turn(state),
        plies=kept.plies,
        outcome=None if kept.outcome is None else wire.from_json(kept.outcome, Outcome),
        abandonment=kept.abandonment,
        practice=kept.practice,
        private=kept.private,
        drawn=kept.drawn,
    )
