"""One server for all tests of the client that do not need a bad one."""

from collections.abc import Iterator

import pytest

from oddsmith.client import Client
from tests.server.running import running


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """Run a server, and say where."""
    with running() as server:
        yield server.url


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    """Lend a client of the server."""
    with Client(url) as client:
        yield client
