"""What the search bot expects of moves, for a terminal that shows how far it is."""

from oddsmith.chance import Seeded
from oddsmith.cli.casino.replies import MoveEstimate
from oddsmith.cli.terminal.console import progress_bar
from oddsmith.games.casino.bots.search import SearchBot
from oddsmith.games.casino.model import Move
from oddsmith.games.casino.views import View

__all__ = ["estimated"]


def estimated(view: View, iterations: int, seed: str) -> dict[Move, MoveEstimate]:
    """Return the search's estimate of every legal move of the viewer, from so many iterations."""
    with progress_bar("searching") as progress:
        bot = SearchBot(Seeded(seed), iterations=iterations, progress=progress)
        return {one.move: MoveEstimate(share=one.share, visits=one.visits) for one in bot.estimates(view)}
