"""Results as JSON files, and their change since the last run on the same machine."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from bench.machine import Machine, Setting, processor_model
from bench.results import Results, change, changes, earlier_rows, read_results, write_results
from bench.rows import Row, Unit, against_floor, against_peer, without_bound

MACHINE = Machine(processor="AMD EPYC", cores=2, system="Linux x86_64")
OTHER = Machine(processor="AMD EPYC", cores=8, system="Linux x86_64")


def results(*rows: Row, minute: int = 0, machine: Machine = MACHINE, area: str = "dice") -> Results:
    """Return results of one area."""
    setting = Setting(
        machine=machine, python="CPython 3.13.1", load=0.1, commit="abc", versions={"dyce": None}
    )
    return Results(at=datetime(2026, 1, 1, 0, minute, tzinfo=UTC), setting=setting, areas={area: [*rows]})


def slow(seconds: float, floor: float = 1.0) -> Row:
    """Return a row of some seconds against a floor."""
    return against_floor("steps", seconds, ("a loop", floor), most=10, reason="why")


def test_results_are_the_same_after_a_file(tmp_path: Path) -> None:
    measured = results(slow(2), without_bound("findings", 3, reason="no peer"))
    write_results(measured, tmp_path / "new" / "one.json")

    assert read_results(tmp_path / "new" / "one.json") == measured


def test_a_cost_that_doubles_is_a_change_of_100_percent() -> None:
    assert change(slow(4), slow(2)) == pytest.approx(1.0)


def test_a_slower_machine_changes_no_ratio() -> None:
    assert change(slow(4, floor=2), slow(2, floor=1)) == pytest.approx(0)


def test_a_row_without_a_bound_is_compared_by_its_cost() -> None:
    now, before = (without_bound("a", rate, reason="", unit=Unit.PER_SECOND) for rate in (50, 100))

    assert change(now, before) == pytest.approx(1.0)


def test_half_as_fast_as_before_next_to_a_peer_is_a_change_of_100_percent() -> None:
    now, before = (against_peer("a", ours, ("b", 8), least=1, reason="") for ours in (2, 1))

    assert change(now, before) == pytest.approx(1.0)


def test_rows_against_another_floor_are_not_compared() -> None:
    other = against_floor("steps", 2, ("a sort", 1), most=10, reason="why")

    assert change(slow(2), other) is None


def test_the_last_results_of_the_same_machine_are_compared(tmp_path: Path) -> None:
    for name, one in {
        "c": results(slow(1), minute=1),
        "b": results(slow(2), minute=2),
        "a": results(slow(9), minute=3, machine=OTHER),
        "d": results(slow(7), minute=4, area="fate"),
    }.items():
        write_results(one, tmp_path / f"{name}.json")
    earlier = earlier_rows(tmp_path.glob("*.json"), MACHINE)

    assert changes({"dice": [slow(3)]}, earlier) == {("dice", "steps"): pytest.approx(0.5)}


def test_a_file_in_another_format_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text('{"rows": []}')
    (tmp_path / "broken.json").write_text("{")

    assert earlier_rows(tmp_path.glob("*.json"), MACHINE) == {}


def test_missed_rows_are_those_whose_bounds_do_not_hold() -> None:
    missed = against_floor("missed", 20, ("a loop", 1), most=10, reason="why")

    assert results(slow(2), missed).missed == [missed]


def test_the_processor_is_read_from_linux(tmp_path: Path) -> None:
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nmodel name\t: AMD EPYC 9654\n")

    assert processor_model(tmp_path / "cpuinfo") == "AMD EPYC 9654"
