"""Casino: capture cards from the table by value, build sums, sweep the table.

The rule of a move is in `oddsmith.games.casino.moves`; `kernel` has the same rule over whole numbers, for programs that
play many games. Exact chances from what a seat knows live in `oddsmith.games.casino.odds`, solved endings in
`oddsmith.games.casino.endgame`, lines of play in `oddsmith.games.casino.perft`. For clients, what is put together on a
table becomes moves in `oddsmith.games.casino.drafts`.
"""

from oddsmith.games.casino.drafts.combos import Combo, ComboKind, capturing_cards, classify
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.hints import Gain, gain
from oddsmith.games.casino.model import Build, Move, MoveKind, Score, State, has_marriage
from oddsmith.games.casino.notation import read_action, write_action
from oddsmith.games.casino.position import read_position, read_position_file, write_position
from oddsmith.games.casino.rules import DEFAULT, DeckKind, Rules, Scoring, TrailRestriction
from oddsmith.games.casino.scoring import final_scores, winning_seats
from oddsmith.games.casino.views import View, unseen_cards

__all__ = [
    "DEFAULT",
    "GAME",
    "Build",
    "Combo",
    "ComboKind",
    "DeckKind",
    "Gain",
    "Move",
    "MoveKind",
    "Rules",
    "Score",
    "Scoring",
    "State",
    "TrailRestriction",
    "View",
    "capturing_cards",
    "classify",
    "final_scores",
    "gain",
    "has_marriage",
    "read_action",
    "read_position",
    "read_position_file",
    "unseen_cards",
    "winning_seats",
    "write_action",
    "write_position",
]
