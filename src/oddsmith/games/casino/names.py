"""The public names of Casino, re-exported by the package."""

from oddsmith.games.casino.drafts.actions import Combo, ComboKind, capturing_cards, classify, is_buildable_sum
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Build, Move, MoveKind, Score, State, has_marriage
from oddsmith.games.casino.notation import read_action, write_action
from oddsmith.games.casino.position import read_position, read_position_file, write_position
from oddsmith.games.casino.rules import DEFAULT, DeckKind, Rules, Scoring, TrailRestriction
from oddsmith.games.casino.scoring import Gain, final_scores, gain, winning_seats
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
    "is_buildable_sum",
    "read_action",
    "read_position",
    "read_position_file",
    "unseen_cards",
    "winning_seats",
    "write_action",
    "write_position",
]
