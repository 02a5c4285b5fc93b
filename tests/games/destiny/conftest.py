"""A fixture for smaller decks, on which every pair of hands can be tried."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TypeAlias

import pytest

from oddsmith.cards import Card, cards
from oddsmith.games.destiny import odds
from oddsmith.games.destiny.classes import derive, tabulate

UseDeck: TypeAlias = Callable[[str], list[tuple[Card, ...]]]


@pytest.fixture
def use_deck(monkeypatch: pytest.MonkeyPatch) -> Iterator[UseDeck]:
    """Return a function that replaces the deck of the odds and returns all its hands."""

    def use(text: str) -> list[tuple[Card, ...]]:
        table = tabulate(derive(cards(text)))
        monkeypatch.setattr(odds, "hand_classes", lambda: table)
        odds._bases.cache_clear()
        return list(combinations(cards(text), 5))

    yield use
    odds._bases.cache_clear()
