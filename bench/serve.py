"""Speed of questions over HTTP, compared with the same service in FastAPI in the same run.

Both run as one worker under uvicorn, with the same parser and event loop, under the same load generator. The whole server
does more than the peer: rate limits, metrics and security headers.
"""

import asyncio
import json
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from bench.measure import Row, at_least, at_most

CONNECTIONS: Final = 32
SECONDS: Final = 1.0
ROUNDS: Final = 15
HANDS: Final = 10_000
SECONDS_TO_START: Final = 30.0
FASTER: Final = 2.5

SINGLE: Final = "/api/v1/destiny/check"
BATCH: Final = "/api/v1/destiny/checks"
QUESTION: Final = {"character": "calamity_rose", "target": "bank_robbery"}


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """What a load generator measured: requests per second, and the 99th percentile of the latency."""

    per_second: float
    p99: float


def rows() -> Iterator[Row]:
    """Yield the benchmarks of questions over HTTP."""
    loads: dict[str, list[Load]] = {"questions": [], "ours": [], "peer": []}
    with run_service("questions") as questions, run_service("ours") as ours, run_service("peer") as peer:
        for _ in range(ROUNDS):
            for which, port in (("questions", questions), ("peer", peer), ("ours", ours)):
                loads[which].append(generate_load(port, SINGLE, json.dumps(QUESTION), CONNECTIONS))
        batch = json.dumps({**QUESTION, "count": HANDS})
        hands = max(generate_load(ours, BATCH, batch, 1).per_second for _ in range(ROUNDS)) * HANDS
    for which, what in (
        ("peer", "FastAPI and pydantic"),
        ("questions", "alone"),
        ("ours", "the whole server"),
    ):
        figure = statistics.median(load.per_second for load in loads[which])
        yield Row(f"one check, {what}", f"{figure:,.0f} /s", "", held=True)
    alone, whole = (_ratio(loads[which], loads["peer"]) for which in ("questions", "ours"))
    yield Row("one check alone, faster than FastAPI", f"{alone:.2f} ×", "(no bound)", held=True)
    yield Row(
        "one check, the whole server, faster than FastAPI",
        f"{whole:.2f} ×",
        f"≥ {FASTER} ×",
        held=whole >= FASTER,
    )
    slowest, peers_slowest = (
        statistics.median(load.p99 for load in loads[which]) for which in ("ours", "peer")
    )
    yield at_most(
        f"one check, the whole server, p99 at {CONNECTIONS} connections, to FastAPI's", slowest, peers_slowest
    )
    yield at_least(f"checks in requests of {HANDS:,}, the whole server", hands, 1_000_000, unit=" /s")


def _ratio(mine: Sequence[Load], theirs: Sequence[Load]) -> float:
    """Return the median ratio of speeds, round by round, so that other load on the machine affects both alike."""
    return statistics.median(
        one.per_second / other.per_second for one, other in zip(mine, theirs, strict=True)
    )


@contextmanager
def run_service(which: str) -> Iterator[int]:
    """Run a service in a process of its own, and yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.serve", which, str(port)], stdout=subprocess.DEVNULL
    )
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


def generate_load(port: int, path: str, body: str, connections: int) -> Load:
    """Send requests over `connections` connections for a while, from a process of its own."""
    command = [sys.executable, "-m", "bench.serve", "ask", str(port), path, body, str(connections)]
    return msgspec.json.decode(subprocess.run(command, check=True, capture_output=True).stdout, type=Load)


# --- the load generator ----------------------------------------------------------------------------------------------


class LoadConnection(asyncio.Protocol):
    """One connection that sends the next request as soon as it is answered; a status other than 2xx ends the benchmark."""

    def __init__(self, request: bytes, taken: list[float]) -> None:
        self._request = request
        self._taken = taken
        self._read = b""
        self._length: int | None = None

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401  a transport of asyncio
        """Send the first request."""
        self._transport = transport
        self._send()

    def _send(self) -> None:
        self._read, self._length = b"", None
        self._sent_at = time.perf_counter()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Send the next request once the response is complete."""
        self._read += data
        if self._length is None and (end := self._read.find(b"\r\n\r\n")) >= 0:
            if not self._read.startswith(b"HTTP/1.1 20"):
                raise SystemExit(self._read.decode())
            head = self._read[:end].lower()
            start = head.index(b"content-length:") + len(b"content-length:")
            self._length = end + 4 + int(head[start:].split(b"\r\n", 1)[0])
        if self._length is not None and len(self._read) >= self._length:
            self._taken.append(time.perf_counter() - self._sent_at)
            self._send()


async def send_requests(port: int, path: str, body: bytes, connections: int) -> Load:
    """Send requests for a while, and return the measured load."""
    head = f"POST {path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
    request, taken = f"{head}\r\n\r\n".encode() + body, list[float]()
    loop = asyncio.get_running_loop()
    start = time.perf_counter()
    for _ in range(connections):
        await loop.create_connection(lambda: LoadConnection(request, taken), "127.0.0.1", port)
    await asyncio.sleep(SECONDS)
    spent = time.perf_counter() - start
    return Load(per_second=len(taken) / spent, p99=sorted(taken)[len(taken) * 99 // 100])


# --- the services ----------------------------------------------------------------------------------------------------


def serve(app: Any, port: int) -> None:  # noqa: ANN401  an ASGI application
    """Serve an application with one worker."""
    import uvicorn  # noqa: PLC0415  the load generator does not need it

    uvicorn.run(
        app,
        port=port,
        http="httptools",
        loop="uvloop",
        proxy_headers=False,
        access_log=False,
        log_level="warning",
    )


def ours(port: int) -> None:
    """Serve the whole server, with limits that are never reached."""
    from oddsmith.server.run import serve as serve_matches  # noqa: PLC0415  only this service needs it
    from oddsmith.server.settings import Settings  # noqa: PLC0415  only this service needs it

    with TemporaryDirectory() as folder:
        store = str(Path(folder) / "bench.db")
        settings = Settings(
            port=port, store=store, log="warning", requests_per_second=1_000_000, burst=1_000_000
        )
        serve_matches(settings)


def questions(port: int) -> None:
    """Serve questions only, as the peer does."""
    from oddsmith.server.http_application import HttpApplication  # noqa: PLC0415  only this service needs it
    from oddsmith.server.question_operations import question_operations  # noqa: PLC0415  only this service needs it
    from oddsmith.server.slow_questions import SlowQuestions  # noqa: PLC0415  only this service needs it

    serve(HttpApplication(question_operations(SlowQuestions())), port)


def peer(port: int) -> None:
    """Serve the same check with FastAPI, validated and encoded by pydantic."""
    from fastapi import FastAPI  # noqa: PLC0415  only this service needs it

    from bench.peer import CheckReply, CheckRequest  # noqa: PLC0415  only this service needs it
    from oddsmith.games.destiny import Rules  # noqa: PLC0415  only this service needs it
    from oddsmith.games.destiny.questions import checks  # noqa: PLC0415  only this service needs it
    from oddsmith.question import Context  # noqa: PLC0415  only this service needs it

    app, context = FastAPI(), Context(rules=Rules())

    @app.post(SINGLE)
    async def check(request: CheckRequest) -> CheckReply:
        question = checks.CheckRequest(character=request.character, target=request.target)
        return CheckReply.model_validate(checks.make_check(question, context))

    serve(app, port)


def main(which: str, port: str, *more: str) -> None:
    """Run one of the processes of the benchmark."""
    if which == "ask":
        import uvloop  # noqa: PLC0415  only the load generator needs it

        path, body, connections = more
        load = uvloop.run(send_requests(int(port), path, body.encode(), int(connections)))
        sys.stdout.buffer.write(msgspec.json.encode(load))
    else:
        {"ours": ours, "questions": questions, "peer": peer}[which](int(port))


if __name__ == "__main__":
    main(*sys.argv[1:])
