"""A match as a pure machine: a command, the time and a source of secrets go in; entries and an answer come out."""

import hmac
from typing import Any, Final, assert_never

import msgspec

from oddsmith import wire
from oddsmith.bots import bot_names
from oddsmith.chance import Draw
from oddsmith.errors import InputError, OddsmithError, Refusal, nearest
from oddsmith.game import Act as GameAct
from oddsmith.game import Await, Luck
from oddsmith.games import find_game
from oddsmith.table.fairness import digest, luck_draw, seat_token
from oddsmith.table.fold import after, begun, deciding_seats, game_of
from oddsmith.table.model import (
    Act,
    Answer,
    Applied,
    BotAct,
    Clock,
    Command,
    Duplicate,
    Entry,
    Illegal,
    Join,
    Leave,
    Left,
    Made,
    Match,
    Open,
    Opened,
    Seated,
    Stale,
    Tick,
)

__all__ = ["Reaction", "apply", "due_at", "open_match", "seat_of"]

SECRETS: Final = 2**256
MOST_IDS: Final = 2**80


class Reaction(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a command: the match after it, what its log has more, and the answer to who gave it."""

    match: Match
    entries: tuple[Entry, ...]
    answer: Answer


def open_match(command: Open, now: int, draw: Draw) -> Reaction:
    """Open a match; `draw` gives its id and the seed that the server is bound to."""
    rules = command.rules
    game = find_game(rules.game)
    known = game.seats(rules)
    if len(command.bots) not in known:
        raise InputError(
            "bad_seats",
            f"{game.name} is played by {known.start} to {known.stop - 1}, not by {len(command.bots)}",
            where="seats",
        )
    for bot in filter(None, command.bots):
        if bot not in bot_names(game.name):
            raise InputError(
                "unknown_bot", f"unknown bot '{bot[:40]}' of {game.name}{nearest(bot, bot_names(game.name))}"
            )
    opened = Opened(
        at=now,
        match=f"{draw.below(MOST_IDS):020x}",
        game=game.name,
        rules=rules.to_toml(),
        bots=command.bots,
        secret=f"{draw.below(SECRETS):064x}",
        clock=command.clock,
    )
    return _done(begun(opened), (opened,), now)


def apply(match: Match, command: Command, now: int) -> Reaction:
    """Answer a command: `applied`, `stale`, `duplicate` or `illegal`, never silence."""
    match command:
        case Join():
            return _join(match, command, now)
        case Act():
            return _act(match, command, now)
        case BotAct():
            return _bot_act(match, command, now)
        case Leave():
            return _leave(match, command, now)
        case Tick():
            return _tick(match, command, now)
        case _ as never:
            assert_never(never)


def seat_of(match: Match, token: str) -> int | None:
    """Return the seat that a token proves, or None; how long it takes says nothing about the token."""
    shown = digest(token)
    found = None
    for seat, chair in enumerate(match.chairs):
        if chair.token is not None and hmac.compare_digest(chair.token, shown):
            found = seat
    return found


def _done(match: Match, entries: tuple[Entry, ...], now: int, **told: Any) -> Reaction:  # noqa: ANN401  of an answer
    """Let luck move as long as it is due, and say that all was done."""
    while (lucky := _luck_entry(match, now)) is not None:
        match, entries = after(match, lucky), (*entries, lucky)
    return Reaction(match=match, entries=entries, answer=Applied(version=match.version, **told))


def _luck_entry(match: Match, now: int) -> Made | None:
    if match.state is None or match.is_over:
        return None
    game = game_of(match)
    turn = game.turn(match.state)
    if not isinstance(turn, Await):
        return None
    outcome = turn.chance.sample(luck_draw(match, match.plies + 1))
    return Made(at=now, line=game.write(match.state, Luck(outcome)))


def _nothing(match: Match, answer: Answer) -> Reaction:
    return Reaction(match=match, entries=(), answer=answer)


def _refused(match: Match, refusal: Refusal) -> Reaction:
    return _nothing(match, Illegal(version=match.version, refusal=refusal))


def _join(match: Match, command: Join, now: int) -> Reaction:
    request = digest(command.id)
    for entry in match.log:
        if isinstance(entry, Seated) and entry.request == request:
            token = seat_token(match, entry.seat, command.id)
            return _nothing(match, Duplicate(version=match.version, seat=entry.seat, token=token))
    if match.is_over:
        return _refused(match, _OVER)
    free = [seat for seat, chair in enumerate(match.chairs) if not chair.is_taken]
    if not free or command.seat not in (None, *free):
        return _refused(match, Refusal("seat_taken", f"free seats: {', '.join(map(str, free)) or 'none'}"))
    seat = free[0] if command.seat is None else command.seat
    token = seat_token(match, seat, command.id)
    seated = Seated(
        at=now, seat=seat, name=command.name, token=digest(token), request=request, seed=command.seed
    )
    return _done(after(match, seated), (seated,), now, seat=seat, token=token)


_OVER: Final = Refusal("match_over", "the match is over")
_STRANGER: Final = Refusal("bad_token", "the token proves no seat of this match")


def _act(match: Match, command: Act, now: int) -> Reaction:
    seat = seat_of(match, command.token)
    if seat is None:
        return _refused(match, _STRANGER)
    done = _version_of(match, seat, command.id)
    if done is not None:
        return _nothing(match, Duplicate(version=done))
    if command.version != match.version:
        return _nothing(match, Stale(version=match.version))
    return _chosen(match, seat, command.action, now, command.id)


def _version_of(match: Match, seat: int, command_id: str) -> int | None:
    """Return the version at which a seat's command was applied, luck that followed included."""
    for place, entry in enumerate(match.log):
        if isinstance(entry, Made | Left) and entry.seat == seat and entry.id == command_id:
            lucky = place + 1
            while lucky < len(match.log) and _is_luck(match.log[lucky]):
                lucky += 1
            return lucky
    return None


def _is_luck(entry: Entry) -> bool:
    return isinstance(entry, Made) and entry.seat is None


def _bot_act(match: Match, command: BotAct, now: int) -> Reaction:
    if command.version != match.version:
        return _nothing(match, Stale(version=match.version))
    return _chosen(match, command.seat, command.action, now, None)


def _chosen(match: Match, seat: int, action: Any, now: int, command_id: str | None) -> Reaction:  # noqa: ANN401  as given
    """Make a seat's choice if the rules allow it."""
    if match.is_over:
        return _refused(match, _OVER)
    if match.state is None:
        return _refused(match, Refusal("not_started", "the match begins when every seat is taken"))
    game = game_of(match)
    try:
        move = _read_choice(match, seat, action)
    except OddsmithError as error:
        return _refused(match, error.refusal)
    refusal = game.objection(match.state, seat, move.action)
    if refusal is not None:
        return _refused(match, refusal)
    made = Made(at=now, line=game.write(match.state, move), seat=seat, id=command_id)
    return _done(after(match, made), (made,), now)


def _read_choice(match: Match, seat: int, action: Any) -> GameAct[Any]:  # noqa: ANN401  as given
    """Read a choice from notation, or from data; which seat makes it is not asked of either."""
    game = game_of(match)
    if isinstance(action, str):
        read = game.read(match.state, f"{seat} {action}")
        if isinstance(read, Luck):
            raise InputError("bad_move", "luck is not chosen")
        return GameAct(seat, read.action)
    try:
        return GameAct(seat, wire.from_builtins(action, game.action_type))
    except msgspec.ValidationError as error:
        raise InputError("bad_move", str(error)) from error


def _leave(match: Match, command: Leave, now: int) -> Reaction:
    seat = seat_of(match, command.token)
    if seat is None:
        return _refused(match, _STRANGER)
    done = _version_of(match, seat, command.id)
    if done is not None:
        return _nothing(match, Duplicate(version=done))
    if match.is_over:
        return _refused(match, _OVER)
    left = Left(at=now, seat=seat, id=command.id)
    return _done(after(match, left), (left,), now)


def due_at(match: Match) -> int | None:
    """Return when the clock acts for a seat that must choose, or None where no clock runs."""
    seats = deciding_seats(match)
    if match.clock is None or not seats:
        return None
    return min(_due(match, match.clock, seat) for seat in seats)


def _due(match: Match, clock: Clock, seat: int) -> int:
    return match.waiting_since + clock.choice_seconds * 1000 + match.chairs[seat].bank


def _tick(match: Match, command: Tick, now: int) -> Reaction:
    """Choose for every seat whose time is up: any listed action, each as likely as the others."""
    if command.is_deserted and not match.is_over:
        left = Left(at=now)
        return _done(after(match, left), (left,), now)
    due = due_at(match)
    if match.clock is None or due is None or due > now:
        return _nothing(match, Stale(version=match.version))
    late = [seat for seat in deciding_seats(match) if _due(match, match.clock, seat) <= now]
    game, seat = game_of(match), late[0]
    actions = game.actions(match.state, seat)
    chosen = actions[luck_draw(match, match.plies + 1).below(len(actions))]
    line = game.write(match.state, GameAct(seat, chosen))
    made = Made(at=now, line=line, seat=seat, by_clock=True)
    return _done(after(match, made), (made,), now)
