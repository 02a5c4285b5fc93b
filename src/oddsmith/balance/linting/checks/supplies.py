"""A deck that is drawn from must always have the next card."""

from collections import deque
from collections.abc import Iterator
from typing import Literal, get_args

import msgspec

from oddsmith.balance.linting.findings import Finding, Severity, check
from oddsmith.exhibit import Supply

__all__: list[str] = []

_Moment = Literal["card", "draw", "before"]


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
        sentence=f"{deck.about} can run empty: {_told(sizes)} cards are left, and a draw finds too few",
        evidence={
            "sizes": sizes,
            "draws": deck.draws,
            "reshuffles_at": deck.reshuffles_at,
            "or_below": deck.or_below,
            "tested_after": deck.tested_after,
        },
        suggestion=_remedy(deck),
    )


def _told(sizes: list[int]) -> str:
    first, last = 3, 2
    if len(sizes) <= first + last:
        return ", ".join(map(str, sizes))
    return f"{', '.join(map(str, sizes[:first]))}, … {', '.join(map(str, sizes[-last:]))}"


def _remedy(deck: Supply) -> str:
    """Say which test would always find enough cards: at the same moment if one does, with few cards left."""
    moments: list[_Moment] = [deck.tested_after, *get_args(_Moment)]
    words = {"card": "after every card", "draw": "after every whole draw", "before": "before every draw"}
    longest = max(deck.draws)
    for moment in moments:
        for left in sorted({0, 1, longest - 1, longest, deck.reshuffles_at}):
            safe = msgspec.structs.replace(deck, tested_after=moment, reshuffles_at=left, or_below=True)
            if _to_the_bottom(safe) is None:
                return f"reshuffle at {left} card{'s' if left != 1 else ''} or fewer, tested {words[moment]}"
    return f"draw fewer than {longest} cards at a time, or use a larger deck"


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
    """Return how many cards are left after a draw; None where it finds too few.

    The cards of a draw come back only after it: a reshuffle in its middle leaves those already drawn out.
    """
    fresh = deck.size - deck.stays_out
    if deck.tested_after == "before" and _is_due(deck, size):
        size = fresh
    for drawn in range(1, draw + 1):
        if size < 1:
            return None
        size -= 1
        if deck.tested_after == "card" and _is_due(deck, size):
            size = fresh - drawn
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
