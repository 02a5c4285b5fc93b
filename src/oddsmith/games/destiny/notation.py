"""Notation of moves: `0 attempt bank_robbery` for a choice, `* 10♠ J♠ Q♠ K♠ A♠` for a draw."""

from typing import Final, assert_never

from oddsmith.cards import cards, write_cards
from oddsmith.errors import InputError, nearest
from oddsmith.game import Act, Luck
from oddsmith.games.destiny.decks import STANDARD, deck_cards
from oddsmith.games.destiny.model import Action, Attempt, Buy, Choose, Hand, Hold, Rest, Stand, Travel
from oddsmith.games.destiny.rules import DeckRules

LUCK: Final = "*"
VERBS: Final = ("choose", "attempt", "rest", "travel", "buy", "hold", "stand")
PLACES: Final = ("0", "1", "2", "3", "4")


def write_move(move: Act[Action] | Luck[Hand]) -> str:
    """Return a move as one line of notation.

    >>> write_move(Act(0, Attempt("bank_robbery")))
    '0 attempt bank_robbery'
    """
    if isinstance(move, Luck):
        return f"{LUCK} {write_cards(move.outcome)}"
    return f"{move.seat} {write_action(move.action)}"


def write_action(action: Action) -> str:  # noqa: PLR0911  one case for each action
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
        case Hold(places):
            return " ".join(["hold", *map(str, places)])
        case Stand():
            return "stand"
        case _ as never:
            assert_never(never)


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


def read_action(text: str) -> Action:  # noqa: PLR0911  one case for each action
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
        case ["hold", *places] if all(place in PLACES for place in places) and len(places) < len(PLACES):
            return Hold(tuple(map(int, places)))
        case ["stand"]:
            return Stand()
        case [verb, *_] if verb in VERBS:
            raise InputError("bad_move", f"'{text[:60]}' is no move: {verb} {_needs(verb)}")
    verb = text[:20].partition(" ")[0]
    raise InputError("bad_move", f"'{text[:60]}' is no move{nearest(verb, VERBS)}")


def _needs(verb: str) -> str:
    if verb == "hold":
        return "needs at most four places from 0 to 4"
    return "needs no name" if verb in {"rest", "stand"} else "needs exactly one name"
