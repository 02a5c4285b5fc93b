"""The Combat Duel in a terminal."""

from typing import Final

from oddsmith.games.duel.terminal import any_play
from oddsmith.games.duel.terminal.answers import ANSWER_LINES
from oddsmith.games.duel.terminal.team_answers import TEAM_NAME, team_lines
from oddsmith.terminal import Terminal

TERMINAL: Final = Terminal(play=any_play, answer_lines={**ANSWER_LINES, TEAM_NAME: team_lines})
