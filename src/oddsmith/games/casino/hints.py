"""What a move brings at once, from what its player sees: sure points, cards and spades (§5.1, §5.3)."""

from typing import Final

import msgspec

from oddsmith.games.casino.model import CAPTURES, Move
from oddsmith.games.casino.moves import cards_of
from oddsmith.games.casino.scoring import card_points, count_spades
from oddsmith.games.casino.views import View


class Gain(msgspec.Struct, frozen=True, order=True):
    """What a move brings: sure points, then cards and spades; whether it sweeps the table.

    Sure points are those of the cards that are taken, and of a sweep. What the number of cards or spades in a pile is
    worth, be it the most or so many, is not among them: `cards` and `spades` lead there.
    """

    points: int = 0
    cards: int = 0
    spades: int = 0
    sweep: bool = False


NOTHING: Final = Gain()


def gain(move: Move, view: View) -> Gain:
    """Return what a legal move brings its player at once.

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
