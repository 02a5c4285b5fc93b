"""A shared server, and both clients for each test."""

from collections.abc import Callable, Iterator

import pytest

from oddsmith.client import Client
from tests.client.awaited_client import AwaitedClient
from tests.server.servers import run_server


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """Run a server and yield its URL."""
    with run_server() as server:
        yield server.url


@pytest.fixture(params=[Client, AwaitedClient], ids=["blocking", "asynchronous"])
def connect(request: pytest.FixtureRequest) -> Callable[..., Client]:
    """Return the class of a client: the blocking one, or the asynchronous one with blocking methods."""
    kind: Callable[..., Client] = request.param
    return kind


@pytest.fixture
def client(url: str, connect: Callable[..., Client]) -> Iterator[Client]:
    """Return a client of the server, of either kind."""
    with connect(url) as client:
        yield client


@pytest.fixture
def blocking_client(url: str) -> Iterator[Client]:
    """Return a blocking client of the server, to be compared with an asynchronous one."""
    with Client(url) as client:
        yield client
