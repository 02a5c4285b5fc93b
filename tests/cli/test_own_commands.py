"""Commands that a mechanic adds to those of its questions, and fields that are read from files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from oddsmith.cli import _command
from oddsmith.registry import VARIABLE, add_sources
from tests.cli.running import run


@pytest.fixture(autouse=True)
def letters(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the mechanic of letters beside the installed ones."""
    monkeypatch.setenv(VARIABLE, "")
    add_sources(["tests.cli.letters:MECHANIC"])
    yield
    _command.cache_clear()


def test_own_commands_are_listed_before_the_questions_and_own_groups_after_them() -> None:
    lines = run("letters").lines

    assert [line.split()[0] for line in lines[lines.index("Commands:") + 1 :]] == [
        "write",
        "read",
        "copy",
        "odds",
        "box",
    ]


def test_an_own_command_prints_lines_or_json() -> None:
    assert run("letters", "write").out == "dear\n"
    assert run("letters", "write", "--json").out == '{"read":"dear"}\n'


def test_an_unknown_command_is_refused() -> None:
    assert run("letters", "burn", "--json").refusal.code == "usage"


def test_a_field_gets_the_text_of_the_file_that_its_option_names(folder: Path) -> None:
    (folder / "a.txt").write_text("hello", encoding="utf-8")
    (folder / "own.txt").write_text("mine", encoding="utf-8")

    assert run("letters", "read", "--letter", "a.txt", "--json").out == '{"read":"hello"}\n'
    assert run("letters", "read", "--mine", "--json").out == '{"read":"mine"}\n'
    assert run("letters", "read", "--sent", "word", "--json").out == '{"read":"word"}\n'


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("two_files", ("--letter", "no.txt", "--mine")),
        ("two_letters", ("--letter", "no.txt", "--sent", "word")),
        ("two_letters", ("--mine", "--set", "rounds=7")),
    ],
)
def test_options_that_contradict_a_file_are_refused_before_it_is_read(
    code: str, arguments: tuple[str, ...]
) -> None:
    assert run("letters", "read", *arguments, "--json").refusal.code == code


def test_without_a_terminal_the_column_of_a_text_is_not_marked() -> None:
    assert run("letters", "read", "--sent", "how?").err == "error: no questions\n"


def test_out_writes_a_field_of_the_reply_to_a_new_file(folder: Path) -> None:
    assert run("letters", "copy").out == "dear\n"
    assert run("letters", "copy", "--out", "a.txt").out == "a.txt has it\n"
    assert (folder / "a.txt").read_text(encoding="utf-8") == "dear"
    assert run("letters", "copy", "--out", "b.txt", "--json").out == '{"read":"dear"}\n'
    assert (folder / "b.txt").read_text(encoding="utf-8") == "dear"


@pytest.mark.parametrize(
    ("file", "code", "sentence"),
    [
        ("a.txt", "file_exists", "'a.txt' exists already: choose another name"),
        ("no/a.txt", "not_written", "no copy can be written to 'no/a.txt': no such file or directory"),
    ],
)
def test_a_file_that_cannot_be_made_is_refused(folder: Path, file: str, code: str, sentence: str) -> None:
    (folder / "a.txt").write_text("mine", encoding="utf-8")
    refusal = run("letters", "copy", "--out", file, "--json").refusal

    assert (refusal.code, refusal.sentence) == (code, sentence)
    assert (folder / "a.txt").read_text(encoding="utf-8") == "mine"


def test_a_command_that_sets_the_rules_has_no_options_for_them() -> None:
    help_text = run("letters", "copy", "--help").out

    assert "--rules" not in help_text
    assert "--set" not in help_text
    assert run("letters", "copy", "--rules", "default", "--json").refusal.code == "usage"


def test_notes_are_shown_in_a_terminal_alone() -> None:
    assert run("letters", "copy").err == ""
