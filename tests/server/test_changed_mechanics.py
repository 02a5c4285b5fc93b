"""Matches and records of a mechanic that is gone or has changed say so, and everything else goes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from oddsmith.match.recording import log_of
from oddsmith.records import read_record
from oddsmith.registry import VARIABLE, add_sources, find_game
from oddsmith.store import open_store
from tests.cli.running import run
from tests.server.servers import API, RunningServer, run_server

ROOT = Path(__file__).parents[2]
PIG = (ROOT / "examples" / "mechanics" / "pig.py").read_text()
FRIENDLIER = PIG.replace('return ("roll", "hold") if self.pot', 'return ("hold", "roll") if self.pot')
RENAMED = PIG.replace('"roll"', '"throw"')
CRASHES = PIG.replace(
    "def luck(self, face: int) -> Self:", "def luck(self, face: int) -> Self:\n        1 / 0"
)


@contextmanager
def serve(folder: Path, patch: pytest.MonkeyPatch, text: str | None) -> Iterator[RunningServer]:
    """Serve the matches of a folder, with a Pig of that text or with none."""
    patch.setenv(VARIABLE, "")
    if text is not None:
        add_sources([write_pig(folder, text)])
    with run_server(open_store(str(folder / "matches.db"))) as server:
        yield server


def write_pig(folder: Path, text: str) -> str:
    path = folder / f"{hash(text):x}" / "pig.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return str(path)


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the address of a match of Pig that has begun, in the store of the folder."""
    with serve(tmp_path, monkeypatch, PIG) as server:
        match = server.open_match("pig")
        match.move()
        return match.address


def test_a_match_of_a_mechanic_that_is_gone_is_listed_and_says_what_is_missing(
    begun: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(tmp_path, monkeypatch, None) as server:
        listed = server.http.get(f"{API}/matches").json()["matches"]
        refused = server.http.get(begun)
        duel = server.open_match("duel")
        duel.move()

    error = refused.json()["error"]
    assert [summary["game"] for summary in listed] == ["pig"]
    assert (refused.status_code, error["code"]) == (404, "mechanic_missing")
    assert "the mechanic 'pig' is not here; it was played with pig.py " in error["sentence"]
    assert error["sentence"].endswith(": name that file, too")


@pytest.mark.parametrize(
    ("text", "why"),
    [(RENAMED, "'roll' is not possible in this game"), (CRASHES, "ZeroDivisionError: division by zero")],
    ids=["renamed", "crashes"],
)
def test_a_match_that_changed_rules_do_not_replay_says_so(
    text: str, why: str, begun: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(tmp_path, monkeypatch, text) as server:
        refused = server.http.get(begun)

    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (409, "mechanic_changed")
    assert "; it was played with pig.py " in error["sentence"]
    assert "and 'pig' is pig.py " in error["sentence"]
    assert why in error["sentence"]


def test_a_match_that_changed_rules_replay_goes_on(
    begun: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(tmp_path, monkeypatch, FRIENDLIER) as server:
        shown = server.http.get(begun)

    assert shown.status_code == 200


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a record of Pig that a server has written."""
    with serve(tmp_path, monkeypatch, PIG) as server:
        match = server.open_match("pig", rules={"goal": 10})
        while match.move():
            pass
        text = server.http.get(match.path("record")).text
    found = read_record(text, find_game)
    path = tmp_path / "match.toml"
    path.write_text(text)
    assert log_of(found)[0].mechanic == found.labels["mechanic"]  # type: ignore[union-attr]  # the opening of the match

    return path


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_record_names_the_version_of_its_mechanic(
    command: str, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file is named first; without it, and with another version, a command says what is missing."""
    monkeypatch.setenv(VARIABLE, "")
    alone = run(command, str(record))
    same = run(command, write_pig(tmp_path, PIG), str(record), **{VARIABLE: ""})
    changed = run(command, write_pig(tmp_path, RENAMED), str(record), **{VARIABLE: ""})

    assert alone.status == 2
    assert alone.err.startswith("error: game: the mechanic 'pig' is not here; it was played with pig.py ")
    assert (same.status, same.err) == (0, "")
    assert "pig.py " in same.out
    assert changed.status == 2
    assert "; it was played with pig.py " in changed.err
    assert changed.err.count("\n") == 1


def test_verify_says_that_a_record_was_verified_with_another_version(record: Path, tmp_path: Path) -> None:
    lines = run("verify", write_pig(tmp_path, FRIENDLIER), str(record), **{VARIABLE: ""}).lines

    assert any(line.startswith("· mechanic    it was played with pig.py ") for line in lines)
