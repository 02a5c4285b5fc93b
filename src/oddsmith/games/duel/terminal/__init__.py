"""The Combat Duel in a terminal."""

from typing import Final

from oddsmith.games.duel.terminal import play
from oddsmith.games.duel.terminal.answers import ANSWER_LINES
from oddsmith.terminal import Terminal

TERMINAL: Final = Terminal(play=play, answer_lines=ANSWER_LINES)
