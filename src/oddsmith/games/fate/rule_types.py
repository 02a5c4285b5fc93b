"""The parts of the Fate Deck's ruleset: cards, checks, talents and characters, with their bounds."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from oddsmith.cards import Suit
from oddsmith.decoding_faults import FORM, NAME_FORM
from oddsmith.errors import InputError
from oddsmith.games.fate.effects import TalentEffect
from oddsmith.games.fate.triggers import WILD, Face, Trigger, read_trigger
from oddsmith.rules import ValidatedStruct
from oddsmith.wire import frozen_mapping

Name: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}(?!\s)$", extra={FORM: NAME_FORM})]
OptionalName: TypeAlias = Annotated[
    str, Meta(pattern=r"^([a-z][a-z0-9_]{0,39})?(?!\s)$", extra={FORM: f"{NAME_FORM}, or no text"})
]
CardName: TypeAlias = Annotated[
    str,
    Meta(pattern=r"^[^\s,*]{1,20}(?!\s)$", extra={FORM: "1 to 20 characters without spaces, commas and *"}),
]
Target: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)] | Literal["none"]
Modifier: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
Sentence: TypeAlias = Annotated[str, Meta(max_length=200)]
Score: TypeAlias = Annotated[int, Meta(ge=-100, le=100)]
Scores: TypeAlias = Annotated[Mapping[Name, Score], Meta(max_length=20)]

NO_TARGET: Final = "none"

NO_SCORES: Final[Mapping[str, int]] = frozen_mapping({})


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


def require_readable(trigger: str) -> None:
    """Raise `InputError` for a trigger that cannot be parsed, with the field as its place."""
    try:
        read_trigger(trigger)
    except InputError as error:
        raise InputError(error.refusal.code, error.refusal.sentence, where="trigger") from error


class CheckKind(ValidatedStruct, frozen=True, kw_only=True):
    """A check that can be called; an empty trigger is none (§6.3).

    Its player adds its attribute and its skill, where the check names them (§2.5). `worth` is what a success counts,
    `harm` the health that a failure costs (§6.5). `story`, `won` and `lost` are shown when it is called and resolved.
    """

    target: Target = NO_TARGET
    trigger: Annotated[str, Meta(max_length=500)] = ""
    attribute: OptionalName = ""
    skill: OptionalName = ""
    worth: Annotated[int, Meta(ge=0, le=100)] = 1
    harm: Annotated[int, Meta(ge=0, le=20)] = 0
    story: Sentence = ""
    won: Sentence = ""
    lost: Sentence = ""

    def check(self) -> None:
        """Raise `InputError` for a trigger that cannot be parsed."""
        if self.trigger:
            require_readable(self.trigger)

    @property
    def expression(self) -> Trigger | None:
        """The parsed trigger, or None where there is none."""
        return read_trigger(self.trigger) if self.trigger else None


class Talent(ValidatedStruct, frozen=True, kw_only=True):
    """An ability of a character that happens by itself when its trigger fires (§4.5)."""

    trigger: Annotated[str, Meta(min_length=1, max_length=500)]
    effect: TalentEffect
    sentence: Sentence = ""

    def check(self) -> None:
        """Raise `InputError` for a trigger that cannot be parsed."""
        require_readable(self.trigger)

    @property
    def expression(self) -> Trigger:
        """The parsed trigger."""
        return read_trigger(self.trigger)


class Character(ValidatedStruct, frozen=True, kw_only=True):
    """Who a player is: attributes and skills that checks add, and talents by their names in the rules (§2.5)."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    attributes: Scores = NO_SCORES
    skills: Scores = NO_SCORES
    talents: Annotated[tuple[Name, ...], Meta(max_length=10)] = ()
