"""The uvicorn server of the application: configuration, start, graceful shutdown and signals."""

import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn

from oddsmith.server.application import Application
from oddsmith.server.connection_limits import LARGEST_FRAME, LimitedConfig
from oddsmith.server.garbage import GarbageCollection
from oddsmith.server.http_connection import HttpConnection
from oddsmith.server.loop_watch import FACTORY
from oddsmith.server.settings import Settings
from oddsmith.server.socket_connection import SocketConnection

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
SECONDS_TO_STOP: Final = 10
SECONDS_BETWEEN_THREADS: Final = 0.0005
"""The interpreter's switch interval, a tenth of the default: a thread that writes to disk waits less for the event loop."""


def server_config(app: Application, settings: Settings) -> LimitedConfig:
    """Return the configuration of uvicorn for the application."""
    return LimitedConfig(
        app,
        settings,
        loop=FACTORY if settings.longest_callback else "auto",
        http=HttpConnection,
        ws=SocketConnection,
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        workers=1,
        timeout_graceful_shutdown=SECONDS_TO_STOP,
    )


class UvicornServer(uvicorn.Server):
    """A uvicorn server that starts and stops the application."""

    def __init__(
        self, app: Application, settings: Settings, ready: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(server_config(app, settings))
        self._app = app
        self._ready = ready

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve from the start of the application to its stop."""
        sys.setswitchinterval(SECONDS_BETWEEN_THREADS)
        await self._app.start()
        garbage = GarbageCollection(lambda: self.server_state.total_requests)
        garbage.start()
        try:
            await super().serve(sockets)
        finally:
            garbage.stop()
            await self._app.stop()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then call `ready`."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, finish commands in progress, then close sockets with 1012."""
        for server in self.servers:
            server.close()
        await self._app.drain()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down gracefully on SIGINT and SIGTERM, without raising the signal again."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
