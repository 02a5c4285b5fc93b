"""Both clients with a server below a prefix."""

from collections.abc import Callable, Iterator

import pytest

from oddsmith.client import Client
from oddsmith.client.addresses import match_address, server_address, socket_address
from tests.server.hosts import PREFIX, run_host


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a host that oddsmith is mounted in, and yield the URL with the prefix."""
    with run_host(tmp_path_factory.mktemp("site")) as site:
        yield site + PREFIX


def test_calls_and_watches_have_the_prefix(url: str, connect: Callable[..., Client]) -> None:
    """A match is opened, joined, watched and given up; a question is answered."""
    with connect(f"{url}/") as client:
        opening = client.open("duel", (None, None))
        tokens = [client.join(opening.match, name).token for name in ("Ann", "Bo")]
        with client.watch(opening.match, token=tokens[0]) as watch:
            versions = []
            for frame in watch:
                versions.append(frame.version)
                if not frame.is_over:
                    client.leave(opening.match, tokens[1])
        listed = [summary.match for summary in client.matches().matches]
        score = client.ask("dice", "score", {"faces": [1, 1, 1, 4, 5]})

    assert url == client.url
    assert versions == sorted(versions)
    assert frame.is_over
    assert opening.match in listed
    assert score["score"]


@pytest.mark.parametrize("path", ["matches/05af", "api/v1/matches/05af", "matches/05af/"])
@pytest.mark.parametrize("prefix", ["games", "a/games", "matches"])
def test_the_address_of_a_match_names_its_server_with_the_prefix(prefix: str, path: str) -> None:
    server, match = match_address(f"https://site.example/{prefix}/{path}")

    assert (f"https://site.example/{prefix}", "05af") == (server, match)
    assert server == server_address(f"{server}/")
    assert f"wss://site.example/{prefix}/api/v1/matches/05af/socket" == socket_address(server, match)
