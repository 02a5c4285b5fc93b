"""What took long to find out about a bot is kept in the disk cache, so that it is there at once the next time."""

from collections.abc import Callable
from typing import Final

import numpy as np

from oddsmith import disk_cache, wire
from oddsmith.errors import InputError
from oddsmith.games.duel.prospects import Prospects
from oddsmith.games.duel.rules import DeckKind, Rules

__all__ = ["kept_prospects"]

MADE_BY: Final = {"prospects": 1}
"""Raised whenever prospects may come out differently, so that older ones are not taken from the disk cache."""


def kept_prospects(name: str, rules: Rules, make: Callable[[], Prospects]) -> Prospects:
    """Return what was kept under this name for these rules, whatever their decks; else make it and keep it."""
    place = f"duel-{name}-{rules.replace(deck=DeckKind.FRESH).rules_id}"
    kept = disk_cache.take(place, MADE_BY)
    if kept is not None:
        try:
            return wire.from_json(kept["prospects"].tobytes(), Prospects)
        except (KeyError, InputError):
            pass
    made = make()
    disk_cache.keep(place, {"prospects": np.frombuffer(wire.to_json(made), dtype=np.uint8)}, MADE_BY)
    return made
