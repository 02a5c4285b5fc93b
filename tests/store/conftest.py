"""Every test of a store runs on SQLite and on a PostgreSQL server that is started for the run."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from filelock import FileLock

from oddsmith.store import Store, open_store
from tests.store.folders import new_folder
from tests.store.postgres_server import Server


class SharedServer(msgspec.Struct):
    """A server that the workers of one run share: its folder, and how many workers use it."""

    folder: str
    users: int


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with the first worker that needs one, and remove it with the last."""
    base = tmp_path_factory.getbasetemp()
    shared_file = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "postgres.json"
    lock = FileLock(f"{shared_file}.lock")
    with lock:
        shared = (
            msgspec.json.decode(shared_file.read_bytes(), type=SharedServer) if shared_file.exists() else None
        )
        server = Server(Path(shared.folder)) if shared else Server.create()
        if shared is None:
            server.start()
        users = shared.users + 1 if shared else 1
        shared_file.write_bytes(msgspec.json.encode(SharedServer(str(server.folder), users)))
    yield server
    with lock:
        users = msgspec.json.decode(shared_file.read_bytes(), type=SharedServer).users - 1
        if users:
            shared_file.write_bytes(msgspec.json.encode(SharedServer(str(server.folder), users)))
        else:
            shared_file.unlink()
            server.stop()
            server.remove()


@pytest.fixture(scope="session")
def worker_database(server: Server) -> str:
    """Create a database for this worker."""
    name = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    server.execute(f"CREATE DATABASE {name}")
    return name


@pytest.fixture
def database(server: Server, worker_database: str) -> Iterator[str]:
    """Return the worker's database, and empty it afterwards."""
    yield worker_database
    server.execute("DROP SCHEMA IF EXISTS oddsmith CASCADE", worker_database)


@pytest.fixture
def file() -> Iterator[Path]:
    """Return the path of a file that does not exist yet."""
    folder = new_folder()
    yield folder / "matches.db"
    shutil.rmtree(folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def location(request: pytest.FixtureRequest) -> str:
    """Return the location of a new store: a file or a URL."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("file"))
    server: Server = request.getfixturevalue("server")
    return server.url(request.getfixturevalue("database"))


@pytest.fixture
def opener() -> Iterator[Callable[[str], Store]]:
    """Return a function that opens stores, which are closed afterwards."""
    opened: list[Store] = []

    def opener(location: str) -> Store:
        opened.append(open_store(location))
        return opened[-1]

    yield opener
    for store in opened:
        store.close()


@pytest.fixture
def store(location: str, opener: Callable[[str], Store]) -> Store:
    """Return a new store."""
    return opener(location)
