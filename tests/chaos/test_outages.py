"""Outages, jumps of wall time, crowds and mixed load in short; `make chaos` runs them at full size.

A PostgreSQL that hangs is in `tests/server/test_store_outages.py`.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chaos.__main__ import postgresql_server
from chaos.clock_jumps import jump_clocks, run_shifted_server
from chaos.crowds import crowd, mixed_load
from chaos.outages import damage_rows, fill_store, remove_store, restart_postgres
from chaos.servers import ServerProcess, run_server, temporary_folder


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield folder


@pytest.fixture
def server(folder: Path) -> Iterator[ServerProcess]:
    with run_server(str(folder / "matches.db"), folder / "log") as server:
        yield server


def test_a_full_store_refuses_and_recovers(server: ServerProcess) -> None:
    """Choices are refused with 503 and `retry-after` while files cannot grow; none that was acknowledged is lost."""
    report = fill_store(server)

    assert () == report.faults
    assert 0 == report.acknowledged_during


def test_nothing_is_acknowledged_without_the_files_of_a_store(server: ServerProcess) -> None:
    """A choice is refused with 503, also when it is repeated, and so is the list."""
    report = remove_store(server)

    assert () == report.faults
    assert 0 == report.acknowledged_during


def test_damaged_rows_stop_neither_clocks_nor_lists(server: ServerProcess) -> None:
    assert () == damage_rows(server, matches=110).faults


def test_a_postgresql_that_is_restarted_is_used_again(folder: Path) -> None:
    with postgresql_server() as database, run_server(database.url(), folder / "log") as server:
        report = restart_postgres(server, database.stop, database.start)

    assert () == report.faults
    assert 0 == report.acknowledged_during


def test_jumps_of_wall_time_end_no_match_and_stop_no_clock(folder: Path) -> None:
    """A day forward, two days back, and 31 days forward at a restart: matches with clocks of an hour stay as they are."""
    with run_shifted_server(str(folder / "matches.db"), folder) as server:
        report = jump_clocks(server, matches=20, seconds=1.5)

    assert () == report.faults
    assert [0, 0, 0] == [*report.changed.values()]


def test_every_socket_of_a_crowd_gets_a_move(server: ServerProcess) -> None:
    report = crowd(server, matches=100, sockets=100)

    assert () == report.faults
    assert (100, 100) == (report.matches, report.sockets)


def test_mixed_load_leaves_nothing_open(server: ServerProcess) -> None:
    """Matches, sockets, lists and questions at once: no status 5xx, and no descriptor that stays open."""
    report = mixed_load(server, seconds=2)

    assert () == report.faults
    assert 4 == len(report.memory)
