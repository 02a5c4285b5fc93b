"""`oddsmith new mechanic` writes a game that keeps every law, is played to its end, is typed and formatted, and passes its test."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from oddsmith.cli.replies import NewMechanicReply, ReplayReply
from oddsmith.laws import LAWS
from oddsmith.starters import KINDS, LONGEST_NAME
from tests.cli.running import run

ROOT: Final = Path(__file__).parents[3]
NPX: Final = (sys.executable, str(ROOT / "hatch_build.py"), "npm", "exec", "--silent", "--")
"""Runs a program of `web/package-lock.json`, in `web/`."""
LONG_NAME: Final = "abcdefghijklmnopqrstuvwx"
FIRST_ANSWERS: Final = "1\n" * 500
TOOLS: Final = (
    ("ruff", "format", "--isolated", "--line-length", "110", "--check", "."),
    ("ruff", "check", "--isolated", "--line-length", "110", "--select", "E,F,I", "."),
    ("pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", "-k", "not law", "."),
)
"""The laws of the same games are checked by the other tests."""


@pytest.mark.usefixtures("folder", "sampled")
@pytest.mark.parametrize("kind", KINDS)
def test_a_new_mechanic_keeps_every_law_and_is_played_to_its_end(kind: str) -> None:
    """Its rules are read from its file, its record replays, and a server has it."""
    name = f"own_{kind}"
    reply = run("new", "mechanic", name, "--kind", kind, "--json").reply(NewMechanicReply)
    laws = run("laws", f"{name}.py", "--playouts", "1").lines
    played = run(
        "play", f"{name}.py", "--rules", f"{name}.toml", "--seed", "yuma", "--record", "game.toml",
        stdin=FIRST_ANSWERS,
    )  # fmt: skip
    replayed = run("replay", "game.toml", f"{name}.py", "--json").reply(ReplayReply)
    listed = run("serve", f"{name}.py", "--openapi").out

    assert (f"{name}.py", f"test_{name}.py", f"{name}.toml") == reply.files
    assert [*LAWS] == [line.split()[1] for line in laws if line.startswith("✓")]
    assert any(line.startswith("over: ") for line in played.lines)
    assert (name, True, True) == (replayed.game, replayed.verified, replayed.ply == replayed.plies)
    assert f'"{name}"' in listed


def test_new_mechanics_are_typed_and_formatted_and_pass_their_tests(folder: Path) -> None:
    """With the longest name, too; by the tools as they are without settings but the width of a line."""
    for kind in KINDS:
        run("new", "mechanic", f"own_{kind}", "--kind", kind)
        run("new", "mechanic", f"{LONG_NAME[:-1]}{kind[0]}", "--kind", kind)
    for tool in TOOLS:
        done = subprocess.run(
            [sys.executable, "-m", *tool], cwd=folder, capture_output=True, text=True, check=False
        )

        assert 0 == done.returncode, done.stdout

    assert len(LONG_NAME) == LONGEST_NAME


def test_new_mechanics_are_typed(folder: Path) -> None:
    """By mypy with all checks; with a cache it takes 3 seconds, without one 20."""
    for kind in KINDS:
        run("new", "mechanic", f"own_{kind}", "--kind", kind)
    types = ("mypy", "--strict", "--config-file", "", "--cache-dir", str(ROOT / ".mypy_cache" / "new"), ".")
    done = subprocess.run(
        [sys.executable, "-m", *types], cwd=folder, capture_output=True, text=True, check=False
    )

    assert "Success: no issues found in 8 source files\n" == done.stdout


def test_new_mechanics_and_the_examples_are_typed_for_pyright(folder: Path) -> None:
    """By pyright as it is, as editors run it."""
    for kind in KINDS:
        run("new", "mechanic", f"own_{kind}", "--kind", kind)
    folders = [str(one) for one in (folder, ROOT / "examples" / "mechanics", ROOT / "examples" / "package")]
    settings = {"include": folders, "extraPaths": folders}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    done = subprocess.run(
        [*NPX, "pyright", "--project", str(folder), "--pythonpath", sys.executable],
        capture_output=True,
        text=True,
        check=False,
    )

    assert "0 errors, 0 warnings, 0 informations" == done.stdout.splitlines()[-1], done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("Bad-name",), "'Bad-name' is no name of a mechanic: write lower-case letters and digits, and "),
        (("a_b",), "'a_b' is no name of a mechanic: "),
        (("x" * 25,), "at most 24 characters"),
        (("random",), "'random' is a module of Python: choose another name"),
        (("class",), "'class' is a word of Python: choose another name"),
        (("oddsmith",), "'oddsmith' is a module of Python: choose another name"),
        (("play",), "'play' is a command of oddsmith: choose another name"),
        (("dice",), "there is a mechanic 'dice' already: choose another name"),
        (("card", "--kind", "cards"), "'card' would be the class Card, which the file uses for something else"),
        (("mine", "--kind", "crads"), "unknown kind 'crads' — did you mean 'cards'? Known: dice, cards, hidden"),
        (("mine", "--folder", "none"), "'none/mine.py' cannot be written: there is no folder 'none'"),
    ],
)  # fmt: skip
def test_a_wrong_name_or_kind_is_refused_before_anything_is_written(
    words: tuple[str, ...], sentence: str, folder: Path
) -> None:
    result = run("new", "mechanic", *words)

    assert 2 == result.status
    assert sentence in result.err
    assert [] == [*folder.iterdir()]


@pytest.mark.parametrize("file", ["mine.py", "test_mine.py", "mine.toml"])
def test_no_file_is_overwritten(file: str, folder: Path) -> None:
    """Where one of the three is there, none is written."""
    (folder / file).write_text("kept", encoding="utf-8")
    result = run("new", "mechanic", "mine")

    assert f"error: '{file}' exists already: choose another name, or another --folder\n" == result.err
    assert [file] == [path.name for path in folder.iterdir()]
    assert "kept" == (folder / file).read_text(encoding="utf-8")


def test_the_next_commands_are_printed(folder: Path) -> None:
    """They can be pasted into a shell, in another folder, too."""
    (folder / "my games").mkdir()
    lines = run("new", "mechanic", "mine", "--folder", "my games").lines

    assert lines[0] == "wrote my games/mine.py, my games/test_mine.py, my games/mine.toml"
    assert "  oddsmith laws './my games/mine.py'" in lines
