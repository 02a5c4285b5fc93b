"""Casino's bots by their names: one that takes what it can, and one that looks ahead."""

from collections.abc import Sequence

from oddsmith.bot import BotSettings, Chooser
from oddsmith.games.casino.bots.search import SearchBot
from oddsmith.games.casino.model import Move
from oddsmith.games.casino.rules import Rules
from oddsmith.games.casino.scoring import Gain, gain
from oddsmith.games.casino.views import View

__all__ = ["Greedy", "make_bot"]


class Greedy:
    """A bot that takes the most points at once, then the most cards, then spades; of equal moves the first listed."""

    def __call__(self, view: View, actions: Sequence[Move], /) -> Move:
        """Return the move that brings most at once."""

        def brought(move: Move) -> Gain:
            return gain(move, view)

        return max(actions, key=brought)


def make_bot(name: str, rules: Rules, settings: BotSettings) -> Chooser[View, Move]:  # noqa: ARG001  a view has the rules
    """Return the bot of that name; one that searches is given its iterations or seconds.

    >>> from oddsmith.chance import Scripted
    >>> type(make_bot("greedy", Rules(), BotSettings(draw=Scripted([])))).__name__
    'Greedy'
    """
    if name == "greedy":
        return Greedy()
    return SearchBot(settings.draw, iterations=settings.iterations, seconds=settings.seconds)
