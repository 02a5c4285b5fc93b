"""What a person is told about a match beside its game: who sits where, whose turn it is, how long, how it ended."""

from collections.abc import Sequence

from oddsmith.client import Frame
from oddsmith.game import Outcome, Seat
from oddsmith.match.model import Abandonment, Clock


def listed(words: Sequence[str]) -> str:
    """Join words as people do.

    >>> listed(["Ann"]), listed(["Ann", "Bo"]), listed(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann and Bo', 'Ann, Bo and Cy')
    """
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def clock_words(clock: Clock) -> str:
    """Say how long a seat may think.

    >>> clock_words(Clock(choice_seconds=60)), clock_words(Clock(choice_seconds=60, bank_seconds=600))
    ('60 s for each choice', '60 s for each choice and 600 s more for the match')
    """
    more = f" and {clock.bank_seconds:,} s more for the match" if clock.bank_seconds else ""
    return f"{clock.choice_seconds:,} s for each choice{more}"


def seconds_left(known: Frame, now: float) -> float | None:
    """Return how long the viewer, who must choose, may think; None where no clock runs.

    When the time is up is told in the server's time. Where that cannot be right here, it is all that a choice may take.
    """
    chair = None if known.viewer is None else known.chairs[known.viewer]
    if known.clock is None or chair is None or chair.due_at is None:
        return None
    most = known.clock.choice_seconds + chair.bank / 1000
    left = chair.due_at / 1000 - now
    return left if 0 <= left <= most else most


def match_words(seen: Frame) -> str:
    """Say what a match is, before anybody sits down."""
    taken = ", ".join("free" if chair.name is None else chair.name for chair in seen.chairs)
    clock = "" if seen.clock is None else f"  {clock_words(seen.clock)}"
    return f"{taken}  rules {seen.rules_id[:12]}{clock}"


def luck_words(seen: Frame) -> str:
    """Say where the luck of a match comes from, before anybody sits down."""
    if seen.practice is None:
        return f"sealed {seen.commitment}"
    return f"practice with the seed {seen.practice}: its luck can be foreseen"


def seats_words(known: Frame) -> str:
    """Say who sits where: a game knows its seats by number."""
    return ", ".join(
        f"seat {seat} is {_named(known, seat)}{_kind(known, seat)}" for seat in range(len(known.chairs))
    )


def _named(known: Frame, seat: Seat) -> str:
    return "you" if seat == known.viewer else known.chairs[seat].name or f"seat {seat}"


def _kind(known: Frame, seat: Seat) -> str:
    return "" if known.chairs[seat].bot is None else " (a bot)"


def awaited_words(known: Frame, address: str) -> str:
    """Say for whom a match waits; nothing where it is for nobody but the viewer."""
    free = sum(chair.name is None for chair in known.chairs)
    if free:
        return f"waiting for {free} more: oddsmith join {address}"
    others = [_named(known, seat) for seat in known.deciding if seat != known.viewer]
    return f"waiting for {listed(others)}" if others else ""


def over_words(known: Frame, end: Outcome | Abandonment) -> str:
    """Say how a match ended, and who won it."""
    leaver = end.seat if isinstance(end, Abandonment) else None
    by = "" if leaver is None else f" by {_named(known, leaver)}"
    return f"over: {end.why.replace('_', ' ')}{by}{_won(known, end.winners)}"


def _won(known: Frame, winners: Sequence[Seat]) -> str:
    """Name the winners; who plays alone is told by the game."""
    if not winners or len(known.chairs) == 1:
        return ""
    names = [_named(known, seat) for seat in winners]
    return f", {listed(names)} {'wins' if len(names) == 1 and names != ['you'] else 'win'}"
