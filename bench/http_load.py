"""A load generator for HTTP: `python -m bench.http_load PORT PATH BODY CONNECTIONS` prints what it measured as JSON."""

import asyncio
import subprocess
import sys
import time
from typing import Any, Final

import msgspec

SECONDS: Final = 1.0


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """What a load generator measured: requests per second, and the 99th percentile of the latency in seconds."""

    per_second: float
    p99: float


def generate_load(port: int, path: str, body: str, connections: int) -> Load:
    """Send requests over `connections` connections for `SECONDS`, from a process of its own."""
    command = [sys.executable, "-m", "bench.http_load", str(port), path, body, str(connections)]
    return msgspec.json.decode(subprocess.run(command, check=True, capture_output=True).stdout, type=Load)


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
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
    request, taken = f"{head}\r\n\r\n".encode() + body, list[float]()
    loop = asyncio.get_running_loop()
    start = time.perf_counter()
    for _ in range(connections):
        await loop.create_connection(lambda: LoadConnection(request, taken), "127.0.0.1", port)
    await asyncio.sleep(SECONDS)
    spent = time.perf_counter() - start
    return Load(per_second=len(taken) / spent, p99=sorted(taken)[len(taken) * 99 // 100])


def main(port: str, path: str, body: str, connections: str) -> None:
    """Send requests, and print the measured load."""
    import uvloop  # noqa: PLC0415  only this process needs it

    load = uvloop.run(send_requests(int(port), path, body.encode(), int(connections)))
    sys.stdout.buffer.write(msgspec.json.encode(load))


if __name__ == "__main__":
    main(*sys.argv[1:])
