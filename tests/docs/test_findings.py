"""The findings about the duel: a few of their numbers are computed again."""

import re

import pytest

from oddsmith.games.duel.odds import solve
from tests.docs.scripts import load_script, tables_of_findings

FINDINGS = load_script("bench", "findings.py")
TEXT: str = FINDINGS.PAGE.read_text(encoding="utf-8")


def cell_of(name: str, row: str, column: str) -> str:
    """Return a cell of a table of the page."""
    found = re.search(rf"^<!-- findings: {name} -->\n(.*?)^<!-- end -->$", TEXT, re.DOTALL | re.MULTILINE)
    assert found is not None, name
    lines = [line.strip("| ").split(" | ") for line in found[1].splitlines() if line.startswith("|")]
    return next(line for line in lines if line[0] == row)[lines[0].index(column)]


@pytest.mark.parametrize(
    ("player", "difficulty", "written"), [("best_trade", 7, "22.04"), ("all_attack", 10, "0.76")]
)
def test_a_bare_fighter_wins_as_often_as_is_written(player: str, difficulty: int, written: str) -> None:
    """Chances of simple policies are computed again and are in the table."""
    found = FINDINGS.policy_summary(player, FINDINGS.duel(FINDINGS.BARE, difficulty)).win

    assert written == FINDINGS.share(found) == cell_of("wins", str(difficulty), player)


def test_all_defense_wins_without_a_timeout() -> None:
    """With the source's gear at difficulty 10 all defence wins 99.67 % by knock-out."""
    found = FINDINGS.policy_summary("all_defense", FINDINGS.duel(FINDINGS.SOURCE, 10))

    assert ["99.67", "<0.01"] == [FINDINGS.share(found.win), FINDINGS.share(found.timeout)]
    assert ["99.67", "<0.01"] == [cell_of("clock", "10", column) for column in ("wins", "on the clock")]


def test_a_solved_value_is_as_written() -> None:
    """Against a hidden opponent the chance is 1.27 % at difficulty 10."""
    solved = solve(FINDINGS.duel(FINDINGS.BARE, 10, opponent_visible=False))

    assert "1.27" == FINDINGS.share(solved.value()) == cell_of("seen", "10", "perfect, hidden")
    assert abs(solved.value() - 0.0126721464635) <= solved.error + 1e-13


def test_the_page_has_exactly_the_generated_tables() -> None:
    assert set(FINDINGS.TABLES) == set(tables_of_findings(TEXT))
