"""Notation of moves: `0 7♦x3♣+4♥,7♠`, `1 3♠+4♦x7♥`, `0 4♠+5♦=9`, `1 K♠&Q♠`, `0 3♠>[2♥4♦]`, `1 8♥`.

The seat comes first, then the hand card. Builds are written as their cards in brackets. A deal is `* …`, the hands and
the table's cards separated by `|`.
"""

import re
from typing import Final, assert_never

from oddsmith.cards import Card, card, cards, write_cards
from oddsmith.errors import InputError
from oddsmith.game import Act, Luck
from oddsmith.games.casino.model import Cards, Move, MoveKind, State, in_order, sum_words, value_of
from oddsmith.games.casino.moves import split_by_value

LUCK: Final = "*"
BETWEEN_HANDS: Final = "|"
MOST_HAND_CARDS: Final = 2
EMOJI: Final = "\ufe0f"
"""The variation selector that some keyboards put after a suit's symbol."""
LONGEST: Final = 400
"""An upper bound of the length of a line: a deal of forty cards has about 160 characters."""
SHAPES: Final = "write 7♦x3♣+4♥, 3♠+4♦x7♥, 4♠+5♦=9, K♠&Q♠, 3♠>[2♥4♦] or 8♥"

_LETTERS: Final = re.IGNORECASE | re.ASCII
_CARD: Final = re.compile(r"(?:10|[2-9TJQKA])[♠♥♦♣SHDC]", _LETTERS)
_BUILD: Final = rf"\[{_CARD.pattern}(?:\+?{_CARD.pattern})*\]"
_ITEM: Final = re.compile(rf"{_BUILD}|{_CARD.pattern}|\d{{1,2}}", _LETTERS)
_ITEMS: Final = re.compile(rf"(?:{_ITEM.pattern})(?:\+(?:{_ITEM.pattern}))*", _LETTERS)


def write_move(move: Act[Move] | Luck[tuple[Cards, ...]], state: State) -> str:
    """Return a move as one line of notation, given the state before it."""
    if isinstance(move, Luck):
        return f"{LUCK} {f' {BETWEEN_HANDS} '.join(map(write_cards, move.outcome))}".rstrip()
    return f"{move.seat} {write_action(move.action, state)}"


def write_action(move: Move, state: State) -> str:
    """Return the notation of a move without its seat, given the state before it."""
    hand, loose = "+".join([card.text for card in move.hand]), [card.text for card in move.loose]
    stacks = [_build_text(state, number) for number in move.builds]
    match move.kind:
        case MoveKind.CAPTURE:
            targets = split_by_value(move.loose, value_of(move.hand[0]))
            groups = ["+".join([card.text for card in group]) for group in targets or [move.loose] if group]
            return f"{hand}x{','.join((*groups, *stacks))}"
        case MoveKind.TWO_CARD_CAPTURE:
            return f"{hand}x{''.join((*loose, *stacks))}"
        case MoveKind.BUILD_MARRIAGE:
            return f"{hand}&{''.join(loose)}"
        case MoveKind.BUILD:
            total = sum(map(value_of, (*move.hand, *move.loose)))
            return f"{'+'.join((hand, *loose))}={total}"
        case MoveKind.EXTEND:
            return f"{hand}>{''.join(stacks)}"
        case MoveKind.TRAIL:
            return hand
        case _ as never:
            assert_never(never)


def _build_text(state: State, number: int) -> str:
    return f"[{''.join(map(str, state.builds[number].cards))}]"


def read_move(text: str, state: State) -> Act[Move] | Luck[tuple[Cards, ...]]:
    """Read a move that `write_move` wrote, given the state before it; cards may be in any order.

    Raises `InputError` where the text is no move.
    """
    _require_short(text)
    first, _, rest = text.strip().partition(" ")
    if first == LUCK:
        hands = (cards(hand, deck=state.rules.cards) for hand in rest.split(BETWEEN_HANDS))
        return Luck(tuple(tuple(sorted(hand)) for hand in hands))
    if not (first.isascii() and first.isdigit() and len(first) == 1):
        raise InputError("bad_move", f"a move starts with a seat's number or with *, not '{first[:20]}'")
    return Act(int(first), read_action(rest, state))


def read_action(text: str, state: State) -> Move:
    """Read a move without its seat; a given value must be right, and a build may be named by its value.

    Raises `InputError` where the text is no move. The move need not be legal.
    """
    _require_short(text)
    compact = "".join(text.replace(EMOJI, "").split()).replace("×", "x").replace("X", "x").replace(",", "+")
    for mark, kind in _MARKS.items():
        if mark in compact:
            first, _, second = compact.partition(mark)
            return _READERS[kind](first, second, text, state)
    if "+" in compact:
        return _read_build(compact, "", text, state)
    return Move(kind=MoveKind.TRAIL, hand=_read_cards(compact, text))


def _require_short(text: str) -> None:
    if len(text) > LONGEST:
        raise InputError(
            "bad_move", f"'{text[:40]} …' is no move: no move takes more than {LONGEST} characters"
        )


def _read_capture(first: str, second: str, text: str, state: State) -> Move:
    hand = _read_cards(first, text)
    loose, builds = _read_items(second, text, state)
    kind = MoveKind.CAPTURE if len(hand) == 1 else MoveKind.TWO_CARD_CAPTURE
    return Move(kind=kind, hand=hand, loose=loose, builds=builds)


def _read_marriage(first: str, second: str, text: str, _state: State) -> Move:
    return Move(kind=MoveKind.BUILD_MARRIAGE, hand=_read_cards(first, text), loose=_read_cards(second, text))


def _read_extension(first: str, second: str, text: str, state: State) -> Move:
    loose, builds = _read_items(second, text, state)
    return Move(kind=MoveKind.EXTEND, hand=_read_cards(first, text), loose=loose, builds=builds)


def _read_build(first: str, second: str, text: str, _state: State) -> Move:
    played, *loose = _read_cards(first, text, most=52)
    total = sum(map(value_of, (played, *loose)))
    if second and second != str(total):
        raise InputError("wrong_value", f"{sum_words((played, *loose))}, not {second[:20]}", paragraph="4.3")
    return Move(kind=MoveKind.BUILD, hand=(played,), loose=in_order(loose))


_MARKS: Final = {
    "x": MoveKind.CAPTURE,
    "&": MoveKind.BUILD_MARRIAGE,
    ">": MoveKind.EXTEND,
    "=": MoveKind.BUILD,
}
_READERS: Final = {
    MoveKind.CAPTURE: _read_capture,
    MoveKind.BUILD_MARRIAGE: _read_marriage,
    MoveKind.EXTEND: _read_extension,
    MoveKind.BUILD: _read_build,
}


def _read_cards(text: str, whole: str, *, most: int = MOST_HAND_CARDS) -> tuple[Card, ...]:
    """Read cards joined by +."""
    named = text.split("+")
    if len(named) > most or not all(map(_CARD.fullmatch, named)):
        raise InputError("bad_move", f"'{whole[:60]}' is no move: {SHAPES}")
    found = tuple(map(card, named))
    return in_order(found) if most == MOST_HAND_CARDS else found


def _read_items(text: str, whole: str, state: State) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    """Read loose cards and builds, joined by +."""
    if not _ITEMS.fullmatch(text):
        raise InputError("bad_move", f"'{whole[:60]}' is no move: {SHAPES}")
    found = _ITEM.findall(text)
    loose = in_order(card(item) for item in found if _CARD.fullmatch(item))
    builds = sorted(_read_build_name(item, state) for item in found if not _CARD.fullmatch(item))
    return loose, tuple(builds)


def _read_build_name(item: str, state: State) -> int:
    """Return the index of a build that is named by its cards in brackets, or by its value."""
    if item.startswith("["):
        named = in_order(map(card, _CARD.findall(item)))
        places = [place for place, build in enumerate(state.builds) if in_order(build.cards) == named]
        if not places:
            raise InputError("no_such_build", f"there is no build {item[:60]} on the table", paragraph="2.2")
        return places[0]
    places = [place for place, build in enumerate(state.builds) if build.value == int(item)]
    if not places:
        raise InputError("no_such_build", f"there is no build worth {item} on the table", paragraph="2.2")
    if len(places) > 1:
        choices = " or ".join(_build_text(state, place) for place in places)
        raise InputError(
            "which_build", f"{len(places)} builds are worth {item}: name {choices}", paragraph="2.2"
        )
    return places[0]
