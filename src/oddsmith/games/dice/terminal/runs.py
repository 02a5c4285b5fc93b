"""How far bots got in Dice Hands, as lines of a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from oddsmith.games.dice.questions.runs import BotRuns, RoundWon, RunsReply, RunsRequest
from oddsmith.games.dice.rules import Rules
from oddsmith.text import columns, plain

FAVOURITES: Final = 3


def runs_lines(request: RunsRequest, reply: RunsReply, rules: Rules) -> Iterator[str]:  # noqa: ARG001  every question has these
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
