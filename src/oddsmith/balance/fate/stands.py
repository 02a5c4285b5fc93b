"""What the Fate Deck shows to the checks."""

from collections.abc import Iterator
from typing import Final

from oddsmith.balance.exhibits import Exhibit, Supply
from oddsmith.balance.linting import Stand
from oddsmith.games.fate.rules import Rules

__all__ = ["STANDS"]


def _deck(rules: Rules) -> Iterator[Exhibit]:
    yield Supply(
        about="the deck",
        where="cards",
        size=len(rules.deck),
        draws=tuple(sorted({rules.on_turn, rules.off_turn})),
        reshuffles_at=1,
        or_below=True,
        tested_after="card",
    )


STANDS: Final = (Stand("the deck", _deck),)
