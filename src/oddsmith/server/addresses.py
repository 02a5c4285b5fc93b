"""Addresses of clients: behind trusted proxies, and as the keys by which limits count them."""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from oddsmith.errors import InputError

Network: TypeAlias = IPv4Network | IPv6Network

IPV6_PREFIX: Final = 64
"""How many leading bits of an IPv6 address stand for one client: a network of one client has all the others."""
MOST_HOPS: Final = 20


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


def client_key(address: str) -> str:
    """Return the key by which an address is counted: all addresses of an IPv6 prefix have one key.

    >>> client_key("2001:db8::1") == client_key("2001:db8::2"), client_key("::ffff:192.0.2.1"), client_key("unix")
    (True, '192.0.2.1', 'unix')
    """
    if ":" not in address:
        return address
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is None:
        return str(ip_network((known, IPV6_PREFIX), strict=False))
    return str(_plain(str(known)))
