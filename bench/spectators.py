"""A move before thousands of spectators: when the last one has it, when the mover has its answer, and what others feel.

Spectators are bare sockets that one `epoll` watches, so that hardly more than the server is measured.

`python -m bench.spectators` prints the figures alone; with `write PORT` or `probe PORT` it is the process of the bare writes, or
of the other requests.
"""

import asyncio
import json
import select
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, cast

from bench.rows import Row, against_floor
from chaos.servers import free_port, run_server

SPECTATORS: Final = 2_000
MOVES: Final = 30
SECONDS_BETWEEN_MOVES: Final = 0.1
SECONDS_BETWEEN_PROBES: Final = 0.002
SECONDS: Final = 20.0
LARGEST_READ: Final = 65_536
HANDSHAKE: Final = (
    "GET /api/v1/matches/{match}/socket HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
HELLO: Final = b"\x81\x82\0\0\0\0{}"
"""A frame with `{}` under a mask of zeros."""
FRAME: Final = 3_000
"""About as many bytes as the frame of a duel."""


class Delays(NamedTuple):
    """Seconds of each move: until its answer, and until the last spectator has it; those of other requests meanwhile."""

    answers: list[float]
    last: list[float]
    others: list[float]


def rows() -> Iterator[Row]:
    """Yield the delay until the last spectator has a move, against bare writes to as many sockets, and that of the answer."""
    with TemporaryDirectory() as folder:
        ours = measure_moves(Path(folder), SPECTATORS)
    bare = statistics.median(measure_writes(SPECTATORS))
    floor = f"bare writes of {FRAME:,} bytes to {SPECTATORS:,} sockets"
    yield against_floor(
        f"a move is seen by the last of {SPECTATORS:,} spectators, median of {len(ours.last)}",
        statistics.median(ours.last),
        (floor, bare),
        most=4,
        reason="each spectator has a task that is woken; slices of them leave the event loop to other requests",
    )
    yield against_floor(
        f"the answer to a move before {SPECTATORS:,} spectators, median of {len(ours.answers)}",
        statistics.median(ours.answers),
        (floor, bare),
        most=0.5,
        reason="a mover is answered before spectators are told, so that their number hardly matters",
    )


def measure_moves(folder: Path, spectators: int) -> Delays:
    """Return the delays of moves of a duel against the game's own opponent, whose selections everybody sees."""
    with run_server(str(folder / "matches.db"), folder / "log") as server, ExitStack() as stack:
        http = HTTPConnection("127.0.0.1", server.port, timeout=SECONDS)
        rules = {"most_selections": 1_000, "player_hp": 1_000}
        opened = ask(http, "POST", "/api/v1/matches", {"game": "duel", "seats": [None], "rules": rules})
        address = f"/api/v1/matches/{opened['match']}"
        seated = ask(http, "POST", f"{address}/join", {"id": "a" * 30, "name": "Ann"})
        watching = watch(stack, server.port, opened["match"], spectators)
        answers, last = list[float](), list[float]()
        with probe(server.port) as others:
            for number in range(MOVES):
                body = {"id": f"m{number}", "version": seated["version"] + number, "act": "attack 0 1"}
                start = time.perf_counter()
                ends: list[float] = []
                reader = threading.Thread(target=lambda found=ends: found.append(receive(watching)))
                reader.start()
                ask(http, "POST", f"{address}/act", body, token=seated["token"])
                answers.append(time.perf_counter() - start)
                reader.join()
                last.append(ends[0] - start)
                time.sleep(SECONDS_BETWEEN_MOVES)
        return Delays(answers[1:], last[1:], others)


def ask(http: HTTPConnection, method: str, path: str, body: object, *, token: str | None = None) -> Any:  # noqa: ANN401  JSON
    """Send a request, and return the JSON of its response."""
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    http.request(method, path, json.dumps(body), headers)
    response = http.getresponse()
    content = response.read()
    if not 200 <= response.status < 300:  # noqa: PLR2004  success
        raise RuntimeError(content.decode())
    return json.loads(content)


def watch(stack: ExitStack, port: int, match: str, count: int) -> list[socket.socket]:
    """Return sockets of spectators that have their first frame."""
    return [stack.enter_context(connect_spectator(port, match)) for _ in range(count)]


def connect_spectator(port: int, match: str) -> socket.socket:
    """Return the socket of a spectator that has its first frame."""
    line = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
    line.sendall(HANDSHAKE.format(match=match).encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += line.recv(1)
    if b" 101 " not in answer:
        raise RuntimeError(answer.decode())
    line.sendall(HELLO)
    line.recv(LARGEST_READ)
    return line


def receive(lines: Sequence[socket.socket]) -> float:
    """Return the time at which the last of these sockets has received something."""
    with select.epoll() as poll:
        by_number = {line.fileno(): line for line in lines}
        for number in by_number:
            poll.register(number, select.EPOLLIN | select.EPOLLONESHOT)
        left = len(by_number)
        while left:
            for number, _ in poll.poll(SECONDS):
                by_number[number].recv(LARGEST_READ)
                left -= 1
    return time.perf_counter()


@contextmanager
def probe(port: int) -> Iterator[list[float]]:
    """Ask for `/healthz` again and again in another process, and yield a list that has the delays at the end."""
    found: list[float] = []
    command = [sys.executable, "-m", "bench.spectators", "probe", str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield found
        found += json.loads(process.communicate()[0])


def _probe(port: int) -> None:
    """Ask until the standard input is closed, and print the delays."""
    http, found = HTTPConnection("127.0.0.1", port, timeout=SECONDS), list[float]()
    while not select.select([sys.stdin], [], [], SECONDS_BETWEEN_PROBES)[0]:
        start = time.perf_counter()
        http.request("GET", "/healthz")
        http.getresponse().read()
        found.append(time.perf_counter() - start)
    print(json.dumps(found))


def measure_writes(count: int) -> list[float]:
    """Return the seconds in which a process that only writes reaches the last of its sockets."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.spectators", "write", str(port)], stdout=subprocess.PIPE
    )
    try:
        if process.stdout is None or not process.stdout.readline():
            raise RuntimeError("the process of the bare writes has ended")
        with ExitStack() as stack:
            lines = [
                stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=SECONDS))
                for _ in range(count + 1)
            ]
            time.sleep(1.0)
            found = []
            for _ in range(MOVES):
                ends: list[float] = []
                reader = threading.Thread(target=lambda ends=ends: ends.append(receive(lines)))
                reader.start()
                start = time.perf_counter()
                lines[0].sendall(b"x")
                reader.join()
                found.append(ends[0] - start)
                time.sleep(SECONDS_BETWEEN_MOVES)
            return found[1:]
    finally:
        process.terminate()
        process.wait()


class _Writer(asyncio.Protocol):
    """Writes as many bytes as a frame has to every socket, whenever one of them sends something."""

    open: Final[set[asyncio.Transport]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.open.add(cast("asyncio.Transport", transport))

    def data_received(self, _data: bytes) -> None:
        frame = b"x" * FRAME
        for transport in self.open:
            transport.write(frame)


async def _write(port: int) -> None:
    """Write to all sockets, and print a line once the port is open."""
    server = await asyncio.get_running_loop().create_server(_Writer, "127.0.0.1", port, backlog=4_096)
    print("ready", flush=True)
    await server.serve_forever()


def main() -> None:
    """Print the figures of moves."""
    with TemporaryDirectory() as folder:
        found = measure_moves(Path(folder), SPECTATORS)
    for name, delays in found._asdict().items():
        ordered = sorted(delays)
        median, late = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
        print(
            f"{name}: least {1000 * ordered[0]:.1f} ms, median {1000 * median:.1f} ms, p99 {1000 * late:.1f} ms, of {len(ordered):,}"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["write"]:
        import uvloop

        uvloop.run(_write(int(sys.argv[2])))
    elif sys.argv[1:2] == ["probe"]:
        _probe(int(sys.argv[2]))
    else:
        main()
