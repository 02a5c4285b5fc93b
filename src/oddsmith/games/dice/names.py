"""The public names of the package `oddsmith.games.dice`."""

from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import (
    Action,
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    Ending,
    Leave,
    Lock,
    Reroll,
    Score,
    ScoreHand,
    SetWild,
    Stage,
    State,
    Stock,
    Unlock,
)
from oddsmith.games.dice.parts import Condition, FaceEffect, Hand, Item, Kind, PoolDie
from oddsmith.games.dice.rules import DEFAULT, Bosses, BossKind, Pay, Rules, Selection, Shop, Upgrades
from oddsmith.games.dice.scoring import score
from oddsmith.games.dice.views import View

__all__ = [
    "DEFAULT",
    "GAME",
    "Action",
    "BossKind",
    "Bosses",
    "Build",
    "BuyDie",
    "BuyExtraDie",
    "BuyItem",
    "BuyUpgrade",
    "Condition",
    "Ending",
    "FaceEffect",
    "Hand",
    "Item",
    "Kind",
    "Leave",
    "Lock",
    "Pay",
    "PoolDie",
    "Reroll",
    "Rules",
    "Score",
    "ScoreHand",
    "Selection",
    "SetWild",
    "Shop",
    "Stage",
    "State",
    "Stock",
    "Unlock",
    "Upgrades",
    "View",
    "score",
]
