"""Durable choices against bare appends to SQLite, and the delay until spectators see a move against a bare broadcast."""

import asyncio
import sqlite3
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import uvloop

from bench.broadcasts import SPECTATORS, broadcast_delays, move_delays
from bench.floors import python_loop
from bench.matches import begin_match, play_choices
from bench.measure import Run, alternate
from bench.rows import Row, against_floor
from oddsmith.games.duel import Rules
from oddsmith.match.model import Act, Applied, Join, Made, Open
from oddsmith.server import logs
from oddsmith.server.garbage import GarbageCollection
from oddsmith.server.matches import MatchService
from oddsmith.server.matches.committer import Committer
from oddsmith.server.metrics import Metrics
from oddsmith.server.uvicorn_server import SECONDS_BETWEEN_THREADS
from oddsmith.store import Append, Store, open_store
from oddsmith.store.model import Status, Summary

MATCHES: Final = 100
CHOICES: Final = 100
"""Choices in each match."""
ROUNDS: Final = 3
ENTRY: Final = "x" * 120
"""As long as the JSON of a choice."""
STEPS: Final = 1_000
"""Steps of plain Python that an append is allowed besides its transaction."""
RULES: Final = {"most_selections": 1000, "player_hp": 1000}
LINE: Final = "attack 0 1"
NOW: Final = time.time_ns() // 1_000_000
"""Bare appends have times like those of choices: a server takes an older last change of a store for an outage."""


def rows() -> Iterator[Row]:
    """Yield the durable choices a second, and the delay until spectators see one."""
    logs.configure("warning")
    sys.setswitchinterval(SECONDS_BETWEEN_THREADS)
    bare, committed, choices = (max(speeds) for speeds in zip(*_measure_rounds(), strict=True))
    action, steps = alternate(_actions(), python_loop(STEPS * CHOICES).run, repeats=5)
    yield against_floor(
        f"appends by {MATCHES} writers through the committer",
        1 / committed,
        (f"a bare SQLite append with fsync, and {STEPS:,} steps of Python", 1 / bare + steps / CHOICES),
        most=2.2,
        reason="an fsync is shared by all writers; an append is encoded, its version is checked, its future resolved",
    )
    yield against_floor(
        f"a durable choice in {MATCHES} matches, against appends",
        1 / choices,
        ("an append through the same committer", 1 / committed),
        most=4.5,
        reason="adds the match machine, a task, a lock, the summary, and what wakes viewers; the aim is 2.8, which is 35 %",
    )
    yield against_floor(
        f"a durable choice in {MATCHES} matches",
        1 / choices,
        (
            "a bare SQLite append with fsync, and a bare action of the match machine",
            1 / bare + action / CHOICES,
        ),
        most=6,
        reason="adds locks, the queue of the committer, the summary of the match, and frames; the slower the disk, the less",
    )
    moves, broadcasts = move_delays(RULES, LINE), broadcast_delays()
    yield against_floor(
        f"a move is seen by all of {SPECTATORS} spectators, median of {len(moves)}",
        statistics.median(moves),
        (f"a bare broadcast to {SPECTATORS} sockets", statistics.median(broadcasts)),
        most=3.5,
        reason="a move is checked, written to disk and rendered before it is broadcast",
    )


def _actions() -> Run:
    """Return a function that applies as many choices to a new match as each match gets."""
    match, tokens = begin_match()
    return lambda: play_choices(match, tokens, CHOICES)


def _measure_rounds() -> Iterator[tuple[float, float, float]]:
    """Yield the entries a second of SQLite, of the committer and of matches, each on a new file."""
    for _ in range(ROUNDS):
        with TemporaryDirectory() as folder, closing(open_store(str(Path(folder) / "matches.db"))) as store:
            bare = _bare_appends(Path(folder) / "bare.db")
            yield bare, uvloop.run(_committed_appends(store)), uvloop.run(_choices(store))


def _bare_appends(path: Path) -> float:
    """Return the entries a second that `sqlite3` appends, in a transaction with fsync for one entry of each match."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(
            "CREATE TABLE entries (match TEXT, version INTEGER, entry TEXT, PRIMARY KEY (match, version)) WITHOUT ROWID"
        )
        start = time.perf_counter()
        for version in range(CHOICES):
            connection.execute("BEGIN IMMEDIATE")
            for match in range(MATCHES):
                connection.execute(
                    "INSERT INTO entries VALUES (?, ?, ?)", (f"bare{match:03}", version, ENTRY)
                )
            connection.execute("COMMIT")
        return MATCHES * CHOICES / (time.perf_counter() - start)


async def _committed_appends(store: Store) -> float:
    """Return the entries a second that as many writers as there are matches append without playing.

    Each writer waits until its entry is on disk before it appends the next; waiting entries are written together.
    """
    committer = Committer(store, Metrics())
    with _collect_as_a_server():
        start = time.perf_counter()
        await asyncio.gather(*(_append_entries(committer, f"bare{match:03}") for match in range(MATCHES)))
        seconds = time.perf_counter() - start
    committer.close()
    return MATCHES * CHOICES / seconds


@contextmanager
def _collect_as_a_server() -> Iterator[None]:
    """Collect garbage as a server does."""
    collection = GarbageCollection(lambda: 0)
    collection.start()
    try:
        yield
    finally:
        collection.stop()


async def _append_entries(committer: Committer, match: str) -> None:
    for version in range(CHOICES):
        if not await committer.append(_entry(match, version)):
            raise RuntimeError("an append without a competitor was refused")


def _entry(match: str, version: int) -> Append:
    return Append(
        version=version,
        entries=(Made(at=NOW + version, line=f"0 {LINE}", seat=0, id=f"c{version}"),),
        summary=Summary(
            match=match,
            game="duel",
            rules_id="0" * 64,
            status=Status.PLAYING,
            version=version + 1,
            names=("Ann", "Bo"),
            bots=(None, None),
            opened_at=NOW,
            changed_at=NOW + version,
        ),
    )


async def _choices(store: Store) -> float:
    """Return the durable and acknowledged choices a second, where every match makes one after another."""
    service = MatchService(store)
    await service.start()
    opened = [await _open_match(service) for _ in range(MATCHES)]
    with _collect_as_a_server():
        start = time.perf_counter()
        await asyncio.gather(
            *(_make_choices(service, match, token, version) for match, token, version in opened)
        )
        seconds = time.perf_counter() - start
    await service.stop()
    return MATCHES * CHOICES / seconds


async def _open_match(service: MatchService) -> tuple[str, str, int]:
    match = await service.open(Open(rules=Rules.from_data(RULES), bots=(None, None)))
    ann, bo = [await service.run(match.id, Join(id=name * 16, name=name)) for name in ("Ann", "Bob")]
    if not isinstance(ann, Applied) or ann.token is None:
        raise TypeError(f"Ann was refused: {ann}")
    return match.id, ann.token, bo.version


async def _make_choices(service: MatchService, match: str, token: str, version: int) -> None:
    for number in range(CHOICES):
        answer = await service.run(match, Act(token=token, id=f"c{number}", version=version, action=LINE))
        if not isinstance(answer, Applied):
            raise TypeError(f"a choice was refused: {answer}")
        version = answer.version
