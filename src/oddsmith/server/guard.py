"""What comes in is bounded: how often, how much, from where; what goes out tells a browser to trust nothing else."""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from oddsmith.errors import InputError

Network: TypeAlias = IPv4Network | IPv6Network

MOST_KEYS: Final = 50_000
HOUSEHOLD: Final = 64
"""How many leading bits of an IPv6 address stand for one visitor: a household has all the others."""
MOST_HOPS: Final = 20

HEADERS: Final = (
    (
        b"content-security-policy",
        b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"interest-cohort=()"),
    (b"cache-control", b"no-store"),
)
"""Sent with every answer, unless it says something else under the same name."""
PAGES_POLICY: Final = (
    b"content-security-policy",
    b"; ".join(
        (
            b"default-src 'none'",
            b"script-src 'self'",
            b"style-src 'self'",
            b"img-src 'self' data: blob:",
            b"font-src 'self'",
            b"connect-src 'self'",
            b"manifest-src 'self'",
            b"base-uri 'none'",
            b"form-action 'none'",
            b"frame-ancestors 'none'",
        )
    ),
)
"""What pages say instead: they are made of their own files, and speak to nobody else."""
_NAMES: Final = frozenset(name for name, _ in HEADERS)


def with_usual_headers(given: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer, with those of every answer that it has not itself.

    >>> kept = with_usual_headers([(b"cache-control", b"no-cache")])
    >>> kept[0], len(kept) == len(HEADERS)
    ((b'cache-control', b'no-cache'), True)
    """
    names = [name for name, _ in given]
    if _NAMES.isdisjoint(names):
        return [*given, *HEADERS]
    return [*given, *(pair for pair in HEADERS if pair[0] not in names)]


class Buckets:
    """A bucket of tokens for each key, filled at a steady rate; the keys used longest ago are forgotten first.

    >>> times = iter([0.0, 0.0, 0.0, 1.0])
    >>> buckets = Buckets(rate=1, burst=2, clock=lambda: next(times))
    >>> [buckets.take("ann") for _ in range(4)]
    [0.0, 0.0, 1.0, 0.0]
    """

    def __init__(self, *, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, cost: float = 1.0) -> float:
        """Take so much from the bucket of a key if it is there, and return for how many seconds it is not."""
        now = self._clock()
        left, then = self._held.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        cost = min(cost, self._burst)
        wait = max(0.0, (cost - left) / self._rate)
        self._held[key] = (left if wait else left - cost, now)
        if len(self._held) > MOST_KEYS:
            self._held.popitem(last=False)
        return wait

    def charge(self, key: str, cost: float) -> None:
        """Take so much from the bucket of a key whether it is there or not; at most one bucket is owed."""
        self.take(key, 0.0)
        left, then = self._held[key]
        self._held[key] = (max(-self._burst, left - cost), then)

    def wait(self, key: str) -> float:
        """Return for how many seconds there is nothing in the bucket of a key."""
        held = self._held.get(key)
        if held is None:
            return 0.0
        left, then = held
        return max(0.0, (1.0 - left) / self._rate - (self._clock() - then))


class Turnstile:
    """How many are inside at once, for each visitor.

    >>> turnstile = Turnstile(most=1)
    >>> turnstile.enter("ann"), turnstile.enter("ann"), turnstile.enter("bo")
    (True, False, True)
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._inside: dict[str, int] = {}

    def enter(self, key: str) -> bool:
        """Let one more in, unless as many are inside as may be."""
        inside = self._inside.get(key, 0)
        if inside >= self._most:
            return False
        self._inside[key] = inside + 1
        return True

    def leave(self, key: str) -> None:
        """Let one out that was let in."""
        inside = self._inside.pop(key) - 1
        if inside:
            self._inside[key] = inside


def is_allowed_origin(origin: str | None, host: str | None, allowed: Sequence[str]) -> bool:
    """Say whether a page of this origin may speak to us: none at all, our own, or one of the list.

    >>> is_allowed_origin("https://evil.example", "play.example", ("https://friend.example",))
    False
    >>> is_allowed_origin("https://play.example", "play.example", ())
    True
    """
    if origin is None or origin in allowed:
        return True
    return host is not None and origin in (f"http://{host}", f"https://{host}")


def networks(given: Sequence[str]) -> tuple[Network, ...]:
    """Return the networks that addresses or prefixes stand for.

    >>> networks(["10.0.0.0/8", "::1"])
    (IPv4Network('10.0.0.0/8'), IPv6Network('::1/128'))
    """
    try:
        return tuple(ip_network(text) for text in given)
    except ValueError as error:
        raise InputError(
            "bad_proxy", f"a proxy is an address or a network such as 10.0.0.0/8: {error}", where="proxies"
        ) from error


def true_address(peer: str, forwarded: str | None, proxies: Sequence[Network]) -> str:
    """Return who speaks: the peer, or, where that is a proxy of ours, whom it speaks for.

    Each proxy adds on the right whom it heard; what stands left of the first that is not ours, anybody may have made up.

    >>> true_address("10.0.0.7", "1.2.3.4, 203.0.113.9, 10.0.0.8", networks(["10.0.0.0/8"]))
    '203.0.113.9'
    >>> true_address("198.51.100.1", "203.0.113.9", networks(["10.0.0.0/8"]))
    '198.51.100.1'
    """
    if forwarded is None or not _is_among(peer, proxies):
        return peer
    for hop in reversed(forwarded.split(",")[-MOST_HOPS:]):
        address = hop.strip()
        if not _is_address(address):
            return peer
        peer = address
        if not _is_among(address, proxies):
            break
    return peer


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_among(address: str, proxies: Sequence[Network]) -> bool:
    if not proxies or not _is_address(address):
        return False
    known = _plain(address)
    return any(known in network for network in proxies)


def _plain(address: str) -> object:
    known = ip_address(address)
    return known.ipv4_mapped or known if isinstance(known, IPv6Address) else known


def visitor(address: str) -> str:
    """Return under which name an address is counted: all of one household count together.

    >>> visitor("2001:db8::1") == visitor("2001:db8::2"), visitor("::ffff:192.0.2.1"), visitor("unix")
    (True, '192.0.2.1', 'unix')
    """
    if ":" not in address:
        return address
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is None:
        return str(ip_network((known, HOUSEHOLD), strict=False))
    return str(_plain(str(known)))
