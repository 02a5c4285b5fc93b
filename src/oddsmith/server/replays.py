"""A record is shown again in frames of the shape that its match had while it was played."""

from collections.abc import Iterator
from typing import Final

import msgspec

from oddsmith import wire
from oddsmith.match.proofs import verify_fair
from oddsmith.match.views import PlyView, RecordedMatch, VersionEvents
from oddsmith.records import Record, read_record
from oddsmith.registry import find_game
from oddsmith.server.frames import without_rules
from oddsmith.server.requests import RecordVerified, ReplayHead, Replaying, Rewatching, Verifying

LARGEST_REPLAY: Final = 4 * 1024 * 1024
"""How many bytes frames have together, unless one alone has more: who wants the rest asks again."""
SYSTEM: Final = "drawn by the system"


class Replay(ReplayHead, frozen=True, kw_only=True):
    """A record, and some of its frames."""

    frames: tuple[msgspec.Raw, ...]


def replay_of_text(asked: Replaying) -> bytes:
    """Return frames of a record that somebody sent; one that is not as it was written is refused."""
    return replay_of(read_record(asked.record, find_game), asked)


def replay_of(record: Record, asked: Rewatching) -> bytes:
    """Return frames of a record: the first that is asked for, and as many after it as were asked for and have room."""
    match = RecordedMatch(record)
    frames = tuple(_fitting(match, asked))
    return wire.to_json(
        Replay(
            game=record.game,
            rules_id=record.rules.rules_id,
            rules=record.rules,
            seats=record.seats,
            plies=match.plies,
            luck=record.labels.get("luck", SYSTEM),
            outcome=match.outcome,
            abandonment=match.abandonment,
            first=asked.first,
            frames=frames,
        )
    )


def _fitting(match: RecordedMatch, asked: Rewatching) -> Iterator[msgspec.Raw]:
    room = LARGEST_REPLAY
    for number, view in enumerate(match.views(asked.viewer, asked.first)):
        if number == asked.count:
            return
        frame = _frame(view)
        if number and len(frame) > room:
            return
        room -= len(frame)
        yield msgspec.Raw(frame)


def _frame(view: PlyView) -> bytes:
    heard = [VersionEvents(version=view.shown.version, events=view.events, by_clock=view.by_clock)]
    events = heard if view.line is not None else []
    shown = msgspec.structs.asdict(without_rules(view.shown))
    return wire.to_json({**shown, "events": events, "line": view.line, "by": view.by})


def verified(asked: Verifying) -> bytes:
    """Return what was checked in a record that somebody sent; one in which anything is wrong is refused."""
    record = read_record(asked.record, find_game)
    found = verify_fair(record, sealed=asked.commitment)
    return wire.to_json(
        RecordVerified(
            **msgspec.structs.asdict(found), game=record.game, seats=record.seats, outcome=record.outcome
        )
    )
