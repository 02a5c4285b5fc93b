"""Many connections make a choice for one seat and one version at once: one is applied, and all others are told so."""

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
"""A choice that a duel allows again and again."""
RULES: Final = {"most_selections": 1000, "player_hp": 1000}
SECONDS: Final = 60


class RaceReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was raced, how it was answered, and what went wrong."""

    rounds: int
    connections: int
    servers: int
    answers: dict[str, int]
    seconds: float
    faults: tuple[str, ...]


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    answer: str
    version: int


class _Said(msgspec.Struct, frozen=True, kw_only=True):
    id: str | None = None
    answer: _Answer | None = None
    refusal: Any = None


class _Runner:
    """One connection: it sends a choice, and waits for its answer among the frames."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def run(self, command: str, version: int) -> tuple[str, _Answer]:
        """Send a choice for a version, and return its id and its answer."""
        await self._connection.send(
            msgspec.json.encode({"id": command, "version": version, "act": LINE}).decode()
        )
        while True:
            said = msgspec.json.decode(await self._connection.recv(), type=_Said)
            if said.refusal is not None:
                raise RuntimeError(f"refused: {said.refusal}")
            if said.id == command and said.answer is not None:
                return command, said.answer


def race(urls: Sequence[str], store: str, *, connections: int, rounds: int) -> RaceReport:
    """Let connections to one or several servers race for one seat, again and again; two of them send the same choice."""
    with Client(urls[0]) as client:
        match = client.open("duel", (None, None), rules=RULES).match
        token = client.join(match, "Ann").token
        version = client.join(match, "Bo").version
    start = time.monotonic()
    answers, winners, faults = asyncio.run(
        _raced(urls, match, token, version=version, connections=connections, rounds=rounds)
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


async def _raced(
    urls: Sequence[str], match: str, token: str, *, version: int, connections: int, rounds: int
) -> tuple[Counter[str], list[str], list[str]]:
    answers: Counter[str] = Counter()
    random = Random(connections)  # noqa: S311  no secret
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
                told = await asyncio.gather(
                    *(runner.run(name, version) for runner, name in zip(runners, names, strict=True))
                )
            faults += _round_faults(number, told, version)
            answers.update(answer.answer for _, answer in told)
            first = [(name, answer.version) for name, answer in told if answer.answer == "applied"]
            winners += [name for name, _ in first]
            version = max(answer.version for _, answer in told)
    return answers, winners, faults


def _round_faults(number: int, told: Sequence[tuple[str, _Answer]], version: int) -> list[str]:
    """Return what is wrong with a round: not exactly one was applied, or another was told something else than the truth."""
    applied = [name for name, answer in told if answer.answer == "applied"]
    faults = [] if len(applied) == 1 else [f"round {number}: {len(applied)} were applied"]
    for name, answer in told:
        right = {"applied", "duplicate"} if name in applied else {"stale"}
        if answer.answer not in right or answer.version <= version:
            faults.append(f"round {number}: {name} was told {answer}")
    return faults


def _log_faults(where: str, match: str, winners: Sequence[str]) -> list[str]:
    """Return what is wrong with the log: it has those who won, in their order, and nobody else."""
    store = open_store(where)
    try:
        made = [entry.id for entry in store.entries(match) if isinstance(entry, Made) and entry.seat == 0]
    finally:
        store.close()
    return [] if made == [*winners] else ["the log has others than those who were told that they won"]
