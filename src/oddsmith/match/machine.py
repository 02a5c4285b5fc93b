"""A match as a pure machine: a command, the time and a source of secrets go in; entries and an answer come out."""

import hmac
from typing import Any, Final, TypeVar, assert_never, cast

import msgspec

from oddsmith import wire
from oddsmith.chance import Draw
from oddsmith.errors import InputError, OddsmithError, Refusal
from oddsmith.game import Act as GameAct
from oddsmith.game import Await, Luck, Seat
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
from oddsmith.match.proofs import clock_choice, clock_draw, digest, drawn_since, luck_draw, seat_token
from oddsmith.registry import find_game

E = TypeVar("E", Opened, Seated, Made, Left)

SECRETS: Final = 2**256
MOST_IDS: Final = 2**80
MOST_CHOICES: Final = 5_000
"""How often a seat may choose in one match; who goes on so long without an end has given it up."""
MOST_SEATINGS: Final = 200
"""How many entries a log may have while seats are still taken and freed; who then leaves ends the match."""

_OVER: Final = Refusal("match_over", "the match is over")
_STRANGER: Final = Refusal("bad_token", "the token proves no seat of this match")


class Reaction(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a command: the match after it, what its log has more, and the answer to who gave it."""

    match: Match
    entries: tuple[Entry, ...]
    answer: Answer


def open_match(command: Open, now: int, draw: Draw) -> Reaction:
    """Open a match; `draw` gives its id, the seed that the server is bound to, and the key of its tokens."""
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
    opened = _writable(
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
        )
    )
    return _done(begin_match(opened), (opened,))


def _require_fair_practice(command: Open) -> None:
    """Refuse a chosen seed where people would play against each other."""
    people = command.bots.count(None)
    if command.practice is not None and people > 1:
        raise InputError(
            "practice_is_for_one",
            f"who knows the seed of a practice foresees all luck: it is for one person, not for {people};"
            " let bots take the other seats, or leave the seed out",
            where="practice",
        )


def _writable(entry: E) -> E:
    """Refuse an entry that could not be read again from a store."""
    try:
        return wire.from_builtins(wire.to_builtins(entry), type(entry))
    except msgspec.ValidationError as error:
        raise InputError("bad_value", str(error)) from error


def apply(match: Match, command: Command, now: int) -> Reaction:
    """Answer a command: `applied`, `stale`, `duplicate` or `illegal`, never silence.

    Time never runs backwards: a `now` before the last entry counts as that entry's.
    """
    at = max(now, match.at)
    try:
        return _answered(match, command, at)
    except _RefusedError as error:
        return _nothing(match, Illegal(version=match.version, refusal=_sayable(error.refusal)))


def _sayable(refusal: Refusal) -> Refusal:
    """Return a refusal that can be written as UTF-8, whatever it quotes."""
    sentence = refusal.sentence.encode(errors="backslashreplace").decode()
    return msgspec.structs.replace(refusal, sentence=sentence)


class _RefusedError(OddsmithError):
    """Nothing was done, and this is why; it never leaves this module."""


def _answered(match: Match, command: Command, at: int) -> Reaction:
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
    """Return the seat that a token proves, or None; how long it takes says nothing about the token."""
    shown = digest(token)
    found = None
    for seat, chair in enumerate(match.chairs):
        if chair.token is not None and hmac.compare_digest(chair.token, shown):
            found = seat
    return found


def _nothing(match: Match, answer: Answer) -> Reaction:
    return Reaction(match=match, entries=(), answer=answer)


def _done(match: Match, entries: tuple[Entry, ...], **told: Any) -> Reaction:  # noqa: ANN401  of an answer
    """Let luck move as long as it is due, and say that all was done."""
    while (lucky := _lucky(match)) is not None:
        match, made = lucky
        entries = (*entries, made)
    return Reaction(match=match, entries=entries, answer=Applied(version=match.version, **told))


def _lucky(match: Match) -> tuple[Match, Made] | None:
    """Return the match after the luck that is due, and its entry; None where none is."""
    turn = match.turn
    if not isinstance(turn, Await) or match.is_over:
        return None
    game = match.engine
    draw = luck_draw(match, match.plies + 1)
    move: Luck[Any] = Luck(turn.chance.sample(draw))
    made = Made(at=match.at, line=game.write(match.state, move), drawn=drawn_since(match, draw))
    return apply_step(match, made, game.step(match.state, move)), made


def _join(match: Match, command: Join, at: int) -> Reaction:
    request = digest(command.id)
    version = match.answers.get(join_key(request))
    if version is not None:
        return _nothing(match, _joined_before(match, command, request, version))
    if match.is_over:
        raise _RefusedError.of(_OVER)
    _require_name(command.name)
    seat = _free_seat(match, command.seat)
    token = seat_token(match, seat, command.id)
    seated = _written(
        Seated(at=at, seat=seat, name=command.name, token=digest(token), request=request, seed=command.seed)
    )
    return _done(apply_entry(match, seated), (seated,), seat=seat, token=token)


def _joined_before(match: Match, command: Join, request: str, version: int) -> Duplicate:
    for seat, chair in enumerate(match.chairs):
        if chair.request == request:
            return Duplicate(version=version, seat=seat, token=seat_token(match, seat, command.id))
    raise _RefusedError.of(
        Refusal("seat_left", "the seat that this request took was given up: join with another id")
    )


def _require_name(name: str) -> None:
    if not name.isprintable() or name != name.strip():
        raise _RefusedError.of(
            Refusal("bad_name", "a name has printable characters, and no space before or after them")
        )


def _free_seat(match: Match, wanted: Seat | None) -> Seat:
    free = [seat for seat, chair in enumerate(match.chairs) if not chair.is_taken]
    if not free or wanted not in (None, *free):
        taken = "every seat is taken" if not free else f"seat {wanted} is not free: {_free_words(free)}"
        raise _RefusedError.of(Refusal("seat_taken", taken))
    return free[0] if wanted is None else wanted


def _free_words(free: list[Seat]) -> str:
    return f"seat {free[0]} is" if len(free) == 1 else f"seats {', '.join(map(str, free))} are"


def _written(entry: E) -> E:
    """Refuse what cannot be written into the log, as part of an answer."""
    try:
        return _writable(entry)
    except InputError as error:
        raise _RefusedError.of(error.refusal) from error


def _act(match: Match, command: Act, at: int) -> Reaction:
    seat = seat_of(match, command.token)
    if seat is None:
        return _nothing(match, BadToken(version=match.version, refusal=_STRANGER))
    done = match.answers.get(command_key(seat, command.id))
    if done is not None:
        return _nothing(match, Duplicate(version=done))
    if command.version != match.version:
        return _nothing(match, Stale(version=match.version))
    return _chosen(match, seat, command.action, at=at, id=command.id)


def _bot_act(match: Match, command: BotAct, at: int) -> Reaction:
    if command.version != match.version:
        return _nothing(match, Stale(version=match.version))
    if not 0 <= command.seat < len(match.chairs) or match.chairs[command.seat].bot is None:
        raise _RefusedError.of(Refusal("no_bot", f"no bot sits in seat {command.seat}"))
    return _chosen(match, command.seat, command.action, at=at, drawn=command.drawn)


def _chosen(match: Match, seat: Seat, action: Any, **said: Any) -> Reaction:  # noqa: ANN401  as given, fields of the entry
    """Make a seat's choice if the rules allow it."""
    if match.is_over:
        raise _RefusedError.of(_OVER)
    if match.state is None:
        raise _RefusedError.of(Refusal("not_started", "the match begins when every seat is taken"))
    game = match.engine
    move = GameAct(seat, _read_choice(match, seat, action))
    try:
        step = game.step(match.state, move)
    except OddsmithError as error:
        raise _RefusedError.of(error.refusal) from error
    made = _written_move(line=game.write(match.state, move), seat=seat, **said)
    return _moved(made, apply_step(match, made, step))


def _written_move(**said: Any) -> Made:  # noqa: ANN401  fields of a move
    """Return the entry of a move; what cannot be read again from a log is refused."""
    try:
        return wire.from_builtins(said, Made)
    except msgspec.ValidationError as error:
        raise _RefusedError.of(Refusal("bad_value", str(error))) from error


def _read_choice(match: Match, seat: Seat, action: Any) -> Any:  # noqa: ANN401  as given, and as the game has it
    """Read a choice from notation, or from data; which seat makes it is not asked of either."""
    game = match.engine
    try:
        if not isinstance(action, str):
            return wire.from_builtins(action, game.action_type)
        if len(action) > LONGEST_LINE:
            raise _RefusedError.of(Refusal("bad_move", f"no move takes more than {LONGEST_LINE} characters"))
        return cast("GameAct[Any]", game.read(match.state, f"{seat} {action}")).action
    except OddsmithError as error:
        raise _RefusedError.of(error.refusal) from error
    except (msgspec.ValidationError, RecursionError, UnicodeError) as error:
        raise _RefusedError.of(Refusal("bad_move", str(error))) from error


def _moved(made: Made, after_it: Match) -> Reaction:
    """After a move let luck follow, and end a match that a seat draws out beyond all measure."""
    reaction = _done(after_it, (made,))
    moved = reaction.match
    if moved.chairs[made.seat or 0].choices < MOST_CHOICES or moved.is_over:
        return reaction
    left = Left(at=made.at, seat=made.seat, why=LeaveReason.TOO_LONG)
    return _done(apply_entry(moved, left), (*reaction.entries, left))


def _leave(match: Match, command: Leave, at: int) -> Reaction:
    seat = seat_of(match, command.token)
    name = f"{digest(command.token)} {command.id}" if seat is None else command_key(seat, command.id)
    done = match.answers.get(name)
    if done is not None:
        return _nothing(match, Duplicate(version=done))
    if seat is None:
        return _nothing(match, BadToken(version=match.version, refusal=_STRANGER))
    if match.is_over:
        raise _RefusedError.of(_OVER)
    frees = match.state is None and match.version < MOST_SEATINGS
    why = LeaveReason.SEAT_FREED if frees else LeaveReason.GIVEN_UP
    left = _written(Left(at=at, seat=seat, id=command.id, why=why))
    return _done(apply_entry(match, left), (left,))


def due_at(match: Match) -> int | None:
    """Return when the clock acts for a seat that must choose, or None where no clock runs."""
    return min(match.dues.values(), default=None)


def _tick(match: Match, command: Tick, at: int) -> Reaction:
    """Choose for the first seat whose time is up."""
    if command.is_deserted and not match.is_over:
        left = Left(at=at, why=LeaveReason.DESERTED)
        return _done(apply_entry(match, left), (left,))
    late = [seat for seat, due in match.dues.items() if due <= at]
    if not late:
        return _nothing(match, Stale(version=match.version))
    game = match.engine
    move = clock_choice(game, match.state, late[0], clock_draw(match))
    made = Made(at=at, line=game.write(match.state, move), seat=move.seat, by_clock=True)
    return _moved(made, apply_step(match, made, game.step(match.state, move)))
