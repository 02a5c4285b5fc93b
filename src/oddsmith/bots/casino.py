"""Casino's bots by their names: one that takes what it can, and one that looks ahead."""

from collections.abc import Sequence

from oddsmith.bot import Chooser, RandomBot
from oddsmith.bots.search import SearchBot
from oddsmith.chance import Draw
from oddsmith.errors import InputError
from oddsmith.games.casino.hints import Gain, gain
from oddsmith.games.casino.model import Move
from oddsmith.games.casino.rules import Rules
from oddsmith.games.casino.views import View
from oddsmith.rules import Ruleset

__all__ = ["Greedy", "fisher"]


class Greedy:
    """A bot that takes the most points at once, then the most cards, then spades; of equal moves the first listed."""

    def __call__(self, view: View, actions: Sequence[Move], /) -> Move:
        """Return the move that brings most at once."""

        def brought(move: Move) -> Gain:
            return gain(move, view)

        return max(actions, key=brought)


def fisher(
    name: str, rules: Ruleset, *, draw: Draw, iterations: int | None = None, seconds: float | None = None
) -> Chooser[View, Move]:
    """Return the bot of that name; one that looks ahead plays so many games before a move, or so many seconds.

    >>> from oddsmith.chance import Scripted
    >>> type(fisher("greedy", Rules(), draw=Scripted([]))).__name__
    'Greedy'
    """
    if not isinstance(rules, Rules):
        raise InputError("wrong_rules", f"a bot of Casino needs its rules, not those of {rules.game}")
    if name == "greedy":
        return Greedy()
    return RandomBot(draw) if name == "random" else SearchBot(draw, iterations=iterations, seconds=seconds)
