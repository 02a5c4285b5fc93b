"""Notation of moves: `0 attempt bank_robbery` for a choice, `* 10♠ J♠ Q♠ K♠ A♠` for a draw."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from oddsmith.cards import cards, write_cards
from oddsmith.errors import InputError, nearest
from oddsmith.game import Act, Luck
from oddsmith.games.destiny.decks import STANDARD, deck_cards
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Buy,
    Challenge,
    Choose,
    Defend,
    Hand,
    Hire,
    Hold,
    Raid,
    Rest,
    Retire,
    Stand,
    TakeCheck,
    Travel,
)
from oddsmith.games.destiny.rules import DeckRules

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
    "retire": Retire,
    "hold": Hold,
    "stand": Stand,
}
"""Actions by their verb; each has at most one name, but `hold` has places."""
PLACES: Final = ("0", "1", "2", "3", "4")
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

    >>> write_action(Rest()), write_action(Raid("rookie")), write_action(Hold((0, 3)))
    ('rest', 'raid rookie', 'hold 0 3')
    """
    if isinstance(action, Hold):
        return " ".join(("hold", *map(str, action.places)))
    return " ".join((_VERBS[type(action)], *msgspec.structs.astuple(action)))


def read_move(text: str, deck: DeckRules = STANDARD) -> Act[Action] | Luck[Hand]:
    """Read a move that `write_move` wrote; the cards of a hand may be in any order, and are of the deck.

    Raises `InputError` where the text is no move.

    >>> read_move("* 10♠ J♠ Q♠ K♠ A♠").outcome[0]
    card('10♠')
    """
    first, _, rest = text.strip().partition(" ")
    if first == LUCK:
        return Luck(tuple(sorted(cards(rest, deck=deck_cards(deck)))))
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
    if kind is Hold:
        return _read_hold(words[1:], text)
    if len(words) - 1 != len(kind.__struct_fields__):
        needs = "exactly one name" if kind.__struct_fields__ else "no name"
        raise InputError("bad_move", f"'{text[:60]}' is no move: {words[0]} needs {needs}")
    make: Callable[..., Action] = kind
    return make(*words[1:])


def _read_hold(places: Sequence[str], text: str) -> Hold:
    if len(places) < len(PLACES) and all(place in PLACES for place in places):
        return Hold(tuple(map(int, places)))
    raise InputError("bad_move", f"'{text[:60]}' is no move: hold needs at most four places from 0 to 4")
