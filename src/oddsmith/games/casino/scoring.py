"""Points of piles and sweeps, winners (§5.3, §5.4), and the immediate gain of a move (§5.1)."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import msgspec

from oddsmith.cards import STANDARD_DECK, Card, Rank, Suit, card
from oddsmith.game import Seat
from oddsmith.games.casino.model import CAPTURES, Move, Score
from oddsmith.games.casino.moves import cards_of
from oddsmith.games.casino.rules import Rules, Scoring
from oddsmith.games.casino.views import View

PARTS: Final = ("most cards", "most spades", "cards", "spades", "10♦", "2♠", "aces", "sweeps")
"""The parts of a score."""
TEN_OF_DIAMONDS: Final = card("10♦")
TWO_OF_SPADES: Final = card("2♠")
ACES: Final = frozenset(card for card in STANDARD_DECK if card.rank is Rank.ACE)
SPADES: Final = frozenset(card for card in STANDARD_DECK if card.suit is Suit.SPADES)


class SeatScore(Score, frozen=True, kw_only=True):
    """The score of a seat; `parts` has its points by part, without parts that gave none."""

    parts: dict[str, int]


class ScoreReply(msgspec.Struct, frozen=True, kw_only=True):
    """The score of each seat, and the winners: by points, then by spades, then by cards."""

    rules_id: str
    scores: tuple[SeatScore, ...]
    winners: tuple[Seat, ...]


def score_reply(piles: Sequence[Sequence[Card]], sweeps: Sequence[int], rules: Rules) -> ScoreReply:
    """Return the scores by part, and the winners."""
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
    """Return the score of each seat.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> [score.points for score in final_scores((cards("A♠ 10♦"), cards("2♠")), (0, 1), DEFAULT)]
    [6, 2]
    """
    return tuple(
        Score(cards=len(pile), spades=count_spades(pile), sweeps=swept, points=sum(parts.values()))
        for pile, swept, parts in zip(piles, sweeps, score_parts(piles, sweeps, rules), strict=True)
    )


def score_parts(
    piles: Sequence[Sequence[Card]], sweeps: Sequence[int], rules: Rules
) -> tuple[dict[str, int], ...]:
    """Return each seat's points by part, without parts that gave none.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> score_parts((cards("A♠ 10♦"), cards("2♠")), (0, 1), DEFAULT)
    ({'most cards': 3, '10♦': 2, 'aces': 1}, {'2♠': 1, 'sweeps': 1})
    """
    scoring, sizes, spades = rules.scoring(len(piles)), list(map(len, piles)), list(map(count_spades, piles))
    all_parts = [
        {
            "most cards": scoring.most_cards if _has_most(sizes, seat) else 0,
            "most spades": scoring.most_spades if _has_most(spades, seat) else 0,
            "cards": _points_for_cards(sizes[seat], scoring),
            "spades": _points_for_spades(spades[seat], scoring),
            **card_points(pile, scoring),
            "sweeps": rules.sweep_points * sweeps[seat],
        }
        for seat, pile in enumerate(piles)
    ]
    return tuple({part: points for part, points in parts.items() if points} for parts in all_parts)


def count_spades(cards: Iterable[Card]) -> int:
    """Return the number of spades."""
    return len(SPADES.intersection(cards))


def card_points(cards: Collection[Card], scoring: Scoring) -> dict[str, int]:
    """Return the points for single cards: 10♦, 2♠ and the aces.

    >>> from oddsmith.cards import cards
    >>> card_points(cards("A♠ A♥ 2♠"), Scoring())
    {'10♦': 0, '2♠': 1, 'aces': 2}
    """
    return {
        "10♦": scoring.ten_of_diamonds if TEN_OF_DIAMONDS in cards else 0,
        "2♠": scoring.two_of_spades if TWO_OF_SPADES in cards else 0,
        "aces": scoring.ace * len(ACES.intersection(cards)),
    }


def _has_most(counts: Sequence[int], seat: Seat) -> bool:
    """Return whether a seat has more than every other one."""
    return all(counts[seat] > count for other, count in enumerate(counts) if other != seat)


def _points_for_cards(cards: int, scoring: Scoring) -> int:
    """Return the points for enough cards, or for one less than enough."""
    if not scoring.cards_wanted:
        return 0
    if cards >= scoring.cards_wanted:
        return scoring.cards_points
    return scoring.cards_shared if cards == scoring.cards_wanted - 1 else 0


def _points_for_spades(spades: int, scoring: Scoring) -> int:
    """Return the points for enough spades."""
    return scoring.spades_points if scoring.spades_wanted and spades >= scoring.spades_wanted else 0


def winning_seats(scores: Sequence[Score]) -> tuple[int, ...]:
    """Return the winners: by points, then spades, then cards; equal seats share (§5.4)."""
    best = max((score.points, score.spades, score.cards) for score in scores)
    return tuple(
        seat for seat, score in enumerate(scores) if (score.points, score.spades, score.cards) == best
    )


class Gain(msgspec.Struct, frozen=True, order=True):
    """The immediate gain of a move: points, cards, spades, and whether it sweeps the table.

    Points are those of captured single cards, and of a sweep. Points for numbers of cards or spades are not among them.
    """

    points: int = 0
    cards: int = 0
    spades: int = 0
    sweep: bool = False


NOTHING: Final = Gain()


def gain(move: Move, view: View) -> Gain:
    """Return the immediate gain of a legal move.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.casino.engine import GAME
    >>> from oddsmith.game import Luck
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> deal = cards("7♠ A♠ 2♦ 9♦"), cards("3♥ 5♥ J♥ Q♥"), cards("4♥ A♥ 8♣ K♣")
    >>> state = GAME.step(GAME.setup(DEFAULT, 2), Luck(deal)).state
    >>> gain(GAME.read(state, "0 A♠xA♥").action, GAME.view(state, 0))
    Gain(points=2, cards=2, spades=1, sweep=False)
    """
    if move.kind not in CAPTURES:
        return NOTHING
    taken = cards_of(move, view.builds)
    sweep = len(move.loose) == len(view.loose) and len(move.builds) == len(view.builds)
    points = sum(card_points(taken, view.rules.scoring(view.players)).values())
    return Gain(
        points=points + view.rules.sweep_points * sweep,
        cards=len(taken),
        spades=count_spades(taken),
        sweep=sweep,
    )
