"""The error of a broken law: what is wrong, where, what would be right, and a record of the moves before it."""

from typing import Any, Final

from oddsmith.errors import IllegalMove, InputError, LawBroken
from oddsmith.game import Game
from oddsmith.laws.fault import Fault, FaultError
from oddsmith.laws.playout import Playout
from oddsmith.records import Record
from oddsmith.records.record import LONGEST_LINE
from oddsmith.source_places import at_place, place_of_class, place_of_error, place_of_method
from oddsmith.text import escape_unprintable

AnyGame = Game[Any, Any, Any, Any, Any]

OTHER_NAMES: Final = {"start": "setup", "setup": "start", "act": "step", "step": "act"}
"""The names of methods of a position, and of those of a game that do the same."""
NO_ERROR: Final = (
    "no function of a game raises in a position that can occur, except for a move that is not legal"
)


LEGAL: Final = "an action that `actions` lists is legal in `objection` and `step`"


def make_broken_law(name: str, wrong: Fault | Exception, playout: Playout, run_name: str) -> LawBroken:
    """Return the error of a fault, or of what a game has raised, in a playout."""
    code = (wrong.law if isinstance(wrong, FaultError) else None) or name
    reason, place, cure = _describe(wrong, playout.game)
    what = at_place(place, f"{reason}: {cure}" if cure else reason)
    sentence = f"{code}: {what} (ply {playout.at} of {run_name}, with {playout.seats} seats)"
    broken = LawBroken(code, sentence, where=f"ply {playout.at}")
    broken.record = _write_record(playout, f"{code}: {reason}")
    return broken


def slow_rule(place: str | None, seconds: float) -> FaultError:
    """Return the error of a rule that has used too much processor time."""
    reason = at_place(place, f"a rule has not returned after {seconds:g} s of processor time")
    return FaultError(Fault(reason, None, "let every loop come to an end"), law="termination")


def _describe(wrong: Fault | Exception, game: AnyGame) -> tuple[str, str | None, str]:
    """Return the reason, the place and the cure; an `InputError` says itself what would be right."""
    if isinstance(wrong, FaultError):
        wrong = wrong.fault
    if isinstance(wrong, Fault):
        return wrong.reason, _place_of(game, wrong.method), wrong.cure
    place = place_of_error(wrong, module_of_rules(game))
    cure = LEGAL if isinstance(wrong, IllegalMove) else "" if isinstance(wrong, InputError) else NO_ERROR
    return f"{type(wrong).__name__}: {wrong}", place, cure


def module_of_rules(game: AnyGame) -> str:
    """Return the module in which the rules are written."""
    return str(_class_of_rules(game).__module__)


def _class_of_rules(game: AnyGame) -> type:
    """Return the class whose methods are the rules: the type of position that a game is derived from, else that of the game."""
    kind: Any = game.state_type
    return kind if hasattr(kind, "as_game") else type(game)


def _place_of(game: AnyGame, method: str | None) -> str | None:
    """Return where a method of the game is written, else its class; None where the fault is in no method."""
    if method is None:
        return None
    kind = _class_of_rules(game)
    for name in (method, OTHER_NAMES.get(method, method)):
        written = any(
            name in vars(owner)
            for owner in kind.__mro__
            if not owner.__module__.startswith("oddsmith.position")
        )
        if written and (place := place_of_method(kind, name)):
            return place
    return place_of_class(kind)


def _write_record(playout: Playout, fault: str) -> str | None:
    """Return a record of the moves before a fault as TOML; None where they cannot be written."""
    game = playout.game
    plies = [position.next_ply for position in playout.positions if position.next_ply]
    try:
        record = Record(
            rules=playout.rules,
            seats=tuple(f"seat {seat}" for seat in range(playout.seats)),
            moves=tuple(game.write(ply.before, ply.move) for ply in plies[: playout.at or None]),
            labels={"law": escape_unprintable(fault)[:LONGEST_LINE]},
        )
        return record.to_toml()
    except Exception:  # noqa: BLE001  what breaks the law may break the lines of moves, too
        return None
