"""Text for people on triggers, cards, abilities and draws of the Fate Deck."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

from oddsmith.cards import Suit
from oddsmith.games.fate.effects import (
    Ability,
    AddToTotal,
    DrawMore,
    Heal,
    LookAtTop,
    RedrawFailure,
    Regain,
    Strike,
    TalentEffect,
)
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.odds import Certainty
from oddsmith.games.fate.rule_types import CardSuit
from oddsmith.games.fate.rules import Rules
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


def format_count(number: int, thing: str) -> str:
    """Return a number with the singular or plural of a noun.

    >>> format_count(1, "card"), format_count(2, "card")
    ('1 card', '2 cards')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"


def format_signed(number: int) -> str:
    """Return a number with its sign, as it is added to another.

    >>> format_signed(1), format_signed(-2)
    ('+ 1', '− 2')
    """
    return f"+ {number}" if number >= 0 else f"− {-number}"


def describe_draw(memory: Memory, count: int, modifier: int, rules: Rules, player: int | None = None) -> str:
    """Return text with the number of cards, the deck and the modifier of a draw, and whose talents count.

    >>> from oddsmith.games.fate.odds import fresh_memory
    >>> describe_draw(fresh_memory(), 2, 1, Rules())
    '2 cards of a fresh deck, + 1'
    >>> describe_draw(fresh_memory(), 2, 0, Rules.preset("adventure"), player=1)
    '2 cards of a fresh deck, with the talents of Ysolde the Blade'
    """
    character = None if player is None else rules.character(player)
    fresh = len(memory.unseen) == len(rules.deck) == len(memory.deck)
    deck = "a fresh deck" if fresh else "this deck"
    added = f", {format_signed(modifier)}" if modifier else ""
    talents = f", with the talents of {character.name}" if character and character.talents else ""
    return f"{format_count(count, 'card')} of {deck}{added}{talents}"


def describe_certainty(certainty: Certainty) -> str:
    """Return what a chance is, in words (§7.9).

    >>> describe_certainty(Certainty.BEFORE_TALENTS)
    'before talents'
    """
    return certainty.replace("_", " ")


def describe_abilities(abilities: Iterable[Ability]) -> str:
    """Return the names of abilities that are used together.

    >>> describe_abilities([Ability.PEEK, Ability.TO_BOTTOM])
    'peek, to the bottom'
    """
    return ", ".join(_ABILITIES[ability] for ability in abilities)


def describe_effect(effect: TalentEffect) -> str:  # noqa: PLR0911  one for each kind
    """Return text on what a talent does.

    >>> describe_effect(AddToTotal(amount=2))
    '+ 2 to the total'
    """
    match effect:
        case AddToTotal(amount=amount):
            return f"{format_signed(amount)} to the total"
        case DrawMore(cards=cards):
            return f"draws {format_count(cards, 'more card')}, which count{'s' if cards == 1 else ''}"
        case RedrawFailure():
            return "draws a failed check again"
        case LookAtTop(cards=cards):
            return f"looks at the top {format_count(cards, 'card')} after the check"
        case Strike(amount=amount):
            return f"takes {amount} health from the other player in the lead"
        case Heal(amount=amount):
            return f"regains {amount} health"
        case Regain(ability=ability):
            return f"regains a use of: {_ABILITIES[ability]}"
        case _ as never:
            assert_never(never)


def card_row(cards: Sequence[str], rules: Rules) -> str:
    """Return cards in a row, red ones marked red; a dash where there are none.

    >>> card_row(("3♠", "A♥"), Rules())
    '3♠ [red]A♥[/]'
    """
    red = {kind.name for kind in rules.cards if kind.suit in RED}
    return (
        " ".join(f"[red]{escape_markup(name)}[/]" if name in red else escape_markup(name) for name in cards)
        or "–"
    )


def describe_trigger(trigger: Trigger) -> str:
    """Return text that says when a trigger fires.

    >>> from oddsmith.games.fate.triggers import read_trigger
    >>> describe_trigger(read_trigger("single(spade, heart) and not sum >= 5"))
    'exactly one card is a spade or a heart, and not: the sum of the values is at least 5'
    """
    match trigger:
        case And(left, right):
            return f"{_describe_part(left, Or, Not)}, and {_describe_part(right, Or)}"
        case Or(left, right):
            return f"{_describe_part(left, And, Not)}, or {_describe_part(right, And)}"
        case Not(inner):
            return f"not: {_describe_part(inner, And, Or)}"
        case Compare(quantity, sign, number):
            return f"{_QUANTITIES[quantity]} is {_SIGNS[sign]} {number}"
        case Single() | Both() | Pair() | AtLeast() | Nothing():
            return _describe_condition(trigger)
        case _ as never:
            assert_never(never)


def _describe_part(trigger: Trigger, *loose: type[Trigger]) -> str:
    """Return a part of a trigger as text, in parentheses where its type is one of `loose`."""
    words = describe_trigger(trigger)
    return f"({words})" if isinstance(trigger, loose) else words


def _describe_condition(trigger: Single | Both | Pair | AtLeast | Nothing) -> str:
    match trigger:
        case Single(suits):
            return f"exactly one card is {_describe_suits(suits)}"
        case Both(suits):
            return f"there are two cards, each {_describe_suits(suits)}"
        case Pair(first, second):
            return f"there are two cards: one is {_describe_suits(first)}, the other is {_describe_suits(second)}"
        case AtLeast(count, suits):
            return f"at least {format_count(count, 'card')} {'is' if count == 1 else 'are'} {_describe_suits(suits)}"
        case Nothing(suits):
            return f"no card is {_describe_suits(suits)}"
        case _ as never:
            assert_never(never)


def _describe_suits(suits: Suits) -> str:
    if suits == frozenset(Suit):
        return "of any suit"
    return _COLOURS.get(suits) or " or ".join(f"a {suit[:-1]}" for suit in Suit if suit in suits)
