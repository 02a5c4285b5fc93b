"""Notation of moves of a team duel: that of a duel, and `0 target 3` for the choice of a target (§9.4)."""

import re
from collections.abc import Mapping
from typing import Any, Final

from oddsmith.errors import InputError
from oddsmith.game import Act, Luck
from oddsmith.games.duel import notation
from oddsmith.games.duel.model import Hand
from oddsmith.games.duel.team_model import AnyAction, SelectTarget

TARGET_TYPE: Final = "select_target"
SEAT_FIELD: Final = "seat"
LARGEST_SEAT: Final = 99
_TARGET: Final = re.compile(r"([0-9]) target ([0-9]{1,2})")


def write_move(move: Act[Any] | Luck[Hand | int]) -> str:
    """Return a move as a short line.

    >>> write_move(Act(0, SelectTarget(3)))
    '0 target 3'
    """
    if isinstance(move, Luck):
        return notation.write_move(move)
    if isinstance(move.action, SelectTarget):
        return f"{move.seat} target {move.action.seat}"
    return notation.write_move(Act(move.seat, move.action))


def read_move(text: str) -> Act[AnyAction] | Luck[Hand | int]:
    """Return the move of a line that `write_move` wrote, or raise `InputError`.

    >>> read_move("0 target 3")
    Act(seat=0, action=SelectTarget(seat=3))
    """
    found = _TARGET.fullmatch(" ".join(text.split()))
    if found is not None:
        return Act(int(found[1]), SelectTarget(int(found[2])))
    move = notation.read_move(text)
    return move if isinstance(move, Luck) else Act(move.seat, move.action)


def read_action_data(data: object) -> AnyAction:
    """Return the action of plain data, in either spelling of a duel's (§4.1); raise `InputError` for any other data.

    >>> read_action_data({"type": "select_target", "seat": 3})
    SelectTarget(seat=3)
    """
    if not isinstance(data, Mapping) or data.get("type") != TARGET_TYPE:
        return notation.read_action_data(data)
    seat = data.get(SEAT_FIELD)
    other = next((str(name)[:20] for name in data if name not in ("type", SEAT_FIELD)), None)
    if other is not None:
        raise InputError("bad_move", f"{TARGET_TYPE} has no field '{other}'", where=other)
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat <= LARGEST_SEAT:
        raise InputError(
            "bad_move", f"{TARGET_TYPE} needs {SEAT_FIELD}, the seat of an opponent", where=SEAT_FIELD
        )
    return SelectTarget(seat)
