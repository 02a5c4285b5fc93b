"""Checks of play: dominant strategies, useless moves, unequal seats, long lists of moves, unreachable outcomes."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from oddsmith.balance.formatting import format_number, format_reading
from oddsmith.balance.linting.findings import Finding, Severity, check
from oddsmith.exhibit import Choices, Effect, FirstMatch, MoveBenefit, Outcome, Seats, Strategy
from oddsmith.figure import Unit
from oddsmith.metric import NullDistribution
from oddsmith.text import format_percent, format_small_chance

NEARLY_ALWAYS: Final = Fraction(99, 100)
LEAST_DIFFERENCE: Final = Fraction(1, 100)
"""Seats that differ by no more than this count as equal."""
SIGNIFICANCE: Final = 0.001
"""The significance level of a difference, over all seats together."""
SMALLEST_P: Final = 1e-300
"""Smaller p-values are shown as a bound."""
LONGEST_LIST: Final = 1_000
MOST_LISTED: Final = 6


@check("strategy-always-wins", Severity.WARNING, Strategy, "A strategy that wins whatever the opponent does")
def _strategy_always_wins(strategy: Strategy) -> Iterator[Finding]:
    """Test whether a fixed strategy wins at least 99 % of all games: then the player has nothing to decide.

    A strategy that depends on the state is a note: it may be the intended reward of skill.
    """
    if strategy.wins.low < NEARLY_ALWAYS:
        return
    ends = sorted(strategy.ends.items(), key=lambda end: -end[1].value)
    how = (
        f": {', '.join(f'{name} {format_reading(share, Unit.CHANCE)}' for name, share in ends)}"
        if ends
        else ""
    )
    blind = "" if strategy.decided else ", whatever the state"
    yield Finding(
        check="strategy-always-wins",
        severity=Severity.NOTE if strategy.decided else Severity.WARNING,
        where=strategy.where,
        sentence=f"{strategy.about}: {strategy.name} wins {format_reading(strategy.wins, Unit.CHANCE)} "
        f"({strategy.wins.basis}){blind}{how}",
        evidence={"strategy": strategy.name, "wins": strategy.wins, "ends": strategy.ends},
        suggestion=f"let {strategy.name} lose to something: "
        f"{f'take away what {ends[0][0]} gives' if ends else 'change what it wins by'}",
    )


@check("move-never-helps", Severity.WARNING, MoveBenefit, "A move that never helps its maker")
def _move_never_helps(move: MoveBenefit) -> Iterator[Finding]:
    """Compare the greatest gain of a move for its maker with that for the others."""
    if move.own.high > 0 or move.others.low <= 0:
        return
    proof = f": {move.evidence}" if move.evidence else ""
    yield Finding(
        check="move-never-helps",
        severity=Severity.WARNING,
        where=move.where,
        sentence=f"{move.about}: {move.name} gains its maker {format_reading(move.own, Unit.NUMBER)} at best, "
        f"and others up to {format_reading(move.others, Unit.NUMBER)}{proof}",
        evidence={"move": move.name, "own": move.own, "others": move.others, "position": move.evidence},
        suggestion=f"let the maker of a {move.name} gain something, too",
    )


@check("seats-unequal", Severity.WARNING, Seats, "Seats that win unequally under equal play")
def _seats_unequal(seats: Seats) -> Iterator[Finding]:
    """Compare the seats when all play alike: more than one percentage point apart is unequal.

    Where games were counted, they must also be so far from equal that chance explains it less than once in a thousand
    times, by an exact binomial test of each seat; where their number is not known, beyond the errors.
    """
    best, worst = (end(seats.wins, key=lambda seat: seat.value) for end in (max, min))
    if best.value - worst.value <= LEAST_DIFFERENCE:
        return
    test = _test_seats(seats)
    if not test.is_unequal:
        return
    each = ", ".join(
        f"seat {place} {format_reading(reading, Unit.CHANCE)}" for place, reading in enumerate(seats.wins)
    )
    yield Finding(
        check="seats-unequal",
        severity=Severity.WARNING,
        where=seats.where,
        sentence=f"{seats.about}, all {seats.players}: {each}{test.words}",
        evidence={"wins": seats.wins, "games": seats.games, "players": seats.players, "p": test.p},
        suggestion=f"let every player sit in every seat, or give seat {seats.wins.index(worst)} "
        f"what makes up for {format_percent(best.value - worst.value)}",
    )


@check("choices-explode", Severity.WARNING, Choices, "A list of moves that is too long")
def _choices_explode(choices: Choices) -> Iterator[Finding]:
    """Test the longest list of moves: people cannot read more than a thousand, and searches of them are slow."""
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


class _SeatsTest(NamedTuple):
    """Whether the seats differ significantly, the words for it, and the p-value where it is known."""

    is_unequal: bool
    words: str
    p: float | None


def _test_seats(seats: Seats) -> _SeatsTest:
    """Test whether equal seats could win this unequally by chance; exact wins need no test."""
    if not any(reading.error for reading in seats.wins):
        return _SeatsTest(is_unequal=True, words="", p=None)
    fair = Fraction(1, len(seats.wins))
    if not seats.games:
        beyond = any(not reading.low <= fair <= reading.high for reading in seats.wins)
        return _SeatsTest(is_unequal=beyond, words=", beyond the errors", p=None)
    p = _p_value(seats, fair)
    words = f" of {seats.games:,} games; by chance with p {_format_p(p)}"
    return _SeatsTest(is_unequal=p < SIGNIFICANCE, words=words, p=p)


def _p_value(seats: Seats, fair: Fraction) -> float:
    """Return the p-value of the seat farthest from its fair share: two-sided binomial tests with Bonferroni correction."""
    from oddsmith.balance.metrics.tail_probabilities import sum_tails

    counts = (min(seats.games, max(0, round(reading.value * seats.games))) for reading in seats.wins)
    chances = (
        sum_tails({NullDistribution.of_chance(fair): seats.games}, count).two_sided for count in counts
    )
    return min(1.0, len(seats.wins) * min(chances))


def _format_p(p: float) -> str:
    return f"= {format_small_chance(p)}" if p >= SMALLEST_P else "< 10⁻³⁰⁰"


@check("first-match-pays-less", Severity.WARNING, FirstMatch, "The first match pays less than another")
def _first_match_pays_less(match: FirstMatch) -> Iterator[Finding]:
    """Count the rolls or hands in which another category matches too, and would pay more than the first in order."""
    if match.share.low <= 0 or match.worst is None:
        return
    worst = match.worst
    given = f" ({match.circumstances})" if match.circumstances else ""
    lost = format_number(worst.better_worth - worst.worth)
    yield Finding(
        check="first-match-pays-less",
        severity=Severity.WARNING,
        where=match.where,
        sentence=f"{match.about}{given}: in {format_reading(match.share, Unit.CHANCE)} of all cases, {match.share.basis}, "
        f"the first match pays less than another: {worst.text} is {worst.selected} for {format_number(worst.worth)}, "
        f"and would be {worst.better} for {format_number(worst.better_worth)}",
        evidence={"share": match.share, "worst": worst, "circumstances": match.circumstances},
        suggestion=f"take the match that pays most, put {worst.better} before {worst.selected}, "
        f"or let {worst.selected} pay {lost} more",
    )


@check("unreachable", Severity.WARNING, Outcome, "Something that no player can reach")
def _unreachable(outcome: Outcome) -> Iterator[Finding]:
    """Test the best chance of all characters, pools and settings: if it is 0, no player can reach it."""
    if outcome.most > 0:
        return
    yield _extreme_finding(
        outcome,
        "unreachable",
        f"cannot be reached, not even with {outcome.most_for}" if outcome.most_for else "cannot be reached",
        "make it reachable, or remove it",
    )


@check("certain", Severity.WARNING, Outcome, "Something that is certain for all players")
def _certain(outcome: Outcome) -> Iterator[Finding]:
    """Test the worst chance of all characters, pools and settings: if it is 1, there is no risk."""
    if outcome.least < 1:
        return
    yield _extreme_finding(
        outcome,
        "certain",
        f"is certain, even with {outcome.least_for}" if outcome.least_for else "is certain",
        "make it harder, or remove the test",
    )


def _extreme_finding(outcome: Outcome, name: str, what: str, suggestion: str) -> Finding:
    reason = f": {outcome.reason}" if outcome.reason else ""
    return Finding(
        check=name,
        severity=Severity.NOTE if outcome.expected else Severity.WARNING,
        where=outcome.where,
        sentence=f"{outcome.about} {what}{reason}",
        evidence={
            "least": outcome.least,
            "least_for": outcome.least_for,
            "most": outcome.most,
            "most_for": outcome.most_for,
            "reason": outcome.reason,
        },
        suggestion=suggestion,
    )


@check("no-effect", Severity.WARNING, Effect, "An effect without effect")
def _no_effect(effect: Effect) -> Iterator[Finding]:
    """Compare what happens without it and with it: two equal distributions are one and the same."""
    without = _positive_chances(effect.without)
    if without != _positive_chances(effect.having):
        return
    outcomes = ", ".join(
        f"{name} {format_percent(chance)}" for name, chance in list(without.items())[:MOST_LISTED]
    )
    more = ", …" if len(without) > MOST_LISTED else ""
    yield Finding(
        check="no-effect",
        severity=Severity.WARNING,
        where=effect.where,
        sentence=f"{effect.about} changes nothing: with it and without it, {outcomes}{more}",
        evidence={"without": effect.without, "having": effect.having},
        suggestion="let it change a chance, or remove it",
    )


def _positive_chances(chances: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {name: chance for name, chance in chances.items() if chance}
