"""Every test of a store runs on both: in a file, and in a PostgreSQL server that is started for the run."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from filelock import FileLock

from oddsmith.store import Store, open_store
from tests.store.places import new_folder
from tests.store.postgres_server import Server


class Shared(msgspec.Struct):
    """A server that the workers of one run share: where it is, and how many use it."""

    folder: str
    users: int


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with the first worker that needs one, and remove it with the last."""
    base = tmp_path_factory.getbasetemp()
    meeting = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "postgres.json"
    lock = FileLock(f"{meeting}.lock")
    with lock:
        shared = msgspec.json.decode(meeting.read_bytes(), type=Shared) if meeting.exists() else None
        server = Server(Path(shared.folder)) if shared else Server.made()
        if shared is None:
            server.start()
        users = shared.users + 1 if shared else 1
        meeting.write_bytes(msgspec.json.encode(Shared(str(server.folder), users)))
    yield server
    with lock:
        users = msgspec.json.decode(meeting.read_bytes(), type=Shared).users - 1
        if users:
            meeting.write_bytes(msgspec.json.encode(Shared(str(server.folder), users)))
        else:
            meeting.unlink()
            server.stop()
            server.remove()


@pytest.fixture(scope="session")
def worker_database(server: Server) -> str:
    """Make a database for this worker."""
    name = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    server.execute(f"CREATE DATABASE {name}")
    return name


@pytest.fixture
def database(server: Server, worker_database: str) -> Iterator[str]:
    """Lend the worker's database, and empty it afterwards."""
    yield worker_database
    server.execute("DROP SCHEMA IF EXISTS oddsmith CASCADE", worker_database)


@pytest.fixture
def file() -> Iterator[Path]:
    """Lend the path of a file that is not there yet."""
    folder = new_folder()
    yield folder / "matches.db"
    shutil.rmtree(folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest) -> str:
    """Return where a store can be made."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("file"))
    server: Server = request.getfixturevalue("server")
    return server.url(request.getfixturevalue("database"))


@pytest.fixture
def opening() -> Iterator[Callable[[str], Store]]:
    """Open stores, and close them afterwards."""
    opened: list[Store] = []

    def opening(where: str) -> Store:
        opened.append(open_store(where))
        return opened[-1]

    yield opening
    for store in opened:
        store.close()


@pytest.fixture
def store(where: str, opening: Callable[[str], Store]) -> Store:
    """Return a new store."""
    return opening(where)
