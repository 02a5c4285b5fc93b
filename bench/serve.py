"""Speed of questions over HTTP, compared with the same service in FastAPI and with a bare ASGI callable in the same run.

All run as one worker under uvicorn, with the same parser and event loop, under the same load generator. The whole server
does more than the peer: rate limits, metrics and security headers.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Final

from bench.floors import python_loop
from bench.http_load import Load, generate_load
from bench.http_services import SERVICES, SINGLE, run_service
from bench.measure import seconds
from bench.rows import Row, Unit, against_floor, against_peer

CONNECTIONS: Final = 32
ROUNDS: Final = 9
HANDS: Final = 10_000
BATCH: Final = "/api/v1/destiny/checks"
QUESTION: Final = {"character": "calamity_rose", "target": "bank_robbery"}


def rows() -> Iterator[Row]:
    """Yield the benchmarks of questions over HTTP; every check draws a new hand."""
    loads: dict[str, list[Load]] = {name: [] for name in SERVICES}
    with ExitStack() as stack:
        ports = {name: stack.enter_context(run_service(name)) for name in SERVICES}
        for _ in range(ROUNDS):
            for name, port in ports.items():
                loads[name].append(generate_load(port, SINGLE, json.dumps(QUESTION), CONNECTIONS))
        batch = json.dumps({**QUESTION, "count": HANDS})
        floor = python_loop(10 * HANDS)
        requests, steps = 0.0, float("inf")
        for _ in range(ROUNDS):
            requests = max(requests, generate_load(ports["whole_server"], BATCH, batch, 1).per_second)
            steps = min(steps, seconds(floor.run))
    yield from _compare_with_peer(loads)
    yield from _compare_with_floors(loads)
    yield against_floor(
        f"a request of {HANDS:,} checks, the whole server",
        1 / requests,
        (floor.name, steps),
        most=3.5,
        reason="hands are drawn and scored by numpy, and encoded once",
    )


def _compare_with_peer(loads: dict[str, list[Load]]) -> Iterator[Row]:
    peer = speed(loads["fastapi"])
    for name, what, least in (("questions", "alone", 1.7), ("whole_server", "the whole server", 2.2)):
        yield against_peer(
            f"one check, {what}, to FastAPI",
            speed(loads[name]),
            ("FastAPI and pydantic", peer),
            least=least,
            reason="the same check, validated and encoded by msgspec instead of pydantic",
            unit=Unit.PER_SECOND,
        )
    yield against_peer(
        f"one check, the whole server, p99 at {CONNECTIONS} connections, to FastAPI",
        delay(loads["whole_server"]),
        ("FastAPI and pydantic, p99", delay(loads["fastapi"])),
        least=1.2,
        reason="who answers sooner lets others wait less; other work on the machine disturbs a 99th percentile most",
    )


def _compare_with_floors(loads: dict[str, list[Load]]) -> Iterator[Row]:
    for name, what, most in (("questions", "alone", 5.5), ("whole_server", "the whole server", 6)):
        yield against_floor(
            f"one check, {what}, to a bare callable",
            speed(loads[name]),
            ("a bare ASGI callable on uvicorn", speed(loads["bare"])),
            most=most,
            reason="the callable reads the body and sends as many bytes; a check is drawn, scored and encoded",
            unit=Unit.PER_SECOND,
        )


def speed(loads: Sequence[Load]) -> float:
    """Return the most requests per second: of the round that other work has disturbed least."""
    return max(load.per_second for load in loads)


def delay(loads: Sequence[Load]) -> float:
    """Return the least 99th percentile."""
    return min(load.p99 for load in loads)
