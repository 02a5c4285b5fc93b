"""Records what clients sent and received, and compares it with the logs of the store."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.client import Frame, VersionEvents
from oddsmith.game import Act, Seat
from oddsmith.match.fold import apply_entry, begin_match, command_key
from oddsmith.match.model import Entry, Made, Match, Opened
from oddsmith.match.views import events_since, match_view
from oddsmith.store.model import Store

MOST_FAULTS: Final = 50


class SentChoice(msgspec.Struct, frozen=True):
    """A choice that was sent: seat, id and the action as data."""

    seat: Seat
    id: str
    action: Any


class Acknowledgement(msgspec.Struct, frozen=True):
    """A choice that the server acknowledged at a version."""

    seat: Seat
    id: str
    version: int


class ReceivedFrame(msgspec.Struct, frozen=True):
    """A frame that a viewer received, by digests; `events` is None if the server no longer had them."""

    viewer: Seat | None
    since: int | None
    version: int
    view: bytes
    events: bytes | None


class Ledger:
    """Everything that clients know of their matches."""

    def __init__(self) -> None:
        self.sent: dict[str, dict[tuple[Seat, str], SentChoice]] = defaultdict(dict)
        self.acknowledgements: dict[str, list[Acknowledgement]] = defaultdict(list)
        self.refused: dict[str, set[tuple[Seat, str]]] = defaultdict(set)
        self.received: dict[str, list[ReceivedFrame]] = defaultdict(list)
        self.acknowledged = 0

    @property
    def frames(self) -> int:
        """The number of frames received."""
        return sum(map(len, self.received.values()))

    def send(self, match: str, seat: Seat, command: str, action: object) -> None:
        """Record a choice before it is sent."""
        self.sent[match][seat, command] = SentChoice(seat, command, action)

    def acknowledge(self, match: str, seat: Seat, command: str, version: int) -> None:
        """Record that a choice was applied."""
        self.acknowledgements[match].append(Acknowledgement(seat, command, version))
        self.acknowledged += 1

    def refuse(self, match: str, seat: Seat, command: str) -> None:
        """Record that a choice was refused."""
        self.refused[match].add((seat, command))

    def receive(self, frame: Frame, since: int | None) -> None:
        """Record a received frame."""
        events = None if frame.events is None else _digest(frame.events)
        view = _digest(msgspec.structs.replace(frame, events=()))
        self.received[frame.match].append(ReceivedFrame(frame.viewer, since, frame.version, view, events))

    def faults(self, store: Store) -> list[str]:
        """Return all contradictions between the records and the logs of a store; empty if there are none."""
        found = []
        for match in {*self.sent, *self.received}:
            for fault in self._faults(match, store.entries(match)):
                found.append(f"{match}: {fault}")
                if len(found) >= MOST_FAULTS:
                    return found
        return found

    def _faults(self, match: str, log: tuple[Entry, ...]) -> Iterator[str]:
        if not log or not isinstance(log[0], Opened):
            yield "the log is lost"
            return
        by_version = defaultdict(list)
        for frame in self.received[match]:
            by_version[frame.version].append(frame)
        done: set[tuple[Seat, str]] = set()
        played = begin_match(log[0])
        for frame in by_version.pop(played.version, ()):
            yield from _frame_faults(played, frame)
        for entry in log[1:]:
            if isinstance(entry, Made) and entry.seat is not None and entry.id is not None:
                yield from self._entry_faults(played, entry, done)
                done.add((entry.seat, entry.id))
            played = apply_entry(played, entry)
            for frame in by_version.pop(played.version, ()):
                yield from _frame_faults(played, frame)
        for version in by_version:
            yield f"version {version} was shown, and is not in the log"
        yield from self._acknowledgement_faults(played, done)

    def _entry_faults(self, played: Match, made: Made, done: set[tuple[Seat, str]]) -> Iterator[str]:
        """Yield the faults of a logged choice: made twice, refused, never sent, or different from what was sent."""
        name = (made.seat or 0, made.id or "")
        sent = self.sent[played.id].get(name)
        if name in done:
            yield f"{name} was made twice"
        if name in self.refused[played.id]:
            yield f"{name} was refused, and made"
        if sent is None:
            yield f"{name} was never sent"
            return
        read = played.engine.read(played.state, made.line)
        if not isinstance(read, Act) or _plain(wire.to_builtins(read.action)) != sent.action:
            yield f"{name} is not what was sent"

    def _acknowledgement_faults(self, played: Match, done: set[tuple[Seat, str]]) -> Iterator[str]:
        """Yield acknowledged choices that are lost, at another version, or out of order."""
        last: dict[Seat, int] = {}
        for one in self.acknowledgements[played.id]:
            if (one.seat, one.id) not in done:
                yield f"{one} is lost"
            elif played.answers.get(command_key(one.seat, one.id)) != one.version:
                yield f"{one} is at another version"
            if one.version <= last.get(one.seat, 0):
                yield f"{one} is out of order"
            last[one.seat] = one.version


def _frame_faults(played: Match, frame: ReceivedFrame) -> Iterator[str]:
    """Yield differences between a frame and the one that the log gives."""
    data = wire.to_builtins(match_view(played, frame.viewer))
    if data["view"] is not None:
        data["view"].pop("rules", None)
    if _digest(wire.from_json(wire.to_json(data), Frame)) != frame.view:
        yield f"seat {frame.viewer} saw another version {frame.version}"
    since = played.version if frame.since is None else frame.since
    entries = events_since(played, frame.viewer, since) or ()
    events = [VersionEvents(version=one.version, events=one.events) for one in entries]
    if frame.events is not None and _digest(_plain(events)) != frame.events:
        yield f"seat {frame.viewer} received other events between {since} and {frame.version}"


def _digest(data: object) -> bytes:
    return hashlib.sha256(wire.to_json(data)).digest()


def _plain(data: object) -> object:
    """Return data after a round trip through JSON."""
    return msgspec.json.decode(wire.to_json(data))
