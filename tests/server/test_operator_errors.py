"""Startup errors of a server, and recovery from a full or read-only disk without a restart."""

import shutil
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oddsmith.server.logs import WarningThrottle
from oddsmith.store import open_store, sqlite
from oddsmith.store.migrations import latest_version
from oddsmith.store.sql import SqlStore
from oddsmith.store.sqlite import SqliteDialect
from tests.cli.running import run
from tests.server.servers import API, RunningServer, new_store, run_server


@pytest.fixture(autouse=True)
def without_logging(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the logging of this process unchanged."""
    monkeypatch.setattr("oddsmith.server.logs.configure", lambda _: None)


def run_script(file: Path, script: str) -> Path:
    """Run a script on a database file without its store, and return the file."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)
    return file


def make_store(folder: Path) -> Path:
    """Make a store and return its file."""
    file = folder / "matches.db"
    open_store(str(file)).close()
    return file


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        ("a letter", "is not a database: name another file"),
        ("a database of others", "is a database of another program: name another file"),
        (
            "a newer store",
            f"has version 999, and this oddsmith knows {latest_version()}: use a newer oddsmith",
        ),
        ("a folder", "is not a file: name a file"),
        ("nowhere", "for the store: make it first"),
        ("another kind", "error: a store is a file or postgresql://…, not 'mysql://…'"),
        ("nobody there", "error: the store cannot be reached: "),
    ],
)
def test_an_unusable_store_is_refused(tmp_path: Path, mistake: str, words: str) -> None:
    """Status 2, one line with the error and its remedy, no URL, and no change on disk."""
    place = str(tmp_path / "letter.txt")
    match mistake:
        case "a letter":
            Path(place).write_text("Dear Ann, " * 100)
        case "a database of others":
            place = str(run_script(tmp_path / "other.db", "CREATE TABLE letters (text)"))
        case "a newer store":
            place = str(run_script(make_store(tmp_path), "PRAGMA user_version = 999"))
        case "a folder":
            place = str(tmp_path)
        case "nowhere":
            place = str(tmp_path / "nowhere" / "matches.db")
        case "another kind":
            place = "mysql://ann:open-sesame@localhost/matches"
        case _:
            place = "postgresql://ann:open-sesame@127.0.0.1:1/matches"
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    result = run("serve", "--port", "0", "--store", place)

    assert (2, "") == (result.status, result.out)
    assert result.err.startswith("error: ")
    assert words in result.err
    assert 1 == result.err.count("\n")
    assert "open-sesame" not in result.err
    assert before == {file: file.read_bytes() for file in tmp_path.iterdir()}


def test_a_port_in_use_is_refused_before_a_store_is_made(tmp_path: Path) -> None:
    """The sentence names the port and the remedy."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "--port", str(port), "--store", str(tmp_path / "matches.db"))

    assert (2, "") == (result.status, result.out)
    assert f"error: port {port} of 127.0.0.1 is in use: name another, or 0 for any free one\n" == result.err
    assert [] == list(tmp_path.iterdir())


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of pragmas that every new connection to a file executes."""
    pragmas: list[str] = []
    connected = sqlite.connect

    def connect_with_limits(path: Path, *more: str) -> sqlite3.Connection:
        return connected(path, *more, *pragmas)

    monkeypatch.setattr(sqlite, "connect", connect_with_limits)
    return pragmas


@pytest.fixture
def limited_server(
    limits: list[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[RunningServer, SqliteDialect, list[str]]]:
    """Run a server on a file whose connections can be limited."""
    monkeypatch.setattr("oddsmith.server.middleware.error_responses._store_warning", WarningThrottle(10))
    folder, store = new_store()
    assert isinstance(store, SqlStore)
    assert isinstance(store.dialect, SqliteDialect)
    with run_server(store) as server:
        yield server, store.dialect, limits
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("pragma", "code"), [("max_page_count = 1", "store_full"), ("query_only = ON", "store_read_only")]
)
def test_a_full_or_read_only_disk_loses_nothing(
    limited_server: tuple[RunningServer, SqliteDialect, list[str]], pragma: str, code: str
) -> None:
    """Stored matches can be read, nothing is acknowledged, the log has the reason; afterwards the server works without a restart."""
    server, dialect, limits = limited_server
    match = server.open_match("casino")
    before = match.spectator.get_frame()
    limits.append(pragma)
    with dialect.writers.connection() as connection:
        connection.execute(f"PRAGMA {pragma}")
    opening = {"game": "casino", "seats": [None, None]}
    while (refused := server.http.post(f"{API}/matches", json=opening)).status_code == 201:
        assert len(server.store.matches(limit=100)) < 90
    meanwhile = match.spectator.get_frame()
    limits.clear()
    again = server.http.post(f"{API}/matches", json=opening)
    frame = match.players[0].get_frame()
    done = match.players[0].act(frame["actions"][0], frame["version"])

    assert (503, code) == (refused.status_code, refused.json()["error"]["code"])
    assert "2" == refused.headers["retry-after"]
    assert before == meanwhile
    assert code in [line.get("code") for line in server.logged if line["level"] == "warning"]
    assert (201, 200) == (again.status_code, done.status_code)
    assert "ready" == server.http.get("/readyz").json()["status"]
