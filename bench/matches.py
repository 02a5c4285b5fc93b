"""Speed of the match machine in a long match, and the uniformity of a million draws of its luck."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt

from bench.measure import Row, median
from oddsmith.chance import Seeded
from oddsmith.games.duel import Rules
from oddsmith.match.fold import replay_log
from oddsmith.match.machine import apply, open_match
from oddsmith.match.model import Act, Join, Match, Open
from oddsmith.match.proofs import luck_draw

DRAWS = 1_000_000
CARDS = 52
CHOICES = 9_000
TIMED = 500
LIMIT = 6.0


def rows() -> Iterator[Row]:
    """Yield the benchmarks of a long match, and of its luck."""
    match, tokens = _begin_match()
    early = _speed(match, tokens)
    late_match = _play_choices(match, tokens, CHOICES)
    late = _speed(late_match, tokens)
    held = late < 2 * early
    yield Row("an action in a new match", f"{early * 1e6:.0f} µs", "(no bound)", held=True)
    yield Row(
        f"an action after {late_match.version:,} entries", f"{late * 1e6:.0f} µs", "< twice that", held=held
    )
    whole = median(lambda: replay_log(late_match.log), repeats=3)
    yield Row("all of it replayed", f"{whole:.2f} s", "(no bound)", held=True)
    off = _deviation(match)
    yield Row(
        f"chi-square of {DRAWS:,} committed draws",
        f"{off:+.2f} σ",
        f"within {LIMIT} σ",
        held=abs(off) < LIMIT,
    )


def _begin_match() -> tuple[Match, list[str]]:
    rules = Rules().with_settings(["most_selections=1000", "player_hp=1000"])
    match = open_match(Open(rules=rules, bots=(None, None)), 0, Seeded("bench")).match
    tokens = []
    for name in ("Ann", "Bo"):
        joined = apply(match, Join(id=name.ljust(22, "-"), name=name), 0)
        match = joined.match
        tokens.append(getattr(joined.answer, "token", ""))
    return match, tokens


def _play_choices(match: Match, tokens: Sequence[str], choices: int) -> Match:
    """Let both seats select in turn, and fight when they may select no more."""
    for number in range(choices):
        seat = number % 2
        line = "attack 0 1" if number % 1_000 < 998 else "fight"  # noqa: PLR2004  the last two of a round
        command = Act(token=tokens[seat], id=f"c{match.version}", version=match.version, action=line)
        match = apply(match, command, 0).match
    return match


def _speed(match: Match, tokens: Sequence[str]) -> float:
    return median(lambda: _play_choices(match, tokens, TIMED), repeats=5) / TIMED


def _deviation(match: Match) -> float:
    """Return the deviation of the chi-square of draws below 52 from that of uniform luck, in standard deviations."""
    counts = Counter(_numbers(match))
    expected = DRAWS / CARDS
    square = sum((counts[number] - expected) ** 2 / expected for number in range(CARDS))
    return (square - (CARDS - 1)) / sqrt(2 * (CARDS - 1))


def _numbers(match: Match) -> Iterator[int]:
    for ply in range(DRAWS // 50):
        draw = luck_draw(match, ply)
        for _ in range(50):
            yield draw.below(CARDS)


if __name__ == "__main__":
    from bench.measure import format_rows

    print(format_rows([*rows()]))
