"""The questions of Casino."""

from typing import Final

from oddsmith.games.casino.questions.groups import CLASSIFY, DIALOG, DROPS, SCORE, UNSTAGE
from oddsmith.games.casino.questions.moves import MOVES
from oddsmith.games.casino.questions.odds import ODDS, SOLVE
from oddsmith.games.casino.questions.perft import PERFT
from oddsmith.games.casino.questions.tournaments import POSITION, TOURNAMENT

QUESTIONS: Final = (
    CLASSIFY,
    POSITION,
    MOVES,
    ODDS,
    SOLVE,
    PERFT,
    TOURNAMENT,
    SCORE,
    DROPS,
    DIALOG,
    UNSTAGE,
)
"""Every question; those with a command first, in the order of its help."""
