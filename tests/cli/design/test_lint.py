"""`oddsmith lint` says what is wrong with a design, and its exit status says whether anything is."""

from pathlib import Path

import pytest

from oddsmith.balance.linting.findings import ChecksReply, known_checks
from oddsmith.balance.linting.lint import LintReply
from oddsmith.wire import from_json
from tests.cli.running import run

HOUSE = 'game = "fate"\n'
CLAIMS = """game = "fate"
rules = "house.toml"

[[claims]]
figure = "draw.mean"
cards = 1
is = 1.44
quoted = "Card values"

[[exhibits]]
exhibit = "outcome"
about = "a total of 7"
where = "page [2]"
least = 0
most = 0
least_for = "one card"
most_for = "two cards"
"""
SILENT = """game = "fate"
[silence]
claim-wrong = "the document is wrong, and everybody knows"
"unreachable:page *" = "a dream"
certain = "nothing is"
"""


@pytest.fixture(autouse=True)
def claims(folder: Path) -> None:
    (folder / "house.toml").write_text(HOUSE, encoding="utf-8")
    (folder / "house.claims.toml").write_text(CLAIMS, encoding="utf-8")


def test_lint_prints_findings_and_what_would_be_right() -> None:
    """Severity, check, key, sentence and suggestion of each, after a line that counts them."""
    said = run("lint", "house.claims.toml", "--fail-on", "never")

    assert said.lines[0].startswith("house.toml  fate, rules ")
    assert ": 1 error, 1 warning" in said.lines[0]
    assert [
        "error claim-wrong claims[0]",
        "  draw.mean(cards 1) is said to be 1.44 (Card values); it is 1.5, exact",
        "  → write 1.5, or change the rules until 1.44 is true: oddsmith tune",
        "warning unreachable page [2]",
        "  a total of 7 cannot be reached, not even with two cards",
        "  → make it reachable, or remove it",
    ] == said.lines[1:7]


@pytest.mark.parametrize(("fail_on", "status"), [("error", 1), ("warning", 1), ("note", 1), ("never", 0)])
def test_lint_fails_from_a_severity_on(fail_on: str, status: int) -> None:
    """An error is at or above every level but never."""
    assert status == run("lint", "house.claims.toml", "--fail-on", fail_on).status


def test_lint_fails_on_nothing_below_the_level(folder: Path) -> None:
    """A warning is no error."""
    (folder / "house.claims.toml").write_text(CLAIMS.replace("is = 1.44", "is = 1.5"), encoding="utf-8")

    assert (0, 1) == (
        run("lint", "house.claims.toml", "--fail-on", "error").status,
        run("lint", "house.claims.toml").status,
    )


def test_lint_is_silent_where_the_rules_say_why(folder: Path) -> None:
    """What is silenced is counted, shown when asked, and a silence that silences nothing is told."""
    (folder / "house.toml").write_text(SILENT, encoding="utf-8")
    said, more = run("lint", "house.claims.toml"), run("lint", "house.claims.toml", "--silenced")

    assert (0, True) == (said.status, "2 silenced" in said.lines[0])
    assert "unused silence certain: it has no finding; remove it" == said.lines[-1]
    assert "silenced unreachable page [2]: a dream" in more.lines
    assert "  a total of 7 cannot be reached, not even with two cards" in more.lines


def test_lint_prints_one_document() -> None:
    """With `--json` all reports are one document, with exact fractions."""
    said = run("lint", "house.claims.toml", "--json")
    reply = from_json(said.out, LintReply)

    assert (1, "error") == (said.status, reply.worst)
    assert "3/2" == reply.reports[0].findings[0].evidence["true"]


def test_lint_of_several_designs_is_one_page() -> None:
    """Each has a line of its own; claims of `--claims` are held against those of their game."""
    said = run("lint", "fate", "house.toml", "--claims", "house.claims.toml", "--fail-on", "never")
    heads = [line for line in said.lines if ", rules " in line]

    assert ["fate", "house.toml"] == [line.partition("  ")[0] for line in heads]
    assert 2 == said.out.count("error claim-wrong")
    assert 1 == run("lint", "--claims", "house.claims.toml").out.count("error claim-wrong")


def test_lint_lists_its_checks() -> None:
    """Each with its severity, its title and what it does; as JSON, too."""
    said, listed = run("lint", "--checks"), run("lint", "--checks", "--json")

    assert all(f"{one.severity} {one.id}: {one.title}" in said.lines for one in known_checks().values())
    assert sorted(known_checks()) == [one.id for one in listed.reply(ChecksReply).checks]


def test_lint_writes_findings_of_one_check_and_key_together(folder: Path) -> None:
    """Their heading stands once, and a suggestion that is the same for several of them, too."""
    outcome = CLAIMS[CLAIMS.index("[[exhibits]]") :]
    twice = f"{outcome}\n{outcome.replace('total of 7', 'total of 8')}"
    (folder / "house.claims.toml").write_text(
        f'game = "fate"\nrules = "house.toml"\n{twice}', encoding="utf-8"
    )
    said = run("lint", "house.claims.toml", "--only", "unreachable", "--fail-on", "never")

    assert [
        "warning unreachable page [2]",
        "  a total of 7 cannot be reached, not even with two cards",
        "  a total of 8 cannot be reached, not even with two cards",
        "  → make it reachable, or remove it",
    ] == said.lines[1:5]


def test_lint_of_one_check_says_nothing_of_others() -> None:
    """And a check that is not there is refused."""
    said = run("lint", "house.claims.toml", "--only", "unreachable", "--only", "certain")

    assert (1, 0) == (said.out.count("unreachable page [2]"), said.out.count("claim-wrong"))
    assert "unknown_check" == run("lint", "fate", "--only", "unreached", "--json").refusal.code


def test_lint_says_how_much_was_judged_where_nothing_was_found() -> None:
    """Silence is not idleness."""
    said = run("lint", "house.toml", "--only", "claim-wrong")

    assert "house.toml  fate, rules " == said.lines[0][:24]
    assert said.lines[0].endswith(" exhibits")


def test_lint_refuses_what_is_no_design() -> None:
    """With a sentence and exit status 2."""
    assert "no_design" == run("lint", "gone.toml", "--json").refusal.code
    assert 2 == run("lint", "gone.toml").status
