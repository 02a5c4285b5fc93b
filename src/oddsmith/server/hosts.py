"""The names that a server answers for: a request with another `Host` may be of a page that had its name point here."""

import re
import socket
from collections.abc import Iterator, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final
from urllib.parse import urlsplit

from oddsmith.errors import AccessError, InputError, OddsmithError

ANY: Final = "*"
HOST: Final = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(:[0-9]{0,5})?")
MOST_CACHED: Final = 1_000
LONGEST_QUOTE: Final = 80


class AllowedHosts:
    """The hosts of a server: loopback ones, the `host` that it listens at, those of `origins`, and further `names`.

    A server that listens at an address that is not loopback has every address, and the name of its machine; a page can make a
    name of its own point to an address, but not the address itself. With `*` in `names` any host is allowed.

    >>> hosts = AllowedHosts(host="127.0.0.1", origins=["https://play.example"], names=[])
    >>> [hosts.objection([value]) is None for value in (b"localhost:8077", b"play.example", b"evil.example")]
    [True, True, False]
    """

    def __init__(self, *, host: str, origins: Sequence[str], names: Sequence[str]) -> None:
        self._is_any = ANY in names
        self._names = frozenset((*_own_names(host), *map(_name_of_origin, origins), *map(str.lower, names)))
        self._has_addresses = not _is_loopback(host.lower())
        self._is_allowed = lru_cache(MOST_CACHED)(self._check)

    def objection(self, values: Sequence[bytes], *, is_required: bool = True) -> OddsmithError | None:
        """Return why a request with these `Host` headers is refused, or None where it is not; HTTP/1.0 requires none."""
        if len(values) > 1:
            return InputError("many_hosts", f"a request has one Host, not {len(values)}")
        if not values:
            return InputError("no_host", "a request has a Host") if is_required else None
        return None if self._is_allowed(values[0]) else foreign_host_error(values[0])

    def _check(self, value: bytes) -> bool:
        found = HOST.fullmatch(value.decode("latin-1").lower())
        if found is None:
            return False
        name = found[1].removesuffix(".").strip("[]")
        return (
            self._is_any
            or name in self._names
            or _is_loopback(name)
            or (self._has_addresses and _address(name) is not None)
        )


def foreign_host_error(value: bytes) -> AccessError:
    """Return the error of a request for a host that is not this server's."""
    name = value.decode("ascii", errors="backslashreplace")[:LONGEST_QUOTE]
    return AccessError(
        "foreign_host",
        f"this server does not answer for '{name}': its operator names that host in the setting `hosts`",
        where="host",
    )


def _own_names(host: str) -> Iterator[str]:
    """Yield the host that a server listens at, and, unless only this machine reaches it, the machine's name."""
    name = host.lower()
    yield name
    if not _is_loopback(name):
        machine = socket.gethostname().lower()
        yield from (machine, f"{machine}.local")


def _name_of_origin(origin: str) -> str:
    return urlsplit(origin).hostname or ""


def _is_loopback(name: str) -> bool:
    """Return whether a name or an address is that of the machine itself.

    >>> [_is_loopback(name) for name in ("localhost", "a.localhost", "127.0.0.9", "::1", "::ffff:127.0.0.1", "0.0.0.0")]
    [True, True, True, True, True, False]
    """
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return address is not None and address.is_loopback


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None
