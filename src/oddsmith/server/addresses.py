"""Addresses of clients: behind trusted proxies, and as the keys by which limits count them."""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from oddsmith.errors import InputError

Network: TypeAlias = IPv4Network | IPv6Network

IPV6_PREFIX: Final = 64
"""The leading bits of an IPv6 address that identify a client: its network has the others."""
MOST_HOPS: Final = 20


def parse_networks(given: Sequence[str]) -> tuple[Network, ...]:
    """Return the networks of addresses and prefixes; raises `InputError` for any other text.

    >>> parse_networks(["10.0.0.0/8", "::1"])
    (IPv4Network('10.0.0.0/8'), IPv6Network('::1/128'))
    """
    try:
        return tuple(ip_network(text) for text in given)
    except ValueError as error:
        raise InputError(
            "bad_proxy", f"a proxy is an address or a network such as 10.0.0.0/8: {error}", where="proxies"
        ) from error


def client_address(peer: str, forwarded: str | None, proxies: Sequence[Network]) -> str:
    """Return the address of the client: the peer, or the client in `X-Forwarded-For` where the peer is a trusted proxy.

    Each proxy appends its peer on the right. The last address that is no trusted proxy is the client; those left of it
    can be forged.

    >>> client_address("10.0.0.7", "1.2.3.4, 203.0.113.9, 10.0.0.8", parse_networks(["10.0.0.0/8"]))
    '203.0.113.9'
    >>> client_address("198.51.100.1", "203.0.113.9", parse_networks(["10.0.0.0/8"]))
    '198.51.100.1'
    """
    if forwarded is None or not _is_in_networks(peer, proxies):
        return peer
    for hop in reversed(forwarded.split(",")[-MOST_HOPS:]):
        address = hop.strip()
        if not _is_address(address):
            return peer
        peer = address
        if not _is_in_networks(address, proxies):
            break
    return peer


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_in_networks(address: str, proxies: Sequence[Network]) -> bool:
    if not proxies or not _is_address(address):
        return False
    known = _unmapped(address)
    return any(known in network for network in proxies)


def _unmapped(address: str) -> object:
    known = ip_address(address)
    return known.ipv4_mapped or known if isinstance(known, IPv6Address) else known


def client_key(address: str) -> str:
    """Return the key by which limits count an address: all addresses of an IPv6 prefix have the same key.

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
    return str(_unmapped(str(known)))
