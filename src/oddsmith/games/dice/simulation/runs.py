"""Bots play runs of Dice Hands through the engine that people play on.

Run number n of a seed is always the same run: it does not matter how many are played, or by how many workers.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import lru_cache
from typing import Final, assert_never

import msgspec

from oddsmith.bot import BotSettings, Chooser, pick_bot
from oddsmith.chance import Seeded, System
from oddsmith.driver import play
from oddsmith.errors import InputError
from oddsmith.games.dice.bot_list import BOTS
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import (
    Action,
    Bought,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    Ended,
    Ending,
    State,
)
from oddsmith.games.dice.rules import DEFAULT, Rules
from oddsmith.games.dice.simulation.runs_report import RunEnd, RunsReport
from oddsmith.games.dice.views import View
from oddsmith.worker_pool import ChangingLuck, in_batches

__all__ = ["MOST_RUNS", "play_runs"]

MOST_RUNS: Final = 1_000_000
BATCH: Final = 20
"""How many runs a worker plays between two reports."""


def play_runs(
    bot: str,
    runs: int,
    rules: Rules = DEFAULT,
    seed: str | int = "oddsmith",
    *,
    workers: int = 1,
    progress: Callable[[float], None] | None = None,
) -> RunsReport:
    """Let a bot play so many runs, and count how far they got.

    `progress` hears which share of them is over. More than one worker means processes of their own, which load the
    calling program anew: it must keep its own work under `if __name__ == "__main__"`.

    >>> report = play_runs("greedy", 5, seed="yuma")
    >>> report.runs, report.won(1).count, report.best >= report.rounds.mean
    (5, 5, True)
    """
    if not 1 <= runs <= MOST_RUNS:
        raise InputError("bad_runs", f"from 1 to {MOST_RUNS:,} runs can be played: {runs} were asked for")
    team = Team(bot, rules, seed)
    batches = in_batches(team.play_batch, runs, BATCH, workers)
    team.make_ready()
    report = RunsReport({})
    with closing(batches) as played:
        for batch in played:
            report += batch
            if progress is not None:
                progress(report.runs / runs)
    return report


class Team(msgspec.Struct, frozen=True):
    """Who plays by which rules, and from which seed."""

    bot: str
    rules: Rules
    seed: str | int

    def make_ready(self) -> None:
        """Refuse a bot or a seed that there is not, before any worker starts."""
        _bot(self.bot, self.rules)
        Seeded(self.seed)

    def play_batch(self, numbers: Iterable[int]) -> RunsReport:
        """Play the runs of these numbers, one after the other."""
        chooser, luck = _bot(self.bot, self.rules)
        ends: Counter[RunEnd] = Counter()
        bought: Counter[str] = Counter()
        for number in numbers:
            luck.source = Seeded(f"{self.seed}/{number}")
            for ply in play(GAME, GAME.setup(self.rules, 1), [chooser], luck):
                for event in ply.events:
                    if isinstance(event, Bought):
                        bought[purchase_words(event.purchase)] += 1
                    elif isinstance(event, Ended):
                        ends[_end(event, ply.after)] += 1
        return RunsReport(dict(ends), dict(bought))


def purchase_words(purchase: BuyDie | BuyItem | BuyUpgrade | BuyExtraDie) -> str:
    """Name what was bought, wherever in the pool it went.

    >>> purchase_words(BuyUpgrade("pair")), purchase_words(BuyExtraDie())
    ('upgrade pair', 'extra die')
    """
    match purchase:
        case BuyDie():
            return f"die {purchase.die}"
        case BuyItem():
            return f"item {purchase.item}"
        case BuyUpgrade():
            return f"upgrade {purchase.hand}"
        case BuyExtraDie():
            return "extra die"
        case _ as never:
            assert_never(never)


def _end(event: Ended, state: State) -> RunEnd:
    return RunEnd(event.won, state.boss if event.why is Ending.BELOW_TARGET else None)


@lru_cache(maxsize=1)
def _bot(name: str, rules: Rules) -> tuple[Chooser[View, Action], ChangingLuck]:
    """Return the bot, which remembers what it worked out in earlier runs, and its luck."""
    luck = ChangingLuck(System())
    return pick_bot(BOTS, name, game=Rules.game).make(rules, BotSettings(draw=luck)), luck
