"""Many matches, many sockets, and mixed load for a long time: everything is answered, and memory and descriptors stay bounded."""

import asyncio
import time
from contextlib import AsyncExitStack
from random import Random
from typing import Any, Final

import msgspec

from chaos.attackers import API, Attacker, Seated, Sending
from chaos.observer import Latencies
from chaos.servers import ServerProcess
from chaos.silent_sockets import SilentSocket, open_silent_sockets
from chaos.stall_corpus import read_corpus

AT_ONCE: Final = 16
SEATS: Final = (
    ("duel", (None, "random")),
    ("casino", (None, "greedy")),
    ("dice", (None,)),
    ("fate", (None, None)),
)
LONG_DUEL: Final = {"most_selections": 1000, "player_hp": 1000}
REPEATED_CHOICE: Final = "attack 0 1"
MOST_MEMORY_GROWTH: Final = 128 * 2**20
"""Bytes by which memory may grow between the first quarter of a mixed load and its end."""
MOST_DESCRIPTORS: Final = 32
"""Descriptors that may be open beyond those before the load, when its connections are closed."""
SECONDS_TO_CLOSE: Final = 5.0
SECONDS_TO_RECEIVE: Final = 60.0
PAUSE: Final = 0.02
CHEAP_MILLISECONDS: Final = 50
WORST_ANSWER: Final = 500


class CrowdReport(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of matches and sockets, seconds for all matches, milliseconds of one page of the list, bytes of memory."""

    matches: int
    sockets: int
    opened_in: float
    list_p99: float
    last_socket: float
    memory: int
    descriptors: int
    faults: tuple[str, ...]


def crowd(server: ServerProcess, *, matches: int, sockets: int) -> CrowdReport:
    """Open matches, then sockets of one of them, and move in it: every socket gets every move."""
    return asyncio.run(_crowd(server, matches, sockets))


async def _crowd(server: ServerProcess, matches: int, sockets: int) -> CrowdReport:
    faults: list[str] = []
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(Attacker(server.url, 0))
        start = time.monotonic()
        left = iter(range(matches))
        await asyncio.gather(*(_open_matches(host, left) for _ in range(AT_ONCE)))
        opened_in = time.monotonic() - start
        listing = Sending(method="GET", path=f"{API}/matches?limit=100")
        listed = [await _time(host, listing) for _ in range(20)]
        seated = await host.open("duel", (None, None), rules=LONG_DUEL)
        watching = await open_silent_sockets(server.url, seated.match, sockets, first_address=1, stack=stack)
        last_socket = await _move_before(host, seated, watching, faults)
        memory, descriptors = server.memory(), server.descriptors()
    return CrowdReport(
        matches=matches,
        sockets=sockets,
        opened_in=opened_in,
        list_p99=1000 * Latencies.of(listed).p99,
        last_socket=1000 * last_socket,
        memory=memory,
        descriptors=descriptors,
        faults=(*faults, *_bad_statuses(host)),
    )


async def _open_matches(host: Attacker, left: Any) -> None:  # noqa: ANN401  an iterator that tasks share
    for number in left:
        game, seats = SEATS[number % len(SEATS)]
        fields = {"game": game, "seats": seats}
        await host.send(Sending(method="POST", path=f"{API}/matches", body=msgspec.json.encode(fields)))


async def _time(host: Attacker, sending: Sending) -> float:
    start = time.monotonic()
    await host.send(sending)
    return time.monotonic() - start


async def _move_before(
    host: Attacker, seated: Seated, watching: list[SilentSocket], faults: list[str]
) -> float:
    """Move once, and return the seconds until the last socket has the frame."""
    received = [socket.received for socket in watching]
    version = (await host.view(seated, 0))["version"]
    start = asyncio.get_running_loop().time()
    await host.act(seated, 0, REPEATED_CHOICE, version)
    for _ in range(int(SECONDS_TO_RECEIVE / PAUSE)):
        if all(one.received > count for one, count in zip(watching, received, strict=True)):
            break
        await asyncio.sleep(PAUSE)
    missing = sum(one.received == count for one, count in zip(watching, received, strict=True))
    if missing:
        faults.append(f"{missing} of {len(watching)} sockets did not get a move")
    return max((socket.received_at for socket in watching), default=start) - start


def _bad_statuses(host: Attacker) -> list[str]:
    bad = {status: count for status, count in host.statuses.items() if status >= WORST_ANSWER}
    return [f"{count} requests were answered {status}" for status, count in sorted(bad.items())]


# --- mixed load ------------------------------------------------------------------------------------------------------


class MixedLoadReport(msgspec.Struct, frozen=True, kw_only=True):
    """Requests by status, memory in bytes after a quarter and at the end, descriptors before, at most and after."""

    seconds: float
    statuses: dict[int, int]
    memory: tuple[int, ...]
    descriptors: tuple[int, ...]
    faults: tuple[str, ...]


def mixed_load(server: ServerProcess, *, seconds: float, seed: str = "mixed") -> MixedLoadReport:
    """Open, join, play, watch, list and ask at once for some seconds."""
    return asyncio.run(_mixed_load(server, seconds, seed))


async def _mixed_load(server: ServerProcess, seconds: float, seed: str) -> MixedLoadReport:
    before = server.descriptors()
    memory, most = [], 0
    async with Attacker(server.url, 0) as host:
        end = time.monotonic() + seconds
        workers = [
            asyncio.create_task(_work(host, Random(f"{seed} {number}"), end))  # noqa: S311  not a secret
            for number in range(AT_ONCE)
        ]
        for share in (0.25, 0.5, 0.75, 1.0):
            await asyncio.sleep(max(0.0, end - (1 - share) * seconds - time.monotonic()))
            memory.append(server.memory())
            most = max(most, server.descriptors())
        await asyncio.gather(*workers)
    after = await _descriptors_after(server, before + MOST_DESCRIPTORS)
    faults = _bad_statuses(host)
    if memory[-1] > memory[0] + MOST_MEMORY_GROWTH:
        faults.append(f"memory grew from {memory[0]:,} to {memory[-1]:,} bytes")
    if after > before + MOST_DESCRIPTORS:
        faults.append(f"{after} descriptors are open, {before} were before the load")
    if "Traceback" in server.log():
        faults.append(f"the log has a traceback: {server.log()[-1_000:]}")
    return MixedLoadReport(
        seconds=seconds,
        statuses=dict(sorted(host.statuses.items())),
        memory=tuple(memory),
        descriptors=(before, most, after),
        faults=tuple(faults),
    )


async def _descriptors_after(server: ServerProcess, enough: int) -> int:
    """Return the open descriptors, once they are few enough, or after the time that closing may take."""
    for _ in range(int(SECONDS_TO_CLOSE / PAUSE)):
        if server.descriptors() <= enough:
            break
        await asyncio.sleep(PAUSE)
    return server.descriptors()


async def _work(host: Attacker, draw: Random, end: float) -> None:
    """Play one match after another; in between, watch, list and ask a cheap question."""
    questions = [one for one in read_corpus() if one.match is None and one.milliseconds < CHEAP_MILLISECONDS]
    while time.monotonic() < end:
        game, seats = draw.choice(SEATS)
        seated = await host.open(game, seats)
        async with AsyncExitStack() as stack:
            await host.watch(seated.match, stack)
            await _play(host, seated, draw, end)
        question = draw.choice(questions)
        await host.send(Sending(method=question.method, path=question.path, body=question.text.encode()))
        await host.send(Sending(method="GET", path=f"{API}/matches"))


async def _play(host: Attacker, seated: Seated, draw: Random, end: float) -> None:
    """Make random choices in all seats, until the match or the time is over."""
    while time.monotonic() < end:
        is_over = True
        for seat, token in enumerate(seated.tokens):
            if token is None:
                continue
            frame = await host.view(seated, seat)
            is_over = is_over and bool(frame["outcome"] or frame["abandonment"])
            if frame["actions"]:
                fields = {
                    "id": f"m{frame['version']}-{draw.randrange(10**9)}",
                    "version": frame["version"],
                    "act": draw.choice(frame["actions"]),
                }
                body = msgspec.json.encode(fields)
                await host.send(Sending(method="POST", path=f"{seated.path}/act", body=body, token=token))
        if is_over:
            return
