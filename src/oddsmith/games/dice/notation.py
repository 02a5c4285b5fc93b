"""Moves as short lines: `0 lock 2` for a choice, `* 5 5 5 2 4` or `* even_steven insurance` for luck."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from oddsmith.errors import InputError, nearest
from oddsmith.game import Act, Luck
from oddsmith.games.dice.model import (
    Action,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    Leave,
    Lock,
    Reroll,
    ScoreHand,
    SetWild,
    Unlock,
)
from oddsmith.games.dice.parts import PoolDie

LuckOutcome: TypeAlias = str | tuple[int | str, ...]

LUCK: Final = "*"
NAME_MARK: Final = "="
MOST_WORDS: Final = 20
LONGEST_ACTION: Final = 200
LONGEST_NAME: Final = 60
LONGEST_NUMBER: Final = 3


def write_move(move: Act[Action] | Luck[LuckOutcome]) -> str:
    """Return a move as a short line; luck that is one name follows `=`.

    >>> write_move(Act(0, SetWild(2, 6))), write_move(Luck((5, 5))), write_move(Luck("miser"))
    ('0 set 2 6', '* 5 5', '* = miser')
    """
    if isinstance(move, Luck):
        if isinstance(move.outcome, str):
            return f"{LUCK} {NAME_MARK} {move.outcome}"
        return " ".join((LUCK, *map(str, move.outcome)))
    return f"{move.seat} {write_action(move.action)}"


def write_action(action: Action) -> str:
    """Return a choice as text, without its seat: its verb, then its fields.

    >>> write_action(BuyDie(4, PoolDie("glass", 1)))
    'replace 4 glass+1'
    """
    return " ".join((_VERBS[type(action)], *map(str, msgspec.structs.astuple(action))))


def read_move(text: str) -> Act[Action] | Luck[LuckOutcome]:
    """Parse a move that `write_move` wrote; raise `InputError` for other text.

    >>> read_move("* = miser").outcome, read_move("* 5 5").outcome
    ('miser', (5, 5))
    """
    first, _, rest = text.strip().partition(" ")
    if first == LUCK:
        return Luck(_read_luck(rest.split(), text))
    if not (first.isascii() and first.isdigit() and len(first) == 1):
        raise InputError("bad_move", f"a move starts with a seat's number or with *, not '{first[:20]}'")
    return Act(int(first), read_action(rest))


def _read_luck(words: list[str], text: str) -> LuckOutcome:
    if len(words) > MOST_WORDS:
        raise InputError("bad_move", f"'{text[:60]} …' is no move: luck decides at most {MOST_WORDS} things")
    match words:
        case ["=", name]:
            return name
        case ["=", *_]:
            raise InputError("bad_move", f"'{text[:60]}' is no move: one name follows {NAME_MARK}")
    return tuple(int(word) if _is_number(word) else word for word in words)


def read_action(text: str) -> Action:
    """Parse a choice without its seat; raise `InputError` for text that is none.

    >>> read_action("replace 4 glass+1")
    BuyDie(place=4, die=PoolDie(kind='glass', level=1))
    """
    if len(text) > LONGEST_ACTION:
        raise InputError(
            "bad_move", f"'{text[:60]} …' is no move: it has more than {LONGEST_ACTION} characters"
        )
    verb, *words = text.split() or [""]
    kind = next((kind for kind, name in _VERBS.items() if name == verb), None)
    if kind is None:
        raise InputError("bad_move", f"'{text[:60]}' is no move{nearest(verb[:20], _VERBS.values())}")
    readers = _FIELDS[kind]
    if len(words) != len(readers):
        right = "1 word" if len(readers) == 1 else f"{len(readers)} words"
        raise InputError(
            "bad_move", f"'{text[:60]}' is no move: '{verb}' is followed by {right}, not {len(words)}"
        )
    return kind(*(read(word, text) for read, word in zip(readers, words, strict=True)))


def _read_name(word: str, text: str) -> str:
    if len(word) > LONGEST_NAME:
        raise InputError(
            "bad_move", f"'{text[:60]} …' is no move: a name has at most {LONGEST_NAME} characters"
        )
    return word


def _read_die(word: str, text: str) -> PoolDie:
    kind, plus, level = word.partition("+")
    return PoolDie(_read_name(kind, text), _read_number(level, text) if plus else 0)


def _read_number(word: str, text: str) -> int:
    if not _is_number(word):
        raise InputError("bad_move", f"'{text[:60]}' is no move: '{word[:20]}' is no number from 0")
    return int(word)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= LONGEST_NUMBER


_VERBS: Final[Mapping[type[Action], str]] = {
    Lock: "lock",
    Unlock: "unlock",
    SetWild: "set",
    Reroll: "reroll",
    ScoreHand: "score",
    BuyDie: "replace",
    BuyItem: "item",
    BuyUpgrade: "upgrade",
    BuyExtraDie: "extra",
    Leave: "leave",
}
_FIELDS: Final[Mapping[type[Action], tuple[Callable[[str, str], Any], ...]]] = {
    Lock: (_read_number,),
    Unlock: (_read_number,),
    SetWild: (_read_number, _read_number),
    Reroll: (),
    ScoreHand: (),
    BuyDie: (_read_number, _read_die),
    BuyItem: (_read_name,),
    BuyUpgrade: (_read_name,),
    BuyExtraDie: (),
    Leave: (),
}
