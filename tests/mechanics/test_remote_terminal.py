"""Every mechanic is watched in a terminal, and those without a terminal part are joined, over a server."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from oddsmith.mechanic import Mechanic
from tests.cli.match.servers import open_match
from tests.cli.running import run
from tests.mechanics.subjects import EXAMPLES, NAMES, seats_of, settings_of
from tests.server.servers import run_server

ANSWERS = "1\n" * 200


@pytest.fixture
def url(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:  # noqa: ARG001  mechanics are found before the server starts
    """Run a server and yield its URL; tickets are stored in a folder of the test's own."""
    monkeypatch.setenv("ODDSMITH_SEATS", str(tmp_path / "seats"))
    with run_server() as server:
        yield server.url


def settings_words(mechanic: Mechanic) -> list[str]:
    return [word for setting in settings_of(mechanic) for word in ("--set", setting)]


@pytest.mark.parametrize("name", NAMES)
def test_a_match_of_bots_can_be_watched(url: str, mechanic: Mechanic, tmp_path: Path) -> None:
    """Every game has a spectator's view, to its end, and its luck is verified."""
    seats, record = seats_of(mechanic), tmp_path / "match.toml"
    options = ("--seats", str(seats), *("--bot", "random") * seats, *settings_words(mechanic))
    match = open_match(url, mechanic.name, *options)
    lines = run("watch", match.url, "--record", str(record)).lines

    assert lines[-3].startswith("over: ")
    assert re.fullmatch(r"✓ [\d,]+ moves of luck: every card and die comes from the sealed seed", lines[-2])
    assert f"kept: oddsmith verify {record}" == lines[-1]


@pytest.mark.parametrize("name", [mechanic.name for mechanic in EXAMPLES])
def test_a_match_is_played_in_a_terminal_without_a_part_of_its_own(url: str, mechanic: Mechanic) -> None:
    """Its state calls the seat `you`, and its first answer is described."""
    seats = seats_of(mechanic)
    options = ("--seats", str(seats), *("--bot", "random") * (seats - 1), "--practice", "yuma")
    match = open_match(url, mechanic.name, *options)
    lines = run("join", match.url, "--name", "Ann", stdin=ANSWERS).lines
    asked = lines.index("> 1")

    assert any("seat 0 (you)" in line for line in lines[:asked]) is (seats > 1)
    assert any(line.startswith(("you choose ", "seat 0 chooses ")) for line in lines[asked:])
    assert any(line.startswith("over: ") for line in lines)
