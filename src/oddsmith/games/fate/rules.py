"""The ruleset of the Fate Deck: every number and switch, as one frozen value."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, ClassVar, Final, TypeAlias

from msgspec import Meta

from oddsmith.cards import Suit, card
from oddsmith.errors import InputError, RulesError, nearest
from oddsmith.games.fate.adventure import ADVENTURE
from oddsmith.games.fate.effects import (
    Ability,
    DrawMore,
    RedrawFailure,
    TalentEffect,
    changes_total,
    draws_cards,
)
from oddsmith.games.fate.rule_types import (
    Callers,
    CardKind,
    CardSuit,
    Character,
    CheckKind,
    Combine,
    Modifier,
    Name,
    Talent,
)
from oddsmith.games.fate.triggers import Face
from oddsmith.rules import PresetChanges, Ruleset
from oddsmith.wire import frozen_mapping

DrawSize: TypeAlias = Annotated[int, Meta(ge=1, le=5)]
UseCount: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
FewCards: TypeAlias = Annotated[int, Meta(ge=1, le=5)]

MOST_CARDS: Final = 200
LEAST_CARDS: Final = 2


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

    @cached_property
    def has_talents_in_totals(self) -> bool:
        """Whether a character has a talent that may change the total of a check (§4.7)."""
        return any(changes_total(effect) for effect in self._effects)

    @cached_property
    def has_talents_that_draw(self) -> bool:
        """Whether a character has a talent that may draw cards for a check (§4.7)."""
        return any(draws_cards(effect) for effect in self._effects)

    @property
    def _effects(self) -> Iterator[TalentEffect]:
        """The effects of the talents of all characters."""
        for character in self.characters:
            yield from (self.talents[name].effect for name in character.talents)

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
