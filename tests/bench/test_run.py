"""The command that runs benchmarks: its areas, its exit status and its files; the rows are given, nothing is timed."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from bench.rows import Row, against_floor, without_bound
from bench.run import ALL, Measure, main, measure_area


def held() -> Iterator[Row]:
    yield against_floor("steps", 2, ("a loop", 1), most=3, reason="a step is two loops")


def missed() -> Iterator[Row]:
    yield against_floor("sorts", 4, ("a loop", 1), most=3, reason="why")


def unbounded() -> Iterator[Row]:
    yield without_bound("findings", 4, reason="no peer")


AREAS: Mapping[str, Measure] = {"dice": held, "fate": missed, "duel": unbounded}


def test_held_bounds_exit_with_0(tmp_path: Path) -> None:
    assert main(["dice", "duel"], AREAS, tmp_path) == 0


def test_a_missed_bound_exits_with_1_and_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], AREAS, tmp_path) == 1
    assert "missed: sorts" in capsys.readouterr().err


def test_the_table_is_grouped_by_area(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([], AREAS, tmp_path)
    lines = capsys.readouterr().out.splitlines()

    assert [line for line in lines if line in AREAS] == ["dice", "fate", "duel"]
    assert "  steps       2.00 s  a loop     1.00 s  2.00 ×  ≤ 3.00 ×          held" in lines
    assert "  findings    4.00 s                             no bound" in lines


def test_only_the_named_areas_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["dice", "--json"], AREAS, tmp_path)
    printed = json.loads(capsys.readouterr().out)

    assert list(printed["areas"]) == ["dice"]
    assert printed["areas"]["dice"][0]["ratio"] == 2.0


def test_an_unknown_area_exits_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["chess"], AREAS, tmp_path)

    assert ended.value.code == 2
    assert "unknown area: chess; there are dice, fate, duel" in capsys.readouterr().err


def test_the_second_run_is_compared_with_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["dice"], AREAS, tmp_path)
    capsys.readouterr()
    faster = against_floor("steps", 1, ("a loop", 1), most=3, reason="")
    main(["dice"], {"dice": lambda: [faster]}, tmp_path)

    assert "-50 %" in capsys.readouterr().out


def test_out_names_the_file(tmp_path: Path) -> None:
    main(["dice", "--out", str(tmp_path / "mine.json")], AREAS, tmp_path / "results")

    assert json.loads((tmp_path / "mine.json").read_bytes())["areas"]["dice"][0]["held"] is True
    assert not (tmp_path / "results").exists()


def test_reasons_are_printed_below_their_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["dice", "--reasons"], AREAS, tmp_path)

    assert "    a step is two loops" in capsys.readouterr().out.splitlines()


def test_two_rows_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="the same name: steps"):
        measure_area("dice", lambda: [*held(), *held()])


def test_help_has_an_example_and_all_areas(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    printed = capsys.readouterr().out

    assert ended.value.code == 0
    assert "python -m bench.run destiny duel" in printed
    assert all(area in printed for area in ALL)
