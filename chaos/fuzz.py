"""Fuzzing over HTTP and through sockets: the server must answer everything, without an internal error or a growing memory."""

import asyncio
import time
from typing import Final

import msgspec

from chaos.http_fuzz import HttpFuzz
from chaos.servers import ServerProcess
from chaos.socket_fuzz import SocketFuzz

CONNECTIONS: Final = 4
MOST_GROWTH: Final = 64 * 2**20
"""Bytes that the server's memory may grow by after the first part of the payloads."""

FEWEST_IN_PARTS: Final = 1_000
"""Requests below which they are not divided: each part reads the description, and builds what it generates from."""


class FuzzReport(msgspec.Struct, frozen=True, kw_only=True):
    """Payload counts, replies and faults; `misdescribed` lists replies that contradict the OpenAPI description."""

    requests: int
    frames: int
    statuses: dict[int, int]
    answers: dict[str, int]
    memory: tuple[int, ...]
    seconds: float
    faults: tuple[str, ...]
    misdescribed: tuple[str, ...]


def fuzz_server(server: ServerProcess, *, requests: int, frames: int, seed: str = "nonsense") -> FuzzReport:
    """Send `requests` requests and `frames` frames; a first quarter warms the server up before memory is compared.

    Fewer than `FEWEST_IN_PARTS` requests are sent in one part, after the first quarter of the frames.
    """
    start = time.monotonic()
    memory = [server.memory()]
    parts = _parts(requests) if requests >= FEWEST_IN_PARTS else (0, requests)
    http = [HttpFuzz(server.url, payloads=part, seed=f"{seed} {part}") for part in parts]
    sockets = [SocketFuzz(server.url, payloads=part, seed=f"{seed} {part}") for part in _parts(frames)]
    for http_fuzz, socket_fuzz in zip(http, sockets, strict=True):
        if http_fuzz.payloads:
            http_fuzz.run()
        asyncio.run(socket_fuzz.run(CONNECTIONS))
        memory.append(server.memory())
    faults = [fault for part in http for fault in part.faults]
    faults += [fault for part in sockets for fault in part.faults]
    if "Traceback" in server.log():
        faults.append(f"the log has a traceback: {server.log()[-2_000:]}")
    if memory[-1] > memory[1] + MOST_GROWTH:
        faults.append(f"memory grew from {memory[1]:,} to {memory[-1]:,} bytes")
    return FuzzReport(
        requests=sum(part.sent for part in http),
        frames=sum(part.sent for part in sockets),
        statuses=dict(sorted((http[0].answers + http[1].answers).items())),
        answers=dict((sockets[0].answers + sockets[1].answers).most_common()),
        memory=tuple(memory),
        seconds=time.monotonic() - start,
        faults=tuple(faults),
        misdescribed=tuple(fault for part in http for fault in part.misdescribed),
    )


def _parts(payloads: int) -> tuple[int, int]:
    return payloads // 4, payloads - payloads // 4
