"""The public names of the Destiny Deck, re-exported by the package."""

from oddsmith.games.destiny.engine import DRAW, GAME
from oddsmith.games.destiny.model import Check, Contest, Degree, GangWar, Reward, Score, Side
from oddsmith.games.destiny.rules import DEFAULT, Buff, Character, Crime, Curve, GangScore, Item, Rules, Run
from oddsmith.games.destiny.scoring import (
    Bonuses,
    Target,
    character_bonuses,
    check,
    contest,
    gang_war,
    npc,
    reward,
    score,
    score_with,
    skill_bonus,
    target,
)

__all__ = [
    "DEFAULT",
    "DRAW",
    "GAME",
    "Bonuses",
    "Buff",
    "Character",
    "Check",
    "Contest",
    "Crime",
    "Curve",
    "Degree",
    "GangScore",
    "GangWar",
    "Item",
    "Reward",
    "Rules",
    "Run",
    "Score",
    "Side",
    "Target",
    "character_bonuses",
    "check",
    "contest",
    "gang_war",
    "npc",
    "reward",
    "score",
    "score_with",
    "skill_bonus",
    "target",
]
