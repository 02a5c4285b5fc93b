"""One server for all tests that do not need one of their own."""

from collections.abc import Iterator

import pytest

from tests.server.running import Running, running


@pytest.fixture(scope="session")
def house() -> Iterator[Running]:
    """Run a server that asks nobody to wait."""
    with running() as server:
        yield server


@pytest.fixture
def server(house: Running) -> Iterator[Running]:
    """Lend the server, and close every socket afterwards."""
    yield house
    house.hang_up()
