"""`oddsmith lint` reports problems of a design, and its exit status says whether there are any."""

from pathlib import Path

import pytest

from oddsmith.balance.linting.findings import ChecksReply, known_checks
from oddsmith.balance.linting.lint import LintReply
from oddsmith.wire import from_json
from tests.cli.running import run

HOUSE_RULES = 'game = "fate"\n'
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
    (folder / "house.toml").write_text(HOUSE_RULES, encoding="utf-8")
    (folder / "house.claims.toml").write_text(CLAIMS, encoding="utf-8")


def test_lint_prints_findings_and_suggestions() -> None:
    """Severity, check, key, sentence and suggestion of each, after a line that counts them."""
    result = run("lint", "house.claims.toml", "--fail-on", "never")

    assert result.lines[0].startswith("house.toml  fate, rules ")
    assert ": 1 error, 1 warning" in result.lines[0]
    assert [
        "error claim-wrong claims[0]",
        "  draw.mean(cards 1) is said to be 1.44 (Card values); it is 1.5, exact",
        "  → write 1.5, or change the rules until 1.44 is true: oddsmith tune",
        "warning unreachable page [2]",
        "  a total of 7 cannot be reached, not even with two cards",
        "  → make it reachable, or remove it",
    ] == result.lines[1:7]


@pytest.mark.parametrize(("fail_on", "status"), [("error", 1), ("warning", 1), ("note", 1), ("never", 0)])
def test_lint_fails_from_a_severity_on(fail_on: str, status: int) -> None:
    """An error is at or above every level but never."""
    assert status == run("lint", "house.claims.toml", "--fail-on", fail_on).status


def test_lint_does_not_fail_below_the_level(folder: Path) -> None:
    """A warning is no error."""
    (folder / "house.claims.toml").write_text(CLAIMS.replace("is = 1.44", "is = 1.5"), encoding="utf-8")

    assert (0, 1) == (
        run("lint", "house.claims.toml", "--fail-on", "error").status,
        run("lint", "house.claims.toml").status,
    )


def test_lint_omits_silenced_findings(folder: Path) -> None:
    """They are counted, shown on request, and a silence without a finding is reported."""
    (folder / "house.toml").write_text(SILENT, encoding="utf-8")
    result, more = run("lint", "house.claims.toml"), run("lint", "house.claims.toml", "--silenced")

    assert (0, True) == (result.status, "2 silenced" in result.lines[0])
    assert "unused silence certain: it has no finding; remove it" == result.lines[-1]
    assert "silenced unreachable page [2]: a dream" in more.lines
    assert "  a total of 7 cannot be reached, not even with two cards" in more.lines


def test_lint_prints_one_document() -> None:
    """With `--json` all reports are one document, with exact fractions."""
    result = run("lint", "house.claims.toml", "--json")
    reply = from_json(result.out, LintReply)

    assert (1, "error") == (result.status, reply.worst)
    assert "3/2" == reply.reports[0].findings[0].evidence["true"]


def test_lint_of_several_designs_is_one_page() -> None:
    """Each has a line of its own; claims of `--claims` are compared with the designs of their game."""
    result = run("lint", "fate", "house.toml", "--claims", "house.claims.toml", "--fail-on", "never")
    heads = [line for line in result.lines if ", rules " in line]

    assert ["fate", "house.toml"] == [line.partition("  ")[0] for line in heads]
    assert 2 == result.out.count("error claim-wrong")
    assert 1 == run("lint", "--claims", "house.claims.toml").out.count("error claim-wrong")


def test_lint_lists_its_checks() -> None:
    """Each with its severity, its title and its description; as JSON, too."""
    result, listed = run("lint", "--checks"), run("lint", "--checks", "--json")

    assert all(f"{one.severity} {one.id}: {one.title}" in result.lines for one in known_checks().values())
    assert sorted(known_checks()) == [one.id for one in listed.reply(ChecksReply).checks]


def test_lint_groups_findings_of_one_check_and_key(folder: Path) -> None:
    """Under one heading; an equal suggestion for several of them is printed once."""
    outcome = CLAIMS[CLAIMS.index("[[exhibits]]") :]
    twice = f"{outcome}\n{outcome.replace('total of 7', 'total of 8')}"
    (folder / "house.claims.toml").write_text(
        f'game = "fate"\nrules = "house.toml"\n{twice}', encoding="utf-8"
    )
    result = run("lint", "house.claims.toml", "--only", "unreachable", "--fail-on", "never")

    assert [
        "warning unreachable page [2]",
        "  a total of 7 cannot be reached, not even with two cards",
        "  a total of 8 cannot be reached, not even with two cards",
        "  → make it reachable, or remove it",
    ] == result.lines[1:5]


def test_lint_of_one_check_reports_no_other() -> None:
    """An unknown check is refused."""
    result = run("lint", "house.claims.toml", "--only", "unreachable", "--only", "certain")

    assert (1, 0) == (result.out.count("unreachable page [2]"), result.out.count("claim-wrong"))
    assert "unknown_check" == run("lint", "fate", "--only", "unreached", "--json").refusal.code


def test_lint_counts_what_was_judged_if_nothing_was_found() -> None:
    result = run("lint", "house.toml", "--only", "claim-wrong")

    assert "house.toml  fate, rules " == result.lines[0][:24]
    assert result.lines[0].endswith(" exhibits")


def test_lint_refuses_a_file_that_is_no_design() -> None:
    """With a sentence and exit status 2."""
    assert "no_design" == run("lint", "gone.toml", "--json").refusal.code
    assert 2 == run("lint", "gone.toml").status
