"""A watch that is closed while it connects ends, closed by another thread or another task."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from websockets.sync.server import ServerConnection, serve

from oddsmith.client import AsyncClient, Client, Frame


class SlowServer:
    """A server that delays its handshake until `may_answer` is set, and never sends a frame."""

    def __init__(self) -> None:
        self.url = ""
        self.is_connecting = threading.Event()
        self.may_answer = threading.Event()

    def answer(self, *_: object) -> None:
        """Wait until the handshake may be answered."""
        self.is_connecting.set()
        self.may_answer.wait()


@contextmanager
def slow_server() -> Iterator[SlowServer]:
    slow = SlowServer()

    def handle(connection: ServerConnection) -> None:
        for _ in connection:
            pass

    with (
        serve(handle, "127.0.0.1", 0, process_request=slow.answer) as server,
        ThreadPoolExecutor(1) as thread,
    ):
        thread.submit(server.serve_forever)
        slow.url = f"http://127.0.0.1:{server.socket.getsockname()[1]}"
        try:
            yield slow
        finally:
            server.shutdown()


def test_a_blocking_watch_that_is_closed_while_it_connects_ends() -> None:
    """The thread that waits for a frame returns."""
    with (
        slow_server() as server,
        Client(server.url) as client,
        ThreadPoolExecutor(1) as thread,
        client.watch("05af") as watch,
    ):
        waiting = thread.submit(list[Frame], watch)
        server.is_connecting.wait()
        watch.close()
        server.may_answer.set()

        assert [] == waiting.result(timeout=30)


def test_an_asynchronous_watch_that_is_closed_while_it_connects_ends() -> None:
    """The task that waits for a frame returns."""

    async def watch_and_close(server: SlowServer) -> list[Frame]:
        async with AsyncClient(server.url) as client, client.watch("05af") as watch:

            async def frames() -> list[Frame]:
                return [frame async for frame in watch]

            waiting = asyncio.create_task(frames())
            await asyncio.to_thread(server.is_connecting.wait)
            await watch.close()
            server.may_answer.set()
            return await asyncio.wait_for(waiting, timeout=30)

    with slow_server() as server:
        assert [] == asyncio.run(watch_and_close(server))
