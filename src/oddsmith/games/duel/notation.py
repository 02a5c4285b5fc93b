"""Notation of moves as one line each: `0 attack 0 1 2` for a choice, `* 10♠ J♠ Q♠ K♠ A♠` or `* attack 3` for luck."""

from typing import Final, assert_never

from oddsmith.cards import cards, write_cards
from oddsmith.errors import InputError, nearest
from oddsmith.game import Act, Luck
from oddsmith.games.duel.model import Action, ExecuteTurn, Flee, Hand, Indices, SelectAttack, SelectDefense

LUCK: Final = "*"
VERBS: Final = ("attack", "defend", "fight", "flee")
MOST_PLACES: Final = 100
LONGEST_NUMBER: Final = 2
"""Digits of a place in a hand."""


def write_move(move: Act[Action] | Luck[Hand | int]) -> str:
    """Return a move as a short line.

    >>> write_move(Act(0, SelectDefense((3, 4)))), write_move(Luck(3))
    ('0 defend 3 4', '* attack 3')
    """
    if isinstance(move, Luck):
        if isinstance(move.outcome, int):
            return f"{LUCK} attack {move.outcome}"
        return f"{LUCK} {write_cards(move.outcome)}"
    return f"{move.seat} {write_action(move.action)}"


def write_action(action: Action) -> str:
    """Return an action as text, without its seat."""
    match action:
        case SelectAttack(indices):
            return " ".join(("attack", *map(str, indices)))
        case SelectDefense(indices):
            return " ".join(("defend", *map(str, indices)))
        case ExecuteTurn():
            return "fight"
        case Flee():
            return "flee"
        case _ as never:
            assert_never(never)


def read_move(text: str) -> Act[Action] | Luck[Hand | int]:
    """Return the move of a line that `write_move` wrote; the cards of a hand may be in any order.

    Raise `InputError` for text that is no move.

    >>> read_move("* attack 3").outcome
    3
    """
    first, _, rest = text.strip().partition(" ")
    if first == LUCK:
        verb, _, count = rest.strip().partition(" ")
        if verb == "attack":
            return Luck(_number(count, text))
        return Luck(tuple(sorted(cards(rest))))
    if not (first.isascii() and first.isdigit() and len(first) == 1):
        raise InputError("bad_move", f"a move starts with a seat's number or with *, not '{first[:20]}'")
    return Act(int(first), read_action(rest))


def read_action(text: str) -> Action:
    """Return the action of a text without its seat, or raise `InputError`.

    >>> read_action("attack 0 1 2")
    SelectAttack(card_indices=(0, 1, 2))
    """
    match text.split():
        case ["attack", *places]:
            return SelectAttack(_places(places, text))
        case ["defend", *places]:
            return SelectDefense(_places(places, text))
        case ["fight"]:
            return ExecuteTurn()
        case ["flee"]:
            return Flee()
        case ["fight" | "flee" as alone, *_]:
            raise InputError("bad_move", f"'{text[:60]}' is no move: {alone} has nothing after it")
    verb = text[:20].partition(" ")[0]
    raise InputError("bad_move", f"'{text[:60]}' is no move{nearest(verb, VERBS)}")


def _places(words: list[str], text: str) -> Indices:
    if len(words) > MOST_PLACES:
        raise InputError("bad_move", f"'{text[:60]} …' is no move: a hand has five cards")
    return tuple(_number(word, text) for word in words)


def _number(word: str, text: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= LONGEST_NUMBER):
        raise InputError("bad_move", f"'{text[:60]}' is no move: '{word[:20]}' is no place of a card from 0")
    return int(word)
