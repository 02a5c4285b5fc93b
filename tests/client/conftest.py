"""One server for all tests of the client that do not need a bad one, and both clients for each test."""

from collections.abc import Callable, Iterator

import pytest

from oddsmith.client import Client
from tests.client.awaited import AwaitedClient
from tests.server.servers import run_server


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """Run a server, and say where."""
    with run_server() as server:
        yield server.url


@pytest.fixture(params=[Client, AwaitedClient], ids=["blocking", "asynchronous"])
def connect(request: pytest.FixtureRequest) -> Callable[..., Client]:
    """Return what makes a client of an address: of either kind, with the methods of the blocking one."""
    kind: Callable[..., Client] = request.param
    return kind


@pytest.fixture
def client(url: str, connect: Callable[..., Client]) -> Iterator[Client]:
    """Lend a client of the server, of either kind."""
    with connect(url) as client:
        yield client


@pytest.fixture
def blocking(url: str) -> Iterator[Client]:
    """Lend a blocking client of the server, to be compared with an asynchronous one."""
    with Client(url) as client:
        yield client
