"""Speed of the match machine: an action in a new and in a long match, and the replay of a long one."""

from collections.abc import Iterator, Sequence

from bench.floors import hold, python_loop
from bench.measure import alternate
from bench.rows import Row, against_floor
from oddsmith.chance import Seeded
from oddsmith.games.duel import Rules
from oddsmith.match.fold import replay_log
from oddsmith.match.machine import apply, open_match
from oddsmith.match.model import Act, Join, Match, Open

CHOICES = 9_000
TIMED = 500
"""Actions in a run."""


def rows() -> Iterator[Row]:
    """Yield the benchmarks of a long match."""
    match, tokens = begin_match()
    late_match = play_choices(match, tokens, CHOICES)
    yield hold(
        f"{TIMED} actions in a new match",
        lambda: play_choices(match, tokens, TIMED),
        python_loop(1_000 * TIMED),
        most=1.1,
        reason="an action is checked, applied and logged: some hundreds of steps of plain Python",
    )
    late, early = alternate(
        lambda: play_choices(late_match, tokens, TIMED),
        lambda: play_choices(match, tokens, TIMED),
        repeats=5,
    )
    yield against_floor(
        f"{TIMED} actions after {late_match.version:,} entries",
        late,
        (f"{TIMED} actions in a new match", early),
        most=2,
        reason="the cost of an action must not grow with the log, which is a persistent list",
    )
    yield hold(
        f"{late_match.version:,} entries replayed",
        lambda: replay_log(late_match.log),
        python_loop(1_000 * late_match.version),
        most=0.9,
        reason="every entry is checked and applied again, without the answers of the machine",
        repeats=3,
    )


def begin_match() -> tuple[Match, list[str]]:
    """Return a duel of two players with many selections in a round, and their tokens."""
    rules = Rules().with_settings(["most_selections=1000", "player_hp=1000"])
    match = open_match(Open(rules=rules, bots=(None, None)), 0, Seeded("bench")).match
    tokens = []
    for name in ("Ann", "Bo"):
        joined = apply(match, Join(id=name.ljust(22, "-"), name=name), 0)
        match = joined.match
        tokens.append(getattr(joined.answer, "token", ""))
    return match, tokens


def play_choices(match: Match, tokens: Sequence[str], choices: int) -> Match:
    """Let both seats select in turn, and fight when they may select no more."""
    for number in range(choices):
        seat = number % 2
        line = "attack 0 1" if number % 1_000 < 998 else "fight"  # noqa: PLR2004  the last two of a round
        command = Act(token=tokens[seat], id=f"c{match.version}", version=match.version, action=line)
        match = apply(match, command, 0).match
    return match
