"""The settings of a server, from flags, the environment and a file, in this order of precedence."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Self

from msgspec import Meta

from oddsmith.errors import InputError, OddsmithError
from oddsmith.rules import ValidatedStruct, read_toml
from oddsmith.server.addresses import parse_networks

PREFIX: Final = "ODDSMITH_"
LARGEST_FILE: Final = 64 * 1024
ORIGIN: Final = re.compile(r"https?://[a-z0-9.\-\[\]:]+")
NAME: Final = re.compile(r"\*|[A-Za-z0-9._:-]{1,253}")


class Settings(ValidatedStruct, frozen=True, kw_only=True):
    """The address, store, limits and log level of a server.

    `requests_per_second` and `burst` limit the requests of one seat; the limits of an address are four times that, because
    several players may share it. While bots choose in `bot_matches_per_address` matches that an address opened, it opens no
    other one with bots. `hosts` are names that requests may have as their `Host`, besides those that the server knows to be its
    own; `*` allows any. A match without a change for `days_to_desertion` days is abandoned; 0 is never. Matches that are over
    are removed from the store after `days_to_keep_finished` days, abandoned ones after `days_to_keep_abandoned`; 0 is never;
    their records are written to `export_folder` before, if it is not empty. An address may have `matches_per_address` matches
    open that are not over; 0 is any number. Idle matches are removed from memory when all together take more than
    `live_megabytes`. A mechanic
    that is named by a file has `seconds_to_load` to be imported; afterwards a call of its rules is ended after `rule_seconds`.
    Callbacks of the event loop with more than `longest_callback` milliseconds of processor time are reported, for debugging;
    0 is none.

    >>> Settings(port=9000).port
    9000
    """

    error: ClassVar[type[OddsmithError]] = InputError

    host: Annotated[str, Meta(min_length=1, max_length=255)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535)] = 8077
    store: Annotated[str, Meta(min_length=1, max_length=1_000)] = "oddsmith.db"
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    origins: Annotated[tuple[str, ...], Meta(max_length=50)] = ()
    hosts: Annotated[tuple[str, ...], Meta(max_length=50)] = ()
    requests_per_second: Annotated[int, Meta(ge=1, le=1_000_000)] = 50
    burst: Annotated[int, Meta(ge=1, le=1_000_000)] = 200
    failures_per_minute: Annotated[int, Meta(ge=1, le=10_000)] = 20
    connections_per_address: Annotated[int, Meta(ge=1, le=100_000)] = 100
    bot_matches_per_address: Annotated[int, Meta(ge=1, le=100_000)] = 32
    proxies: Annotated[tuple[str, ...], Meta(max_length=50)] = ()
    days_to_desertion: Annotated[int, Meta(ge=0, le=10_000)] = 30
    days_to_keep_finished: Annotated[int, Meta(ge=0, le=10_000)] = 0
    days_to_keep_abandoned: Annotated[int, Meta(ge=0, le=10_000)] = 0
    export_folder: Annotated[str, Meta(max_length=1_000)] = ""
    matches_per_address: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    live_megabytes: Annotated[int, Meta(ge=1, le=1_000_000)] = 256
    seconds_to_load: Annotated[int, Meta(ge=1, le=600)] = 10
    rule_seconds: Annotated[int, Meta(ge=1, le=60)] = 5
    longest_callback: Annotated[int, Meta(ge=0, le=10_000)] = 0
    log: Annotated[str, Meta(pattern="^(debug|info|warning|error)$")] = "warning"

    def check(self) -> None:
        """Raise `InputError` for malformed hosts, origins and proxies, and for a missing folder."""
        parse_networks(self.proxies)
        for name in self.hosts:
            if not NAME.fullmatch(name):
                raise InputError(
                    "bad_host_name",
                    f"a host is a name or an address without a port, such as play.example, or *, not '{name[:80]}'",
                    where="hosts",
                )
        if self.export_folder and not os.path.isdir(self.export_folder):  # noqa: PTH112  the method of Path may raise
            raise InputError(
                "no_export_folder",
                f"there is no folder '{self.export_folder[:200]}' for records: make it first",
                where="export_folder",
            )
        for origin in self.origins:
            if not ORIGIN.fullmatch(origin):
                raise InputError(
                    "bad_origin",
                    f"an origin is a scheme and a host, such as https://play.example, not '{origin[:80]}'",
                    where="origins",
                )

    @classmethod
    def load(
        cls,
        *,
        file: Path | None = None,
        environment: Mapping[str, str] = os.environ,
        **flags: object,
    ) -> Self:
        """Return settings: flags that are not None override the environment, which overrides the file.

        Raises `InputError` for an unknown or invalid setting, or an unreadable file.
        """
        given = _from_file(file) | _from_environment(cls, environment)
        given |= {name: value for name, value in flags.items() if value is not None}
        unknown = set(given) - set(cls.__struct_fields__)
        if unknown:
            raise InputError("unknown_setting", f"unknown setting '{min(unknown)[:40]}'", where=min(unknown))
        return cls(**given)


def _from_file(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        with file.open("rb") as opened:
            text = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError("no_file", f"no settings can be read from '{file}'") from error
    if len(text) > LARGEST_FILE:
        raise InputError("file_too_large", f"settings have at most {LARGEST_FILE:,} bytes")
    return _lists_as_tuples(read_toml(text.decode(errors="replace")))


def _lists_as_tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}


def _from_environment(kind: type[Settings], environment: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name in kind.__struct_fields__:
        text = environment.get(PREFIX + name.upper())
        if text is not None:
            given[name] = _read(text, getattr(kind(), name))
    return given


def _read(text: str, default: object) -> str | int | tuple[str, ...]:
    if isinstance(default, tuple):
        return tuple(filter(None, (part.strip() for part in text.split(","))))
    if isinstance(default, int) and text.strip().lstrip("-").isdigit():
        return int(text)
    return text
