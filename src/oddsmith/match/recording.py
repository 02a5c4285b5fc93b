"""Conversions of a match: to a record, from a record to a log, to a snapshot and back."""

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
from oddsmith.match.shared_rules import share_rules
from oddsmith.records import Record, replay
from oddsmith.records.versions import LABEL
from oddsmith.registry import find_game

NO_TOKEN: Final = "0" * 64
"""The digest in place of a token's in the log of a record: no known text has it."""
END_REASONS: Final = (LeaveReason.GIVEN_UP, LeaveReason.DESERTED, LeaveReason.TOO_LONG)


def record_of(match: Match, *, while_running: bool = False) -> Record:
    """Return the record of a match that is over, with the seeds of its luck in its labels.

    Raise `UnfinishedMatchError` for a match that has not begun, and for one that runs, whose record shows hidden cards.
    With `while_running`, the record of a running match is returned without the seeds; it must not reach a player.
    Raise `RecordError` for a match that was resumed from a snapshot and has not its whole log.
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
    commitment, first = match.commitment, next(iter(match.log))
    if isinstance(first, Opened) and first.mechanic is not None:
        yield LABEL, first.mechanic
    yield "luck", COMMITTED if match.practice is None else PRACTICE + match.practice
    yield "match", match.id
    if commitment is not None:
        yield "commitment", commitment
    bots = [f"{seat} {chair.bot}" for seat, chair in enumerate(match.chairs) if chair.bot is not None]
    if bots:
        yield "bots", ", ".join(bots)
    if match.is_over and commitment is not None:
        yield "server_seed", match.secret
        for seat, seed in enumerate(client_seeds(match)):
            if seed:
                yield f"client_seed_{seat}", seed
    if match.abandonment is not None:
        yield "abandoned", match.abandonment.why
        if match.abandonment.seat is not None:
            yield "abandoned_by", str(match.abandonment.seat)


def log_of(record: Record) -> tuple[Entry, ...]:
    """Return the log of the match that a record describes; raise `RecordError` where it has no seeds.

    Times are 0, and command ids and tokens are missing. Luck is not checked: `verify_fair` does that.
    """
    seal = read_seal(record)
    if seal is None or seal.server_seed is None:
        raise RecordError(
            "no_seeds", "only the record of a match that is over, and was no practice, becomes a match again"
        )
    return (*_opening_entries(record, seal, seal.server_seed), *_move_entries(record), *_end_entries(record))


def _opening_entries(record: Record, seal: Seal, secret: str) -> Iterator[Entry]:
    bots = bots_of(record)
    yield Opened(
        at=0,
        match=seal.match,
        game=record.game,
        rules=record.rules.to_toml(),
        bots=tuple(bots.get(seat) for seat in range(len(record.seats))),
        secret=secret,
        key=NO_TOKEN,
        mechanic=record.labels.get(LABEL),
    )
    for seat, name in enumerate(record.seats):
        if seat not in bots:
            yield Seated(
                at=0, seat=seat, name=name, token=NO_TOKEN, request=NO_TOKEN, seed=seal.client_seeds[seat]
            )


def bots_of(record: Record) -> dict[int, str]:
    """Return the names of bots by seat, from the label `bots`; raise `RecordError` where it is malformed."""
    label = record.labels.get("bots")
    pairs = [pair.partition(" ") for pair in label.split(", ")] if label else []
    seats = {str(seat): seat for seat in range(len(record.seats))}
    if any(seat not in seats or not bot for seat, _, bot in pairs):
        raise RecordError("bad_label", "labels.bots: a seat and a bot each are needed", where="labels.bots")
    return {seats[seat]: bot for seat, _, bot in pairs}


def _move_entries(record: Record) -> Iterator[Entry]:
    clocked = {*record.by_clock}
    for ply, line in zip(replay(find_game(record.game), record).plies, record.moves, strict=True):
        seat = ply.move.seat if isinstance(ply.move, Act) else None
        yield Made(at=0, line=line, seat=seat, by_clock=ply.number in clocked)


def _end_entries(record: Record) -> Iterator[Entry]:
    entry = leave_entry_of(record)
    if entry is not None:
        yield entry


def leave_entry_of(record: Record) -> Left | None:
    """Return the entry that ended a match before its game, from the labels; None where there is none."""
    why, seat = record.labels.get("abandoned"), record.labels.get("abandoned_by")
    if why is None:
        return None
    seats = {str(number): number for number in range(len(record.seats))}
    if why not in END_REASONS or seat not in (None, *seats):
        raise RecordError("bad_label", f"labels.abandoned: '{why[:40]}' is no end", where="labels.abandoned")
    return Left(at=0, seat=None if seat is None else seats[seat], why=LeaveReason(why))


FORMAT: Final = "oddsmith-snapshot-1"


class _Snapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match without its log and events; values of a game are JSON texts, so that no store rounds their numbers.

    Fields with a default are missing in snapshots of earlier versions.
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
    """Return a match as plain JSON data for a store; they contain its secrets."""
    snapshot = _Snapshot(
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
        state=_json_text(match.state),
        plies=match.plies,
        outcome=_json_text(match.outcome),
        abandonment=match.abandonment,
        practice=match.practice,
        private=match.private,
        drawn=match.drawn,
    )
    data: dict[str, Any] = wire.to_builtins(snapshot)
    return data


def _json_text(value: object) -> str | None:
    return None if value is None else wire.to_json(value).decode()


def resume_match(data: dict[str, Any], entries: Iterable[Entry] = ()) -> Match:
    """Return the match of a snapshot, after `entries`, which are those later than the snapshot.

    Its log and events begin with these entries. Raise `RecordError` for data that are no snapshot of this version: the
    caller then replays the whole log.
    """
    try:
        snapshot = wire.from_builtins(data, _Snapshot)
        match = _match_from(snapshot)
    except OddsmithError as error:
        raise RecordError("bad_snapshot", f"the snapshot cannot be read: {error}") from error
    return reduce(apply_entry, entries, match)


def _match_from(snapshot: _Snapshot) -> Match:
    if snapshot.format != FORMAT:
        raise RecordError("bad_snapshot", f"only '{FORMAT}' is known, not '{snapshot.format[:40]}'")
    game = find_game(snapshot.game)
    state = None if snapshot.state is None else wire.from_json(snapshot.state, game.state_type)
    return Match(
        id=snapshot.match,
        game=snapshot.game,
        engine=game,
        rules=share_rules(game.rules_type, snapshot.rules)[0],
        secret=snapshot.secret,
        key=snapshot.key,
        commitment=match_commitment(snapshot.secret, snapshot.practice),
        clock=snapshot.clock,
        chairs=snapshot.chairs,
        log=PersistentList(),
        events=PersistentList(),
        answers=PersistentDict.of(snapshot.answered.items()),
        latest=snapshot.latest,
        version=snapshot.version,
        log_start=snapshot.version,
        opened_at=snapshot.opened_at,
        at=snapshot.at,
        state=state,
        turn=None if state is None else game.turn(state),
        plies=snapshot.plies,
        outcome=None if snapshot.outcome is None else wire.from_json(snapshot.outcome, Outcome),
        abandonment=snapshot.abandonment,
        practice=snapshot.practice,
        private=snapshot.private,
        drawn=snapshot.drawn,
    )
