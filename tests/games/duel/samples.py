"""Samples of the Combat Duel for the tests of all mechanics: rules without flight, positions, requests."""

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
    deal,
    fight_house,
    fight_rival,
    round_before_deal,
    round_between_players,
    round_with_house,
)

RULES: Final = {
    "no flight": Rules(flee_rounds=0, most_selections=3),
    "no flight, difficulty 10, hidden": Rules(
        flee_rounds=0, most_selections=1, difficulty=10, opponent_visible=False
    ),
}
SETTINGS: Final = ("rounds=6",)
SHORTER: Final = ("most_selections=6",)
ANSWERS: Final = ("45", "", "", "12", "3", "", "12345", "")
OPTIONS: Final = {
    "odds": ("--no-perfect", "--hidden", "--set", "player_hp=10", "--set", "house.hp=5", "--set", "rounds=6")
}
SEATS: Final = 2
HIDDEN: Final = Rules(opponent_visible=False)
POSITIONS: Final = {
    "before the deal": round_before_deal(),
    "the house has a hand": deal(round_before_deal(), EXAMPLE_HOUSE),
    "the player chooses": round_with_house(),
    "with a selection": act(round_with_house(), SelectDefense((0, 3))).state,
    "round 2": fight_house(round_with_house(), defending=(0, 3)).state,
    "won": act(round_with_house(ROYAL, LOW), FIGHT).state,
    "fled": act(round_with_house(), FLEE).state,
    "hidden, before the deal": round_before_deal(HIDDEN),
    "hidden, the house has a hand": deal(round_before_deal(HIDDEN), EXAMPLE_HOUSE),
    "hidden": round_with_house(rules=HIDDEN),
    "hidden, fixed number": round_with_house(rules=HIDDEN.replace(difficulty=4)),
    "hidden, won": act(round_with_house(ROYAL, LOW, HIDDEN), FIGHT).state,
    "hidden, fled": act(round_with_house(rules=HIDDEN), FLEE).state,
    "players, before the deal": round_before_deal(seats=2),
    "players, one hand": deal(round_before_deal(seats=2), EXAMPLE_HAND),
    "players": round_between_players(),
    "players, one selection": act(round_between_players(), SelectAttack((1,)), seat=1).state,
    "players, one commitment": act(act(round_between_players(), SelectDefense((0, 3))).state, FIGHT).state,
    "players, one wants to flee": act(round_between_players(), FLEE, seat=1).state,
    "players, round 2": fight_rival(round_between_players()).state,
    "players, won": fight_rival(round_between_players(ROYAL, LOW)).state,
    "players, fled": act(act(round_between_players(), FLEE).state, FIGHT, seat=1).state,
}
