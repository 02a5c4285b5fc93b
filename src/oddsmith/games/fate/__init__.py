"""The Fate Deck: a small deck that remembers, checks with triggers, and a table of players around it.

Exact odds from what a seat knows live in `oddsmith.games.fate.odds`, the worth of abilities in
`oddsmith.games.fate.values`.
"""

from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.deck import FateDeck
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.memory import Memory, Mixed, remember
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
from oddsmith.games.fate.rules import DEFAULT, Ability, Callers, CardKind, CardSuit, CheckKind, Combine, Rules
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
    "Mixed",
    "MoveToBottom",
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
