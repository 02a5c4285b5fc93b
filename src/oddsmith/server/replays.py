"""Replays of records as JSON, with frames like those of a live match, and the verification of records."""

from collections.abc import Iterator
from typing import Final

import msgspec

from oddsmith import wire
from oddsmith.match.proofs import verify_fair
from oddsmith.match.views import PlyView, RecordedMatch, VersionEvents
from oddsmith.records import Record, read_record
from oddsmith.registry import find_game
from oddsmith.server.api_types import ReplayHead, ReplayQuery, ReplayRequest, VerifyReply, VerifyRequest
from oddsmith.server.frames import without_rules
from oddsmith.server.rule_calls import SECONDS_TO_REPLAY, RuleCalls

LARGEST_REPLAY: Final = 4 * 1024 * 1024
"""The greatest number of bytes of the frames of one reply, unless a single frame has more."""
SYSTEM: Final = "drawn by the system"


class EncodedReplay(ReplayHead, frozen=True, kw_only=True):
    """A replay with encoded frames; `openapi_games.Replay` describes it."""

    frames: tuple[msgspec.Raw, ...]


def encode_replay_of_text(request: ReplayRequest, rules: RuleCalls | None = None) -> bytes:
    """Return the replay of the record in a request as JSON; raises an error where the record cannot be read or replayed."""
    return encode_replay(read_record(request.record, find_game), request, rules)


def encode_replay(record: Record, query: ReplayQuery, rules: RuleCalls | None = None) -> bytes:
    """Return a replay as JSON: the requested frames, fewer where they exceed `LARGEST_REPLAY`; `rules` calls the rules."""
    calls = rules or RuleCalls()
    return calls.run_here(record.game, lambda: _encode_replay(record, query), SECONDS_TO_REPLAY)


def _encode_replay(record: Record, query: ReplayQuery) -> bytes:
    match = RecordedMatch(record)
    frames = tuple(_frames_within_limit(match, query))
    return wire.to_json(
        EncodedReplay(
            game=record.game,
            rules_id=record.rules.rules_id,
            rules=record.rules,
            seats=record.seats,
            plies=match.plies,
            luck=record.labels.get("luck", SYSTEM),
            outcome=match.outcome,
            abandonment=match.abandonment,
            first=query.first,
            frames=frames,
        )
    )


def _frames_within_limit(match: RecordedMatch, query: ReplayQuery) -> Iterator[msgspec.Raw]:
    left = LARGEST_REPLAY
    for number, view in enumerate(match.views(query.viewer, query.first)):
        if number == query.count:
            return
        frame = _frame(view)
        if number and len(frame) > left:
            return
        left -= len(frame)
        yield msgspec.Raw(frame)


def _frame(view: PlyView) -> bytes:
    version_events = [VersionEvents(version=view.shown.version, events=view.events, by_clock=view.by_clock)]
    events = version_events if view.line is not None else []
    shown = msgspec.structs.asdict(without_rules(view.shown))
    return wire.to_json({**shown, "events": events, "line": view.line, "by": view.by})


def encode_verification(request: VerifyRequest, rules: RuleCalls | None = None) -> bytes:
    """Return the `VerifyReply` of the record in a request as JSON; raises an error where anything in it is wrong."""
    record = read_record(request.record, find_game)
    calls = rules or RuleCalls()
    found = calls.run_here(
        record.game, lambda: verify_fair(record, sealed=request.commitment), SECONDS_TO_REPLAY
    )
    return wire.to_json(
        VerifyReply(
            **msgspec.structs.asdict(found), game=record.game, seats=record.seats, outcome=record.outcome
        )
    )
