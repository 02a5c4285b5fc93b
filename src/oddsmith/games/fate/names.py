"""The public names of the Fate Deck, which its package exports."""

from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.deck import FateDeck, remember
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.memory import Memory, MixedSet, Order
from oddsmith.games.fate.model import (
    Action,
    CallCheck,
    Check,
    DiscardTop,
    EndTurn,
    ForceReshuffle,
    Keep,
    MoveToBottom,
    Peek,
    Ready,
    Redraw,
    Reorder,
    Resolve,
    Result,
    ReturnDiscards,
    Stage,
    State,
    TakeExtra,
)
from oddsmith.games.fate.rule_types import Callers, CardKind, CardSuit, CheckKind, Combine
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.triggers import fires, read_trigger
from oddsmith.games.fate.views import View

__all__ = [
    "DEFAULT",
    "GAME",
    "Ability",
    "Action",
    "CallCheck",
    "Callers",
    "CardKind",
    "CardSuit",
    "Check",
    "CheckKind",
    "Combine",
    "DiscardTop",
    "EndTurn",
    "FateDeck",
    "ForceReshuffle",
    "Keep",
    "Memory",
    "MixedSet",
    "MoveToBottom",
    "Order",
    "Peek",
    "Ready",
    "Redraw",
    "Reorder",
    "Resolve",
    "Result",
    "ReturnDiscards",
    "Rules",
    "Stage",
    "State",
    "TakeExtra",
    "View",
    "fires",
    "judge",
    "read_trigger",
    "remember",
]
