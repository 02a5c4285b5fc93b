"""Notation of moves: `0 attempt bank_robbery` for a choice, `* 10♠ J♠ Q♠ K♠ A♠` for a draw."""

from typing import Final, assert_never

from oddsmith.cards import cards, write_cards
from oddsmith.errors import InputError, nearest
from oddsmith.game import Act, Luck
from oddsmith.games.destiny.model import Action, Attempt, Buy, Choose, Hand, Rest, Travel

LUCK: Final = "*"
VERBS: Final = ("choose", "attempt", "rest", "travel", "buy")


def write_move(move: Act[Action] | Luck[Hand]) -> str:
    """Return a move as one line of notation.

    >>> write_move(Act(0, Attempt("bank_robbery")))
    '0 attempt bank_robbery'
    """
    if isinstance(move, Luck):
        return f"{LUCK} {write_cards(move.outcome)}"
    return f"{move.seat} {write_action(move.action)}"


def write_action(action: Action) -> str:
    """Return the notation of a choice without its seat."""
    match action:
        case Choose(outlaw):
            return f"choose {outlaw}"
        case Attempt(crime):
            return f"attempt {crime}"
        case Rest():
            return "rest"
        case Travel(place):
            return f"travel {place}"
        case Buy(buff):
            return f"buy {buff}"
        case _ as never:
            assert_never(never)


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
    match text.split():
        case ["choose", outlaw]:
            return Choose(outlaw)
        case ["attempt", crime]:
            return Attempt(crime)
        case ["rest"]:
            return Rest()
        case ["travel", place]:
            return Travel(place)
        case ["buy", buff]:
            return Buy(buff)
        case [verb, *_] if verb in VERBS:
            raise InputError("bad_move", f"'{text[:60]}' is no move: {verb} {_needs(verb)}")
    verb = text[:20].partition(" ")[0]
    raise InputError("bad_move", f"'{text[:60]}' is no move{nearest(verb, VERBS)}")


def _needs(verb: str) -> str:
    return "needs no name" if verb == "rest" else "needs exactly one name"
