"""What piles are worth, and who is ahead (§5.3, §5.4)."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from oddsmith.cards import Card
from oddsmith.game import Seat
from oddsmith.games.casino import kernel
from oddsmith.games.casino.encoding import mask_of, scoring_row
from oddsmith.games.casino.model import Score
from oddsmith.games.casino.rules import Rules

__all__ = ["ScoreReply", "SeatScore", "final_scores", "score_parts", "score_reply", "winning_seats"]


PARTS: Final[Mapping[str, tuple[int, ...]]] = {
    "most cards": (kernel.MOST_CARDS,),
    "most spades": (kernel.MOST_SPADES,),
    "cards": (kernel.CARDS_WANTED, kernel.CARDS_POINTS, kernel.CARDS_SHARED),
    "spades": (kernel.SPADES_WANTED, kernel.SPADES_POINTS),
    "10♦": (kernel.TEN_OF_DIAMONDS,),
    "2♠": (kernel.TWO_OF_SPADES,),
    "aces": (kernel.ACE,),
    "sweeps": (kernel.SWEEP,),
}
"""What points are for, and where a row of the kernel says how many."""


class SeatScore(Score, frozen=True, kw_only=True):
    """What a seat has made; `parts` says what its points are for, without what brought none."""

    parts: dict[str, int]


class ScoreReply(msgspec.Struct, frozen=True, kw_only=True):
    """What each seat has made, and who is first: by points, then by spades, then by cards."""

    rules_id: str
    scores: tuple[SeatScore, ...]
    winners: tuple[Seat, ...]


def score_reply(piles: Sequence[Sequence[Card]], sweeps: Sequence[int], rules: Rules) -> ScoreReply:
    """Count what each seat has made, say what for, and who is first."""
    scores, parts = final_scores(piles, sweeps, rules), score_parts(piles, sweeps, rules)
    return ScoreReply(
        rules_id=rules.rules_id,
        scores=tuple(
            SeatScore(**msgspec.structs.asdict(score), parts=worth)
            for score, worth in zip(scores, parts, strict=True)
        ),
        winners=winning_seats(scores),
    )


def final_scores(piles: Sequence[Sequence[Card]], sweeps: Sequence[int], rules: Rules) -> tuple[Score, ...]:
    """Return what each seat made of the game.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> [score.points for score in final_scores((cards("A♠ 10♦"), cards("2♠")), (0, 1), DEFAULT)]
    [6, 2]
    """
    row = _row_of_piles(piles, sweeps)
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


def score_parts(
    piles: Sequence[Sequence[Card]], sweeps: Sequence[int], rules: Rules
) -> tuple[dict[str, int], ...]:
    """Return what each seat's points are for, without what brought none; they add up to its points.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> score_parts((cards("A♠ 10♦"), cards("2♠")), (0, 1), DEFAULT)
    ({'most cards': 3, '10♦': 2, 'aces': 1}, {'2♠': 1, 'sweeps': 1})
    """
    row, scoring = _row_of_piles(piles, sweeps), scoring_row(rules, len(piles))
    alone = {
        part: [points if place in places else 0 for place, points in enumerate(scoring)]
        for part, places in PARTS.items()
    }
    worth = [
        {part: kernel.seat_points(row, counted, seat) for part, counted in alone.items()}
        for seat in range(len(piles))
    ]
    return tuple({part: points for part, points in parts.items() if points} for parts in worth)


def _row_of_piles(piles: Sequence[Sequence[Card]], sweeps: Sequence[int]) -> list[int]:
    row = [0] * kernel.STATE
    row[kernel.PLAYERS] = len(piles)
    for seat, (pile, swept) in enumerate(zip(piles, sweeps, strict=True)):
        row[kernel.PILES + seat] = mask_of(pile)
        row[kernel.SWEEPS + seat] = swept
    return row


def winning_seats(scores: Sequence[Score]) -> tuple[int, ...]:
    """Return the seats that are first: by points, then spades, then cards; equal ones share (§5.4)."""
    best = max((score.points, score.spades, score.cards) for score in scores)
    return tuple(
        seat for seat, score in enumerate(scores) if (score.points, score.spades, score.cards) == best
    )
