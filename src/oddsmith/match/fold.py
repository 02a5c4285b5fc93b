"""The fold from the log of a match to the match: equal logs give equal matches."""

from collections.abc import Iterable
from functools import reduce
from typing import Any, TypedDict, Unpack, assert_never

import msgspec

from oddsmith.errors import RecordError
from oddsmith.game import Act, Event, Outcome, Over, Seat, Step, Turn
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
from oddsmith.match.shared_rules import share_rules
from oddsmith.registry import find_game


def replay_log(log: Iterable[Entry]) -> Match:
    """Return the match of a whole log; raise `RecordError` where it does not begin with `Opened`."""
    entries = iter(log)
    first = next(entries, None)
    if not isinstance(first, Opened):
        raise RecordError("bad_log", "a log begins with the opening of its match")
    return reduce(apply_entry, entries, begin_match(first))


def begin_match(entry: Opened) -> Match:
    """Return the match after its first entry."""
    game = find_game(entry.game)
    rules, text = share_rules(game.rules_type, entry.rules)
    entry = msgspec.structs.replace(entry, rules=text)
    match = Match(
        id=entry.match,
        game=entry.game,
        engine=game,
        rules=rules,
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
    return _start_when_full(match)


def _bank(clock: Clock | None) -> int:
    return clock.bank_seconds * 1000 if clock else 0


def apply_entry(match: Match, entry: Entry) -> Match:
    """Return the match after one more entry.

    Raise `RecordError` for an entry that cannot follow, and the refusal of the game for a move against its rules.
    """
    if match.is_over:
        raise RecordError("bad_log", "nothing comes after the end of a match")
    match entry:
        case Opened():
            raise RecordError("bad_log", "a match is opened once")
        case Seated():
            return _apply_seated(match, entry)
        case Made():
            return _apply_made(match, entry)
        case Left():
            return _apply_left(match, entry)
        case _ as never:
            assert_never(never)


def command_key(seat: Seat, command_id: str) -> str:
    """Return the key of a seat's command in `Match.answers`."""
    return f"{seat} {command_id}"


def join_key(request: str) -> str:
    """Return the key of a request to join in `Match.answers`; `request` is the digest of its id."""
    return f"join {request}"


class _Changes(TypedDict, total=False):
    """Fields of a match that an entry may change."""

    chairs: tuple[Chair, ...]
    state: object
    turn: Turn[Any]
    plies: int
    drawn: int
    paused: int
    outcome: Outcome | None
    abandonment: Abandonment


def _append_entry(
    match: Match,
    entry: Entry,
    events: tuple[Event, ...] = (),
    *,
    command: str | None,
    **changes: Unpack[_Changes],
) -> Match:
    """Return the match with one more entry; `command` is the key of the command that it carries out or follows."""
    version = match.version + 1
    return msgspec.structs.replace(
        match,
        log=match.log.with_item(entry),
        events=match.events.with_item(events),
        version=version,
        at=entry.at,
        latest=command,
        answers=match.answers if command is None else match.answers.with_item(command, version),
        **changes,
    )


def _apply_seated(match: Match, entry: Seated) -> Match:
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
    return _start_when_full(_append_entry(match, entry, command=join_key(entry.request), chairs=chairs))


def _start_when_full(match: Match) -> Match:
    """Set the game up where every seat is taken."""
    if not all(chair.is_taken for chair in match.chairs):
        return match
    game = match.engine
    state = game.setup(match.rules, len(match.chairs))
    turn = game.turn(state)
    deciding = deciding_seats(turn)
    chairs = tuple(
        _start_clock(chair, match.at) if seat in deciding else chair
        for seat, chair in enumerate(match.chairs)
    )
    return msgspec.structs.replace(match, state=state, turn=turn, chairs=chairs)


def _apply_made(match: Match, entry: Made) -> Match:
    if match.state is None:
        raise RecordError("bad_log", "no move is made before every seat is taken")
    game = match.engine
    move = game.read(match.state, entry.line)
    if entry.seat != (move.seat if isinstance(move, Act) else None):
        raise RecordError("bad_log", "luck moves for no seat, and a seat moves for itself")
    if entry.paused != match.paused:
        match = pause_clocks(match, entry.paused - match.paused, until=match.at)
    return apply_step(match, entry, game.step(match.state, move))


def pause_clocks(match: Match, paused: int, *, until: int) -> Match:
    """Return the match with its running clocks moved on by `paused` milliseconds; its next entry is not before `until`."""
    chairs = tuple(
        chair if chair.asked_at is None else msgspec.structs.replace(chair, asked_at=chair.asked_at + paused)
        for chair in match.chairs
    )
    at = max(match.at, until)
    return msgspec.structs.replace(match, chairs=chairs, paused=match.paused + paused, at=at)


def apply_step(match: Match, entry: Made, step: Step[Any]) -> Match:
    """Return the match after a move whose step is known: `step` is the result of the move that `entry` holds.

    The clocks of the match have been moved on by the time that the entry has as `paused`.
    """
    turn = match.engine.turn(step.state)
    return _append_entry(
        match,
        entry,
        step.events,
        command=_move_command(match, entry),
        state=step.state,
        turn=turn,
        plies=match.plies + 1,
        drawn=match.drawn + entry.drawn,
        paused=0,
        chairs=_update_clocks(match, deciding_seats(turn), entry),
        outcome=turn.outcome if isinstance(turn, Over) else None,
    )


def _move_command(match: Match, entry: Made) -> str | None:
    """Return the key of the command that a move belongs to: luck follows the command before it."""
    if entry.seat is None:
        return match.latest
    return None if entry.id is None else command_key(entry.seat, entry.id)


def _update_clocks(match: Match, deciding: tuple[Seat, ...], entry: Made) -> tuple[Chair, ...]:
    """Start the clocks of seats that must choose now, stop those of other seats, and count a choice.

    The clock of a seat for which the clock has chosen starts again.
    """
    return tuple(
        [
            _update_clock(
                chair, match.clock, entry, is_deciding=seat in deciding, is_mover=seat == entry.seat
            )
            for seat, chair in enumerate(match.chairs)
        ]
    )


def _update_clock(
    chair: Chair, clock: Clock | None, entry: Made, *, is_deciding: bool, is_mover: bool
) -> Chair:
    if not is_deciding or (entry.by_clock and is_mover):
        chair = _stop_clock(chair, clock, entry.at)
    if is_deciding:
        chair = _start_clock(chair, entry.at)
    return msgspec.structs.replace(chair, choices=chair.choices + 1) if is_mover else chair


def _start_clock(chair: Chair, at: int) -> Chair:
    return chair if chair.asked_at is not None else msgspec.structs.replace(chair, asked_at=at)


def _stop_clock(chair: Chair, clock: Clock | None, at: int) -> Chair:
    """Stop the clock, and take the time beyond that of one choice from the bank."""
    if chair.asked_at is None:
        return chair
    beyond = max(0, at - chair.asked_at - clock.choice_seconds * 1000) if clock else 0
    return msgspec.structs.replace(chair, asked_at=None, bank=max(0, chair.bank - beyond))


def _apply_left(match: Match, entry: Left) -> Match:
    if entry.why is LeaveReason.SEAT_FREED:
        return _free_seat(match, entry)
    abandonment = abandonment_of(entry, 0 if match.state is None else len(match.chairs))
    return _append_entry(match, entry, command=_leave_command(match, entry), abandonment=abandonment)


def abandonment_of(entry: Left, seats: int) -> Abandonment:
    """Return the abandonment of a match with this number of seats, 0 where it had not begun.

    Every seat wins but the one that left; where no seat left, none wins.

    >>> abandonment_of(Left(at=0, seat=1), 3).winners
    (0, 2)
    """
    winners = () if entry.seat is None else tuple(seat for seat in range(seats) if seat != entry.seat)
    return Abandonment(why=entry.why, seat=entry.seat, winners=winners)


def _leave_command(match: Match, entry: Left) -> str | None:
    """Return the key of the command that ended the match: a `Leave`, or the last choice of a match that was too long."""
    if entry.seat is None:
        return None
    return match.latest if entry.id is None else command_key(entry.seat, entry.id)


def _free_seat(match: Match, entry: Left) -> Match:
    """Free a seat before the match begins; a repeated `Leave` of its token is still a duplicate."""
    if match.state is not None or entry.seat is None or entry.id is None:
        raise RecordError("bad_log", "only the player of a seat frees it, before the match begins")
    chair = match.chairs[entry.seat]
    free = Chair(bank=chair.bank)
    chairs = (*match.chairs[: entry.seat], free, *match.chairs[entry.seat + 1 :])
    return _append_entry(match, entry, command=f"{chair.token} {entry.id}", chairs=chairs)
