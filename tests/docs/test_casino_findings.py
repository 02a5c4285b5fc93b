"""The pages of findings about Casino have every table, and a few new games agree with them."""

import re

import pytest

from oddsmith.games.casino.model import MoveKind
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.simulation import play_tournament
from tests.docs.scripts import load_script, tables_of_findings

NUMBER = re.compile(r"\+?(−?[\d.]+) ± ([\d.]+)")


FINDINGS = load_script("bench", "casino_findings.py")
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in FINDINGS.PAGES)


def mean_and_error(table: str, row: str, column: str) -> tuple[float, float]:
    """Return a mean and its error from a table of the page."""
    _, _, below = TEXT.partition(f"<!-- findings: {table} -->\n\n")
    lines = [line.strip("| ").split(" | ") for line in below.partition("\n\n<!-- end -->")[0].splitlines()]
    cell = next(line for line in lines if line[0] == row)[lines[0].index(column)]
    found = NUMBER.fullmatch(cell)
    assert found is not None
    return float(found[1].replace("−", "-")), float(found[2])


def test_the_pages_have_exactly_the_generated_tables() -> None:
    places = tables_of_findings(TEXT)

    assert sorted(FINDINGS.TABLES) == sorted(places)


@pytest.mark.parametrize("preset", ["default", "traditional"])
def test_search_beats_greedy_as_written(preset: str) -> None:
    """At least three games of five, even at the lower end of the interval."""
    won, error = mean_and_error("cross", f"{preset}: search against greedy", "won %")

    assert won - error >= 60


def test_greedy_games_are_as_written() -> None:
    """Sixteen other games have about as many trails and builds as the page."""
    rules = Rules.preset("traditional")
    report = play_tournament(["greedy", "greedy"], 16, rules, "others")
    for kind, column in ((MoveKind.TRAIL, "trails"), (MoveKind.BUILD, "builds")):
        mean, error = mean_and_error("greedy-switches", "traditional", column)
        played = report.moves(kind)
        assert abs(played.mean - mean) < 2 * (played.error + error)


def test_greedy_beats_random_as_written() -> None:
    """Twenty other games agree within both errors."""
    mean, error = mean_and_error("cross", "default: greedy against random", "lead")
    lead = play_tournament(["greedy", "random"], 20, DEFAULT, "others").entrant(0).lead

    assert abs(lead.mean - mean) < 2 * (lead.error + error)
