"""A match is a fold over its log: the same entries give the same match, on every machine and at every time."""

from collections.abc import Iterable
from functools import reduce
from typing import Any, assert_never

import msgspec

from oddsmith.errors import RecordError
from oddsmith.game import Act, Event, Over, Seat, Step
from oddsmith.match.model import (
    Abandonment,
    Chair,
    Clock,
    Entry,
    LeaveReason,
    Left,
    Made,
    Match,
    Opened,
    Seated,
    deciding_seats,
)
from oddsmith.match.persistent import PersistentList
from oddsmith.match.proofs import match_commitment
from oddsmith.registry import find_game


def replay_log(log: Iterable[Entry]) -> Match:
    """Return the match that a log tells of."""
    entries = iter(log)
    first = next(entries, None)
    if not isinstance(first, Opened):
        raise RecordError("bad_log", "a log begins with the opening of its match")
    return reduce(apply_entry, entries, begin_match(first))


def begin_match(entry: Opened) -> Match:
    """Return the match that was opened."""
    game = find_game(entry.game)
    match = Match(
        id=entry.match,
        game=entry.game,
        engine=game,
        rules=game.rules_type.from_toml(entry.rules),
        secret=entry.secret,
        key=entry.key,
        commitment=match_commitment(entry.secret, entry.practice),
        clock=entry.clock,
        practice=entry.practice,
        private=entry.private,
        chairs=tuple(Chair(name=bot, bot=bot, bank=_bank(entry.clock)) for bot in entry.bots),
        log=PersistentList.of((entry,)),
        events=PersistentList.of(((),)),
        opened_at=entry.at,
        at=entry.at,
    )
    return _started(match)


def _bank(clock: Clock | None) -> int:
    return clock.bank_seconds * 1000 if clock else 0


def apply_entry(match: Match, entry: Entry) -> Match:
    """Return the match after one more entry; an entry that the rules refuse raises its refusal."""
    if match.is_over:
        raise RecordError("bad_log", "nothing comes after the end of a match")
    match entry:
        case Opened():
            raise RecordError("bad_log", "a match is opened once")
        case Seated():
            return _seated(match, entry)
        case Made():
            return _made(match, entry)
        case Left():
            return _left(match, entry)
        case _ as never:
            assert_never(never)


def command_key(seat: Seat, command_id: str) -> str:
    """Return under which name the answer to a seat's command is remembered."""
    return f"{seat} {command_id}"


def join_key(request: str) -> str:
    """Return under which name the answer to a joiner is remembered."""
    return f"join {request}"


def _logged(
    match: Match,
    entry: Entry,
    told: tuple[Event, ...] = (),
    *,
    command: str | None,
    **changes: Any,  # noqa: ANN401  fields of a match
) -> Match:
    """Add an entry; it belongs to the answer of the command that it carries out or follows."""
    version = match.version + 1
    return msgspec.structs.replace(
        match,
        log=match.log.with_item(entry),
        events=match.events.with_item(told),
        version=version,
        at=entry.at,
        latest=command,
        answered=match.answers if command is None else match.answers.with_item(command, version),
        **changes,
    )


def _seated(match: Match, entry: Seated) -> Match:
    if entry.seat >= len(match.chairs) or match.chairs[entry.seat].is_taken:
        raise RecordError("bad_log", f"seat {entry.seat} cannot be taken")
    chair = msgspec.structs.replace(
        match.chairs[entry.seat],
        name=entry.name,
        token=entry.token,
        request=entry.request,
        seed=entry.seed,
    )
    chairs = (*match.chairs[: entry.seat], chair, *match.chairs[entry.seat + 1 :])
    return _started(_logged(match, entry, command=join_key(entry.request), chairs=chairs))


def _started(match: Match) -> Match:
    """Set the game up once every seat is taken."""
    if not all(chair.is_taken for chair in match.chairs):
        return match
    game = match.engine
    state = game.setup(match.rules, len(match.chairs))
    turn = game.turn(state)
    deciding = deciding_seats(turn)
    chairs = tuple(
        _running(chair, match.at) if seat in deciding else chair for seat, chair in enumerate(match.chairs)
    )
    return msgspec.structs.replace(match, state=state, turn=turn, chairs=chairs)


def _made(match: Match, entry: Made) -> Match:
    if match.state is None:
        raise RecordError("bad_log", "no move is made before every seat is taken")
    game = match.engine
    move = game.read(match.state, entry.line)
    if entry.seat != (move.seat if isinstance(move, Act) else None):
        raise RecordError("bad_log", "luck moves for no seat, and a seat moves for itself")
    return apply_step(match, entry, game.step(match.state, move))


def apply_step(match: Match, entry: Made, step: Step[Any]) -> Match:
    """Return the match after a move that was made: the entry says it, and the step is what came of it."""
    turn = match.engine.turn(step.state)
    return _logged(
        match,
        entry,
        step.events,
        command=_command(match, entry),
        state=step.state,
        turn=turn,
        plies=match.plies + 1,
        drawn=match.drawn + entry.drawn,
        chairs=_timed(match, deciding_seats(turn), entry),
        outcome=turn.outcome if isinstance(turn, Over) else None,
    )


def _command(match: Match, entry: Made) -> str | None:
    if entry.seat is None:
        return match.latest
    return None if entry.id is None else command_key(entry.seat, entry.id)


def _timed(match: Match, deciding: tuple[Seat, ...], entry: Made) -> tuple[Chair, ...]:
    """Start the clocks of seats that must choose from now on, stop those of seats that need not, count a choice.

    For whom the clock has chosen the time begins anew.
    """
    return tuple(
        _timed_chair(chair, match.clock, entry, is_deciding=seat in deciding, is_mover=seat == entry.seat)
        for seat, chair in enumerate(match.chairs)
    )


def _timed_chair(
    chair: Chair, clock: Clock | None, entry: Made, *, is_deciding: bool, is_mover: bool
) -> Chair:
    if not is_deciding or (entry.by_clock and is_mover):
        chair = _stopped(chair, clock, entry.at)
    if is_deciding:
        chair = _running(chair, entry.at)
    return msgspec.structs.replace(chair, choices=chair.choices + 1) if is_mover else chair


def _running(chair: Chair, at: int) -> Chair:
    return chair if chair.asked_at is not None else msgspec.structs.replace(chair, asked_at=at)


def _stopped(chair: Chair, clock: Clock | None, at: int) -> Chair:
    """Take the time beyond that of one turn from the bank."""
    if chair.asked_at is None:
        return chair
    beyond = max(0, at - chair.asked_at - clock.choice_seconds * 1000) if clock else 0
    return msgspec.structs.replace(chair, asked_at=None, bank=max(0, chair.bank - beyond))


def _left(match: Match, entry: Left) -> Match:
    if entry.why is LeaveReason.SEAT_FREED:
        return _freed(match, entry)
    abandonment = abandonment_of(entry, 0 if match.state is None else len(match.chairs))
    return _logged(match, entry, command=_parting_command(match, entry), abandonment=abandonment)


def abandonment_of(entry: Left, seats: int) -> Abandonment:
    """Return how a match that so many played, none before it began, was abandoned: all but who left have won.

    >>> abandonment_of(Left(at=0, seat=1), 3).winners
    (0, 2)
    """
    winners = () if entry.seat is None else tuple(seat for seat in range(seats) if seat != entry.seat)
    return Abandonment(why=entry.why, seat=entry.seat, winners=winners)


def _parting_command(match: Match, entry: Left) -> str | None:
    """Return what the end belongs to: who left asked for it, or a choice too many did."""
    if entry.seat is None:
        return None
    return match.latest if entry.id is None else command_key(entry.seat, entry.id)


def _freed(match: Match, entry: Left) -> Match:
    """Let somebody else sit where one left before the match began; who left is still answered as then."""
    if match.state is not None or entry.seat is None or entry.id is None:
        raise RecordError("bad_log", "a seat is freed by who sits there, before the match begins")
    chair = match.chairs[entry.seat]
    free = Chair(bank=chair.bank)
    chairs = (*match.chairs[: entry.seat], free, *match.chairs[entry.seat + 1 :])
    return _logged(match, entry, command=f"{chair.token} {entry.id}", chairs=chairs)
