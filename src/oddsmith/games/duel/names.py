"""The public names of the Combat Duel, which its package exports."""

from oddsmith.games.duel.engine import GAME
from oddsmith.games.duel.model import (
    Action,
    Ending,
    ExecuteTurn,
    Flee,
    Plan,
    Power,
    Result,
    SelectAttack,
    SelectDefense,
    State,
)
from oddsmith.games.duel.rules import DEFAULT, Criticals, Fighter, House, Rewards, Rules
from oddsmith.games.duel.scoring import SPLITS, attack, damage, defense, skill_modifier, split
from oddsmith.games.duel.views import View

__all__ = [
    "DEFAULT",
    "GAME",
    "SPLITS",
    "Action",
    "Criticals",
    "Ending",
    "ExecuteTurn",
    "Fighter",
    "Flee",
    "House",
    "Plan",
    "Power",
    "Result",
    "Rewards",
    "Rules",
    "SelectAttack",
    "SelectDefense",
    "State",
    "View",
    "attack",
    "damage",
    "defense",
    "skill_modifier",
    "split",
]
