"""Notation of moves as one line each: `0 attack 0 1 2` for a choice, `* 10♠ J♠ Q♠ K♠ A♠` or `* attack 3` for luck.

Actions are also read from plain data, with the field names of this package or of the source document.
"""

from collections.abc import Mapping
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
PLACES_FIELD: Final = "card_indices"
SOURCE_FIELD: Final = "cardIndices"
"""The name of `card_indices` in the source document."""
LARGEST_PLACE: Final = 1000
_SELECTIONS: Final[Mapping[str, type[SelectAttack | SelectDefense]]] = {
    "select_attack": SelectAttack,
    "select_defense": SelectDefense,
}
_PLAIN_ACTIONS: Final[Mapping[str, Action]] = {"execute_turn": ExecuteTurn(), "flee": Flee()}
ACTION_TYPES: Final = (*_SELECTIONS, *_PLAIN_ACTIONS)


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
    return tuple([_number(word, text) for word in words])


def _number(word: str, text: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= LONGEST_NUMBER):
        raise InputError("bad_move", f"'{text[:60]}' is no move: '{word[:20]}' is no place of a card from 0")
    return int(word)


def read_action_data(data: object) -> Action:
    """Return the action of plain data, with `card_indices` or the source document's `cardIndices` (§4.1).

    Raise `InputError` for data that are no action, and for an object that has both names.

    >>> read_action_data({"type": "select_attack", "cardIndices": [2, 0]})
    SelectAttack(card_indices=(0, 2))
    """
    given = data.get("type") if isinstance(data, Mapping) else None
    if not isinstance(data, Mapping) or given not in ACTION_TYPES:
        shown = f", not '{given[:20]}'" if isinstance(given, str) else ""
        raise InputError(
            "bad_move", f"an action is an object whose type is {', '.join(ACTION_TYPES)}{shown}", where="type"
        )
    fields = {name: value for name, value in data.items() if name != "type"}
    known = (PLACES_FIELD, SOURCE_FIELD) if given in _SELECTIONS else ()
    for name in fields:
        if name not in known:
            text = str(name)[:20]
            raise InputError("bad_move", f"{given} has no field '{text}'", where=text)
    if given in _PLAIN_ACTIONS:
        return _PLAIN_ACTIONS[given]
    if len(fields) > 1:
        raise InputError(
            "bad_move",
            f"{SOURCE_FIELD} and {PLACES_FIELD} are two names of one field: give one of them",
            where=SOURCE_FIELD,
        )
    if not fields:
        raise InputError(
            "bad_move", f"{given} needs {PLACES_FIELD}, the places of cards in the hand", where=PLACES_FIELD
        )
    ((name, places),) = fields.items()
    return _SELECTIONS[given](_read_places(places, name))


def _read_places(given: object, name: str) -> Indices:
    if not isinstance(given, (list, tuple)) or len(given) > MOST_PLACES:
        raise InputError("bad_move", f"{name} is a list of at most {MOST_PLACES} places", where=name)
    for index, place in enumerate(given):
        if isinstance(place, bool) or not isinstance(place, int) or abs(place) > LARGEST_PLACE:
            raise InputError(
                "bad_move",
                f"{name} has the places of cards in the hand, whole numbers from 0 to 4",
                where=f"{name}[{index}]",
            )
    return tuple(given)
