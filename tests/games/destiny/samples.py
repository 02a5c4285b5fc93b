"""Samples of the Destiny Deck for the tests of all mechanics: a short run, positions of a contest, requests."""

from typing import Final

from oddsmith.games.destiny import DEFAULT, GAME, Rules
from oddsmith.games.destiny.model import Challenge, Choose, TakeCheck
from tests.games.destiny.builders import act, contest_of

SETTINGS: Final = ("run.duration=14400",)
ANSWERS: Final = ("1", "1", "9", "5", "8", "1")
OPTIONS: Final = {"odds": ("bank_robbery", "--outlaw", "calamity_rose")}
SEATS: Final = 2
POSITIONS: Final = {
    "both choose": GAME.setup(DEFAULT, 2),
    "one has chosen": act(GAME.setup(DEFAULT, 2), Choose("doc_silas")).state,
    "both have chosen": contest_of("iron_jack", "copper_mae"),
    "outlaws take checks": act(
        act(
            act(GAME.setup(Rules.preset("checks"), 2), Choose("doc_silas")).state, Choose("iron_jack"), 1
        ).state,
        TakeCheck("hard"),
    ).state,
    "a gauntlet is under way": act(
        act(
            act(GAME.setup(Rules.preset("gauntlet"), 2), Choose("doc_silas")).state, Choose("iron_jack"), 1
        ).state,
        Challenge("rookie"),
    ).state,
    "gangs gather": act(GAME.setup(Rules.preset("gang_war"), 2), Choose("doc_silas")).state,
}
