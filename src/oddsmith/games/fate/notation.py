"""Notation of moves as one line each: `0 call 2 hard` or `1 peek 3` for a choice, `* 3♠` for luck."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from oddsmith.errors import InputError, nearest
from oddsmith.game import Act, Luck
from oddsmith.games.fate.model import (
    Action,
    CallCheck,
    DiscardTop,
    EndTurn,
    ForceReshuffle,
    Keep,
    MoveToBottom,
    Peek,
    Ready,
    Redraw,
    Reorder,
    Resolve,
    ReturnDiscards,
    TakeExtra,
)

LUCK: Final = "*"
LONGEST_NUMBER: Final = 3
LONGEST_SEAT: Final = 2
"""Digits of a seat's number."""
LONGEST_MOVE: Final = 300
_VERBS: Final[Mapping[str, type[Action]]] = {
    "call": CallCheck,
    "end": EndTurn,
    "ready": Ready,
    "resolve": Resolve,
    "peek": Peek,
    "reorder": Reorder,
    "bottom": MoveToBottom,
    "discard": DiscardTop,
    "return": ReturnDiscards,
    "extra": TakeExtra,
    "keep": Keep,
    "redraw": Redraw,
    "reshuffle": ForceReshuffle,
}
_LISTS: Final = (Reorder, Keep)


def write_move(move: Act[Action] | Luck[str]) -> str:
    """Return a move as a short line.

    >>> write_move(Act(1, Reorder((1, 0)))), write_move(Luck("3♠"))
    ('1 reorder 1 0', '* 3♠')
    """
    if isinstance(move, Luck):
        return f"{LUCK} {move.outcome}"
    return f"{move.seat} {write_action(move.action)}"


def write_action(action: Action) -> str:
    """Return an action as text, without its seat."""
    verb = next(name for name, kind in _VERBS.items() if isinstance(action, kind))
    fields = msgspec.structs.astuple(action)
    words = fields[0] if isinstance(action, _LISTS) else fields
    return " ".join((verb, *map(str, words)))


def read_move(text: str) -> Act[Action] | Luck[str]:
    """Return the move of a line that `write_move` wrote, or raise `InputError`.

    >>> read_move("0 call 2 hard").action
    CallCheck(player=2, check='hard')
    """
    _require_short(text)
    first, _, rest = text.strip().partition(" ")
    if first == LUCK:
        if len(rest.split()) != 1:
            raise InputError("bad_move", f"'{text[:60]}' is no move: one card is expected after {LUCK}")
        return Luck(rest.strip())
    if not (_is_number(first) and len(first) <= LONGEST_SEAT):
        raise InputError("bad_move", f"a move starts with a seat's number or with *, not '{first[:20]}'")
    return Act(int(first), read_action(rest))


def read_action(text: str) -> Action:
    """Return the action of a text without its seat, or raise `InputError`.

    >>> read_action("keep 2 0")
    Keep(places=(0, 2))
    """
    _require_short(text)
    verb, *words = text.split() or [""]
    if verb not in _VERBS:
        raise InputError("bad_move", f"'{text[:60]}' is no move{nearest(verb[:20], _VERBS)}")
    kind = _VERBS[verb]
    if kind in _LISTS:
        return kind(tuple(_number(word, text) for word in words))
    fields = kind.__struct_fields__
    if len(words) != len(fields):
        expected = "1 word is" if len(fields) == 1 else f"{len(fields)} words are"
        raise InputError(
            "bad_move", f"'{text[:60]}' is no move: {expected} expected after '{verb}', not {len(words)}"
        )
    make: Callable[..., Action] = kind
    return make(*(_field(name, word, text) for name, word in zip(fields, words, strict=True)))


def _require_short(text: str) -> None:
    if len(text) > LONGEST_MOVE:
        raise InputError("bad_move", f"'{text[:60]} …' is no move: it has at most {LONGEST_MOVE} characters")


def _field(name: str, word: str, text: str) -> str | int:
    return word[:60] if name == "check" else _number(word, text)


def _number(word: str, text: str) -> int:
    if not _is_number(word):
        raise InputError("bad_move", f"'{text[:60]}' is no move: '{word[:20]}' is no number from 0")
    return int(word)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= LONGEST_NUMBER
