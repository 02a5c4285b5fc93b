"""Whole runs of bots on the engine, and a report that counts how they ended."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Final, assert_never

import msgspec

from oddsmith.bot import BotSettings, Chooser, pick_bot
from oddsmith.chance import Seeded, System
from oddsmith.driver import play
from oddsmith.errors import InputError
from oddsmith.estimate import Estimate, Proportion
from oddsmith.games.dice.bots import BOTS
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
from oddsmith.games.dice.rules import DEFAULT, BossKind, Rules
from oddsmith.games.dice.views import View
from oddsmith.worker_pool import ReplaceableDraw, run_batches

__all__ = ["MOST_RUNS", "RunEnd", "RunsReport", "play_runs"]


class RunEnd(msgspec.Struct, frozen=True):
    """How a run ended: the number of rounds won, and the boss of the round that was lost.

    `boss` is None for a round without a boss, and for a run that won every round.
    """

    won: int
    boss: BossKind | None = None


class RunsReport(msgspec.Struct, frozen=True):
    """Counts of how runs ended, of all purchases, and of final scores; two reports can be added.

    >>> early, late = RunEnd(3, BossKind.MISER), RunEnd(6)
    >>> report = RunsReport({early: 3}, {"upgrade pair": 2}) + RunsReport({late: 1}, {"upgrade pair": 5})
    >>> report.runs, report.rounds.mean, report.won_share(4).happened, report.best, report.bought["upgrade pair"]
    (4, 3.75, 1, 6, 7)
    """

    ends: Mapping[RunEnd, int]
    bought: Mapping[str, int] = {}
    final_scores: Mapping[int, int] = {}

    def __add__(self, other: "RunsReport") -> "RunsReport":
        return RunsReport(
            dict(Counter(self.ends) + Counter(other.ends)),
            dict(Counter(self.bought) + Counter(other.bought)),
            dict(Counter(self.final_scores) + Counter(other.final_scores)),
        )

    @property
    def runs(self) -> int:
        """The number of runs."""
        return sum(self.ends.values())

    @property
    def by_rounds_won(self) -> Mapping[int, int]:
        """The number of runs by the number of rounds that they won, in rising order."""
        counts: Counter[int] = Counter()
        for end, count in self.ends.items():
            counts[end.won] += count
        return dict(sorted(counts.items()))

    @property
    def rounds(self) -> Estimate:
        """The mean number of rounds won, with its error."""
        return Estimate.of(self.by_rounds_won)

    @property
    def final_score(self) -> Estimate:
        """The mean final score, with its error."""
        return Estimate.of(self.final_scores)

    @property
    def best(self) -> int:
        """The most rounds that a run won."""
        return max(self.by_rounds_won)

    def won_share(self, number: int) -> Proportion:
        """Return the share of all runs that won round `number`."""
        return Proportion(self.runs, self._at_least(number))

    def passed_share(self, number: int) -> Proportion | None:
        """Return the share of the runs in round `number` that won it; None if no run got there."""
        started = self._at_least(number - 1)
        return Proportion(started, self._at_least(number)) if started else None

    def quantile(self, share: Fraction) -> int:
        """Return the least number of rounds that at least this share of the runs did not exceed.

        Raises `InputError` for a share below 0 or above 1.

        >>> RunsReport({RunEnd(1): 1, RunEnd(2): 1, RunEnd(9): 2}).quantile(Fraction(1, 2))
        2
        """
        if not 0 <= share <= 1:
            raise InputError("bad_share", f"a share is from 0 to 1, not {share}")
        cumulated = accumulate(self.by_rounds_won.values())
        return next(
            won for won, runs in zip(self.by_rounds_won, cumulated, strict=True) if runs >= share * self.runs
        )

    def _at_least(self, number: int) -> int:
        return sum(count for won, count in self.by_rounds_won.items() if won >= number)


MOST_RUNS: Final = 1_000_000
BATCH: Final = 20
"""The number of runs that a worker plays between two reports."""


def play_runs(
    bot: str,
    runs: int,
    rules: Rules = DEFAULT,
    seed: str | int = "oddsmith",
    *,
    workers: int = 1,
    progress: Callable[[float], None] | None = None,
) -> RunsReport:
    """Let a bot play `runs` runs, and count how they end.

    `progress` is called with the share of finished runs. More than one worker are separate processes, which import the
    calling program again: it needs `if __name__ == "__main__"` around its own work. Raises `InputError` for an unknown
    bot, a bad seed, and a number of runs out of bounds.

    >>> report = play_runs("greedy", 5, seed="yuma")
    >>> report.runs, report.won_share(1).count, report.best >= report.rounds.mean
    (5, 5, True)
    """
    if not 1 <= runs <= MOST_RUNS:
        raise InputError("bad_runs", f"from 1 to {MOST_RUNS:,} runs can be played: {runs} were asked for")
    player = RunsPlayer(bot, rules, seed)
    batches = run_batches(player.play_batch, runs, BATCH, workers)
    player.require_valid()
    report = RunsReport({})
    with closing(batches) as played:
        for batch in played:
            report += batch
            if progress is not None:
                progress(report.runs / runs)
    return report


class RunsPlayer(msgspec.Struct, frozen=True):
    """Plays numbered runs of a bot by some rules, from a seed."""

    bot: str
    rules: Rules
    seed: str | int

    def require_valid(self) -> None:
        """Raise `InputError` for an unknown bot or a bad seed."""
        _cached_bot(self.bot, self.rules)
        Seeded(self.seed)

    def play_batch(self, numbers: Iterable[int]) -> RunsReport:
        """Play the runs with these numbers, one after the other."""
        chooser, luck = _cached_bot(self.bot, self.rules)
        ends: Counter[RunEnd] = Counter()
        bought: Counter[str] = Counter()
        final_scores: Counter[int] = Counter()
        for number in numbers:
            luck.source = Seeded(f"{self.seed}/{number}")
            for ply in play(GAME, GAME.setup(self.rules, 1), [chooser], luck):
                for event in ply.events:
                    if isinstance(event, Bought):
                        bought[purchase_name(event.purchase)] += 1
                    elif isinstance(event, Ended):
                        ends[_run_end(event, ply.after)] += 1
                        final_scores[event.final_score] += 1
        return RunsReport(dict(ends), dict(bought), dict(final_scores))


def purchase_name(purchase: BuyDie | BuyItem | BuyUpgrade | BuyExtraDie) -> str:
    """Return the name of a purchase, without its place.

    >>> purchase_name(BuyUpgrade("pair")), purchase_name(BuyExtraDie())
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


def _run_end(event: Ended, state: State) -> RunEnd:
    return RunEnd(event.won, state.boss if event.why is Ending.BELOW_TARGET else None)


@lru_cache(maxsize=1)
def _cached_bot(name: str, rules: Rules) -> tuple[Chooser[View, Action], ReplaceableDraw]:
    """Return the bot, which caches what it computed in earlier runs, and its luck."""
    luck = ReplaceableDraw(System())
    return pick_bot(BOTS, name, game=Rules.game).make(rules, BotSettings(draw=luck)), luck
