"""How far bots get in Dice Hands: counted on the engine, told with intervals."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeVar

import msgspec

from oddsmith.bots import bot_names
from oddsmith.chance import Seeded
from oddsmith.cli.terminal.console import console, print_json, progress_bar
from oddsmith.errors import InputError, nearest
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.simulation.runs import play_runs
from oddsmith.games.dice.simulation.runs_report import RunsReport
from oddsmith.text import columns, plain

__all__ = ["Asked", "BotRuns", "RoundWon", "RunsReply", "answer", "runs_lines"]

Name = TypeVar("Name", bound=str)

LOW: Final = Fraction(1, 10)
MEDIAN: Final = Fraction(1, 2)
HIGH: Final = Fraction(9, 10)
FAVOURITES: Final = 3


class RoundWon(msgspec.Struct, frozen=True, kw_only=True):
    """The share of all runs that won a round; the true one is from `low` to `high` at 95 %."""

    round: int
    target: int
    won: float
    low: float
    high: float


class BotRuns(msgspec.Struct, frozen=True, kw_only=True):
    """How far a bot got: rounds won on average, `error` being half of a 95 % interval, and how they spread.

    A tenth of the runs won at most `low` rounds, half of them `median`, nine tenths `high`. `lost_to` counts the
    runs that ended in a round with a boss, `bought` all purchases.
    """

    bot: str
    rounds: float
    error: float
    low: int
    median: int
    high: int
    best: int
    won: tuple[RoundWon, ...]
    lost_to: Mapping[BossKind, int]
    bought: Mapping[str, int]


class RunsReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith dice runs`: how far each bot got in `runs` runs through the real engine."""

    rules_id: str
    runs: int
    seed: str
    bots: tuple[BotRuns, ...]


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Which bots play how many runs, and by which rules, as the command line gives it."""

    rules_file: str
    settings: Sequence[str]
    bots: Sequence[str]
    runs: int
    seed: str


def answer(asked: Asked, *, jobs: int, as_json: bool) -> None:
    """Let the bots play, and say how far they got."""
    rules = Rules.read(asked.rules_file).changed(asked.settings)
    Seeded(asked.seed)
    names = _bots(asked.bots)
    reply = RunsReply(
        rules_id=rules.rules_id,
        runs=asked.runs,
        seed=asked.seed,
        bots=tuple(_played(names, asked, rules, jobs)),
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(runs_lines(reply)))


def _bots(given: Sequence[str]) -> tuple[str, ...]:
    known = bot_names(Rules.game)
    for name in given:
        if name not in known:
            raise InputError("unknown_bot", f"unknown bot '{name[:40]}' of dice{nearest(name[:40], known)}")
    return tuple(dict.fromkeys(given)) or known


def _played(names: Sequence[str], asked: Asked, rules: Rules, jobs: int) -> Iterator[BotRuns]:
    """Play, while one bar shows how many of all runs are over."""
    with progress_bar(f"playing {len(names) * asked.runs:,} runs") as progress:
        for done, name in enumerate(names):

            def report(share: float, done: int = done) -> None:
                progress((done + share) / len(names))

            played = play_runs(name, asked.runs, rules, asked.seed, workers=jobs, progress=report)
            yield _summed_up(name, played, rules)


def _summed_up(name: str, report: RunsReport, rules: Rules) -> BotRuns:
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
        won=tuple(_round_won(number, report, rules) for number in rounds),
        lost_to=_most_first(lost_to),
        bought=_most_first(report.bought),
    )


def _most_first(counts: Mapping[Name, int]) -> dict[Name, int]:
    """Put what was counted most first, and what was counted as often by name."""
    return dict(sorted(counts.items(), key=lambda counted: (-counted[1], counted[0])))


def _round_won(number: int, report: RunsReport, rules: Rules) -> RoundWon:
    share = report.won(number)
    return RoundWon(round=number, target=rules.target(number), won=share.mean, low=share.low, high=share.high)


def runs_lines(reply: RunsReply) -> Iterator[str]:
    """Show how far each bot got, which share of its runs won each round, and what it lost to and bought."""
    yield from _headed([("bot", "rounds won", "±", "10 %", "median", "90 %", "best"), *map(_row, reply.bots)])
    yield ""
    yield from _headed([*_round_rows(reply.bots)])
    yield ""
    for one in reply.bots:
        yield from _habit_lines(one, reply.runs)
    yield f"{reply.runs:,} runs each, seed {plain(reply.seed)}; ± and intervals at 95 %"


def _headed(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *lines = columns(rows)
    yield f"[bold]{head}[/]"
    yield from lines


def _row(one: BotRuns) -> tuple[str, ...]:
    spread = (str(number) for number in (one.low, one.median, one.high, one.best))
    return (one.bot, f"{one.rounds:.2f}", f"{one.error:.2f}", *spread)


def _round_rows(bots: Sequence[BotRuns]) -> Iterator[tuple[str, ...]]:
    yield ("round", "target", *(f"{one.bot} won %" for one in bots))
    longest = max((one.won for one in bots), key=len)
    for place, row in enumerate(longest):
        cells = (_share_words(one.won[place]) if place < len(one.won) else "" for one in bots)
        yield (f"{row.round:>5}", f"{row.target:,}", *cells)


def _share_words(share: RoundWon) -> str:
    return f"{100 * share.won:.1f} ({100 * share.low:.1f}–{100 * share.high:.1f})"


def _habit_lines(one: BotRuns, runs: int) -> Iterator[str]:
    bosses = ", ".join(f"{boss} {count:,}" for boss, count in one.lost_to.items())
    lost = sum(one.lost_to.values())
    yield f"{one.bot}: {lost:,} of {runs:,} runs lost to a boss{f' ({bosses})' if bosses else ''}"
    most = [f"{what} {count:,}" for what, count in [*one.bought.items()][:FAVOURITES]]
    if most:
        yield f"  bought most: {', '.join(most)}"
