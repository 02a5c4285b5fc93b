"""What piles are worth at the end, and who is ahead (§6)."""

from collections.abc import Sequence
from typing import Final

from oddsmith.cards import Card, Rank, Suit, card
from oddsmith.games.casino.model import Score
from oddsmith.games.casino.rules import Rules, Scoring

__all__ = ["final_scores", "ranking"]

TEN_OF_DIAMONDS: Final = card("10♦")
TWO_OF_SPADES: Final = card("2♠")


def final_scores(piles: Sequence[Sequence[Card]], sweeps: Sequence[int], rules: Rules) -> tuple[Score, ...]:
    """Return what each seat made of the game.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> [score.points for score in final_scores((cards("A♠ 10♦"), cards("2♠")), (0, 1), DEFAULT)]
    [6, 2]
    """
    scoring = rules.scoring(len(piles))
    cards = [len(pile) for pile in piles]
    spades = [sum(held.suit is Suit.SPADES for held in pile) for pile in piles]
    return tuple(
        Score(
            cards=cards[seat],
            spades=spades[seat],
            sweeps=sweeps[seat],
            points=_card_points(pile, scoring)
            + scoring.sweep * sweeps[seat]
            + (scoring.most_cards if _is_most(cards, seat) else 0)
            + (scoring.most_spades if _is_most(spades, seat) else 0)
            + _wanted_points(cards[seat], spades[seat], scoring),
        )
        for seat, pile in enumerate(piles)
    )


def _card_points(pile: Sequence[Card], scoring: Scoring) -> int:
    aces = sum(held.rank is Rank.ACE for held in pile)
    tens = scoring.ten_of_diamonds if TEN_OF_DIAMONDS in pile else 0
    twos = scoring.two_of_spades if TWO_OF_SPADES in pile else 0
    return scoring.ace * aces + tens + twos


def _is_most(counts: Sequence[int], seat: int) -> bool:
    return counts[seat] == max(counts) and list(counts).count(counts[seat]) == 1


def _wanted_points(cards: int, spades: int, scoring: Scoring) -> int:
    """Return what a table of two with the short deck pays for enough cards and spades."""
    points = scoring.spades_points if scoring.spades_wanted and spades >= scoring.spades_wanted else 0
    if not scoring.cards_wanted:
        return points
    if cards >= scoring.cards_wanted:
        return points + scoring.cards_points
    return points + (scoring.cards_shared if cards == scoring.cards_wanted - 1 else 0)


def ranking(scores: Sequence[Score]) -> tuple[int, ...]:
    """Return the seats that are first: by points, then spades, then cards; equal ones share (§6.3)."""
    best = max((score.points, score.spades, score.cards) for score in scores)
    return tuple(
        seat for seat, score in enumerate(scores) if (score.points, score.spades, score.cards) == best
    )
