"""The Fate Deck in words: triggers, cards, abilities, draws."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

from oddsmith.cards import Suit
from oddsmith.games.fate.deck import Memory
from oddsmith.games.fate.rules import Ability, CardSuit, Rules
from oddsmith.games.fate.triggers import (
    And,
    AtLeast,
    Both,
    Compare,
    Not,
    Nothing,
    Or,
    Pair,
    Single,
    Suits,
    Trigger,
)
from oddsmith.text import escape_markup

RED: Final = (CardSuit.HEARTS, CardSuit.DIAMONDS)
_COLOURS: Final[Mapping[Suits, str]] = {
    frozenset({Suit.HEARTS, Suit.DIAMONDS}): "red",
    frozenset({Suit.SPADES, Suit.CLUBS}): "black",
}
_QUANTITIES: Final[Mapping[str, str]] = {
    "cards": "the number of cards",
    "sum": "the sum of the values",
    "highest": "the highest value",
    "lowest": "the lowest value",
}
_SIGNS: Final[Mapping[str, str]] = {
    "<=": "at most",
    ">=": "at least",
    "==": "exactly",
    "!=": "not",
    "<": "less than",
    ">": "more than",
}
_ABILITIES: Final[Mapping[Ability, str]] = {
    Ability.PEEK: "peek",
    Ability.REORDER: "reorder",
    Ability.TO_BOTTOM: "to the bottom",
    Ability.DISCARD: "discard unseen",
    Ability.RETURN: "return discards",
    Ability.EXTRA: "extra card",
    Ability.REDRAW: "redraw",
    Ability.RESHUFFLE: "reshuffle",
}


def counted(number: int, thing: str) -> str:
    """Say how many there are.

    >>> counted(1, "card"), counted(2, "card")
    ('1 card', '2 cards')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"


def signed(number: int) -> str:
    """Write a number that is added.

    >>> signed(1), signed(-2)
    ('+ 1', '− 2')
    """
    return f"+ {number}" if number >= 0 else f"− {-number}"


def draw_words(memory: Memory, count: int, modifier: int, rules: Rules) -> str:
    """Say what is drawn, and what is added.

    >>> from oddsmith.games.fate.odds import fresh_memory
    >>> draw_words(fresh_memory(), 2, 1, Rules())
    '2 cards of a fresh deck, + 1'
    """
    fresh = len(memory.unseen) == len(rules.deck) == len(memory.deck)
    deck = "a fresh deck" if fresh else "this deck"
    return f"{counted(count, 'card')} of {deck}{f', {signed(modifier)}' if modifier else ''}"


def ability_words(abilities: Iterable[Ability]) -> str:
    """Say which abilities are used together.

    >>> ability_words([Ability.PEEK, Ability.TO_BOTTOM])
    'peek, to the bottom'
    """
    return ", ".join(_ABILITIES[ability] for ability in abilities)


def card_row(cards: Sequence[str], rules: Rules) -> str:
    """Write cards in a row, red ones in red; a dash where there are none.

    >>> card_row(("3♠", "A♥"), Rules())
    '3♠ [red]A♥[/]'
    """
    red = {kind.name for kind in rules.cards if kind.suit in RED}
    return (
        " ".join(f"[red]{escape_markup(name)}[/]" if name in red else escape_markup(name) for name in cards)
        or "–"
    )


def trigger_words(trigger: Trigger) -> str:
    """Say in plain words when a trigger fires.

    >>> from oddsmith.games.fate.triggers import read_trigger
    >>> trigger_words(read_trigger("single(spade, heart) and not sum >= 5"))
    'exactly one card is a spade or a heart, and not: the sum of the values is at least 5'
    """
    match trigger:
        case And(left, right):
            return f"{_part(left, Or, Not)}, and {_part(right, Or)}"
        case Or(left, right):
            return f"{_part(left, And, Not)}, or {_part(right, And)}"
        case Not(inner):
            return f"not: {_part(inner, And, Or)}"
        case Compare(quantity, sign, number):
            return f"{_QUANTITIES[quantity]} is {_SIGNS[sign]} {number}"
        case Single() | Both() | Pair() | AtLeast() | Nothing():
            return _condition_words(trigger)
        case _ as never:
            assert_never(never)


def _part(trigger: Trigger, *loose: type[Trigger]) -> str:
    """Say a part of a trigger, in parentheses where it would be misread without."""
    said = trigger_words(trigger)
    return f"({said})" if isinstance(trigger, loose) else said


def _condition_words(trigger: Single | Both | Pair | AtLeast | Nothing) -> str:
    match trigger:
        case Single(suits):
            return f"exactly one card {_is_one(suits)}"
        case Both(suits):
            return f"there are two cards, each {_one(suits)}"
        case Pair(first, second):
            return f"there are two cards: one {_is_one(first)}, the other {_is_one(second)}"
        case AtLeast(count, suits):
            return f"at least {counted(count, 'card')} {'is' if count == 1 else 'are'} {_one(suits)}"
        case Nothing(suits):
            return f"no card {_is_one(suits)}"
        case _ as never:
            assert_never(never)


def _is_one(suits: Suits) -> str:
    return f"is {_one(suits)}"


def _one(suits: Suits) -> str:
    if suits == frozenset(Suit):
        return "of any suit"
    return _COLOURS.get(suits) or " or ".join(f"a {suit[:-1]}" for suit in Suit if suit in suits)
