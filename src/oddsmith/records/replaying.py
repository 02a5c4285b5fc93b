"""Replay of records: moves are made again under the rules, or luck and choices are drawn again and compared."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from oddsmith.bot import Chooser
from oddsmith.chance import Draw, Seeded
from oddsmith.driver import PlayedGame, Ply
from oddsmith.errors import InputError, OddsmithError, RecordError
from oddsmith.game import Act, Await, Decide, Game, Luck, Outcome, Over, Seat
from oddsmith.records.record import Record, require_seats
from oddsmith.records.versions import explained_version

S = TypeVar("S")
A = TypeVar("A")
L = TypeVar("L")


def replay(game: Game[Any, S, A, L, Any], record: Record, ply: int | None = None) -> PlayedGame[S, A, L]:
    """Replay the first `ply` moves of a record, or all of them.

    Raise `RecordError`, with the ply, for a move that cannot be read, is against the rules, or is impossible luck.
    """
    if game.name != record.game:
        raise RecordError(
            "other_game", f"game: this is a record of {record.game}, not of {game.name}", where="game"
        )
    if ply is not None and not 0 <= ply <= len(record.moves):
        raise InputError("bad_ply", f"the record has plies 0 to {len(record.moves)}, not {ply}", where="ply")
    require_seats(game, record.rules, record.seats)
    start = game.setup(record.rules, len(record.seats))
    return PlayedGame(start, tuple(_plies(game, start, record.moves[:ply])), record.labels)


def verify(game: Game[Any, S, A, L, Any], record: Record) -> PlayedGame[S, A, L]:
    """Replay the whole record, and raise `RecordError` where its outcome is not that of its moves.

    `read_record` checks the digest and the id of the rules; with it, all of a record is checked. Where the record names
    another version of the mechanic than the one here, the error says so.
    """
    with explained_version(record.game, record.labels):
        return _verify(game, record)


def _verify(game: Game[Any, S, A, L, Any], record: Record) -> PlayedGame[S, A, L]:
    played = replay(game, record)
    if record.outcome is None:
        return played
    turn = game.turn(played.state)
    if not isinstance(turn, Over):
        raise RecordError(
            "wrong_outcome",
            f"outcome: the game is not over after ply {len(record.moves)}",
            where="outcome",
        )
    if turn.outcome != record.outcome:
        raise RecordError(
            "wrong_outcome",
            f"outcome: the moves lead to {_describe_outcome(turn.outcome)}, not to {_describe_outcome(record.outcome)}",
            where="outcome",
        )
    return played


def _describe_outcome(outcome: Outcome) -> str:
    return f"'{outcome.why}', winners {list(outcome.winners)}, scores {list(outcome.scores)}"


def _plies(game: Game[Any, S, A, L, Any], start: S, lines: tuple[str, ...]) -> Iterator[Ply[S, A, L]]:
    state = start
    for number, line in enumerate(lines, 1):
        try:
            move = _read_move(game, state, line)
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


def _read_move(game: Game[Any, S, A, L, Any], state: S, line: str) -> Act[A] | Luck[L]:
    """Return the move of a line; raise `RecordError` where the state does not wait for it."""
    turn = game.turn(state)
    if isinstance(turn, Over):
        raise RecordError("moves_after_end", f"'{line}' comes after the end: {turn.outcome.why}")
    try:
        move = game.read(state, line)
    except OddsmithError as error:
        raise RecordError("unreadable_move", f"'{line}' is no move: {error.refusal.sentence}") from error
    match turn, move:
        case Await(), Luck() if not turn.chance.weight(move.outcome):
            likely = game.write(state, Luck(turn.chance.sample(Seeded("example"))))
            raise RecordError(
                "impossible_luck", f"'{line}' cannot happen here; what can is, for example, '{likely}'"
            )
        case Await(), Act():
            raise RecordError("illegal_move", f"'{line}' is a choice where luck is due")
        case Decide(), Luck():
            raise RecordError("impossible_luck", f"'{line}' is luck where none is due")
    return move


V = TypeVar("V")


def retrace(
    game: Game[Any, S, A, L, V], record: Record, draw: Draw, choosers: Mapping[Seat, Chooser[V, A]]
) -> PlayedGame[S, A, L]:
    """Verify a record while `draw` draws its luck again, and `choosers` choose again for their seats.

    Other seats move as recorded. Afterwards `draw` and `choosers` have the state that they had after the last move, so
    that `play` can continue the game. Raise `RecordError`, with the ply, for luck or a choice that differs.

    >>> from oddsmith.chance import Seeded
    >>> from oddsmith.games import destiny
    >>> from oddsmith.records import play
    >>> start, first = destiny.GAME.setup(destiny.DEFAULT, 2), lambda view, actions: actions[0]
    >>> moves = [ply.move for ply in play(destiny.GAME, start, [first, first], Seeded("yuma"))]
    >>> begun = Record.of(destiny.GAME, destiny.DEFAULT, ["Ann", "Bo"], moves[:3])
    >>> luck = Seeded("yuma")
    >>> state = retrace(destiny.GAME, begun, luck, {1: first}).state
    >>> [ply.move for ply in play(destiny.GAME, state, [first, first], luck)] == moves[3:]
    True
    """
    verified = verify(game, record)
    for ply, line in zip(verified.plies, record.moves, strict=True):
        repeated = _repeat_move(game, ply, draw, choosers)
        if repeated != ply.move:
            raise RecordError(
                "other_luck",
                f"ply {ply.number}: the record says '{line}', but the luck it names gives"
                f" '{game.write(ply.before, repeated)}'",
                where=f"ply {ply.number}",
            )
    return verified


def _repeat_move(
    game: Game[Any, S, A, L, V], ply: Ply[S, A, L], draw: Draw, choosers: Mapping[Seat, Chooser[V, A]]
) -> Act[A] | Luck[L]:
    """Return the move that `draw` and `choosers` give in place of a recorded one."""
    match game.turn(ply.before), ply.move:
        case Await(chance), Luck():
            return Luck(chance.sample(draw))
        case _, Act(seat) if seat in choosers:
            return Act(seat, choosers[seat](game.view(ply.before, seat), game.actions(ply.before, seat)))
    return ply.move
