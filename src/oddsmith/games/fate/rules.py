"""The ruleset of the Fate Deck: every number and switch, as one frozen value."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from msgspec import Meta

from oddsmith.cards import Suit, card
from oddsmith.errors import InputError, RulesError, nearest
from oddsmith.games.fate.triggers import WILD, Face, Trigger, read_trigger
from oddsmith.rules import PresetChanges, Ruleset, ValidatedStruct
from oddsmith.wire import frozen_mapping

Name: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}(?!\s)$")]
CardName: TypeAlias = Annotated[str, Meta(pattern=r"^[^\s,*]{1,20}(?!\s)$")]
Target: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)] | Literal["none"]
Modifier: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
DrawSize: TypeAlias = Annotated[int, Meta(ge=1, le=5)]
UseCount: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
FewCards: TypeAlias = Annotated[int, Meta(ge=1, le=5)]

MOST_CARDS: Final = 200
LEAST_CARDS: Final = 2
NO_TARGET: Final = "none"


class CardSuit(StrEnum):
    """The suit of a card: one of four, any suit that the player chooses, or none (§1.2)."""

    SPADES = "spades"
    HEARTS = "hearts"
    CLUBS = "clubs"
    DIAMONDS = "diamonds"
    WILD = "wild"
    NONE = "none"


class Combine(StrEnum):
    """How the values of several cards are combined (§2.2)."""

    SUM = "sum"
    BEST = "best"
    WORST = "worst"


class Callers(StrEnum):
    """Who may call for a check (§6.3)."""

    GAME_MASTER = "game_master"
    ANYONE = "anyone"


class Ability(StrEnum):
    """An ability that changes the deck or a check (§5)."""

    PEEK = "peek"
    REORDER = "reorder"
    TO_BOTTOM = "to_bottom"
    DISCARD = "discard"
    RETURN = "return"
    EXTRA = "extra"
    REDRAW = "redraw"
    RESHUFFLE = "reshuffle"


class CardKind(ValidatedStruct, frozen=True, kw_only=True):
    """A card of the composition and the number of its copies (§1.1).

    >>> CardKind(name="3♠", value=3, suit=CardSuit.SPADES).face
    Face(value=3, suit=<Suit.SPADES: 'spades'>)
    """

    name: CardName
    value: Annotated[int, Meta(ge=-100, le=100)]
    suit: CardSuit
    copies: Annotated[int, Meta(ge=1, le=20)] = 1

    def check(self) -> None:
        """Raise `InputError` for a name that cannot be printed, which no record can contain."""
        if not self.name.isprintable():
            raise InputError(
                "bad_card_name", "a card's name has only characters that can be printed", where="name"
            )

    @property
    def face(self) -> Face:
        """The value and the suit of the card for triggers."""
        match self.suit:
            case CardSuit.WILD:
                return Face(self.value, WILD)
            case CardSuit.NONE:
                return Face(self.value, None)
            case _:
                return Face(self.value, Suit(self.suit))


class CheckKind(ValidatedStruct, frozen=True, kw_only=True):
    """A check that can be called; an empty trigger is none (§6.3)."""

    target: Target = NO_TARGET
    trigger: Annotated[str, Meta(max_length=500)] = ""

    def check(self) -> None:
        """Raise `InputError` for a trigger that cannot be parsed."""
        try:
            _ = self.expression
        except InputError as error:
            raise InputError(error.refusal.code, error.refusal.sentence, where="trigger") from error

    @property
    def expression(self) -> Trigger | None:
        """The parsed trigger, or None where there is none."""
        return read_trigger(self.trigger) if self.trigger else None


def _default_cards() -> tuple[CardKind, ...]:
    values = {"A": 1, "2": 2, "3": 3, "J": 0}
    suited = tuple(
        CardKind(name=rank + suit.symbol, value=value, suit=CardSuit(suit))
        for suit in Suit
        for rank, value in values.items()
    )
    red = CardKind(name="RJ", value=0, suit=CardSuit.WILD)
    return (*suited, red, CardKind(name="BJ", value=3, suit=CardSuit.NONE))


CARDS: Final = _default_cards()
CHECKS: Final[Mapping[str, CheckKind]] = frozen_mapping(
    {
        "easy": CheckKind(target=2),
        "fair": CheckKind(target=3),
        "hard": CheckKind(target=4),
        "heroic": CheckKind(target=5),
        "fortune": CheckKind(),
        "omen": CheckKind(target=3, trigger="single(spade)"),
        "oath": CheckKind(target=4, trigger="both(red)"),
    }
)
USES: Final[Mapping[Ability, int]] = frozen_mapping(
    {
        Ability.PEEK: 3,
        Ability.REORDER: 3,
        Ability.TO_BOTTOM: 2,
        Ability.DISCARD: 2,
        Ability.RETURN: 2,
        Ability.EXTRA: 2,
        Ability.REDRAW: 2,
        Ability.RESHUFFLE: 1,
    }
)


class Rules(Ruleset, frozen=True, kw_only=True):
    """The rules of the Fate Deck.

    >>> len(Rules().deck), Rules().most_out
    (18, 5)
    """

    game: ClassVar[str] = "fate"
    preset_changes: ClassVar[PresetChanges] = {
        "best": {"combine": Combine.BEST},
        "worst": {"combine": Combine.WORST},
        "open": {"callers": Callers.ANYONE},
    }
    """The best card of a draw, the worst, and checks that anyone calls."""

    cards: Annotated[tuple[CardKind, ...], Meta(min_length=1, max_length=100)] = CARDS
    on_turn: DrawSize = 2
    off_turn: DrawSize = 1
    combine: Combine = Combine.SUM
    callers: Callers = Callers.GAME_MASTER
    checks: Annotated[Mapping[Name, CheckKind], Meta(min_length=1, max_length=100)] = CHECKS
    modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=10)] = ()

    most_players: Annotated[int, Meta(ge=1, le=9)] = 6
    turns: Annotated[int, Meta(ge=1, le=1000)] = 12
    checks_per_turn: Annotated[int, Meta(ge=1, le=100)] = 3

    abilities: Mapping[Ability, UseCount] = USES
    most_peeked: FewCards = 3
    most_discarded: FewCards = 3
    most_returned: FewCards = 3
    extras_per_check: Annotated[int, Meta(ge=0, le=5)] = 1
    redraws_per_check: Annotated[int, Meta(ge=0, le=5)] = 1

    @cached_property
    def deck(self) -> tuple[str, ...]:
        """The names of all cards of the composition, copies included, in the order of the rules."""
        return tuple(kind.name for kind in self.cards for _ in range(kind.copies))

    @cached_property
    def faces(self) -> Mapping[str, Face]:
        """The faces of the cards by name."""
        return {kind.name: kind.face for kind in self.cards}

    @cached_property
    def most_out(self) -> int:
        """The most cards that can be out of deck and discard pile at once (§3.4)."""
        drawn = max(self.on_turn, self.off_turn)
        return drawn * (1 + self.redraws_per_check) + self.extras_per_check

    def uses(self, ability: Ability) -> int:
        """Return the number of uses of an ability that a player has in a game; 0 where the rules do not name it."""
        return self.abilities.get(ability, 0)

    def modifier(self, player: int) -> int:
        """Return the modifier of a player, by the number of the seat from 1 (§2.3)."""
        return self.modifiers[player - 1] if player <= len(self.modifiers) else 0

    def card(self, text: str) -> str:
        """Return the name of the card that a text spells, or raise `InputError` where the composition has none.

        >>> Rules().card("3s"), Rules().card("rj")
        ('3♠', 'RJ')
        """
        if text in self.faces:
            return text
        try:
            name = card(text).text
        except InputError:
            name = text
        if name not in self.faces:
            raise InputError(
                "unknown_card", f"'{text[:20]}' is no card of this deck{nearest(text[:20], self.faces)}"
            )
        return name

    def check(self) -> None:
        """Raise `RulesError` for a deck that could run empty, and for a card that is listed twice (§3.4)."""
        if len(self.faces) != len(self.cards):
            raise RulesError(
                "card_twice", "cards: each card is listed once; more of one are its copies", where="cards"
            )
        if not self.most_out + LEAST_CARDS <= len(self.deck) <= MOST_CARDS:
            raise RulesError(
                "bad_composition",
                f"cards: up to {self.most_out} cards can be out at once, so a deck has {self.most_out + LEAST_CARDS} to "
                f"{MOST_CARDS} cards, not {len(self.deck)}",
                where="cards",
            )


DEFAULT: Final = Rules.preset("default")
"""The rules as the page has them."""
