"""Casino's bots: `random`, `greedy` and `search`."""

from collections.abc import Sequence
from typing import Final

from oddsmith.bot import RANDOM, Bot, BotSettings, Chooser, CompiledCode, pick_bot
from oddsmith.games.casino.model import Move
from oddsmith.games.casino.rules import Rules
from oddsmith.games.casino.scoring import Gain, gain
from oddsmith.games.casino.views import View

__all__ = ["BOTS", "Greedy", "find_bot"]


class Greedy:
    """A bot that plays the move with the largest immediate gain (`Gain`); of equal moves the first."""

    def __call__(self, view: View, actions: Sequence[Move], /) -> Move:
        """Return the move with the largest immediate gain."""

        def gain_of(move: Move) -> Gain:
            return gain(move, view)

        return max(actions, key=gain_of)


def _make_greedy(_rules: Rules, _settings: BotSettings) -> Greedy:
    return Greedy()


def _make_search(_rules: Rules, settings: BotSettings) -> Chooser[View, Move]:
    from oddsmith.games.casino.bots.search import SearchBot  # noqa: PLC0415  it loads the kernels

    return SearchBot(settings.draw, iterations=settings.iterations, seconds=settings.seconds)


def _prepare_search() -> None:
    from oddsmith.games.casino.bots.search import prepare_search  # noqa: PLC0415  it loads the kernels

    prepare_search()


def _is_search_cached() -> bool:
    from oddsmith.games.casino.bots import search_tree  # noqa: PLC0415  it loads the kernels
    from oddsmith.games.casino.compiler import is_cached  # noqa: PLC0415  it loads the kernels

    return is_cached(search_tree)


BOTS: Final = (
    RANDOM,
    Bot(name="greedy", make=_make_greedy),
    Bot(
        name="search",
        make=_make_search,
        code=CompiledCode(prepare=_prepare_search, is_cached=_is_search_cached),
    ),
)


def find_bot(name: str) -> Bot:
    """Return the bot of a name; raise `InputError` where there is none.

    >>> from oddsmith.chance import Scripted
    >>> type(find_bot("greedy").make(Rules(), BotSettings(draw=Scripted([])))).__name__
    'Greedy'
    """
    return pick_bot(BOTS, name, game=Rules.game)
