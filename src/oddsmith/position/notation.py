"""Moves as lines: words, numbers and cards as people write them, anything else as JSON; read by the type of the move."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.cards import Card, card, write_cards
from oddsmith.errors import InputError, OddsmithError
from oddsmith.game import Act, Luck

LUCK: Final = "*"
NOTHING: Final = "none"
"""An empty tuple of cards."""
BETWEEN_HANDS: Final = " | "
LONGEST_SEAT: Final = 2
LONGEST_SHOWN: Final = 40


def write_value(value: object) -> str:
    """Return an action, or an outcome of luck, as text.

    >>> from oddsmith.cards import cards
    >>> write_value("hold"), write_value(cards("A♠ K♦")), write_value((cards("A♠"), ())), write_value((3, 5))
    ('hold', 'A♠ K♦', 'A♠ | none', '[3,5]')
    """
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Card) or _is_hand(value):
        return _write_hand(value)
    if isinstance(value, tuple) and value and all(map(_is_hand, value)):
        return BETWEEN_HANDS.join(map(_write_hand, value))
    return wire.to_json(value).decode()


def _is_hand(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(held, Card) for held in value)


def _write_hand(value: Any) -> str:  # noqa: ANN401  a card or several
    return write_cards(value if isinstance(value, tuple) else (value,)) or NOTHING


class MoveNotation:
    """Writes and reads moves whose actions and luck have these types."""

    def __init__(self, action_type: object, luck_type: object) -> None:
        self._read_action = _make_reader(action_type)
        self._read_luck = _make_reader(luck_type)

    def write(self, move: Act[Any] | Luck[Any]) -> str:
        """Return a move as a line: the seat, or `*` for luck, then the value."""
        if isinstance(move, Luck):
            return f"{LUCK} {write_value(move.outcome)}"
        return f"{move.seat} {write_value(move.action)}"

    def read(self, text: str) -> Act[Any] | Luck[Any]:
        """Return the move of a line; raise `InputError` for any other text."""
        who, _, value = text.partition(" ")
        if who == LUCK and text.isprintable():
            return Luck(self._read_luck(value))
        if (
            text.isprintable()
            and who.isascii()
            and who.isdecimal()
            and len(who) <= LONGEST_SEAT
            and str(int(who)) == who
        ):
            return Act(int(who), self._read_action(value))
        raise InputError(
            "bad_move",
            f"'{text[:LONGEST_SHOWN]}' is no move: write a seat and its action, or {LUCK} and the luck",
        )


def _make_reader(kind: object) -> Callable[[str], Any]:
    decode = wire.make_decoder(kind)

    def read(text: str) -> Any:  # noqa: ANN401  a value of `kind`
        for given in _readings(text):
            try:
                value = decode(given)
            except OddsmithError:
                continue
            if write_value(value) == text:
                return value
        raise InputError("bad_move", f"'{text[:LONGEST_SHOWN]}' is not possible in this game")

    return read


def _readings(text: str) -> Iterator[bytes]:
    """Yield the JSON that a text may stand for: itself, a word, a card, a hand, several hands."""
    yield text.encode()
    yield msgspec.json.encode(text)
    hands = [_read_hand(part) for part in text.split(BETWEEN_HANDS)]
    if all(hand is not None for hand in hands):
        if len(hands) == 1:
            yield msgspec.json.encode(hands[0])
        yield msgspec.json.encode(hands)


def _read_hand(text: str) -> list[str] | None:
    if text == NOTHING:
        return []
    try:
        return [card(token).text for token in text.split(" ")]
    except OddsmithError:
        return None
