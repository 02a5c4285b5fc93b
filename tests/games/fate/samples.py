"""Samples of the Fate Deck for the tests of all mechanics: rules, positions, requests."""

from typing import Final

from oddsmith.games.fate.rules import Rules
from tests.games.fate.builders import MANY, SMALL, kind, new_game, random_state, state_after

COPIES: Final = SMALL.replace(
    cards=(
        kind("S", 1, "spades", 4),
        kind("H", 2, "hearts", 3),
        kind("W", 0, "wild"),
        kind("N", 3, copies=2),
    ),
    most_peeked=4,
)
RULES: Final = {"copies": COPIES.replace(turns=4, abilities=dict.fromkeys(MANY, 6))}
SETTINGS: Final = ("turns=4",)
ANSWERS: Final = ("hard", "easy", "e", "omen")
OPTIONS: Final = {"odds": ("--target", "4")}
SEATS: Final = 3
FREE: Final = new_game(Rules(abilities=MANY))
PEEKED: Final = state_after(FREE, "1 peek 3", "* 3♠", "* J♥", "* BJ")
SECOND: Final = ("1 ready", "0 end")
HARD: Final = ("1 ready", "0 call 1 hard", "* 3♠", "* A♥")
POSITIONS: Final = {
    "fresh": FREE,
    "peeking": state_after(FREE, "1 peek 3", "* 3♠"),
    "peeked": PEEKED,
    "mixed up": state_after(PEEKED, *SECOND, "2 peek 2", "2 reorder 1 0"),
    "peeking at what another knew": state_after(PEEKED, *SECOND, "2 bottom", "2 peek 3"),
    "peeking at some that one knew": state_after(PEEKED, "1 discard 1", "1 peek 3"),
    "calling": state_after(FREE, "1 ready"),
    "drawing": state_after(FREE, "1 ready", "0 call 1 hard", "* 3♠"),
    "answering": state_after(FREE, *HARD),
    "keeping": state_after(FREE, *HARD, "1 extra", "* 3♥"),
    "discards": state_after(FREE, *HARD, "1 resolve", "0 end", "2 discard 1", "2 return 2"),
    "copies": random_state(SMALL, 2, 5, 60),
}
