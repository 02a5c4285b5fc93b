"""Races: many connections choose for one seat and one version at once; exactly one choice may be applied."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random
from typing import Any, Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from oddsmith.client import Client
from oddsmith.client.addresses import socket_address
from oddsmith.match.model import Made
from oddsmith.store import open_store

LINE: Final = "attack 0 1"
"""A choice that these rules allow again and again."""
RULES: Final = {"most_selections": 1000, "player_hp": 1000}
SECONDS: Final = 60


class RaceReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was raced, the answers, and the faults found."""

    rounds: int
    connections: int
    servers: int
    answers: dict[str, int]
    seconds: float
    faults: tuple[str, ...]


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    answer: str
    version: int


class _Message(msgspec.Struct, frozen=True, kw_only=True):
    id: str | None = None
    answer: _Answer | None = None
    refusal: Any = None


class _Runner:
    """One connection, which sends choices and reads their answers."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def run(self, command: str, version: int) -> tuple[str, _Answer]:
        """Send a choice for a version, and return its id and its answer; frames are skipped."""
        await self._connection.send(
            msgspec.json.encode({"id": command, "version": version, "act": LINE}).decode()
        )
        while True:
            message = msgspec.json.decode(await self._connection.recv(), type=_Message)
            if message.refusal is not None:
                raise RuntimeError(f"refused: {message.refusal}")
            if message.id == command and message.answer is not None:
                return command, message.answer


def race(urls: Sequence[str], store: str, *, connections: int, rounds: int) -> RaceReport:
    """Let connections to one or several servers race for one seat `rounds` times; two of them send the same choice."""
    with Client(urls[0]) as client:
        match = client.open("duel", (None, None), rules=RULES).match
        token = client.join(match, "Ann").token
        version = client.join(match, "Bo").version
    start = time.monotonic()
    answers, winners, faults = asyncio.run(
        _run_rounds(urls, match, token, version=version, connections=connections, rounds=rounds)
    )
    seconds = time.monotonic() - start
    return RaceReport(
        rounds=rounds,
        connections=connections,
        servers=len(urls),
        answers=dict(answers),
        seconds=seconds,
        faults=(*faults, *_log_faults(store, match, winners)),
    )


async def _run_rounds(
    urls: Sequence[str], match: str, token: str, *, version: int, connections: int, rounds: int
) -> tuple[Counter[str], list[str], list[str]]:
    answers: Counter[str] = Counter()
    random = Random(connections)  # noqa: S311  not a secret
    winners, faults = [], []
    async with AsyncExitStack() as stack:
        runners = []
        for number in range(connections):
            address = socket_address(urls[number % len(urls)], match)
            connection = await stack.enter_async_context(connect(address, open_timeout=SECONDS, proxy=None))
            await connection.send(msgspec.json.encode({"token": token}).decode())
            runners.append(_Runner(connection))
        for number in range(rounds):
            names = [f"r{number}.{max(runner, 1)}" for runner in range(connections)]
            random.shuffle(runners)
            random.shuffle(names)
            async with asyncio.timeout(SECONDS):
                replies = await asyncio.gather(
                    *(runner.run(name, version) for runner, name in zip(runners, names, strict=True))
                )
            faults += _round_faults(number, replies, version)
            answers.update(answer.answer for _, answer in replies)
            first = [(name, answer.version) for name, answer in replies if answer.answer == "applied"]
            winners += [name for name, _ in first]
            version = max(answer.version for _, answer in replies)
    return answers, winners, faults


def _round_faults(number: int, replies: Sequence[tuple[str, _Answer]], version: int) -> list[str]:
    """Return the faults of a round: not exactly one applied choice, or a wrong answer to another."""
    applied = [name for name, answer in replies if answer.answer == "applied"]
    faults = [] if len(applied) == 1 else [f"round {number}: {len(applied)} were applied"]
    for name, answer in replies:
        right = {"applied", "duplicate"} if name in applied else {"stale"}
        if answer.answer not in right or answer.version <= version:
            faults.append(f"round {number}: {name} got {answer}")
    return faults


def _log_faults(where: str, match: str, winners: Sequence[str]) -> list[str]:
    """Return a fault if the log does not have exactly the applied choices, in order."""
    store = open_store(where)
    try:
        made = [entry.id for entry in store.entries(match) if isinstance(entry, Made) and entry.seat == 0]
    finally:
        store.close()
    return [] if made == [*winners] else ["the log has other choices than the applied ones"]
