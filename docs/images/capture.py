"""Draw a picture of the output of a command: `python docs/images/capture.py`."""  # noqa: INP001  a script next to its picture

import os
import re
import shlex
import subprocess
import sys
from inspect import signature
from io import StringIO
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

COMMAND: Final = "oddsmith destiny check bank_robbery --outlaw calamity_rose --odds --seed heist"
PICTURE: Final = Path(__file__).with_name("bank-robbery.svg")
WIDTH: Final = 82
FONT: Final = "'DejaVu Sans Mono', Menlo, Consolas, ui-monospace, monospace"
DUSK: Final = TerminalTheme(
    (24, 22, 27),
    (226, 220, 208),
    [
        (40, 36, 42), (224, 108, 94), (140, 186, 112), (222, 178, 92),
        (120, 160, 200), (190, 140, 190), (120, 190, 190), (226, 220, 208),
    ],
    [
        (110, 104, 112), (238, 130, 116), (160, 206, 130), (240, 200, 120),
        (140, 180, 220), (210, 160, 210), (140, 210, 210), (250, 246, 238),
    ],
)  # fmt: skip


def coloured_output() -> str:
    """Run the command with terminal colours, and return its output with ANSI codes."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    done = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", "from oddsmith.cli import main; main()", *shlex.split(COMMAND)[1:]],
        env={**environment, "FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": str(WIDTH)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def drawn(output: str) -> str:
    """Return an SVG picture of a terminal with the command and its output."""
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, color_system="standard")
    console.print(Text.assemble(("$ ", "bold"), COMMAND))
    console.print(Text.from_ansi(output.rstrip("\n")))
    usual: str = signature(Console.export_svg).parameters["code_format"].default
    own_font = re.sub(r"\s*@font-face \{\{.*?\n\s*\}\}", "", usual, flags=re.DOTALL)
    own_font = own_font.replace("Fira Code, monospace", FONT).replace("arial", FONT)
    svg = console.export_svg(title="oddsmith", theme=DUSK, code_format=own_font, unique_id="oddsmith")
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(drawn(coloured_output()), encoding="utf-8")
