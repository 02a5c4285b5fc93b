"""The ruleset of the Fate Deck: every number and switch, as one frozen value."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from msgspec import Meta

from oddsmith.cards import Suit, card
from oddsmith.errors import InputError, RulesError, nearest
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
from oddsmith.games.fate.triggers import WILD, Face, Trigger, read_trigger
from oddsmith.rules import PresetChanges, Ruleset, ValidatedStruct
from oddsmith.wire import frozen_mapping

Name: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}(?!\s)$")]
OptionalName: TypeAlias = Annotated[str, Meta(pattern=r"^([a-z][a-z0-9_]{0,39})?(?!\s)$")]
CardName: TypeAlias = Annotated[str, Meta(pattern=r"^[^\s,*]{1,20}(?!\s)$")]
Target: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)] | Literal["none"]
Modifier: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
DrawSize: TypeAlias = Annotated[int, Meta(ge=1, le=5)]
UseCount: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
FewCards: TypeAlias = Annotated[int, Meta(ge=1, le=5)]
Sentence: TypeAlias = Annotated[str, Meta(max_length=200)]
Score: TypeAlias = Annotated[int, Meta(ge=-100, le=100)]
Scores: TypeAlias = Annotated[Mapping[Name, Score], Meta(max_length=20)]

MOST_CARDS: Final = 200
LEAST_CARDS: Final = 2
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
        "easy": CheckKind(target=2, story="The way is clear, if nobody stumbles."),
        "fair": CheckKind(target=3, story="It can go either way."),
        "hard": CheckKind(target=4, story="Few would try this."),
        "heroic": CheckKind(target=5, story="They will sing of this, or bury it."),
        "fortune": CheckKind(story="The deck is asked what it has in store."),
        "omen": CheckKind(target=3, trigger="single(spade)", story="A shadow moves; is it a sign?"),
        "oath": CheckKind(target=4, trigger="both(red)", story="A promise is tested in blood."),
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
NO_TALENTS: Final[Mapping[str, Talent]] = frozen_mapping({})
TALENTS: Final[Mapping[str, Talent]] = frozen_mapping(
    {
        "keen_edge": Talent(
            trigger="single(spade)", effect=AddToTotal(amount=1), sentence="A lone spade sharpens the blade."
        ),
        "foresight": Talent(
            trigger="single(spade)", effect=LookAtTop(cards=2), sentence="A lone spade parts the veil."
        ),
        "riposte": Talent(
            trigger="single(spade)",
            effect=Strike(amount=1),
            sentence="A lone spade finds the leader's flank.",
        ),
        "lucky_break": Talent(
            trigger="single(spade, heart)",
            effect=DrawMore(cards=1),
            sentence="A lone spade or heart brings one more card.",
        ),
        "second_wind": Talent(
            trigger="single(spade, heart)",
            effect=Regain(ability=Ability.PEEK),
            sentence="A lone spade or heart clears the mind for another look.",
        ),
        "death_blow": Talent(
            trigger="both(spade)", effect=AddToTotal(amount=4), sentence="Two spades strike home."
        ),
        "storm": Talent(
            trigger="both(spade)", effect=Strike(amount=3), sentence="Two spades break over the leader."
        ),
        "turn_the_tide": Talent(
            trigger="pair(spade, heart)",
            effect=RedrawFailure(),
            sentence="Spade and heart turn a failure around.",
        ),
        "mercy": Talent(
            trigger="pair(spade, heart)", effect=Heal(amount=2), sentence="Spade and heart mend."
        ),
    }
)
CHARACTERS: Final = (
    Character(
        name="Ysolde the Blade",
        attributes={"strength": 1, "wits": 0, "charm": 0},
        skills={"fighting": 1, "climbing": 1},
        talents=("keen_edge", "death_blow"),
    ),
    Character(
        name="Brother Anselm",
        attributes={"strength": 0, "wits": 1, "charm": 1},
        skills={"healing": 1, "lore": 1},
        talents=("mercy", "second_wind"),
    ),
    Character(
        name="Corvin the Seer",
        attributes={"strength": -1, "wits": 2, "charm": 0},
        skills={"lore": 1, "sneaking": 1},
        talents=("foresight", "turn_the_tide"),
    ),
    Character(
        name="Magpie",
        attributes={"strength": 0, "wits": 0, "charm": 2},
        skills={"sneaking": 1, "climbing": 1},
        talents=("lucky_break", "riposte", "storm"),
    ),
)
STORY_CHECKS: Final[Mapping[str, CheckKind]] = frozen_mapping(
    {
        "gate": CheckKind(
            target=2,
            attribute="charm",
            story="The guard at the gate asks for your business.",
            won="He waves you through.",
            lost="He remembers your face.",
        ),
        "market": CheckKind(
            target=3,
            attribute="charm",
            skill="lore",
            story="Someone at the market knows the way in.",
            won="A name is whispered.",
            lost="All you buy is talk.",
        ),
        "rooftop": CheckKind(
            target=4,
            attribute="strength",
            skill="climbing",
            harm=1,
            story="The roofs are wet and the jump is wide.",
            won="You land without a sound.",
            lost="Tiles slide, and so do you.",
        ),
        "archive": CheckKind(
            target=4,
            attribute="wits",
            skill="lore",
            story="One page in the archive has the vault's plan.",
            won="You copy it before the lamp goes out.",
            lost="The lamp goes out first.",
        ),
        "patrol": CheckKind(
            target=4,
            attribute="wits",
            skill="sneaking",
            worth=2,
            harm=1,
            story="Boots in the corridor, and no way back.",
            won="They pass an arm's length away.",
            lost="A hand falls on your shoulder.",
        ),
        "duel": CheckKind(
            target=4,
            attribute="strength",
            skill="fighting",
            worth=2,
            harm=2,
            story="The captain of the guard draws.",
            won="His sword rings on the stones.",
            lost="He is better than the songs say.",
        ),
        "wounds": CheckKind(
            target=3,
            attribute="wits",
            skill="healing",
            story="Somebody bleeds, and there is little time.",
            won="The bleeding stops.",
            lost="Your hands shake.",
        ),
        "vault": CheckKind(
            target=5,
            attribute="wits",
            skill="sneaking",
            worth=3,
            harm=2,
            story="The vault is open. It is not empty.",
            won="The crown is yours.",
            lost="Something in the dark wakes.",
        ),
        "escape": CheckKind(
            target=5,
            attribute="strength",
            skill="climbing",
            worth=3,
            harm=2,
            story="The bells ring, and every street fills with torches.",
            won="Over the wall, and gone.",
            lost="The torches close in.",
        ),
    }
)
ADVENTURE: Final[Mapping[str, object]] = {
    "checks": STORY_CHECKS,
    "characters": CHARACTERS,
    "talents": TALENTS,
    "health": 5,
}


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
        "adventure": ADVENTURE,
    }
    """The best card of a draw, the worst, checks that anyone calls, and characters with talents and stakes."""

    cards: Annotated[tuple[CardKind, ...], Meta(min_length=1, max_length=100)] = CARDS
    on_turn: DrawSize = 2
    off_turn: DrawSize = 1
    combine: Combine = Combine.SUM
    callers: Callers = Callers.GAME_MASTER
    checks: Annotated[Mapping[Name, CheckKind], Meta(min_length=1, max_length=100)] = CHECKS
    modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=10)] = ()

    characters: Annotated[tuple[Character, ...], Meta(max_length=10)] = ()
    talents: Annotated[Mapping[Name, Talent], Meta(max_length=100)] = NO_TALENTS
    health: Annotated[int, Meta(ge=0, le=100)] = 0

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
        by_talents = [self._most_drawn(character, drawn) for character in self.characters]
        return drawn * (1 + self.redraws_per_check) + self.extras_per_check + max(by_talents, default=0)

    def _most_drawn(self, character: Character, drawn: int) -> int:
        """Return the most cards that the talents of a character draw in one check."""
        effects = [self.talents[name].effect for name in character.talents]
        more = sum(effect.cards for effect in effects if isinstance(effect, DrawMore))
        return more + drawn * any(isinstance(effect, RedrawFailure) for effect in effects)

    def uses(self, ability: Ability) -> int:
        """Return the number of uses of an ability that a player has in a game; 0 where the rules do not name it."""
        return self.abilities.get(ability, 0)

    def modifier(self, player: int) -> int:
        """Return the modifier of a player, by the number of the seat from 1 (§2.3)."""
        return self.modifiers[player - 1] if player <= len(self.modifiers) else 0

    def character(self, player: int) -> Character | None:
        """Return the character of a player; after the last one the first follows, and without any it is None (§2.5)."""
        return self.characters[(player - 1) % len(self.characters)] if self.characters else None

    def talents_of(self, player: int) -> tuple[str, ...]:
        """Return the names of the talents that a player's character has."""
        character = self.character(player)
        return () if character is None else character.talents

    def check_modifier(self, player: int, kind: CheckKind) -> int:
        """Return what a player adds in a check: its modifier, and its character's attribute and skill (§2.5).

        >>> rules = Rules.preset("adventure")
        >>> rules.check_modifier(1, rules.checks["rooftop"])
        2
        """
        character = self.character(player)
        if character is None:
            return self.modifier(player)
        scores = character.attributes.get(kind.attribute, 0) + character.skills.get(kind.skill, 0)
        return self.modifier(player) + scores

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
        for place, character in enumerate(self.characters):
            self._require_talents(character, f"characters[{place}].talents")
        if not self.most_out + LEAST_CARDS <= len(self.deck) <= MOST_CARDS:
            raise RulesError(
                "bad_composition",
                f"cards: up to {self.most_out} cards can be out at once, so a deck has {self.most_out + LEAST_CARDS} to "
                f"{MOST_CARDS} cards, not {len(self.deck)}",
                where="cards",
            )

    def _require_talents(self, character: Character, where: str) -> None:
        """Raise `RulesError` for a talent that the rules do not have, and for one that is listed twice (§4.5)."""
        for name in character.talents:
            if name not in self.talents:
                raise RulesError(
                    "unknown_talent",
                    f"{where}: unknown talent '{name}'{nearest(name, self.talents)}",
                    where=where,
                )
        if len(set(character.talents)) < len(character.talents):
            raise RulesError("talent_twice", f"{where}: a character has each talent once", where=where)


DEFAULT: Final = Rules.preset("default")
"""The rules as the page has them."""
