"""The question how far bots get in whole runs, played on the engine."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import msgspec
from msgspec import Meta

from oddsmith.bot import pick_bot
from oddsmith.errors import WorkLimitError
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.question import Context, Question, Request, option

if TYPE_CHECKING:
    from oddsmith.games.dice.simulation.runs import RunsReport

Name = TypeVar("Name", bound=str)

LOW: Final = Fraction(1, 10)
MEDIAN: Final = Fraction(1, 2)
HIGH: Final = Fraction(9, 10)
MOST_RUNS: Final = 1_000_000
MOST_JOBS: Final = 64
MOST_SERVED_RUNS: Final = 200
"""The most runs of all bots together that a server plays."""
MOST_SERVED_SECONDS: Final = 10.0
"""The seconds after which a server stops playing runs."""
SEED_RANGE: Final = 2**53


class RunsRequest(Request, frozen=True, kw_only=True):
    """Bots that play whole runs, the number of runs for each, and of processes that play them."""

    bots: Annotated[
        tuple[str, ...],
        option("Which of the bots plays; repeat. All by default.", "--bot", metavar="NAME"),
        Meta(max_length=20),
    ] = ()
    runs: Annotated[int, option("How many for each.", metavar="NUMBER"), Meta(ge=2, le=MOST_RUNS)] = 100
    jobs: Annotated[int, option("How many processes play.", metavar="NUMBER"), Meta(ge=1, le=MOST_JOBS)] = 1


class RoundWon(msgspec.Struct, frozen=True, kw_only=True):
    """The share of all runs that won a round, with its 95 % interval from `low` to `high`."""

    round: int
    target: int
    won: float
    low: float
    high: float


class BotRuns(msgspec.Struct, frozen=True, kw_only=True):
    """How far a bot got: the mean number of rounds won, with half of its 95 % interval as `error`, and quantiles.

    A tenth of the runs won at most `low` rounds, half of them `median`, nine tenths `high`. `finished` is the share of
    runs that won every round; `final_score` is the mean final score, with its `final_score_error`. `lost_to` counts the
    runs that ended in a round with a boss, `bought` all purchases.
    """

    bot: str
    rounds: float
    error: float
    low: int
    median: int
    high: int
    best: int
    finished: float
    final_score: float
    final_score_error: float
    won: tuple[RoundWon, ...]
    lost_to: Mapping[BossKind, int]
    bought: Mapping[str, int]


class RunsReply(msgspec.Struct, frozen=True, kw_only=True):
    """How far each bot got in `runs` runs on the engine."""

    rules_id: str
    runs: int
    seed: str
    bots: tuple[BotRuns, ...]


def play_runs(request: RunsRequest, context: Context[Rules]) -> RunsReply:
    """Let bots play whole runs, and say how far they get."""
    names = _read_bots(request, context)
    seed = str(context.draw.below(SEED_RANGE)) if context.seed is None else context.seed
    return RunsReply(
        rules_id=context.rules.rules_id,
        runs=request.runs,
        seed=seed,
        bots=tuple(_play_bots(names, request, seed, context)),
    )


def _read_bots(request: RunsRequest, context: Context[Rules]) -> Sequence[str]:
    """Return the names of the bots that play; raise `WorkLimitError` for many runs or slow bots if work is limited."""
    from oddsmith.games.dice.bots import BOTS

    given = dict.fromkeys(request.bots) or dict.fromkeys(
        bot.name for bot in BOTS if not (context.is_limited and bot.is_slow)
    )
    bots = [pick_bot(BOTS, name, game=Rules.game) for name in given]
    is_slow = any(bot.is_slow for bot in bots)
    if context.is_limited and (is_slow or request.jobs > 1 or len(bots) * request.runs > MOST_SERVED_RUNS):
        raise WorkLimitError(
            "too_many_runs",
            f"a server plays at most {MOST_SERVED_RUNS} runs of all bots, by one process and without the slow bots; "
            "the command line has no such limit",
            where="runs",
        )
    return [bot.name for bot in bots]


def _play_bots(
    names: Sequence[str], request: RunsRequest, seed: str, context: Context[Rules]
) -> Iterator[BotRuns]:
    """Yield how far each bot got; progress is the share of all runs that are finished."""
    from oddsmith.games.dice.simulation import runs

    until = monotonic() + MOST_SERVED_SECONDS if context.is_limited else inf
    with context.progress(f"playing {len(names) * request.runs:,} runs") as report:
        for done, name in enumerate(names):

            def report_all(share: float, done: int = done) -> None:
                if monotonic() > until:
                    raise WorkLimitError(
                        "too_many_runs",
                        f"these runs take longer than {MOST_SERVED_SECONDS:g} seconds; the command line has no such limit",
                        where="runs",
                    )
                report((done + share) / len(names))

            played = runs.play_runs(
                name, request.runs, context.rules, seed, workers=request.jobs, progress=report_all
            )
            yield _sum_up(name, played, context.rules)


def _sum_up(name: str, report: "RunsReport", rules: Rules) -> BotRuns:
    lost_to: Counter[BossKind] = Counter()
    for end, count in report.ends.items():
        if end.boss is not None:
            lost_to[end.boss] += count
    rounds = range(1, min(report.best + 1, rules.rounds) + 1)
    return BotRuns(
        bot=name,
        rounds=report.rounds.mean,
        error=report.rounds.error,
        low=report.quantile(LOW),
        median=report.quantile(MEDIAN),
        high=report.quantile(HIGH),
        best=report.best,
        finished=report.won_share(rules.rounds).mean,
        final_score=report.final_score.mean,
        final_score_error=report.final_score.error,
        won=tuple(_round_won(number, report, rules) for number in rounds),
        lost_to=_sort_by_count(lost_to),
        bought=_sort_by_count(report.bought),
    )


def _sort_by_count(counts: Mapping[Name, int]) -> dict[Name, int]:
    """Return counts in falling order; equal ones by name."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _round_won(number: int, report: "RunsReport", rules: Rules) -> RoundWon:
    share = report.won_share(number)
    return RoundWon(round=number, target=rules.target(number), won=share.mean, low=share.low, high=share.high)


RUNS: Final = Question(
    name="runs",
    request=RunsRequest,
    reply=RunsReply,
    answer=play_runs,
    example="oddsmith dice runs --bot greedy --bot random --runs 200 --seed yuma",
    draws=True,
    default_seed="oddsmith",
    has_figures=False,
)
