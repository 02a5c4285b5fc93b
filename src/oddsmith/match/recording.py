"""A match as a record that proves its luck and back, and as a snapshot with which later entries go on."""

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.errors import OddsmithError, RecordError, UnfinishedMatchError
from oddsmith.game import Act, Outcome
from oddsmith.match.fold import apply_entry
from oddsmith.match.model import (
    Abandonment,
    Chair,
    Clock,
    Digest,
    Entry,
    LeaveReason,
    Left,
    Made,
    Match,
    Opened,
    PracticeSeed,
    Seated,
)
from oddsmith.match.persistent import PersistentDict, PersistentList
from oddsmith.match.proofs import COMMITTED, PRACTICE, Seal, client_seeds, match_commitment, read_seal
from oddsmith.records import Record, replay
from oddsmith.registry import find_game

NOBODY: Final = "0" * 64
"""A digest of no text that anybody knows: no token proves a seat of a record."""
ENDS: Final = (LeaveReason.GIVEN_UP, LeaveReason.DESERTED, LeaveReason.TOO_LONG)


def record_of(match: Match, *, while_running: bool = False) -> Record:
    """Return the record of a match that is over: moves, names, and all that its luck came from.

    That of a practice says so, and proves nothing about luck.

    A running match is refused, for its record shows every hidden card; with `while_running` it is returned without
    the seeds, for who keeps it to themselves. One that never began has nothing to record.
    """
    if match.log_start:
        raise RecordError("forgotten_moves", "the record of a match needs its whole log: replay it")
    if match.state is None:
        raise UnfinishedMatchError("not_started", "a match that has not begun has no record")
    if not (match.is_over or while_running):
        raise UnfinishedMatchError("match_running", "the record of a match is shown when it is over")
    made = [entry for entry in match.log if isinstance(entry, Made)]
    return Record(
        rules=match.rules,
        seats=tuple(chair.name or "" for chair in match.chairs),
        moves=tuple(entry.line for entry in made),
        outcome=match.outcome,
        labels=dict(_labels(match)),
        by_clock=tuple(ply for ply, entry in enumerate(made, 1) if entry.by_clock),
    )


def _labels(match: Match) -> Iterator[tuple[str, str]]:
    bound = match.commitment
    yield "luck", COMMITTED if match.practice is None else PRACTICE + match.practice
    yield "match", match.id
    if bound is not None:
        yield "commitment", bound
    bots = [f"{seat} {chair.bot}" for seat, chair in enumerate(match.chairs) if chair.bot is not None]
    if bots:
        yield "bots", ", ".join(bots)
    if match.is_over and bound is not None:
        yield "server_seed", match.secret
        for seat, seed in enumerate(client_seeds(match)):
            if seed:
                yield f"client_seed_{seat}", seed
    if match.abandonment is not None:
        yield "abandoned", match.abandonment.why
        if match.abandonment.seat is not None:
            yield "abandoned_by", str(match.abandonment.seat)


def log_of(record: Record) -> tuple[Entry, ...]:
    """Return the log of a match that its record tells of: who sat where, every move, the end.

    What a record does not hold is missing: when things happened, which commands asked for them, and tokens. Whether
    the record is true is for `verify_fair` to say.
    """
    seal = read_seal(record)
    if seal is None or seal.server_seed is None:
        raise RecordError(
            "no_seeds", "only the record of a match that is over, and was no practice, becomes a match again"
        )
    return (*_opening(record, seal, seal.server_seed), *_moves(record), *_end(record))


def _opening(record: Record, seal: Seal, secret: str) -> Iterator[Entry]:
    bots = bots_of(record)
    yield Opened(
        at=0,
        match=seal.match,
        game=record.game,
        rules=record.rules.to_toml(),
        bots=tuple(bots.get(seat) for seat in range(len(record.seats))),
        secret=secret,
        key=NOBODY,
    )
    for seat, name in enumerate(record.seats):
        if seat not in bots:
            yield Seated(
                at=0, seat=seat, name=name, token=NOBODY, request=NOBODY, seed=seal.client_seeds[seat]
            )


def bots_of(record: Record) -> dict[int, str]:
    """Return the bots by their seats, as the label has them."""
    said = record.labels.get("bots")
    pairs = [pair.partition(" ") for pair in said.split(", ")] if said else []
    seats = {str(seat): seat for seat in range(len(record.seats))}
    if any(seat not in seats or not bot for seat, _, bot in pairs):
        raise RecordError("bad_label", "labels.bots: a seat and a bot each are needed", where="labels.bots")
    return {seats[seat]: bot for seat, _, bot in pairs}


def _moves(record: Record) -> Iterator[Entry]:
    clocked = {*record.by_clock}
    for ply, line in zip(replay(find_game(record.game), record).plies, record.moves, strict=True):
        seat = ply.move.seat if isinstance(ply.move, Act) else None
        yield Made(at=0, line=line, seat=seat, by_clock=ply.number in clocked)


def _end(record: Record) -> Iterator[Entry]:
    parting = leave_entry_of(record)
    if parting is not None:
        yield parting


def leave_entry_of(record: Record) -> Left | None:
    """Return how a match ended before its game did, as the labels have it; None where it did not."""
    why, seat = record.labels.get("abandoned"), record.labels.get("abandoned_by")
    if why is None:
        return None
    seats = {str(number): number for number in range(len(record.seats))}
    if why not in ENDS or seat not in (None, *seats):
        raise RecordError("bad_label", f"labels.abandoned: '{why[:40]}' is no end", where="labels.abandoned")
    return Left(at=0, seat=None if seat is None else seats[seat], why=LeaveReason(why))


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
        answered=match.answers.to_dict(),
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
    data: dict[str, Any] = wire.to_builtins(kept)
    return data


def _text(value: object) -> str | None:
    return None if value is None else wire.to_json(value).decode()


def resume_match(data: dict[str, Any], entries: Iterable[Entry] = ()) -> Match:
    """Return the match that was kept, after the entries that came later.

    It plays on as the whole log would have it, but knows the log, and what was told, only from there. Data that are
    no snapshot of this version raise a `RecordError`: then the log is replayed from its beginning.
    """
    try:
        kept = wire.from_builtins(data, _Kept)
        match = _match(kept)
    except (msgspec.ValidationError, OddsmithError) as error:
        raise RecordError("bad_snapshot", f"the snapshot cannot be read: {error}") from error
    return reduce(apply_entry, entries, match)


def _match(kept: _Kept) -> Match:
    if kept.format != FORMAT:
        raise RecordError("bad_snapshot", f"only '{FORMAT}' is known, not '{kept.format[:40]}'")
    game = find_game(kept.game)
    state = None if kept.state is None else wire.from_json(kept.state, game.state_type)
    return Match(
        id=kept.match,
        game=kept.game,
        engine=game,
        rules=game.rules_type.from_toml(kept.rules),
        secret=kept.secret,
        key=kept.key,
        commitment=match_commitment(kept.secret, kept.practice),
        clock=kept.clock,
        chairs=kept.chairs,
        log=PersistentList(),
        events=PersistentList(),
        answers=PersistentDict.of(kept.answered.items()),
        latest=kept.latest,
        version=kept.version,
        log_start=kept.version,
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
