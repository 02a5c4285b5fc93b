"""The position that a question asks about: as a view, as moves from the start, as a record up to a ply, or the start."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.defaults.playout import make_random_player, play_out
from oddsmith.errors import InputError, NotFoundError
from oddsmith.game import Decide, Game, Seat
from oddsmith.question import Context, Request, option
from oddsmith.records import LARGEST_FILE, Record, read_record, replay
from oddsmith.rules import Ruleset
from oddsmith.text import error_reason

AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]

MOST_MOVES: Final = 10_000
MOST_TEXT: Final = 200_000
LARGEST_NUMBER: Final = 1_000_000
"""The greatest whole number in a view that is given."""


def _read_record_text(path: str | None, _data: Mapping[str, Any]) -> str:
    """Return the text of a record's file."""
    try:
        with Path(path or "").open("rb") as file:
            return file.read(LARGEST_FILE + 1).decode()
    except (OSError, ValueError) as error:
        raise InputError(
            "no_file", f"no record can be read from '{str(path)[:80]}': {error_reason(error)}", where="record"
        ) from error


class PositionRequest(Request, frozen=True, kw_only=True):
    """A position: a `view` as a frame has it, or `moves` from the start, or a `record` up to a `ply`; else the start.

    The rules of a view and of a record are its own.
    """

    moves: Annotated[
        tuple[Annotated[str, Meta(max_length=500)], ...],
        Meta(max_length=MOST_MOVES),
        option("A move from the start, as records write it; repeat.", "--move", metavar="LINE"),
    ] = ()
    record: Annotated[
        Annotated[str, Meta(max_length=MOST_TEXT)] | None,
        option("A record of a game.", metavar="FILE", from_file=_read_record_text),
    ] = None
    ply: Annotated[
        Annotated[int, Meta(ge=0, le=MOST_MOVES * 10)] | None,
        option("The ply of the record; default: the last.", metavar="NUMBER"),
    ] = None
    seats: Annotated[
        Annotated[int, Meta(ge=1, le=100)] | None,
        option("How many seats play from the start; default: the fewest.", metavar="NUMBER"),
    ] = None
    seat: Annotated[
        Annotated[int, Meta(ge=0, le=99)] | None,
        option("The seat that asks; default: the one that chooses.", metavar="SEAT"),
    ] = None


class AskedPosition(msgspec.Struct, frozen=True):
    """A position as a seat knows it."""

    view: Any
    seat: Seat


def find_position(game: AnyGame, request: Any, context: Context[Ruleset]) -> AskedPosition:  # noqa: ANN401  a `PositionRequest` with `view`
    """Return the position of a request, and the seat that asks; raise an `OddsmithError` for one that cannot be."""
    given = [name for name in ("view", "moves", "record") if getattr(request, name)]
    if len(given) > 1:
        raise InputError(
            "one_position", f"a position is given once, not as {' and '.join(given)}", where=given[1]
        )
    if request.ply is not None and request.record is None:
        raise InputError("no_record", "a ply is that of a record: give the record, too", where="ply")
    if request.view is not None:
        return _read_view(game, request)
    state = _replay(game, request, context)
    turn, seats = game.turn(state), count_seats(game, state)
    first = turn.seats[0] if isinstance(turn, Decide) else 0
    seat = first if request.seat is None else request.seat
    _require_seat(seat, seats)
    return AskedPosition(game.view(state, seat), seat)


def _replay(game: AnyGame, request: PositionRequest, context: Context[Ruleset]) -> Any:  # noqa: ANN401  a state
    if request.record is not None:
        record = read_record(request.record, lambda name: _require_game(game, name))
        return replay(game, record, request.ply).state
    possible = game.seats(context.rules)
    seats = possible[0] if request.seats is None else request.seats
    if seats not in possible:
        raise InputError(
            "bad_seats",
            f"{game.name} is for {possible[0]} to {possible[-1]} seats, not {seats}",
            where="seats",
        )
    names = tuple(f"seat {seat}" for seat in range(seats))
    return replay(game, Record(rules=context.rules, seats=names, moves=request.moves)).state


def _require_game(game: AnyGame, name: str) -> AnyGame:
    if name != game.name:
        raise NotFoundError("other_game", f"this is a record of '{name[:40]}', not of {game.name}")
    return game


def _read_view(game: AnyGame, request: Any) -> AskedPosition:  # noqa: ANN401  as above
    """Return the position of a view, which may come from anybody: its numbers are bounded, and it must be playable."""
    _require_small(wire.to_builtins(request.view), "view")
    try:
        state = game.imagine(request.view, Seeded("view"))
        turn, seats = game.turn(state), count_seats(game, state)
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise refuse_view(error) from error
    first = turn.seats[0] if isinstance(turn, Decide) else 0
    seat = first if request.seat is None else request.seat
    _require_seat(seat, seats)
    return AskedPosition(request.view, seat)


def refuse_view(error: Exception) -> InputError:
    """Return the refusal of a view from which the rules cannot go on."""
    return InputError(
        "bad_view",
        f"the game cannot go on from this view: {type(error).__name__}: {error}"[:300],
        where="view",
    )


def count_seats(game: AnyGame, state: object) -> int:
    """Return how many seats play: a state says it, else the scores at the end of a game from there."""
    seats = getattr(state, "seats", None)
    if isinstance(seats, int):
        return seats
    luck = Seeded("seats")
    played = play_out(game, state, make_random_player(luck), luck)
    return 1 if played.outcome is None else len(played.outcome.scores)


def _require_seat(seat: Seat, seats: int) -> None:
    if not 0 <= seat < seats:
        raise InputError("bad_seat", f"the seats are 0 to {seats - 1}, not {seat}", where="seat")


def _require_small(data: object, where: str) -> None:
    """Refuse numbers so large that rules could work on them for ever."""
    match data:
        case int() if abs(data) > LARGEST_NUMBER:
            raise InputError(
                "number_too_large", f"{where}: numbers of a view are within ±{LARGEST_NUMBER:,}", where=where
            )
        case dict():
            for name, inner in data.items():
                _require_small(inner, f"{where}.{name}")
        case list() | tuple():
            for place, inner in enumerate(data):
                _require_small(inner, f"{where}.{place}")
