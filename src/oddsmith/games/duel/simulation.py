"""Bots fight duels with the house through the engine that people play on.

Duel number n of a seed is always the same duel: it does not matter how many are fought, or by how many workers.
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
from oddsmith.games.duel.bots import Perfect, make_bot
from oddsmith.games.duel.engine import GAME
from oddsmith.games.duel.model import Action, State
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.tally import End, Tally, require_duels
from oddsmith.games.duel.views import View
from oddsmith.worker_pool import ReplaceableDraw, run_batches

__all__ = ["play_duels"]

BATCH: Final = 500
"""How many duels a worker fights between two reports."""


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
    """Let a bot fight so many duels with the house, and count how they end.

    `progress` hears which share of them is over. More than one worker means processes of their own, which load the
    calling program anew: it must keep its own work under `if __name__ == "__main__"`.

    >>> tally = play_duels("all_attack", Rules(difficulty=1), 50, seed="yuma")
    >>> tally.duels, tally.wins.happened + tally.defeats.happened
    (50, 50)
    """
    require_duels(duels)
    team = Team(bot, rules, objective, seed)
    batches = run_batches(team.fight_batch, duels, BATCH, workers)
    team.make_ready()
    ends: Counter[End] = Counter()
    with closing(batches) as fought:
        for batch in fought:
            ends += batch
            if progress is not None:
                progress(ends.total() / duels)
    return Tally(dict(ends))


class Team(msgspec.Struct, frozen=True):
    """Who fights by which rules, and from which seed."""

    bot: str
    rules: Rules
    objective: str
    seed: str | int

    def make_ready(self) -> None:
        """Solve what has to be solved before anybody fights, so that all workers find it in the disk cache."""
        chooser = _bot(self.bot, self.rules, self.objective)[0]
        if isinstance(chooser, Perfect):
            chooser.solved(house=True)

    def fight_batch(self, numbers: Iterable[int]) -> Counter[End]:
        """Fight the duels of these numbers, one after the other."""
        chooser, luck = _bot(self.bot, self.rules, self.objective)
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
def _bot(name: str, rules: Rules, objective: str) -> tuple[Chooser[View, Action], ReplaceableDraw]:
    """Return the bot, which remembers what it worked out for the hands of earlier duels, and its luck."""
    luck = ReplaceableDraw(System())
    settings = BotSettings(draw=luck, objective=objective)
    return make_bot(name, rules, settings), luck
