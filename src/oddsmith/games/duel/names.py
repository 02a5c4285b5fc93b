"""The public names of the Combat Duel, which its package exports."""

from oddsmith.games.duel.any_duel import GAME
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
from oddsmith.games.duel.optional_rules import (
    Abilities,
    Ability,
    Combos,
    Criticals,
    Durability,
    EnvironmentEffect,
    Environments,
    Surroundings,
)
from oddsmith.games.duel.rules import DEFAULT, Fighter, House, Rewards, Rules, Teams
from oddsmith.games.duel.scoring import SPLITS, attack, damage, defense, skill_modifier, split
from oddsmith.games.duel.team_model import SelectTarget, TeamState
from oddsmith.games.duel.team_views import TeamView
from oddsmith.games.duel.views import View

__all__ = [
    "DEFAULT",
    "GAME",
    "SPLITS",
    "Abilities",
    "Ability",
    "Action",
    "Combos",
    "Criticals",
    "Durability",
    "Ending",
    "EnvironmentEffect",
    "Environments",
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
    "SelectTarget",
    "State",
    "Surroundings",
    "TeamState",
    "TeamView",
    "Teams",
    "View",
    "attack",
    "damage",
    "defense",
    "skill_modifier",
    "split",
]
