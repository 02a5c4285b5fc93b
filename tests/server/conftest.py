"""A server that all tests share which do not need one of their own."""

from collections.abc import Iterator

import pytest
import structlog

from tests.server.servers import RunningServer, run_server


@pytest.fixture(scope="session")
def shared_server() -> Iterator[RunningServer]:
    """Run a server without rate limits."""
    with run_server() as server:
        yield server


@pytest.fixture
def server(shared_server: RunningServer) -> Iterator[RunningServer]:
    """Return the shared server, and close every socket to it afterwards."""
    yield shared_server
    shared_server.close_sockets()


@pytest.fixture
def unconfigured_structlog() -> Iterator[None]:
    """Reset structlog to its unconfigured state during a test."""
    known = structlog.get_config() if structlog.is_configured() else None
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()
    if known is not None:
        structlog.configure(**known)
