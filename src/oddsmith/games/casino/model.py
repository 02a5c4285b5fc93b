"""Card values (§1.1), builds, moves, states and events of Casino, all immutable."""

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from oddsmith.cards import STANDARD_DECK, Card, Rank, Suit
from oddsmith.game import Event, Seat
from oddsmith.games.casino.rules import MOST_SEATS, MOST_VALUE, Rules

MOST_BUILDS: Final = 26
MOST_HAND_CARDS: Final = 2
"""The most hand cards of a move: those of a two-card capture (§4.2)."""

Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=52)]
Place: TypeAlias = Annotated[int, Meta(ge=0, lt=MOST_BUILDS)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
HandCards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=MOST_HAND_CARDS)]


class MoveKind(StrEnum):
    """The kinds of moves, in canonical order (§4.7)."""

    CAPTURE = "capture"
    TWO_CARD_CAPTURE = "two_card_capture"
    BUILD_MARRIAGE = "build_marriage"
    BUILD = "build"
    EXTEND = "extend"
    TRAIL = "trail"

    @property
    def words(self) -> str:
        """The kind in words, such as `two-card capture`."""
        return "two-card capture" if self is MoveKind.TWO_CARD_CAPTURE else self.value.replace("_", " ")


CAPTURES: Final = (MoveKind.CAPTURE, MoveKind.TWO_CARD_CAPTURE)


class Build(msgspec.Struct, frozen=True):
    """Cards that are captured together, their value, and the seat that owns them (§2.2)."""

    cards: Cards
    value: int
    owner: Seat


class Move(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move of a player: its kind, its hand cards, and its loose cards and builds of the table.

    Builds are given by index on the table, from 0. The order of cards and builds has no meaning.
    """

    kind: MoveKind
    hand: HandCards
    loose: Cards = ()
    builds: Annotated[tuple[Place, ...], Meta(max_length=MOST_BUILDS)] = ()

    @property
    def words(self) -> str:
        """The kind in words, with its label where it has one (§4.1).

        >>> from oddsmith.cards import cards
        >>> Move(kind=MoveKind.CAPTURE, hand=cards("K♠"), loose=cards("Q♠")).words
        'capture with marriage'
        """
        return f"{self.kind.words} with marriage" if has_marriage(self) else self.kind.words

    @property
    def canonical(self) -> "Move":
        """The move with its cards and builds in canonical order (§4.7)."""
        return replace(
            self, hand=in_order(self.hand), loose=in_order(self.loose), builds=tuple(sorted(self.builds))
        )


def has_marriage(move: Move) -> bool:
    """Return whether a king or queen captures its mate of the same suit: a *capture with marriage* (§4.1).

    >>> from oddsmith.cards import cards
    >>> has_marriage(Move(kind=MoveKind.CAPTURE, hand=cards("K♠"), loose=cards("Q♠")))
    True
    """
    if move.kind is not MoveKind.CAPTURE or not move.hand:
        return False
    king_and_queen = {Rank.KING, Rank.QUEEN}
    mates = {taken.rank for taken in move.loose if taken.suit is move.hand[0].suit}
    return move.hand[0].rank in king_and_queen and bool(mates & (king_and_queen - {move.hand[0].rank}))


class MoveOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a move with best play of both sides after it.

    `share` is its player's share of the win: 1, or 1/2 where it is shared (§5.4), or 0. `margin` is its player's lead in
    points at the end, `points` are those of seat 0 and seat 1. `line` has all moves to the end.
    """

    move: Move
    share: Fraction
    margin: int
    points: tuple[int, int]
    line: tuple[Move, ...]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a seat: its cards, spades and sweeps, and its points (§5.3)."""

    cards: int
    spades: int
    sweeps: int
    points: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a game between two moves.

    Cards of hands, loose cards, builds and piles are in the order of the game. `stock` is sorted: its order is not that
    of the deals.
    """

    rules: Rules
    hands: Annotated[tuple[Cards, ...], Meta(max_length=MOST_SEATS)]
    loose: Cards
    builds: Annotated[tuple[Build, ...], Meta(max_length=MOST_BUILDS)]
    piles: Annotated[tuple[Cards, ...], Meta(max_length=MOST_SEATS)]
    sweeps: Annotated[tuple[int, ...], Meta(max_length=MOST_SEATS)]
    stock: Cards
    turn: Seat = 0
    deal: int = 0
    last_capture: Seat | None = None

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def is_dealt(self) -> bool:
        """Whether any seat holds cards."""
        return any(self.hands)

    @property
    def is_over(self) -> bool:
        """Whether stock and hands are empty (§5.2)."""
        return not self.stock and not self.is_dealt


class Dealt(Event, frozen=True, kw_only=True, tag="dealt"):
    """A seat was dealt cards; only it sees them."""

    seat: Seat
    cards: Cards


class Laid(Event, frozen=True, kw_only=True, tag="laid"):
    """A deal was made; its cards on the table are public."""

    deal: int
    cards: Cards


class Moved(Event, frozen=True, kw_only=True, tag="moved"):
    """A player has moved: the cards taken, whether with a marriage, and whether the table was swept."""

    seat: Seat
    move: Move
    taken: Cards
    marriage: bool
    sweep: bool


class Cleared(Event, frozen=True, kw_only=True, tag="cleared"):
    """The remaining cards of the table went to the seat that captured last, or stay where none did (§5.2)."""

    seat: Seat | None
    cards: Cards


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """The game is over."""

    scores: tuple[Score, ...]


HappenedEvent: TypeAlias = Dealt | Laid | Moved | Cleared | Ended


SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
RANKS: Final = (Rank.ACE, *(rank for rank in Rank if rank not in (Rank.ACE, Rank.JOKER)))

CARDS_IN_ORDER: Final = tuple(
    sorted(STANDARD_DECK, key=lambda card: (RANKS.index(card.rank), SUITS.index(card.suit or Suit.SPADES)))
)
"""A♠ A♥ A♦ A♣ 2♠ … K♣."""

_VALUES: Final = {card: min(RANKS.index(card.rank) + 1, MOST_VALUE) for card in CARDS_IN_ORDER}
_NUMBERS: Final = {card: number for number, card in enumerate(CARDS_IN_ORDER)}


def value_of(card: Card) -> int:
    """Return the value of a card: an ace 1, jack, queen and king 10, any other card its number (§1.1).

    >>> from oddsmith.cards import card
    >>> value_of(card("A♠")), value_of(card("7♦")), value_of(card("K♣"))
    (1, 7, 10)
    """
    return _VALUES[card]


def number_of(card: Card) -> int:
    """Return the position of a card in the order of the game, from 0: A to K, then ♠♥♦♣.

    >>> from oddsmith.cards import card
    >>> number_of(card("A♠")), number_of(card("K♣"))
    (0, 51)
    """
    return _NUMBERS[card]


def total_value(cards: Iterable[Card]) -> int:
    """Return the sum of the values of cards.

    >>> from oddsmith.cards import cards
    >>> total_value(cards("3♣ 4♥"))
    7
    """
    return sum(map(value_of, cards))


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in the order of the game.

    >>> from oddsmith.cards import cards
    >>> in_order(cards("K♦ A♣ A♠"))
    (card('A♠'), card('A♣'), card('K♦'))
    """
    return tuple(sorted(cards, key=number_of))


def sum_words(cards: Iterable[Card]) -> str:
    """Return the sum of cards in words for a refusal.

    >>> from oddsmith.cards import cards
    >>> sum_words(cards("3♣ 4♥"))
    '3♣ + 4♥ is 7'
    """
    summands = tuple(cards)
    return f"{' + '.join(map(str, summands))} is {total_value(summands)}"
