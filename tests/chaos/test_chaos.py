"""Short runs of the reliability tests; `make chaos` runs them for longer."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from chaos.__main__ import main, postgresql
from chaos.fuzz import fuzz_server
from chaos.kills import SEATS, play_through_kills
from chaos.races import race
from chaos.servers import ServerProcess, run_server, temporary_folder
from oddsmith.registry import mechanic_names


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield folder


def test_acknowledged_choices_survive_every_kill(folder: Path) -> None:
    """A server is killed at random moments under all games: no choice is lost, duplicated or reordered, and no view is wrong."""
    server = ServerProcess(str(folder / "matches.db"), folder / "log")
    try:
        server.start()
        report = play_through_kills(server, kills=4, actions=150, matches_per_game=1, life=0.4)
    finally:
        server.close()

    assert () == report.faults
    assert 4 == report.kills
    assert 150 <= report.acknowledged <= report.frames
    assert {*mechanic_names()} == {*SEATS}


def test_one_of_many_wins_each_race(folder: Path) -> None:
    """Of 64 connections that choose for one seat and version, one is applied; all others are stale or duplicates."""
    with run_server(str(folder / "matches.db"), folder / "log") as server:
        report = race([server.url], server.store, connections=64, rounds=8)

    assert () == report.faults
    assert 8 == report.answers["applied"]
    assert 8 * 64 == sum(report.answers.values())


def test_one_of_many_wins_each_race_across_two_servers(folder: Path) -> None:
    """Half of the connections use another process; both servers share one PostgreSQL database."""
    with ExitStack() as stack:
        store = stack.enter_context(postgresql())
        servers = [stack.enter_context(run_server(store, folder / f"log{number}")) for number in range(2)]
        report = race([server.url for server in servers], store, connections=64, rounds=8)

    assert () == report.faults
    assert (2, 8) == (report.servers, report.answers["applied"])


@pytest.mark.filterwarnings("ignore")  # a dependency of schemathesis warns of its own deprecations
def test_fuzzing_never_breaks_a_server(folder: Path) -> None:
    """Everything is answered or refused as the description says: no status 5xx, no traceback, no growing memory."""
    with run_server(str(folder / "matches.db"), folder / "log") as server:
        report = fuzz_server(server, requests=80, frames=300)

    assert () == report.faults
    assert () == report.misdescribed
    assert report.requests >= 80
    assert report.frames >= 300


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The error names the known parts."""
    with pytest.raises(SystemExit) as end:
        main(["storms"])

    assert 2 == end.value.code
    assert (
        "unknown part 'storms'; known: kills, races, fuzz, stall, outages, clocks, crowd, load"
        in capsys.readouterr().err
    )
