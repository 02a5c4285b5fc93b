"""The reference pages agree with the source."""

import ast
import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.cli import main
from oddsmith.games.destiny import DEFAULT, GAME
from oddsmith.records import Record, play
from oddsmith.registry import mechanic_names
from tests.docs.json_page import COMMANDS, ErrorReply, page
from tests.docs.scripts import load_script
from tests.docs.tables import codes, commands, fill_tables

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
SOLVER = sorted((ROOT / "src/oddsmith/odds/attrition").glob("*.py"))
TARGETS = """
game = "fate"
targets = [{ figure = "draw.success", target = 4, at_least = "40%" }]
change = [{ key = "cards[0].value", least = 0, most = 3 }]
"""
SWEEP = """
game = "fate"
figures.mean = { figure = "draw.mean" }
vary = [{ key = "figures.mean.cards", values = [1, 2] }]
"""
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")


@pytest.mark.parametrize("name", ["cli", "errors", "http", "python", "rules-files"])
def test_tables_agree_with_the_source(name: str, check_page: Callable[[Path, str], None]) -> None:
    """Options, names, keys and codes."""
    path = REFERENCE / f"{name}.md"

    check_page(path, fill_tables(path.read_text(encoding="utf-8")))


def test_the_json_page_agrees_with_the_types(check_page: Callable[[Path, str], None]) -> None:
    """The schema of every reply is that of its type."""
    check_page(REFERENCE / "json.md", page())


def test_every_command_has_a_section() -> None:
    """The page about the command line has every command with all its options."""
    text = (REFERENCE / "cli.md").read_text(encoding="utf-8")

    assert set(commands()) == set(re.findall(r"^<!-- options of ([a-z ]+) -->$", text, re.MULTILINE))


def test_every_code_is_listed() -> None:
    """The page about errors has every code of the source."""
    text = (REFERENCE / "errors.md").read_text(encoding="utf-8")

    assert [] == [code for code in codes() if f"| `{code}` |" not in text]


def test_every_module_with_public_names_is_listed() -> None:
    """The page about Python has every module with public names, except compiled parts of a solver."""
    text = (REFERENCE / "python.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^<!-- names of ([a-z._]+) -->$", text, re.MULTILINE))
    packages_to_list = ["oddsmith.odds", "oddsmith"]
    found = {
        f"{package}.{path.stem}"
        for package in packages_to_list
        for path in (ROOT / "src" / package.replace(".", "/")).glob("*.py")
        if not path.stem.startswith(("_", "command_", "lazy_"))
    }

    games = {f"oddsmith.games.{game}{package}" for game in mechanic_names() for package in ("", ".odds")}

    packages = {
        "oddsmith",
        "oddsmith.balance",
        "oddsmith.bots",
        "oddsmith.odds.attrition",
    }

    assert found | games | packages <= listed


@pytest.mark.parametrize(("example", "kind"), COMMANDS, ids=[kind.__name__ for _, kind in COMMANDS])
def test_printed_json_agrees_with_the_documented_type(
    example: str,
    kind: type[msgspec.Struct],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The JSON of every command is decoded into its type without loss."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ODDSMITH_COMPILED", "0")
    plies = play(GAME, GAME.setup(DEFAULT, 2), [lambda _, actions: actions[0]] * 2, Seeded("yuma"))
    record = Record.of(GAME, DEFAULT, ["Ann", "Bo"], [ply.move for ply in plies])
    Path("heist.toml").write_text(record.to_toml(), encoding="utf-8")
    Path("targets.toml").write_text(TARGETS, encoding="utf-8")
    Path("sweep.toml").write_text(SWEEP, encoding="utf-8")
    for made, file in ("9", "table.toml"), ("40", "ending.toml"):
        _run_command(["casino", "position", "--seed", "300", "--plies", made, "--out", file], capsys)

    printed = _run_command([*shlex.split(example), "--json"], capsys).out

    assert msgspec.json.decode(printed) == msgspec.json.decode(wire.to_json(wire.from_json(printed, kind)))


def test_a_refusal_is_printed_as_documented(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json a refusal is JSON on stderr."""
    printed = _run_command(["destiny", "odds", "bank_robery", "--json"], capsys)

    assert "unknown_target" == wire.from_json(printed.err, ErrorReply).error.code


def _run_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:  # noqa: ANN401  pytest's pair of texts
    with suppress(SystemExit):
        main(arguments)
    return capsys.readouterr()


@pytest.mark.parametrize("path", [*PAGES, *SOLVER], ids=lambda path: str(path.relative_to(ROOT)))
def test_links_are_valid(path: Path) -> None:
    """A link to a file or a heading leads to an existing one."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        text = ast.get_docstring(ast.parse(text)) or ""
    for found in LINK.finditer(re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)):
        file, _, heading = found["target"].partition("#")
        if not file.startswith("http"):
            target = path.parent / file if file else path

            assert target.exists(), found["target"]
            assert not heading or heading in _headings(target), found["target"]


def _headings(path: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_picture_has_the_output_of_the_command(check_page: Callable[[Path, str], None]) -> None:
    """The picture in the README has the command's text, line by line."""
    capture = load_script("docs", "images", "capture.py")
    output = capture.coloured_output()
    path = capture.PICTURE
    fresh = capture.drawn(output)
    if _svg_lines(fresh) != _svg_lines(path.read_text(encoding="utf-8")):
        check_page(path, fresh)


def _svg_lines(svg: str) -> list[str]:
    return [unescape(text) for text in re.findall(r"<text[^>]*>(.*?)</text>", svg)]
