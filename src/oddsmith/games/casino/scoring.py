"""What piles are worth, and who is ahead (§5.3, §5.4)."""

from collections.abc import Sequence

from oddsmith.cards import Card
from oddsmith.games.casino import kernel
from oddsmith.games.casino.bridge import mask_of, scoring_row
from oddsmith.games.casino.model import Score
from oddsmith.games.casino.rules import Rules

__all__ = ["final_scores", "winning_seats"]


def final_scores(piles: Sequence[Sequence[Card]], sweeps: Sequence[int], rules: Rules) -> tuple[Score, ...]:
    """Return what each seat made of the game.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> [score.points for score in final_scores((cards("A♠ 10♦"), cards("2♠")), (0, 1), DEFAULT)]
    [6, 2]
    """
    row = [0] * kernel.STATE
    row[kernel.PLAYERS] = len(piles)
    for seat, (pile, swept) in enumerate(zip(piles, sweeps, strict=True)):
        row[kernel.PILES + seat] = mask_of(pile)
        row[kernel.SWEEPS + seat] = swept
    scoring = scoring_row(rules, len(piles))
    return tuple(
        Score(
            cards=kernel.count_cards(row[kernel.PILES + seat]),
            spades=kernel.count_cards(row[kernel.PILES + seat] & kernel.SPADE_CARDS),
            sweeps=row[kernel.SWEEPS + seat],
            points=kernel.seat_points(row, scoring, seat),
        )
        for seat in range(len(piles))
    )


def winning_seats(scores: Sequence[Score]) -> tuple[int, ...]:
    """Return the seats that are first: by points, then spades, then cards; equal ones share (§5.4)."""
    best = max((score.points, score.spades, score.cards) for score in scores)
    return tuple(
        seat for seat, score in enumerate(scores) if (score.points, score.spades, score.cards) == best
    )
