"""What the tests of all mechanics use of the Combat Duel: rules without flight, every kind of position, answers."""

from typing import Final

from oddsmith.games.duel import Rules, SelectAttack, SelectDefense
from tests.games.duel.builders import (
    EXAMPLE_HAND,
    EXAMPLE_HOUSE,
    FIGHT,
    FLEE,
    LOW,
    ROYAL,
    act,
    against_house,
    at,
    both_fought,
    deal,
    fought,
    versus,
)

RULES: Final = {
    "no flight": Rules(flee_rounds=0, most_selections=3),
    "no flight, difficulty 10, hidden": Rules(
        flee_rounds=0, most_selections=1, difficulty=10, opponent_visible=False
    ),
}
SETTINGS: Final = ("rounds=6",)
ANSWERS: Final = ("45", "", "", "12", "3", "", "12345", "")
OPTIONS: Final = {
    "odds": ("--no-perfect", "--hidden", "--set", "player_hp=10", "--set", "house.hp=5", "--set", "rounds=6")
}
SEATS: Final = 2
HIDDEN: Final = Rules(opponent_visible=False)
POSITIONS: Final = {
    "before the deal": at(),
    "the house has a hand": deal(at(), EXAMPLE_HOUSE),
    "the player chooses": against_house(),
    "with a selection": act(against_house(), SelectDefense((0, 3))).state,
    "round 2": fought(against_house(), defending=(0, 3)).state,
    "won": act(against_house(ROYAL, LOW), FIGHT).state,
    "fled": act(against_house(), FLEE).state,
    "hidden, before the deal": at(HIDDEN),
    "hidden, the house has a hand": deal(at(HIDDEN), EXAMPLE_HOUSE),
    "hidden": against_house(rules=HIDDEN),
    "hidden, fixed number": against_house(rules=HIDDEN.replace(difficulty=4)),
    "hidden, won": act(against_house(ROYAL, LOW, HIDDEN), FIGHT).state,
    "hidden, fled": act(against_house(rules=HIDDEN), FLEE).state,
    "players, before the deal": at(seats=2),
    "players, one hand": deal(at(seats=2), EXAMPLE_HAND),
    "players": versus(),
    "players, one selection": act(versus(), SelectAttack((1,)), seat=1).state,
    "players, one commitment": act(act(versus(), SelectDefense((0, 3))).state, FIGHT).state,
    "players, one wants to flee": act(versus(), FLEE, seat=1).state,
    "players, round 2": both_fought(versus()).state,
    "players, won": both_fought(versus(ROYAL, LOW)).state,
    "players, fled": act(act(versus(), FLEE).state, FIGHT, seat=1).state,
}
