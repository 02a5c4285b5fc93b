"""Commands that a page shows without running them exist, with their options."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oddsmith.server.settings import Settings
from tests.cli.commands import root_command, sub_commands

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(?:sh|text|ini)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:^|[ /])oddsmith (?P<rest>(?:[a-z]+ )*[a-z]+ .*)$")
COMMANDS = sub_commands(root_command())
TOML = re.compile(
    r"^<!-- file: (?:server|proxied)\.toml -->\n```toml\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


def shown_commands(page: Path) -> Iterator[str]:
    """Yield the commands of a page that are not run as examples, without their comments."""
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        for line in block["text"].splitlines():
            found = COMMAND.search(re.sub(r"\s#.*$", "", line).rstrip())
            if found and found["rest"].split()[0] in COMMANDS:
                yield found["rest"]


def parse(words: list[str]) -> str:
    """Parse a command line, run nothing, and return the command's own name."""
    command: Any = root_command()
    name = ""
    while sub_commands(command):
        name, *words = words
        command = sub_commands(command)[name]
    command.make_context(name, words)
    return name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_shown_commands_are_valid(page: Path) -> None:
    """An unknown command or option raises."""
    wrong = [
        command for command in shown_commands(page) if parse(shlex.split(command)) not in command.split()
    ]

    assert [] == wrong


def test_shown_settings_are_valid(tmp_path: Path) -> None:
    """The settings files on the page about servers are read as the server reads them."""
    page = (ROOT / "docs/how-to/run-a-server.md").read_text(encoding="utf-8")
    files = [tmp_path / f"{number}.toml" for number, _ in enumerate(TOML.finditer(page))]
    for file, found in zip(files, TOML.finditer(page), strict=True):
        file.write_text(found["text"])
    read = [Settings.load(file=file, environment={}) for file in files]

    assert ["info", "warning"] == [settings.log for settings in read]
    assert [(), ("127.0.0.1",)] == [settings.proxies for settings in read]
