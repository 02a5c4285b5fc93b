"""`oddsmith report` writes one page to the given file, and overwrites nothing."""

import sys
from pathlib import Path

import pytest

from oddsmith.cli.replies import ReportReply
from oddsmith.games.fate import Rules
from tests.cli.running import run


def test_a_report_is_written_to_the_given_file(folder: Path) -> None:
    """The page names the design, and the command prints the path."""
    lines = run("report", "fate", "--out", "page.html").lines
    page = (folder / "page.html").read_text(encoding="utf-8")

    assert ["page.html: open it in a browser, or print it"] == lines
    assert "<h1>fate</h1>" in page


def test_a_report_is_named_after_its_designs(folder: Path) -> None:
    """Without a name it has that of the rules; with --json the reply has it."""
    (folder / "house.toml").write_text('game = "fate"\non_turn = 3\n')
    reply = run("report", "fate", "house.toml", "--json").reply(ReportReply)

    assert ("fate-and-house.html", "fate") == (reply.file, reply.game)
    assert (Rules().rules_id, Rules(on_turn=3).rules_id) == reply.rules_ids
    assert reply.characters == len((folder / reply.file).read_text(encoding="utf-8"))


def test_an_existing_file_is_not_overwritten(folder: Path) -> None:
    """Unless --force is given."""
    (folder / "page.html").write_text("mine")
    refusal = run("report", "fate", "--out", "page.html", "--json").refusal
    kept = (folder / "page.html").read_text()
    lines = run("report", "fate", "--out", "page.html", "--force").lines

    assert ("file_exists", "mine") == (refusal.code, kept)
    assert lines[0].startswith("page.html: ")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("fate", "destiny"), "bad_report"),
        (("fate", "--out", "nowhere/page.html"), "not_written"),
        (("fats",), "no_design"),
    ],
    ids=["two games", "no such folder", "no such design"],
)
def test_an_invalid_report_is_refused(folder: Path, arguments: tuple[str, ...], code: str) -> None:
    """Nothing is written."""
    refusal = run("report", *arguments, "--json").refusal

    assert code == refusal.code
    assert [] == list(folder.glob("*.html"))


@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_a_missing_extra_is_named(folder: Path, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install, before anything is computed."""
    monkeypatch.setitem(sys.modules, missing, None)
    refusal = run("report", "fate", "--json").refusal

    assert "no_report" == refusal.code
    assert "oddsmith[balance]" in refusal.sentence
    assert [] == list(folder.glob("*.html"))
