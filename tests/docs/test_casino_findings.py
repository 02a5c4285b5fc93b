"""The findings about Casino are what was measured: the pages have every table, and a few games played anew agree."""

import re

import pytest

from oddsmith.games.casino.model import MoveKind
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.simulation import play_tournament
from tests.docs.scripts import load_script, places_of_findings

NUMBER = re.compile(r"\+?(−?[\d.]+) ± ([\d.]+)")


FINDINGS = load_script("bench", "casino_findings.py")
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in FINDINGS.PAGES)


def written(table: str, row: str, column: str) -> tuple[float, float]:
    """Return a mean and its error as they stand in a table."""
    _, _, below = TEXT.partition(f"<!-- findings: {table} -->\n\n")
    lines = [line.strip("| ").split(" | ") for line in below.partition("\n\n<!-- end -->")[0].splitlines()]
    cell = next(line for line in lines if line[0] == row)[lines[0].index(column)]
    found = NUMBER.fullmatch(cell)
    assert found is not None
    return float(found[1].replace("−", "-")), float(found[2])


def test_every_place_of_the_pages_can_be_filled() -> None:
    """The pages have a place for each table, and no other."""
    places = places_of_findings(TEXT)

    assert sorted(FINDINGS.TABLES) == sorted(places)


@pytest.mark.parametrize("preset", ["default", "traditional"])
def test_search_beats_greedy_as_written(preset: str) -> None:
    """At least three games of five, even at the lower end of the interval."""
    won, error = written("cross", f"{preset}: search against greedy", "won %")

    assert won - error >= 60


def test_greedy_games_are_as_written() -> None:
    """Sixteen other games have about as many trails and builds as the page says."""
    rules = Rules.preset("traditional")
    report = play_tournament(["greedy", "greedy"], 16, rules, "others")
    for kind, column in ((MoveKind.TRAIL, "trails"), (MoveKind.BUILD, "builds")):
        mean, error = written("greedy-switches", "traditional", column)
        played = report.moves(kind)
        assert abs(played.mean - mean) < 2 * (played.error + error)


def test_greedy_beats_random_as_written() -> None:
    """So do twenty other games, within both errors."""
    mean, error = written("cross", "default: greedy against random", "lead")
    lead = play_tournament(["greedy", "random"], 20, DEFAULT, "others").entrant(0).lead

    assert abs(lead.mean - mean) < 2 * (lead.error + error)
