"""A server runs until it is told to stop: then it takes nothing new, finishes what it began, and says goodbye."""

import errno
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn

from oddsmith.errors import InputError
from oddsmith.server import logs
from oddsmith.server.app import Application, make_app
from oddsmith.server.patience import HouseConfig
from oddsmith.server.settings import Settings
from oddsmith.store import open_store

__all__ = ["House", "address_of", "listening", "serve"]

BACKLOG: Final = 2048
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def serve(settings: Settings) -> None:
    """Serve until told to stop, by one process or by several; prints the address once it answers, and nothing else.

    A port that is in use, or a store that cannot be used, is refused before anything is printed.
    """
    logs.configure(settings.log)
    with listening(settings) as listener:
        store = open_store(settings.store)

        def ready() -> None:
            sys.stdout.write(f"{address_of(listener)}\n")
            sys.stdout.flush()

        if settings.workers == 1:
            House(make_app(settings, store), settings, ready).run(sockets=[listener])
        else:
            from oddsmith.server.workers import serve_together  # noqa: PLC0415  it runs this module in turn

            store.close()
            serve_together(settings, listener, ready)


class House(uvicorn.Server):
    """A uvicorn server that stops as a good host does."""

    def __init__(
        self, app: Application, settings: Settings, ready: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(HouseConfig(app, settings))
        self._app = app
        self._ready = ready

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve from the start of the application to its stop."""
        await self._app.start()
        try:
            await super().serve(sockets)
        finally:
            await self._app.stop()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, write and acknowledge what was begun, then close sockets with 1012."""
        for server in self.servers:
            server.close()
        await self._app.rest()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop in good order when told to; that is no failure."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def listening(settings: Settings) -> Iterator[socket.socket]:
    """Listen where the settings say, or refuse in words."""
    with _bound(settings.host, settings.port) as listener:
        listener.listen(BACKLOG)
        yield listener


def _bound(host: str, port: int) -> socket.socket:
    try:
        [(family, *_, address), *_] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:
        raise _unheard(error, host, port) from error


def _unheard(error: Exception, host: str, port: int) -> InputError:
    match getattr(error, "errno", None):
        case errno.EADDRINUSE:
            sentence = f"port {port} of {host} is in use: name another, or 0 for any that is free"
            return InputError("port_in_use", sentence, where="port")
        case errno.EACCES:
            sentence = f"port {port} may not be listened at: name one from 1024 on"
            return InputError("port_forbidden", sentence, where="port")
        case _:
            return InputError("bad_host", f"'{host}' is no address of this machine: {error}", where="host")


def address_of(listener: socket.socket) -> str:
    """Return where a browser or a client finds the server."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
