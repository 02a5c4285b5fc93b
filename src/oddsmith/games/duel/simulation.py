"""Simulation of duels between a bot and the house through the game's engine.

Duel number n of a seed is always the same duel, however many duels are played and by however many workers.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import lru_cache
from typing import Final

import msgspec

from oddsmith.bot import BotSettings, Chooser
from oddsmith.chance import Seeded, System
from oddsmith.driver import play
from oddsmith.games.duel.bots import PerfectBot, make_bot
from oddsmith.games.duel.engine import GAME
from oddsmith.games.duel.model import Action, State
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.tally import End, Tally, require_duels
from oddsmith.games.duel.views import View
from oddsmith.worker_pool import ReplaceableDraw, run_batches

__all__ = ["play_duels"]

BATCH: Final = 500
"""Duels in a batch; progress is reported after each."""


def play_duels(
    bot: str,
    rules: Rules,
    duels: int,
    seed: str | int,
    *,
    objective: str = "win",
    workers: int = 1,
    progress: Callable[[float], None] | None = None,
) -> Tally:
    """Play `duels` duels of a bot with the house and return the tally of their ends.

    `progress` is called with the share of the duels that are over. More than one worker starts processes that import
    the calling program again, so it must have its own work under `if __name__ == "__main__"`. Raise `InputError` for an
    unknown bot or a number of duels out of bounds.

    >>> tally = play_duels("all_attack", Rules(difficulty=1), 50, seed="yuma")
    >>> tally.duels, tally.wins.happened + tally.defeats.happened
    (50, 50)
    """
    require_duels(duels)
    series = DuelSeries(bot, rules, objective, seed)
    batches = run_batches(series.fight_batch, duels, BATCH, workers)
    series.prepare()
    ends: Counter[End] = Counter()
    with closing(batches) as fought:
        for batch in fought:
            ends += batch
            if progress is not None:
                progress(ends.total() / duels)
    return Tally(dict(ends))


class DuelSeries(msgspec.Struct, frozen=True):
    """The bot, rules, objective and seed of a series of duels; picklable, so that workers get it."""

    bot: str
    rules: Rules
    objective: str
    seed: str | int

    def prepare(self) -> None:
        """Solve the duel if the bot needs that, so that all workers find the solution in the disk cache."""
        chooser = _cached_bot(self.bot, self.rules, self.objective)[0]
        if isinstance(chooser, PerfectBot):
            chooser.solution(house=True)

    def fight_batch(self, numbers: Iterable[int]) -> Counter[End]:
        """Play the duels of these numbers and count their ends."""
        chooser, luck = _cached_bot(self.bot, self.rules, self.objective)
        ends: Counter[End] = Counter()
        for number in numbers:
            luck.source = Seeded(f"{self.seed}/{number}")
            state = GAME.setup(self.rules, 1)
            for ply in play(GAME, state, [chooser], luck):
                state = ply.after
            ends[_end(state)] += 1
        return ends


def _end(state: State) -> End:
    assert state.result is not None  # noqa: S101  a duel is played until it has one
    return End.of(state.result, state.round)


@lru_cache(maxsize=1)
def _cached_bot(name: str, rules: Rules, objective: str) -> tuple[Chooser[View, Action], ReplaceableDraw]:
    """Return the bot and its luck; the bot caches what it computes for hands across duels."""
    luck = ReplaceableDraw(System())
    settings = BotSettings(draw=luck, objective=objective)
    return make_bot(name, rules, settings), luck
