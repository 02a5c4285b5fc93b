"""Notation of moves: `0 attempt bank_robbery` for a choice, `* 10♠ J♠ Q♠ K♠ A♠` for a draw."""

from collections.abc import Mapping
from typing import Final

import msgspec

from oddsmith.cards import cards, write_cards
from oddsmith.errors import InputError, nearest
from oddsmith.game import Act, Luck
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Buy,
    Challenge,
    Choose,
    Defend,
    Hand,
    Hire,
    Raid,
    Rest,
    TakeCheck,
    Travel,
)

LUCK: Final = "*"
ACTIONS: Final[Mapping[str, type[Action]]] = {
    "choose": Choose,
    "attempt": Attempt,
    "rest": Rest,
    "travel": Travel,
    "buy": Buy,
    "check": TakeCheck,
    "challenge": Challenge,
    "hire": Hire,
    "raid": Raid,
    "defend": Defend,
}
"""Actions by their verb; each has at most one name."""
_VERBS: Final = {kind: verb for verb, kind in ACTIONS.items()}


def write_move(move: Act[Action] | Luck[Hand]) -> str:
    """Return a move as one line of notation.

    >>> write_move(Act(0, Attempt("bank_robbery")))
    '0 attempt bank_robbery'
    """
    if isinstance(move, Luck):
        return f"{LUCK} {write_cards(move.outcome)}"
    return f"{move.seat} {write_action(move.action)}"


def write_action(action: Action) -> str:
    """Return the notation of a choice without its seat.

    >>> write_action(Rest()), write_action(Raid("rookie"))
    ('rest', 'raid rookie')
    """
    return " ".join((_VERBS[type(action)], *msgspec.structs.astuple(action)))


def read_move(text: str) -> Act[Action] | Luck[Hand]:
    """Read a move that `write_move` wrote; the cards of a hand may be in any order.

    Raises `InputError` where the text is no move.

    >>> read_move("* 10♠ J♠ Q♠ K♠ A♠").outcome[0]
    card('10♠')
    """
    first, _, rest = text.strip().partition(" ")
    if first == LUCK:
        return Luck(tuple(sorted(cards(rest))))
    if not (first.isascii() and first.isdigit() and len(first) == 1):
        raise InputError("bad_move", f"a move starts with a seat's number or with *, not '{first[:20]}'")
    return Act(int(first), read_action(rest))


def read_action(text: str) -> Action:
    """Read a choice without its seat.

    >>> read_action("buy whiskey")
    Buy(buff='whiskey')
    """
    words = text.split()
    kind = ACTIONS.get(words[0]) if words else None
    if kind is None:
        verb = text[:20].partition(" ")[0]
        raise InputError("bad_move", f"'{text[:60]}' is no move{nearest(verb, list(ACTIONS))}")
    if len(words) - 1 != len(kind.__struct_fields__):
        needs = "exactly one name" if kind.__struct_fields__ else "no name"
        raise InputError("bad_move", f"'{text[:60]}' is no move: {words[0]} needs {needs}")
    return kind(*words[1:])
