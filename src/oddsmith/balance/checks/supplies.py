"""Decks that are drawn from."""

from collections import deque
from collections.abc import Iterator

from oddsmith.balance.exhibits import Supply
from oddsmith.balance.findings import Finding, Severity, check

__all__: list[str] = []


@check("deck-runs-empty", Severity.ERROR, Supply, "A deck can run empty")
def _runs_empty(deck: Supply) -> Iterator[Finding]:
    """Follow every order of draws from the full deck: none may meet too few cards without a reshuffle."""
    sizes = _to_the_bottom(deck)
    if sizes is None:
        return
    yield Finding(
        check="deck-runs-empty",
        severity=Severity.ERROR,
        where=deck.where,
        sentence=f"{deck.about} can run empty: {', '.join(map(str, sizes))} cards are left, and a draw finds too few",
        evidence={"sizes": sizes, "draws": deck.draws, "tested_after": deck.tested_after},
        suggestion="test for the reshuffle after every card, and at that number of cards or fewer",
    )


def _to_the_bottom(deck: Supply) -> list[int] | None:
    """Return the sizes that lead to a draw without cards, the fewest draws first; None where none do."""
    came_from: dict[int, int | None] = {deck.size: None}
    waiting = deque([deck.size])
    while waiting:
        size = waiting.popleft()
        for draw in deck.draws:
            left = _after(deck, size, draw)
            if left is None:
                return _path(came_from, size)
            if left not in came_from:
                came_from[left] = size
                waiting.append(left)
    return None


def _after(deck: Supply, size: int, draw: int) -> int | None:
    """Return how many cards are left after a draw; None where it finds too few."""
    fresh = deck.size - deck.stays_out
    if deck.tested_after == "before" and _is_due(deck, size):
        size = fresh
    for _ in range(draw):
        if size < 1:
            return None
        size -= 1
        if deck.tested_after == "card" and _is_due(deck, size):
            size = fresh - draw
    return fresh if deck.tested_after == "draw" and _is_due(deck, size) else size


def _is_due(deck: Supply, size: int) -> bool:
    return size == deck.reshuffles_at or (deck.or_below and size < deck.reshuffles_at)


def _path(came_from: dict[int, int | None], size: int) -> list[int]:
    sizes: list[int] = []
    at: int | None = size
    while at is not None:
        sizes.append(at)
        at = came_from[at]
    return sizes[::-1]
