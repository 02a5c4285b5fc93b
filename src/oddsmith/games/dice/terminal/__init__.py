"""The terminal interface of Dice Hands: play, and the lines of each answer."""

from collections.abc import Mapping
from typing import Final

from oddsmith.games.dice.questions.advice import ADVISE
from oddsmith.games.dice.questions.estimates import (
    ADVICE_ESTIMATE,
    ODDS_ESTIMATE,
    SHOP_ESTIMATE,
    TABLE_ESTIMATE,
)
from oddsmith.games.dice.questions.rolls import ODDS, SCORE, TABLE
from oddsmith.games.dice.questions.runs import RUNS
from oddsmith.games.dice.questions.shop import SHOP
from oddsmith.games.dice.terminal import answers, estimates, play
from oddsmith.games.dice.terminal.estimates import runs_lines
from oddsmith.terminal import AnswerLines, Terminal

ANSWER_LINES: Final[Mapping[str, AnswerLines]] = {
    SCORE.name: answers.dice_score_lines,
    ODDS.name: answers.odds_lines,
    ADVISE.name: answers.advice_lines,
    TABLE.name: answers.table_lines,
    SHOP.name: answers.shop_lines,
    RUNS.name: runs_lines,
    ODDS_ESTIMATE.name: estimates.odds_lines,
    ADVICE_ESTIMATE.name: estimates.advice_lines,
    TABLE_ESTIMATE.name: estimates.table_lines,
    SHOP_ESTIMATE.name: estimates.shop_lines,
}
"""The function that yields the lines of an answer, by the name of its question."""

TERMINAL: Final = Terminal(play=play, answer_lines=ANSWER_LINES)
