"""A replay makes every recorded move again under the rules it was recorded with."""

from collections.abc import Iterator
from typing import Any, TypeVar

from oddsmith.driver import Ply, Replayed
from oddsmith.errors import InputError, OddsmithError, RecordError
from oddsmith.game import Act, Await, Decide, Game, Luck, Outcome, Over
from oddsmith.records.record import Record, require_seats

__all__ = ["Replayed", "replay", "verify"]

S = TypeVar("S")
A = TypeVar("A")
O = TypeVar("O")  # noqa: E741  the outcome of luck, as in the Game protocol


def replay(game: Game[Any, S, A, O, Any], record: Record, ply: int | None = None) -> Replayed[S, A, O]:
    """Make the first `ply` moves of the record again, or all of them.

    A move that cannot be read, breaks the rules or asks for impossible luck raises a `RecordError` that says at
    which ply.
    """
    if game.name != record.game:
        raise RecordError(
            "other_game", f"game: this is a record of {record.game}, not of {game.name}", where="game"
        )
    if ply is not None and not 0 <= ply <= len(record.moves):
        raise InputError("bad_ply", f"the record has plies 0 to {len(record.moves)}, not {ply}", where="ply")
    require_seats(game, record.rules, record.seats)
    start = game.setup(record.rules, len(record.seats))
    return Replayed(start, tuple(_plies(game, start, record.moves[:ply])), record.labels)


def verify(game: Game[Any, S, A, O, Any], record: Record) -> Replayed[S, A, O]:
    """Replay the whole record, and refuse it if it claims an end that the moves do not lead to.

    With `read_record`, which checks the digest and the id of the rules, this vouches for all that a record says.
    """
    replayed = replay(game, record)
    if record.outcome is None:
        return replayed
    turn = game.turn(replayed.state)
    if not isinstance(turn, Over):
        raise RecordError(
            "wrong_outcome",
            f"outcome: the game is not over after ply {len(record.moves)}",
            where="outcome",
        )
    if turn.outcome != record.outcome:
        raise RecordError(
            "wrong_outcome",
            f"outcome: the moves lead to {_told(turn.outcome)}, not to {_told(record.outcome)}",
            where="outcome",
        )
    return replayed


def _told(outcome: Outcome) -> str:
    return f"'{outcome.why}', winners {list(outcome.winners)}, scores {list(outcome.scores)}"


def _plies(game: Game[Any, S, A, O, Any], start: S, lines: tuple[str, ...]) -> Iterator[Ply[S, A, O]]:
    state = start
    for number, line in enumerate(lines, 1):
        try:
            move = _possible_move(game, state, line)
            step = game.step(state, move)
        except RecordError as error:
            raise RecordError(
                error.refusal.code, f"ply {number}: {error.refusal.sentence}", where=f"ply {number}"
            ) from error
        except OddsmithError as error:
            raise RecordError(
                "illegal_move",
                f"ply {number}: '{line}' is refused: {error.refusal.sentence}",
                where=f"ply {number}",
            ) from error
        yield Ply(number, state, move, step.state, step.events)
        state = step.state


def _possible_move(game: Game[Any, S, A, O, Any], state: S, line: str) -> Act[A] | Luck[O]:
    """Read the line as a move that the state waits for."""
    turn = game.turn(state)
    if isinstance(turn, Over):
        raise RecordError("moves_after_end", f"'{line}' comes after the end: {turn.outcome.why}")
    try:
        move = game.read(state, line)
    except OddsmithError as error:
        raise RecordError("unreadable_move", f"'{line}' is no move: {error.refusal.sentence}") from error
    match turn, move:
        case Await(), Luck() if not turn.chance.weight(move.outcome):
            raise RecordError("impossible_luck", f"'{line}' cannot happen here")
        case Await(), Act():
            raise RecordError("illegal_move", f"'{line}' is a choice where luck is due")
        case Decide(), Luck():
            raise RecordError("impossible_luck", f"'{line}' is luck where none is due")
    return move
