"""The pure state machine of a match: from a command and the time to new log entries and an answer."""

import hmac
from typing import Any, Final, TypeVar, assert_never, cast
from zlib import crc32

import msgspec

from oddsmith import wire
from oddsmith.chance import Draw
from oddsmith.decoding_faults import NOT_TEXT
from oddsmith.errors import DecodingError, InputError, OddsmithError, Refusal
from oddsmith.game import Act as GameAct
from oddsmith.game import Await, Luck, Seat, SupportsClaims
from oddsmith.match.bots import require_seat_bot
from oddsmith.match.fold import apply_entry, apply_step, begin_match, command_key, join_key
from oddsmith.match.model import (
    LONGEST_LINE,
    Act,
    Answer,
    Applied,
    BadToken,
    BotAct,
    Command,
    CommandId,
    Duplicate,
    Entry,
    Illegal,
    Join,
    Leave,
    LeaveReason,
    Left,
    Made,
    Match,
    Open,
    Opened,
    Seated,
    Stale,
    Tick,
)
from oddsmith.match.proofs import bytes_drawn, clock_choice, clock_draw, digest, luck_draw, seat_token
from oddsmith.registry import find_game, mechanic_version

E = TypeVar("E", Opened, Seated, Made, Left)

_encode_sorted: Final = msgspec.json.Encoder(order="sorted").encode

SECRETS: Final = 2**256
MOST_IDS: Final = 2**80
MOST_CHOICES: Final = 5_000
"""Choices that one seat may make in a match; the match ends as abandoned by the seat that reaches it."""
MOST_SEATINGS: Final = 200
"""Entries of a log before the match begins; from then on a `Leave` ends the match instead of freeing the seat."""

_OVER: Final = Refusal("match_over", "the match is over")
_OTHER_COMMAND: Final = Refusal(
    "repeated_id", "this id was used for another command: give each command an id of its own", where="id"
)
_BAD_TOKEN: Final = Refusal("bad_token", "the token proves no seat of this match")


class Reaction(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a command: the match after it, the new entries of its log, and the answer to the sender."""

    match: Match
    entries: tuple[Entry, ...]
    answer: Answer


def open_match(command: Open, now: int, draw: Draw) -> Reaction:
    """Open a match; its id, the server's seed and the key of its tokens are drawn from `draw`.

    Raise `InputError` for a wrong number of seats, an unknown bot, or a practice seed with several people.
    """
    rules = command.rules
    game = find_game(rules.game)
    known = game.seats(rules)
    if len(command.bots) not in known:
        raise InputError(
            "bad_seats",
            f"{game.name} is played by {known.start} to {known.stop - 1}, not by {len(command.bots)}",
            where="seats",
        )
    for bot in command.bots:
        if bot is not None:
            require_seat_bot(game.name, bot)
    _require_fair_practice(command)
    opened = _validate_entry(
        Opened(
            at=now,
            match=f"{draw.below(MOST_IDS):020x}",
            game=game.name,
            rules=rules.to_toml(),
            bots=command.bots,
            secret=f"{draw.below(SECRETS):064x}",
            key=f"{draw.below(SECRETS):064x}",
            clock=command.clock,
            practice=command.practice,
            private=command.private,
            mechanic=mechanic_version(game.name),
        )
    )
    return _finish(begin_match(opened), (opened,))


def _require_fair_practice(command: Open) -> None:
    """Refuse a practice seed where more than one person plays."""
    people = command.bots.count(None)
    if command.practice is not None and people > 1:
        raise InputError(
            "practice_is_for_one",
            f"a player who knows the seed of a practice match can predict all luck: it is for one person, not for {people};"
            " let bots take the other seats, or leave the seed out",
            where="practice",
        )


def _validate_entry(entry: E) -> E:
    """Raise `InputError` for an entry that could not be read back from a store."""
    return wire.from_builtins(wire.to_builtins(entry), type(entry))


def apply(match: Match, command: Command, now: int) -> Reaction:
    """Return the result of a command; its answer is `Applied`, `Stale`, `Duplicate` or `Illegal`.

    A `now` before the last entry counts as the time of that entry.
    """
    at = max(now, match.at)
    try:
        return _dispatch(match, command, at)
    except _CommandError as error:
        return _answer_only(match, Illegal(version=match.version, refusal=_encodable(error.refusal)))


def _encodable(refusal: Refusal) -> Refusal:
    """Return the refusal with surrogates in its sentence escaped, so that it can be encoded as UTF-8."""
    sentence = refusal.sentence.encode(errors="backslashreplace").decode()
    return msgspec.structs.replace(refusal, sentence=sentence)


class _CommandError(OddsmithError):
    """A command that is refused; `apply` turns it into an `Illegal` answer."""


def _dispatch(match: Match, command: Command, at: int) -> Reaction:
    match command:
        case Join():
            return _join(match, command, at)
        case Act():
            return _act(match, command, at)
        case BotAct():
            return _bot_act(match, command, at)
        case Leave():
            return _leave(match, command, at)
        case Tick():
            return _tick(match, command, at)
        case _ as never:
            assert_never(never)


def seat_of(match: Match, token: str) -> Seat | None:
    """Return the seat that a token proves, or None; tokens are compared in constant time."""
    given = digest(token)
    found = None
    for seat, chair in enumerate(match.chairs):
        if chair.token is not None and hmac.compare_digest(chair.token, given):
            found = seat
    return found


def _answer_only(match: Match, answer: Answer) -> Reaction:
    return Reaction(match=match, entries=(), answer=answer)


def _finish(
    match: Match, entries: tuple[Entry, ...], *, seat: Seat | None = None, token: str | None = None
) -> Reaction:
    """Draw luck as long as it is due, and answer `Applied`; `seat` and `token` are for a client that joined."""
    while (drawn := _draw_luck(match)) is not None:
        match, made = drawn
        entries = (*entries, made)
    answer = Applied(version=match.version, seat=seat, token=token)
    return Reaction(match=match, entries=entries, answer=answer)


def _draw_luck(match: Match) -> tuple[Match, Made] | None:
    """Return the match after one move of luck, and its entry; None where no luck is due."""
    turn = match.turn
    if not isinstance(turn, Await) or match.is_over:
        return None
    game = match.engine
    draw = luck_draw(match, match.plies + 1)
    move: Luck[Any] = Luck(turn.chance.sample(draw))
    made = Made(at=match.at, line=game.write(match.state, move), drawn=bytes_drawn(match, draw))
    return apply_step(match, made, game.step(match.state, move)), made


def _join(match: Match, command: Join, at: int) -> Reaction:
    request = digest(command.id)
    version = match.answers.get(join_key(request))
    if version is not None:
        return _answer_only(match, _repeat_join(match, command, request, version))
    if match.is_over:
        raise _CommandError.of(_OVER)
    _require_name(command.name)
    seat = _find_free_seat(match, command.seat)
    token = seat_token(match, seat, command.id)
    seated = _validate_command_entry(
        Seated(at=at, seat=seat, name=command.name, token=digest(token), request=request, seed=command.seed)
    )
    return _finish(apply_entry(match, seated), (seated,), seat=seat, token=token)


def _repeat_join(match: Match, command: Join, request: str, version: int) -> Duplicate:
    for seat, chair in enumerate(match.chairs):
        if chair.request == request:
            if (chair.name, chair.seed) != (command.name, command.seed) or command.seat not in (None, seat):
                raise _CommandError.of(_OTHER_COMMAND)
            return Duplicate(version=version, seat=seat, token=seat_token(match, seat, command.id))
    raise _CommandError.of(
        Refusal("seat_left", "the seat that this request took was given up: join with another id")
    )


def _require_name(name: str) -> None:
    if not name.isprintable() or name != name.strip():
        raise _CommandError.of(
            Refusal("bad_name", "a name has printable characters, and no space before or after them")
        )


def _find_free_seat(match: Match, wanted: Seat | None) -> Seat:
    free = [seat for seat, chair in enumerate(match.chairs) if not chair.is_taken]
    if not free or wanted not in (None, *free):
        taken = (
            "every seat is taken" if not free else f"seat {wanted} is not free: {_describe_free_seats(free)}"
        )
        raise _CommandError.of(Refusal("seat_taken", taken))
    return free[0] if wanted is None else wanted


def _describe_free_seats(free: list[Seat]) -> str:
    return f"seat {free[0]} is" if len(free) == 1 else f"seats {', '.join(map(str, free))} are"


def _validate_command_entry(entry: E) -> E:
    """Raise `_CommandError` for an entry that could not be read back from a store."""
    try:
        return _validate_entry(entry)
    except InputError as error:
        raise _CommandError.of(error.refusal) from error


def _act(match: Match, command: Act, at: int) -> Reaction:
    seat = seat_of(match, command.token)
    if seat is None:
        return _answer_only(match, BadToken(version=match.version, refusal=_BAD_TOKEN))
    sent = action_checksum(command.action)
    version = match.answers.get(command_key(seat, command.id))
    if version is not None:
        entry = find_command(match, seat, command.id, version)
        if isinstance(entry, Left) or (entry is not None and entry.sent not in (0, sent)):
            raise _CommandError.of(_OTHER_COMMAND)
        return _answer_only(match, Duplicate(version=version))
    if command.version != match.version:
        return _answer_only(match, Stale(version=match.version))
    return _choose(match, seat, command.action, at=at, command_id=command.id, sent=sent)


def action_checksum(action: object) -> int:
    """Return a checksum of an action as a client sent it, notation or plain data; it is never 0.

    >>> action_checksum({"kind": "fight", "at": 1}) == action_checksum({"at": 1, "kind": "fight"})
    True
    """
    try:
        text = _encode_sorted(action)
    except (TypeError, ValueError, OverflowError):  # no JSON: the rules refuse it
        text = repr(action).encode(errors="surrogatepass")
    return crc32(text) or 1


def find_command(match: Match, seat: Seat, command_id: CommandId, version: int) -> Made | Left | None:
    """Return the entry that a seat's command wrote, which was answered with a version; None where the log begins later."""
    for number in range(version, match.log_start, -1):
        entry = match.log[number - match.log_start - 1]
        if isinstance(entry, Made | Left) and (entry.seat, entry.id) == (seat, command_id):
            return entry
        if not isinstance(entry, Made | Left) or entry.id is not None:
            return None
    return None


def _bot_act(match: Match, command: BotAct, at: int) -> Reaction:
    if command.version != match.version:
        return _answer_only(match, Stale(version=match.version))
    if not 0 <= command.seat < len(match.chairs) or match.chairs[command.seat].bot is None:
        raise _CommandError.of(Refusal("no_bot", f"no bot sits in seat {command.seat}"))
    return _choose(match, command.seat, command.action, at=at, drawn=command.drawn)


def _choose(
    match: Match,
    seat: Seat,
    action: object,
    *,
    at: int,
    command_id: CommandId | None = None,
    drawn: int = 0,
    sent: int = 0,
) -> Reaction:
    """Make a seat's choice; raise `_CommandError` where the match or the rules do not allow it."""
    if match.is_over:
        raise _CommandError.of(_OVER)
    if match.state is None:
        raise _CommandError.of(Refusal("not_started", "the match begins when every seat is taken"))
    game = match.engine
    move = GameAct(seat, _read_choice(match, seat, action))
    try:
        step = game.step(match.state, move)
    except OddsmithError as error:
        raise _CommandError.of(error.refusal) from error
    made = _move_entry(
        {
            "at": at,
            "line": game.write(match.state, move),
            "seat": seat,
            "id": command_id,
            "drawn": drawn,
            "paused": match.paused,
            "sent": sent,
        }
    )
    return _finish_move(made, apply_step(match, made, step))


def _move_entry(fields: dict[str, object]) -> Made:
    """Return the entry of a move from its fields; raise `_CommandError` where they are not of their types."""
    try:
        return wire.from_builtins(fields, Made)
    except DecodingError as error:
        raise _CommandError.of(error.refusal) from error


def _read_choice(match: Match, seat: Seat, action: object) -> Any:  # noqa: ANN401  an action of any game
    """Return the action that notation or plain data describe."""
    game = match.engine
    try:
        if not isinstance(action, str):
            return _read_data(match, seat, action)
        if len(action) > LONGEST_LINE:
            raise _CommandError.of(Refusal("bad_move", f"no move takes more than {LONGEST_LINE} characters"))
        return cast("GameAct[Any]", game.read(match.state, f"{seat} {action}")).action
    except OddsmithError as error:
        raise _CommandError.of(error.refusal) from error
    except UnicodeError as error:
        raise _CommandError.of(Refusal("bad_move", NOT_TEXT)) from error


def _read_data(match: Match, seat: Seat, data: object) -> Any:  # noqa: ANN401  an action of any game
    """Return the action that plain data describe; claims in them are checked where the game has claims."""
    game = match.engine
    if isinstance(game, SupportsClaims):
        return game.claimed_action(
            match.state, seat, wire.from_builtins(data, game.claim_type, code="bad_move")
        )
    return wire.from_builtins(data, game.action_type, code="bad_move")


def _finish_move(made: Made, match: Match) -> Reaction:
    """Finish a move; end the match where its seat has made `MOST_CHOICES`. `match` is the one after the move."""
    reaction = _finish(match, (made,))
    after = reaction.match
    if after.chairs[made.seat or 0].choices < MOST_CHOICES or after.is_over:
        return reaction
    left = Left(at=made.at, seat=made.seat, why=LeaveReason.TOO_LONG)
    return _finish(apply_entry(after, left), (*reaction.entries, left))


def _leave(match: Match, command: Leave, at: int) -> Reaction:
    seat = seat_of(match, command.token)
    name = f"{digest(command.token)} {command.id}" if seat is None else command_key(seat, command.id)
    version = match.answers.get(name)
    if version is not None:
        if seat is not None and isinstance(find_command(match, seat, command.id, version), Made):
            raise _CommandError.of(_OTHER_COMMAND)
        return _answer_only(match, Duplicate(version=version))
    if seat is None:
        return _answer_only(match, BadToken(version=match.version, refusal=_BAD_TOKEN))
    if match.is_over:
        raise _CommandError.of(_OVER)
    frees = match.state is None and match.version < MOST_SEATINGS
    why = LeaveReason.SEAT_FREED if frees else LeaveReason.GIVEN_UP
    left = _validate_command_entry(Left(at=at, seat=seat, id=command.id, why=why))
    return _finish(apply_entry(match, left), (left,))


def due_at(match: Match) -> int | None:
    """Return the earliest time at which the clock chooses for a seat; None where no clock runs."""
    return min(match.dues.values(), default=None)


def _tick(match: Match, command: Tick, at: int) -> Reaction:
    """Choose for the first seat whose time is up; with `is_deserted`, end the match."""
    if command.is_deserted and not match.is_over:
        left = Left(at=at, why=LeaveReason.DESERTED)
        return _finish(apply_entry(match, left), (left,))
    late = [seat for seat, due in match.dues.items() if due <= at]
    if not late:
        return _answer_only(match, Stale(version=match.version))
    game = match.engine
    move = clock_choice(game, match.state, late[0], clock_draw(match))
    made = Made(at=at, line=game.write(match.state, move), seat=move.seat, by_clock=True, paused=match.paused)
    return _finish_move(made, apply_step(match, made, game.step(match.state, move)))
