"""Text about a match beside its game: seats, whose turn it is, the time left, how it ended."""

from collections.abc import Sequence

from oddsmith.client import Frame
from oddsmith.game import Outcome, Seat
from oddsmith.match.model import Abandonment, Clock


def join_words(words: Sequence[str]) -> str:
    """Return words as a list in a sentence.

    >>> join_words(["Ann"]), join_words(["Ann", "Bo"]), join_words(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann and Bo', 'Ann, Bo and Cy')
    """
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def describe_clock(clock: Clock) -> str:
    """Describe the time limits of a seat.

    >>> describe_clock(Clock(choice_seconds=60)), describe_clock(Clock(choice_seconds=60, bank_seconds=600))
    ('60 s for each choice', '60 s for each choice and 600 s more for the match')
    """
    more = f" and {clock.bank_seconds:,} s more for the match" if clock.bank_seconds else ""
    return f"{clock.choice_seconds:,} s for each choice{more}"


def seconds_left(known: Frame, now: float) -> float | None:
    """Return the seconds that the viewer has left to choose; None where no clock runs.

    The deadline is in the time of the server. Where it is impossible by the local time, return the whole time limit.
    """
    chair = None if known.viewer is None else known.chairs[known.viewer]
    if known.clock is None or chair is None or chair.due_at is None:
        return None
    most = known.clock.choice_seconds + chair.bank / 1000
    left = chair.due_at / 1000 - now
    return left if 0 <= left <= most else most


def describe_match(seen: Frame) -> str:
    """Describe seats, rules and clock of a match."""
    taken = ", ".join("free" if chair.name is None else chair.name for chair in seen.chairs)
    clock = "" if seen.clock is None else f"  {describe_clock(seen.clock)}"
    return f"{taken}  rules {seen.rules_id[:12]}{clock}"


def describe_luck(seen: Frame) -> str:
    """Describe the source of the luck of a match."""
    if seen.practice is None:
        return f"sealed {seen.commitment}"
    return f"practice with the seed {seen.practice}: its luck can be foreseen"


def describe_seats(known: Frame) -> str:
    """Describe who has which seat."""
    return ", ".join(
        f"seat {seat} is {_seat_name(known, seat)}{_bot_mark(known, seat)}"
        for seat in range(len(known.chairs))
    )


def _seat_name(known: Frame, seat: Seat) -> str:
    return "you" if seat == known.viewer else known.chairs[seat].name or f"seat {seat}"


def _bot_mark(known: Frame, seat: Seat) -> str:
    return "" if known.chairs[seat].bot is None else " (a bot)"


def describe_waiting(known: Frame, address: str) -> str:
    """Describe for whom a match waits; return an empty text if only for the viewer."""
    free = sum(chair.name is None for chair in known.chairs)
    if free:
        return f"waiting for {free} more: oddsmith join {address}"
    others = [_seat_name(known, seat) for seat in known.deciding if seat != known.viewer]
    return f"waiting for {join_words(others)}" if others else ""


def describe_end(known: Frame, end: Outcome | Abandonment) -> str:
    """Describe the end of a match, and its winners."""
    leaver = end.seat if isinstance(end, Abandonment) else None
    by = "" if leaver is None else f" by {_seat_name(known, leaver)}"
    return f"over: {end.why.replace('_', ' ')}{by}{_winners_text(known, end.winners)}"


def _winners_text(known: Frame, winners: Sequence[Seat]) -> str:
    """Describe the winners; a game for one seat does so itself."""
    if not winners or len(known.chairs) == 1:
        return ""
    names = [_seat_name(known, seat) for seat in winners]
    return f", {join_words(names)} {'wins' if len(names) == 1 and names != ['you'] else 'win'}"
