"""Every number and switch of Casino, as one frozen value."""

from enum import StrEnum
from functools import cached_property
from typing import Annotated, ClassVar, Final, TypeAlias

from msgspec import Meta

from oddsmith.cards import STANDARD_DECK, Card, Rank
from oddsmith.rules import PresetChanges, Ruleset, ValidatedStruct

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 4
MOST_VALUE: Final = 10
"""The value of a ten and of a picture, and the most that a build is worth unless it is a marriage (§1.1, §4.3)."""
MARRIAGE_VALUE: Final = 20
"""The value of a marriage that is built (§4.3)."""
FEWEST_IN_A_SET: Final = 3
"""The fewest loose cards of one value that are one target together (§4.1)."""
MOST_JOINT_CAPTURES: Final = 500
"""The most captures of several targets that one card has (§4.8)."""

Points: TypeAlias = Annotated[int, Meta(ge=0, le=100)]


class DeckKind(StrEnum):
    """The decks (§1.2)."""

    FULL = "full"
    SHORT = "short"


class TrailRestriction(StrEnum):
    """When a card that can capture, build or extend may not be trailed (§4.5)."""

    ROUND_ONE = "round1"
    ALWAYS = "always"
    NEVER = "never"


class Scoring(ValidatedStruct, frozen=True, kw_only=True):
    """The points at the end (§5.3): for the most cards, for single cards, and for enough cards.

    A tie for the most gives no points. Where `cards_wanted` is not 0, that many cards give `cards_points`, and one card
    less gives `cards_shared`, as when two players have half of the deck each.
    """

    most_cards: Points = 3
    most_spades: Points = 1
    ten_of_diamonds: Points = 2
    two_of_spades: Points = 1
    ace: Points = 1
    spades_wanted: Annotated[int, Meta(ge=0, le=13)] = 0
    spades_points: Points = 0
    cards_wanted: Annotated[int, Meta(ge=0, le=52)] = 0
    cards_points: Points = 0
    cards_shared: Points = 0


FULL: Final = Scoring()
SHORT_TWO: Final = Scoring(
    most_cards=0,
    most_spades=0,
    spades_wanted=6,
    spades_points=2,
    cards_wanted=21,
    cards_points=2,
    cards_shared=1,
)
SHORT_MORE: Final = Scoring(most_cards=2, most_spades=2)


class Rules(Ruleset, frozen=True, kw_only=True):
    """The rules of Casino.

    >>> len(Rules().cards), len(Rules.preset("short").cards)
    (52, 40)
    """

    game: ClassVar[str] = "casino"
    preset_changes: ClassVar[PresetChanges] = {
        "seed": {},
        "short": {"deck": DeckKind.SHORT},
        "traditional": {
            "capture_own_builds": True,
            "capture_targets": 4,
            "trail_restriction": TrailRestriction.ALWAYS,
        },
    }
    """The rules as they were first written down, the short deck, and the traditional game."""

    deck: DeckKind = DeckKind.FULL
    capture_targets: Annotated[int, Meta(ge=1, le=10)] = 1
    capture_own_builds: bool = False
    two_card_capture: bool = True
    extend_own_builds: bool = False
    extension_takes_ownership: bool = False
    trail_restriction: TrailRestriction = TrailRestriction.ROUND_ONE
    sweep_points: Points = 1
    scoring_full: Scoring = FULL
    scoring_short_two: Scoring = SHORT_TWO
    scoring_short_more: Scoring = SHORT_MORE

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the deck."""
        if self.deck is DeckKind.FULL:
            return STANDARD_DECK
        return tuple(card for card in STANDARD_DECK if card.rank not in (Rank.JACK, Rank.QUEEN, Rank.KING))

    def scoring(self, players: int) -> Scoring:
        """Return the scoring for a number of players (§5.3)."""
        if self.deck is DeckKind.FULL:
            return self.scoring_full
        return self.scoring_short_two if players == FEWEST_SEATS else self.scoring_short_more

    def deal_sizes(self, players: int, deal: int) -> tuple[int, ...]:
        """Return the number of cards for each seat in a deal, counted from 1, and for the table last (§1.3).

        >>> Rules().deal_sizes(2, 1), Rules.preset("short").deal_sizes(3, 1)
        ((4, 4, 4), (13, 13, 13, 1))
        """
        if self.deck is DeckKind.FULL:
            return (4,) * players + (4 if deal == 1 else 0,)
        each, table = divmod(len(self.cards), players) if players > FEWEST_SEATS else (10, 0)
        return (each,) * players + (table,)


DEFAULT: Final = Rules.preset("default")
"""The rules of the rules page."""
