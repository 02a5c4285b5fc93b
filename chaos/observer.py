"""The other client: a process that measures how long a server takes to answer it, while somebody else loads the server."""

import json
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from http.client import HTTPConnection, HTTPException
from math import ceil
from multiprocessing.connection import Connection
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from oddsmith.client import Client
from oddsmith.client.addresses import socket_address

SECONDS: Final = 30.0
"""The longest time of one request; a request that fails or is refused counts as this long."""
QUESTION_PATH: Final = "/api/v1/casino/classify"
QUESTION: Final = {"cards": ["K♠", "Q♠"]}
"""A cheap question of those that wait for a thread."""
BOT_GAME: Final = "casino"
BOT_SEATS: Final = (None, "greedy")


class Observed(StrEnum):
    """What the other client asks for again and again."""

    HEALTH = "health"
    QUESTION = "question"
    BOT = "bot"


INTERVALS: Final = {Observed.HEALTH: 0.004, Observed.QUESTION: 0.05, Observed.BOT: 0.02}
"""The seconds from one request to the next."""


class Latencies(msgspec.Struct, frozen=True):
    """The median and the 99th percentile of latencies in seconds, and their number."""

    p50: float
    p99: float
    count: int

    @classmethod
    def of(cls, samples: Sequence[float]) -> "Latencies":
        """Return the percentiles of samples, of which there must be one.

        >>> Latencies.of([0.002, 0.001, 0.004])
        Latencies(0.002, 0.004, 3)
        """
        ordered = sorted(samples)
        return cls(_percentile(ordered, 0.5), _percentile(ordered, 0.99), len(ordered))


def _percentile(ordered: Sequence[float], share: float) -> float:
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


class Observer:
    """The process of the other client, from this process."""

    def __init__(self, url: str, observed: Observed) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_measure, args=(url, observed, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def take(self) -> list[float]:
        """Return the latencies since the last call, once a request that is under way is answered."""
        self._connection.send("take")
        samples: list[float] = self._connection.recv()
        return samples

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._connection.close()


@contextmanager
def observe(url: str, observed: Observed) -> Iterator[Observer]:
    """Yield an observer that has had its first answer."""
    observer = Observer(url, observed)
    try:
        observer.take()
        yield observer
    finally:
        observer.close()


def _measure(url: str, observed: Observed, connection: Connection) -> None:
    """Ask until the process is ended, and send the latencies whenever a message is received."""
    ask, interval = _PROBES[observed](url), INTERVALS[observed]
    samples: list[float] = []
    while True:
        seconds = ask()
        samples.extend(with_missed(seconds, interval))
        if connection.poll():
            connection.recv()
            connection.send(samples)
            samples = []
        time.sleep(max(0.0, interval - seconds))


def with_missed(seconds: float, interval: float) -> Iterator[float]:
    """Yield a latency, and those that requests would have had which were not sent meanwhile.

    >>> [*with_missed(0.75, 0.25)]
    [0.75, 0.5, 0.25]
    """
    yield seconds
    while (seconds := seconds - interval) >= interval:
        yield seconds


# --- what is asked for -----------------------------------------------------------------------------------------------


def _probe_health(url: str) -> Callable[[], float]:
    return _probe_request(url, "GET", "/healthz", None)


def _probe_question(url: str) -> Callable[[], float]:
    return _probe_request(url, "POST", QUESTION_PATH, json.dumps(QUESTION))


def _probe_request(url: str, method: str, path: str, body: str | None) -> Callable[[], float]:
    address = urlsplit(url)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=SECONDS)
    headers = {} if body is None else {"content-type": "application/json"}

    def ask() -> float:
        start = time.monotonic()
        try:
            connection.request(method, path, None if body is None else body.encode(), headers)
            reply = connection.getresponse()
            reply.read()
        except (OSError, HTTPException):
            connection.close()
            return SECONDS
        return time.monotonic() - start if reply.status == 200 else SECONDS  # noqa: PLR2004  OK

    return ask


def _probe_bot(url: str) -> Callable[[], float]:
    """Return a function that makes a choice against a bot, and returns the time until it is this player's turn again."""
    turns = _turns_against_bot(url)
    return lambda: next(turns)


def _turns_against_bot(url: str) -> Iterator[float]:
    """Play one match after another; yield the seconds of each turn, `SECONDS` for one that the bot does not take in time."""
    while True:
        with Client(url) as client:
            match = client.open(BOT_GAME, BOT_SEATS).match
            token = client.join(match, "Ann").token
        try:
            with connect(socket_address(url, match), proxy=None, max_size=None) as socket:
                socket.send(json.dumps({"token": token}))
                frames = _own_frames(socket)
                yield from _play_turns(socket, next(frames), frames)
        except (TimeoutError, OSError, WebSocketException, StopIteration):
            yield SECONDS


def _own_frames(socket: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401  a connection
    """Yield the frames in which this player must choose; end with the match."""
    while True:
        message = json.loads(socket.recv(timeout=SECONDS))
        if "chairs" not in message:
            continue
        if message["outcome"] or message["abandonment"]:
            return
        if message["actions"]:
            yield message


def _play_turns(
    socket: Any,  # noqa: ANN401  a connection
    first: dict[str, Any],
    frames: Iterator[dict[str, Any]],
) -> Iterator[float]:
    """Make the first choice of each turn, and yield the seconds until the next turn."""
    frame: dict[str, Any] | None = first
    number = 0
    while frame is not None:
        number += 1
        before = time.monotonic()
        choice = {"id": f"o{number}", "version": frame["version"], "act": frame["actions"][0]}
        socket.send(json.dumps(choice))
        frame = next(frames, None)
        if frame is not None:
            yield time.monotonic() - before


_PROBES: Final = {
    Observed.HEALTH: _probe_health,
    Observed.QUESTION: _probe_question,
    Observed.BOT: _probe_bot,
}
