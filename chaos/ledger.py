"""What clients sent, were told and were shown is held against the logs; whatever does not agree is a fault."""

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


class Sent(msgspec.Struct, frozen=True):
    """A choice that was sent: the seat, the id, the data of the action."""

    seat: Seat
    id: str
    action: Any


class Told(msgspec.Struct, frozen=True):
    """A choice that was acknowledged, as done at a version."""

    seat: Seat
    id: str
    version: int


class Seen(msgspec.Struct, frozen=True):
    """A frame that was shown to a viewer, by digests; `heard` is None where the server no longer knew."""

    viewer: Seat | None
    since: int | None
    version: int
    shown: bytes
    heard: bytes | None


class Ledger:
    """All that clients know of their matches."""

    def __init__(self) -> None:
        self.sent: dict[str, dict[tuple[Seat, str], Sent]] = defaultdict(dict)
        self.told: dict[str, list[Told]] = defaultdict(list)
        self.refused: dict[str, set[tuple[Seat, str]]] = defaultdict(set)
        self.seen: dict[str, list[Seen]] = defaultdict(list)
        self.acknowledged = 0

    @property
    def frames(self) -> int:
        """How many frames were shown."""
        return sum(map(len, self.seen.values()))

    def send(self, match: str, seat: Seat, command: str, action: object) -> None:
        """Write down a choice before it is sent."""
        self.sent[match][seat, command] = Sent(seat, command, action)

    def acknowledge(self, match: str, seat: Seat, command: str, version: int) -> None:
        """Write down that a choice was done."""
        self.told[match].append(Told(seat, command, version))
        self.acknowledged += 1

    def refuse(self, match: str, seat: Seat, command: str) -> None:
        """Write down that a choice was not done."""
        self.refused[match].add((seat, command))

    def show(self, frame: Frame, since: int | None) -> None:
        """Write down a frame."""
        heard = None if frame.events is None else _digest(frame.events)
        shown = _digest(msgspec.structs.replace(frame, events=()))
        self.seen[frame.match].append(Seen(frame.viewer, since, frame.version, shown, heard))

    def faults(self, store: Store) -> list[str]:
        """Return all that does not agree with the logs: nothing, if every promise was kept."""
        found = []
        for match in {*self.sent, *self.seen}:
            for fault in self._faults(match, store.entries(match)):
                found.append(f"{match}: {fault}")
                if len(found) >= MOST_FAULTS:
                    return found
        return found

    def _faults(self, match: str, log: tuple[Entry, ...]) -> Iterator[str]:
        if not log or not isinstance(log[0], Opened):
            yield "the log is lost"
            return
        shown = defaultdict(list)
        for seen in self.seen[match]:
            shown[seen.version].append(seen)
        done: set[tuple[Seat, str]] = set()
        known = begin_match(log[0])
        for seen in shown.pop(known.version, ()):
            yield from _seen_faults(known, seen)
        for entry in log[1:]:
            if isinstance(entry, Made) and entry.seat is not None and entry.id is not None:
                yield from self._made_faults(known, entry, done)
                done.add((entry.seat, entry.id))
            known = apply_entry(known, entry)
            for seen in shown.pop(known.version, ()):
                yield from _seen_faults(known, seen)
        for version in shown:
            yield f"version {version} was shown, and is not in the log"
        yield from self._told_faults(known, done)

    def _made_faults(self, known: Match, made: Made, done: set[tuple[Seat, str]]) -> Iterator[str]:
        """Yield what is wrong with a choice in the log: it was made once before, or never sent, or another one."""
        name = (made.seat or 0, made.id or "")
        sent = self.sent[known.id].get(name)
        if name in done:
            yield f"{name} was made twice"
        if name in self.refused[known.id]:
            yield f"{name} was refused, and made"
        if sent is None:
            yield f"{name} was never sent"
            return
        read = known.engine.read(known.state, made.line)
        if not isinstance(read, Act) or _plain(wire.to_builtins(read.action)) != sent.action:
            yield f"{name} is not what was sent"

    def _told_faults(self, known: Match, done: set[tuple[Seat, str]]) -> Iterator[str]:
        """Yield what was acknowledged and is lost, elsewhere, or out of order."""
        last: dict[Seat, int] = {}
        for told in self.told[known.id]:
            if (told.seat, told.id) not in done:
                yield f"{told} is lost"
            elif known.answers.get(command_key(told.seat, told.id)) != told.version:
                yield f"{told} is at another version"
            if told.version <= last.get(told.seat, 0):
                yield f"{told} is out of order"
            last[told.seat] = told.version


def _seen_faults(known: Match, seen: Seen) -> Iterator[str]:
    """Yield what is wrong with a frame, which is made again from the log alone."""
    data = wire.to_builtins(match_view(known, seen.viewer))
    if data["view"] is not None:
        data["view"].pop("rules", None)
    if _digest(wire.from_json(wire.to_json(data), Frame)) != seen.shown:
        yield f"seat {seen.viewer} saw another version {seen.version}"
    since = known.version if seen.since is None else seen.since
    told = events_since(known, seen.viewer, since) or ()
    heard = [VersionEvents(version=one.version, events=one.events) for one in told]
    if seen.heard is not None and _digest(_plain(heard)) != seen.heard:
        yield f"seat {seen.viewer} heard something else between {since} and {seen.version}"


def _digest(data: object) -> bytes:
    return hashlib.sha256(wire.to_json(data)).digest()


def _plain(data: object) -> object:
    """Return data as they are after a journey as JSON."""
    return msgspec.json.decode(wire.to_json(data))
