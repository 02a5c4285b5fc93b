"""Commands take the address of a server that is mounted under a prefix."""

from collections.abc import Iterator

import pytest

from tests.cli.match.servers import open_match
from tests.cli.running import run
from tests.server.hosts import PREFIX, run_host

pytestmark = pytest.mark.usefixtures("seats")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a host that oddsmith is mounted in, and yield the URL with the prefix."""
    with run_host(tmp_path_factory.mktemp("site")) as site:
        yield site + PREFIX


def test_a_match_is_opened_listed_joined_and_resumed_below_a_prefix(url: str) -> None:
    """The printed address has the prefix, and leads back to the seat."""
    match = open_match(url, "dice")
    listed = run("matches", "--url", url).lines
    first = run("join", match.url, "--name", "Ann", stdin="q\n").lines
    again = run("join", match.url, "--name", "Ann", stdin="q\n").lines

    assert f"{url}/matches/{match.match}" == match.url
    assert f"oddsmith join or watch {url}/matches/MATCH" == listed[-1]
    assert any(match.match in line for line in listed)
    assert ["Ann takes seat 0", "Ann goes on in seat 0"] == [first[2], again[2]]
    assert f"your seat is kept: oddsmith join {match.url} --name Ann" == first[-1]
