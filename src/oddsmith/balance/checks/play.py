"""What play comes to: strategies that always win, moves that never help, seats that win unequally, endless lists."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from oddsmith.balance.aims import as_percent, shown
from oddsmith.balance.exhibits import Choices, Maneuver, Seats, Strategy
from oddsmith.balance.figures import Reading, Unit
from oddsmith.balance.findings import Finding, Severity, check

__all__: list[str] = []

NEARLY_ALWAYS: Final = Fraction(99, 100)
UNEQUAL: Final = Fraction(1, 100)
"""Seats that differ by no more than this are as good as equal."""
LEAST_DOUBT: Final = 0.001
"""How likely a difference must not be by chance, over all seats together."""
LONGEST_LIST: Final = 1_000


@check("strategy-always-wins", Severity.WARNING, Strategy, "A strategy that wins whatever the opponent does")
def _strategy_always_wins(strategy: Strategy) -> Iterator[Finding]:
    """Look at how often a fixed way of playing wins: from 99 % on there is nothing left to decide.

    One that looks at what happens is a note: it may be what skill should bring.
    """
    if strategy.wins.low < NEARLY_ALWAYS:
        return
    ends = sorted(strategy.ends.items(), key=lambda end: -end[1].value)
    how = f": {', '.join(f'{name} {shown(share, Unit.CHANCE)}' for name, share in ends)}" if ends else ""
    blind = "" if strategy.decided else ", without looking at anything"
    yield Finding(
        check="strategy-always-wins",
        severity=Severity.NOTE if strategy.decided else Severity.WARNING,
        where=strategy.where,
        sentence=f"{strategy.about}: {strategy.name} wins {shown(strategy.wins, Unit.CHANCE)} "
        f"({strategy.wins.basis}){blind}{how}",
        evidence={"strategy": strategy.name, "wins": strategy.wins, "ends": strategy.ends},
        suggestion=f"let {strategy.name} lose to something: "
        f"{f'take away what {ends[0][0]} gives' if ends else 'change what it wins by'}",
    )


@check("move-never-helps", Severity.WARNING, Maneuver, "A move that never helps its maker")
def _move_never_helps(move: Maneuver) -> Iterator[Finding]:
    """Compare what a move can bring its maker, at best, with what it can bring the others."""
    if move.own.high > 0 or move.others.low <= 0:
        return
    proof = f": {move.evidence}" if move.evidence else ""
    yield Finding(
        check="move-never-helps",
        severity=Severity.WARNING,
        where=move.where,
        sentence=f"{move.about}: {move.name} brings its maker {shown(move.own, Unit.NUMBER)} at best, "
        f"and others up to {shown(move.others, Unit.NUMBER)}{proof}",
        evidence={"move": move.name, "own": move.own, "others": move.others, "position": move.evidence},
        suggestion=f"let the maker of a {move.name} get something out of it, too",
    )


@check("seats-unequal", Severity.WARNING, Seats, "Seats that win unequally under equal play")
def _seats_unequal(seats: Seats) -> Iterator[Finding]:
    """Compare the seats when all play alike: more than one percentage point apart is unequal.

    Where games were counted, they must also be so far from equal that chance explains it less than once in a thousand
    times, by an exact binomial test of each seat (without SciPy: beyond the errors).
    """
    best, worst = (end(seats.wins, key=lambda seat: seat.value) for end in (max, min))
    if best.value - worst.value <= UNEQUAL:
        return
    doubt = _doubt(seats)
    if doubt is not None and doubt >= LEAST_DOUBT:
        return
    each = ", ".join(
        f"seat {place} {shown(reading, Unit.CHANCE)}" for place, reading in enumerate(seats.wins, start=1)
    )
    counted = f" of {seats.games:,} games" if doubt is not None else ""
    tested = f"; by chance with p = {doubt:.1g}" if doubt else ""
    yield Finding(
        check="seats-unequal",
        severity=Severity.WARNING,
        where=seats.where,
        sentence=f"{seats.about}, all {seats.players}: {each}{counted}{tested}",
        evidence={"wins": seats.wins, "games": seats.games, "players": seats.players, "p": doubt},
        suggestion=f"let every player sit in every seat, or give seat {seats.wins.index(worst) + 1} "
        f"what makes up for {as_percent(best.value - worst.value)}",
    )


@check("choices-explode", Severity.WARNING, Choices, "A list of moves that explodes")
def _choices_explode(choices: Choices) -> Iterator[Finding]:
    """Look at the longest list of moves: nobody reads a thousand, and programs that search them stall."""
    if choices.longest <= LONGEST_LIST:
        return
    most = f", and up to {choices.bound:,} by the rules" if choices.bound is not None else ""
    yield Finding(
        check="choices-explode",
        severity=Severity.WARNING,
        where=choices.where,
        sentence=f"{choices.about}: {choices.longest:,} moves in one position{most}: {choices.position}",
        evidence={"longest": choices.longest, "bound": choices.bound, "position": choices.position},
        suggestion=f"bound what can be combined in one move, until no list is longer than {LONGEST_LIST:,}",
    )


def _doubt(seats: Seats) -> float | None:
    """Return how likely such a difference is by chance, over all seats; None where the wins are exact.

    Without SciPy it is 0 beyond the errors, and 1 within them.
    """
    if not any(reading.error for reading in seats.wins):
        return None
    fair = Fraction(1, len(seats.wins))
    try:
        from scipy.stats import binomtest  # noqa: PLC0415  an extra, and slow to load
    except ImportError:
        return 0.0 if any(_is_beyond(reading, fair) for reading in seats.wins) else 1.0
    tests = (
        binomtest(round(reading.value * seats.games), seats.games, float(fair)) for reading in seats.wins
    )
    return min(1.0, len(seats.wins) * min(float(test.pvalue) for test in tests))


def _is_beyond(reading: Reading, fair: Fraction) -> bool:
    return not reading.low <= fair <= reading.high
