"""Mechanics in a few lines: a position as a class, its fields marked with who sees them, its rules as methods."""

from msgspec import Meta as Meta

from oddsmith.cards import STANDARD_DECK, cards
from oddsmith.chance import Draw
from oddsmith.errors import Refusal
from oddsmith.game import EVERYONE, Act, Event, Luck, Turn
from oddsmith.mechanic import Mechanic
from oddsmith.points import Points
from oddsmith.position.base import Position, Rules
from oddsmith.position.chances import deal, hands, one_of, roll
from oddsmith.position.marks import Aside, Card, Die, Each, Face, Hidden, Open, Own, Pile, Seat, Track, up_to
from oddsmith.position.words import asks, awaits, each, ends, less, plus, put

__all__ = [
    "EVERYONE",
    "STANDARD_DECK",
    "Act",
    "Aside",
    "Card",
    "Die",
    "Draw",
    "Each",
    "Event",
    "Face",
    "Hidden",
    "Luck",
    "Mechanic",
    "Open",
    "Own",
    "Pile",
    "Points",
    "Position",
    "Refusal",
    "Rules",
    "Seat",
    "Track",
    "Turn",
    "asks",
    "awaits",
    "cards",
    "deal",
    "each",
    "ends",
    "hands",
    "less",
    "one_of",
    "plus",
    "put",
    "roll",
    "up_to",
]
