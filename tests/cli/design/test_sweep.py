"""`oddsmith sweep` writes a table, summarises it, and resumes an interrupted run."""

from pathlib import Path

import pytest

from oddsmith.balance.sweeping import SweepPlan, SweepResult, read_sweep
from oddsmith.balance.sweeping.rows import read_rows
from oddsmith.cli.design import sweep as command
from oddsmith.rules import write_toml
from tests.balance.sweeping.sweeps import DRAWS, HEIST
from tests.cli.running import interrupt, run, terminal

EXAMPLES = Path(__file__).parents[3] / "examples" / "sweeps"
SLOW = HEIST | {"vary": [{"key": "figures.war.defense_bonus", "from": 1, "to": 10_000}]}


@pytest.fixture
def draws(folder: Path) -> Path:
    """Put a sweep of draws into the folder."""
    place = folder / "draws.toml"
    place.write_text(write_toml(DRAWS), encoding="utf-8")
    return place


def test_a_sweep_writes_a_table_and_prints_the_range_of_each_figure(draws: Path) -> None:
    """The first line names the table, its rows and its rules; then comes one line for each figure."""
    lines = run("sweep", draws.name, "--out", "draws.csv", "--workers", "1").lines

    assert lines[0].startswith("draws.csv  20 rows of fate, rules ")
    assert ["mean", "1.5", "(row", "0)", "to", "7.5", "(row", "8)"] == lines[1].split()
    assert "met" == lines[2].split()[0]
    assert 21 == len((draws.parent / "draws.csv").read_text(encoding="utf-8").splitlines())


def test_json_has_the_summary(draws: Path) -> None:
    """With the fingerprint of the sweep, and the names of all columns."""
    swept = run("sweep", draws.name, "--out", "draws.csv", "--json").reply(SweepResult)

    assert ("draws.csv", "fate", 20, 0, 0) == (swept.out, swept.game, swept.rows, swept.kept, swept.refused)
    assert read_sweep(str(draws)).fingerprint == swept.fingerprint
    assert "met.exact" in swept.columns


def test_a_dry_run_prints_the_number_of_rows_and_their_duration(draws: Path) -> None:
    """And writes nothing."""
    lines = run("sweep", draws.name, "--dry-run").lines
    planned = run("sweep", draws.name, "--dry-run", "--limit", "7", "--json").reply(SweepPlan)
    short = run("sweep", draws.name, "--dry-run", "--limit", "4").lines

    assert lines[0].startswith("20 rows of fate, rules ")
    assert "in 5 chunks of up to 4 rows: an interrupted run keeps the finished ones" == lines[1]
    assert lines[2].startswith(
        "columns: row, on_turn, figures.*.cards, figures.met.target, mean, mean.exact,"
    )
    assert "about less than a second in one process" == lines[3]
    assert 7 == planned.rows
    assert [lines[2], lines[3]] == short[1:]
    assert [draws] == list(draws.parent.iterdir())


def test_rows_that_are_refused_are_counted(folder: Path) -> None:
    """The table has the reasons, the summary the count; a figure that was always refused has no range."""
    given = DRAWS | {"vary": [{"key": "figures.mean.cards", "values": [1, 9]}]}
    (folder / "draws.toml").write_text(write_toml(given), encoding="utf-8")
    lines = run("sweep", "draws.toml", "--out", "draws.csv").lines

    assert "1 row is refused: the column `refused` says why" == lines[-1]


def test_a_text_figure_has_no_range(folder: Path) -> None:
    hand = ["4♠", "5♥", "6♣", "7♦", "8♠"]
    given = {
        "game": "destiny",
        "figures": {"called": {"figure": "hand.rank", "hand": hand}},
        "vary": [{"key": "figures.called.hand[4]", "values": ["8♠", "9♠"]}],
    }
    (folder / "hands.toml").write_text(write_toml(given), encoding="utf-8")
    lines = run("sweep", "hands.toml", "--out", "hands.csv").lines

    assert 1 == len(lines)
    assert "1,9♠,high_card,,0.0,exact," == (folder / "hands.csv").read_text("utf-8").splitlines()[2]


def test_ctrl_c_keeps_the_finished_rows_and_prints_how_to_resume(folder: Path) -> None:
    """A bar shows how many rows are done and how fast; the next run continues after them."""
    (folder / "wars.toml").write_text(write_toml(SLOW), encoding="utf-8")
    arguments = ("sweep", "wars.toml", "--out", "wars.csv", "--workers", "1")
    with terminal(*arguments, folder=folder) as child:
        child.expect("of 10,000 rows")
        child.expect("rows/s")
        status, shown = interrupt(child)
    kept = len(list((folder / "wars.csv.parts").glob("chunk-*.json")))

    assert 130 == status
    assert "of 10,000 rows are stored in wars.csv.parts; run the same command again to resume" in shown
    assert kept >= 1


def test_ctrl_c_ends_the_worker_processes_too(folder: Path) -> None:
    """While they load, and without a traceback of theirs."""
    (folder / "wars.toml").write_text(write_toml(SLOW), encoding="utf-8")
    with terminal("sweep", "wars.toml", "--out", "wars.csv", "--workers", "2", folder=folder) as child:
        child.expect("of 10,000 rows")
        status, shown = interrupt(child)

    assert 130 == status
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("usage", ("draws.toml", "--out", "draws.csv", "--dask", "tcp://10.0.0.5:8786", "--workers", "2")),
        ("no_table", ("draws.toml",)),
        ("no_sweep", ("missing.toml", "--out", "draws.csv")),
        ("unknown_table", ("draws.toml", "--out", "draws.txt")),
        ("not_written", ("draws.toml", "--out", "no/draws.csv")),
        ("table_exists", ("draws.toml", "--out", "draws.toml.csv")),
        ("no_cluster", ("draws.toml", "--out", "draws.csv", "--dask", "nonsense")),
        ("usage", ("draws.toml", "--out", "draws.csv", "--workers", "0")),
    ],
)
def test_an_invalid_sweep_is_refused(code: str, arguments: tuple[str, ...], draws: Path) -> None:
    """In one sentence, with nothing written and nothing overwritten."""
    there = draws.parent / "draws.toml.csv"
    there.write_text("mine")
    refusal = run("sweep", *arguments, "--json").refusal

    assert code == refusal.code
    assert [draws, there] == sorted(draws.parent.iterdir())
    assert "mine" == there.read_text()


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "less than a second"), (90, "90 s"), (600, "10 min"), (90_000, "25 h")]
)
def test_a_duration_is_formatted_in_its_best_unit(seconds: float, text: str) -> None:
    """Seconds, minutes or hours."""
    assert text == command._duration(seconds)


@pytest.mark.parametrize("example", ["contests", "heist", "dice", "fate"])
def test_the_example_sweeps_can_be_read(example: str) -> None:
    """The first and the last row of each have an answer for every figure."""
    sweep = read_sweep(str(EXAMPLES / f"{example}.toml"))
    rows = read_rows(sweep, (0, sweep.rows - 1))

    assert [None, None] == [row.refused for row in rows]
    assert [len(sweep.figures)] * 2 == [len(row.cells) for row in rows]


@pytest.mark.parametrize(("example", "rows"), [("casino", 4), ("duel", 200)])
def test_the_slow_example_sweeps_can_be_read(example: str, rows: int) -> None:
    """With their rules, their figures and their axes."""
    assert rows == read_sweep(str(EXAMPLES / f"{example}.toml")).rows
