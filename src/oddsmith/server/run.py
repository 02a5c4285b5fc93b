"""Runs a server, with one process or several, until a signal stops it."""

import errno
import faulthandler
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from oddsmith.errors import InputError
from oddsmith.server import logs
from oddsmith.server.application import make_app
from oddsmith.server.reloading import ReloadingServer
from oddsmith.server.settings import Settings
from oddsmith.server.uvicorn_server import UvicornServer
from oddsmith.server.workers import serve_with_workers
from oddsmith.store import open_store

BACKLOG: Final = 2048


def serve(settings: Settings, *, reloaded: Sequence[str] = ()) -> None:
    """Serve until a signal, with one process or several; print the URL once the server answers, and nothing else.

    The mechanics of `reloaded`, which are sources, are loaded again whenever a file of them changes; messages about that go
    to stderr.

    Raises `InputError` or `StoreError` before anything is printed where the port or the store cannot be used. A crash in
    native code prints the Python traceback to stderr.
    """
    with suppress(OSError):  # a stderr that is no file
        faulthandler.enable()
    logs.configure(settings.log)
    with open_listener(settings) as listener:
        store = open_store(settings.store)

        def ready() -> None:
            sys.stdout.write(f"{listener_url(listener)}\n")
            sys.stdout.flush()

        if reloaded:
            store.close()
            ReloadingServer(settings, reloaded, listener, _say).run(ready)
        elif settings.workers == 1:
            UvicornServer(make_app(settings, store), settings, ready).run(sockets=[listener])
        else:
            store.close()
            serve_with_workers(settings, listener, ready)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


@contextmanager
def open_listener(settings: Settings) -> Iterator[socket.socket]:
    """Listen at the host and port of the settings; raises `InputError` where that is not possible."""
    with _bind(settings.host, settings.port) as listener:
        listener.listen(BACKLOG)
        yield listener


def _bind(host: str, port: int) -> socket.socket:
    try:
        [(family, *_, address), *_] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:
        raise _listen_error(error, host, port) from error


def _listen_error(error: Exception, host: str, port: int) -> InputError:
    match getattr(error, "errno", None):
        case errno.EADDRINUSE:
            sentence = f"port {port} of {host} is in use: name another, or 0 for any free one"
            return InputError("port_in_use", sentence, where="port")
        case errno.EACCES:
            sentence = f"this process may not listen on port {port}: name one from 1024 on"
            return InputError("port_forbidden", sentence, where="port")
        case _:
            reason = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
            return InputError("bad_host", f"'{host}' is no address of this machine: {reason}", where="host")


def listener_url(listener: socket.socket) -> str:
    """Return the URL of a server at a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
