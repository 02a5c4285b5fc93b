"""A server answers for its own names alone: a page cannot have a name of its own point to it."""

import json
import socket
from typing import Any, Final

import pytest

from oddsmith.errors import InputError
from oddsmith.server.hosts import AllowedHosts
from oddsmith.server.settings import Settings
from tests.server.raw_sockets import read_all
from tests.server.servers import API, run_server

SOCKET: Final = (
    "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


def ask(
    port: int, hosts: list[str], *, version: str = "1.1", more: str = "", path: str = "/healthz"
) -> tuple[int, str]:
    """Return the status of a request with these `Host` headers, and the code of its error."""
    head = "".join(f"Host: {host}\r\n" for host in hosts)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(f"GET {path} HTTP/{version}\r\n{head}{more}connection: close\r\n\r\n".encode())
        answer, _, body = read_all(line).partition(b"\r\n\r\n")
    reply = json.loads(body)
    return int(answer.split()[1]), reply.get("error", {}).get("code", "")


def test_a_request_has_one_host_that_is_the_server_s() -> None:
    """Missing, doubled and foreign ones are refused, also where they are equal, and for a socket."""
    with run_server() as server:
        path = f"{API}/matches/{server.open_match('duel').id}/socket"
        found = [
            ask(server.port, ["localhost"]),
            ask(server.port, [f"127.0.0.1:{server.port}"]),
            ask(server.port, []),
            ask(server.port, ["localhost", "localhost"]),
            ask(server.port, ["rebound.example"]),
            ask(server.port, [f"rebound.example:{server.port}"]),
            ask(server.port, ["localhost@rebound.example"]),
            ask(server.port, ["rebound.example"], path=path, more=SOCKET),
            ask(server.port, [], version="1.0"),
        ]

    assert [
        (200, ""),
        (200, ""),
        (400, "no_host"),
        (400, "many_hosts"),
        (403, "foreign_host"),
        (403, "foreign_host"),
        (403, "foreign_host"),
        (403, "foreign_host"),
        (200, ""),
    ] == found


def test_the_refusal_of_a_host_names_the_setting() -> None:
    error = AllowedHosts(host="127.0.0.1", origins=[], names=[]).objection([b"lan.example"])

    assert error is not None
    assert "lan.example" in error.refusal.sentence
    assert "setting `hosts`" in error.refusal.sentence


@pytest.mark.parametrize(
    ("settings", "host", "is_allowed"),
    [
        ({}, b"LOCALHOST.", True),
        ({}, b"[::1]:8077", True),
        ({}, b"192.0.2.7", False),
        ({}, b"", False),
        ({"host": "0.0.0.0"}, b"192.0.2.7:8077", True),  # noqa: S104  an address in a Host
        ({"host": "::"}, b"[2001:db8::1]:8077", True),
        ({"host": "0.0.0.0"}, socket.gethostname().encode(), True),  # noqa: S104  an address in a Host
        ({"host": "0.0.0.0"}, b"rebound.example", False),  # noqa: S104  an address in a Host
        ({"host": "games.lan"}, b"games.lan:8077", True),
        ({"origins": ["https://play.example"]}, b"play.example", True),
        ({"names": ["play.example"]}, b"PLAY.example:443", True),
        ({"names": ["play.example"]}, b"evil.play.example", False),
        ({"names": ["*"]}, b"anything.example", True),
        ({"names": ["*"]}, b"no host", False),
    ],
    ids=str,
)
def test_the_hosts_of_a_server(settings: dict[str, object], host: bytes, is_allowed: bool) -> None:  # noqa: FBT001  a parameter of the test
    """Loopback names always; where it listens for a network, each address and the machine's name; what settings name."""
    given: Any = {"host": "127.0.0.1", "origins": [], "names": []} | settings
    hosts = AllowedHosts(**given)

    assert is_allowed is (hosts.objection([host]) is None)


def test_a_trusted_proxy_may_pass_any_host_on() -> None:
    """It answers for public names that the server does not know."""
    with run_server(proxies=("127.0.0.1",)) as server:
        assert (200, "") == ask(server.port, ["play.example"])


def test_a_host_with_a_port_or_a_scheme_is_no_name() -> None:
    with pytest.raises(InputError) as refused:
        Settings(hosts=("https://play.example",))

    assert ("bad_host_name", "hosts") == (refused.value.refusal.code, refused.value.refusal.where)
