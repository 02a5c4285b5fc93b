"""The questions of the Combat Duel."""

from typing import Final

from oddsmith.games.duel.questions.duels import ODDS, SOLVED
from oddsmith.games.duel.questions.rounds import FIGHTER, ROUND
from oddsmith.games.duel.questions.splits import SPLIT
from oddsmith.games.duel.questions.teams import TEAM, TEAM_ROUND
from oddsmith.games.duel.questions.tournaments import TOURNAMENT

QUESTIONS: Final = (ODDS, SPLIT, TOURNAMENT, TEAM, ROUND, FIGHTER, SOLVED, TEAM_ROUND)
"""All questions; those with a command come first, in the order of the help text."""
