"""The questions of the Destiny Deck."""

from typing import Final

from oddsmith.games.destiny.questions.check_matches import CHECK_MATCH
from oddsmith.games.destiny.questions.checks import CHECK, LEVEL, ODDS, SCORE, THRESHOLD
from oddsmith.games.destiny.questions.contests import CONTEST, GANG, GANG_WAR, VERSUS
from oddsmith.games.destiny.questions.gauntlets import GAUNTLET
from oddsmith.games.destiny.questions.holds import HOLD
from oddsmith.games.destiny.questions.many import CHECKS, CONTESTS, GANG_WARS
from oddsmith.games.destiny.questions.run_values import RUN_VALUES
from oddsmith.games.destiny.questions.run_wars import RUN_WAR
from oddsmith.games.destiny.questions.runs import ROSTER, RUN

QUESTIONS: Final = (
    SCORE, CHECK, ODDS, HOLD, VERSUS, GANG, LEVEL, THRESHOLD, CONTEST, GANG_WAR, CHECKS, CONTESTS, GANG_WARS, RUN, ROSTER,
    RUN_WAR, RUN_VALUES, CHECK_MATCH, GAUNTLET,
)  # fmt: skip
"""Every question; those with a command first, in the order of its help."""
