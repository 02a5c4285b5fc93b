"""Matches over HTTP and WebSocket: a server, or an ASGI application that another application mounts.

The dependencies of a server are imported when `app` is called.
"""

from collections.abc import Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Literal

from oddsmith.errors import InputError

if TYPE_CHECKING:
    from oddsmith.server.application import Application

__all__ = ["app"]


def app(
    *,
    store: str | PathLike[str] = "oddsmith.db",
    origins: Sequence[str] = (),
    requests_per_second: int = 50,
    burst: int = 200,
    failures_per_minute: int = 20,
    connections_per_address: int = 100,
    bot_matches_per_address: int = 32,
    proxies: Sequence[str] = (),
    days_to_desertion: int = 30,
    days_to_keep_finished: int = 0,
    days_to_keep_abandoned: int = 0,
    export_folder: str | PathLike[str] = "",
    matches_per_address: int = 0,
    live_megabytes: int = 256,
    rule_seconds: int = 5,
    log: Literal["debug", "info", "warning", "error"] = "warning",
) -> "Application":
    """Return the server as an ASGI application, to be mounted under any prefix or served by any ASGI server.

    The arguments are settings of `oddsmith serve`, without those that only a separate server has. `store` is a file or
    `postgresql://…`; `proxies` are networks whose `X-Forwarded-For` is trusted. Nothing is read from the environment.
    Messages of at least the level `log` go to Python's `logging`, by loggers below `oddsmith`, or to structlog where the
    host has configured it.

    Matches are played while the application runs. An ASGI server starts it by the lifespan protocol. A host that mounts it
    without forwarding lifespan events enters it in its own lifespan: `async with application:`.

    Raises `InputError` for an invalid setting, or where `oddsmith[serve]` is not installed. Entering raises `StoreError`
    where the store cannot be used.
    """
    try:
        from oddsmith.server import application, logs, settings  # noqa: PLC0415  an extra, and slow to import
    except ImportError as error:
        raise InputError("no_server", "a server needs more packages: install oddsmith[serve]") from error
    given = settings.Settings(
        store=fspath(store),
        origins=tuple(origins),
        requests_per_second=requests_per_second,
        burst=burst,
        failures_per_minute=failures_per_minute,
        connections_per_address=connections_per_address,
        bot_matches_per_address=bot_matches_per_address,
        proxies=tuple(proxies),
        days_to_desertion=days_to_desertion,
        days_to_keep_finished=days_to_keep_finished,
        days_to_keep_abandoned=days_to_keep_abandoned,
        export_folder=fspath(export_folder),
        matches_per_address=matches_per_address,
        live_megabytes=live_megabytes,
        rule_seconds=rule_seconds,
        log=log,
    )
    logs.configure_embedded(given.log)
    return application.make_app(given)
