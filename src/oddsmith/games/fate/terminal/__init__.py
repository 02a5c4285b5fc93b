"""The Fate Deck in a terminal."""

from typing import Final

from oddsmith.games.fate.terminal import play
from oddsmith.games.fate.terminal.answers import ANSWER_LINES
from oddsmith.terminal import Terminal

TERMINAL: Final = Terminal(play=play, answer_lines=ANSWER_LINES)
