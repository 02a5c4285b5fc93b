"""Playing cards: ranks, suits, the 52 cards and two jokers as immutable values, and their text."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntEnum, StrEnum
from string import ascii_lowercase, ascii_uppercase
from typing import Final, final

from oddsmith.errors import InputError

__all__ = [
    "JOKERS",
    "STANDARD_DECK",
    "Card",
    "Rank",
    "Suit",
    "card",
    "cards",
    "without",
    "write_cards",
]


class Suit(StrEnum):
    """The four suits, in the order in which cards are sorted and written."""

    SPADES = "spades"
    HEARTS = "hearts"
    CLUBS = "clubs"
    DIAMONDS = "diamonds"

    __hash__ = str.__hash__  # a dict with suits as keys is also searched by their texts

    @property
    def symbol(self) -> str:
        """The suit's symbol, as in `A♠`."""
        return _SYMBOLS[self]


_SYMBOLS: Final = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.CLUBS: "♣", Suit.DIAMONDS: "♦"}


class Rank(IntEnum):
    """Two to ace, and the joker as the lowest; the ace is 14."""

    JOKER = 0
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def text(self) -> str:
        """The rank as it is written on a card: `10`, `J`, `A`."""
        return _LETTERS.get(self, str(int(self)))


_LETTERS: Final = {Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K", Rank.ACE: "A"}


@final
class Card:
    """An immutable card; equal cards are the same object.

    >>> card("A♠").rank, card("A♠").suit
    (<Rank.ACE: 14>, <Suit.SPADES: 'spades'>)
    >>> card("as") is card("A♠")
    True
    """

    __slots__ = ("index", "number", "rank", "suit", "text")

    index: int
    number: int
    rank: Rank
    suit: Suit | None
    text: str

    def __init__(self, *, index: int, rank: Rank, suit: Suit | None, text: str) -> None:
        set_field = object.__setattr__
        set_field(self, "index", index)
        set_field(self, "number", int(rank))
        set_field(self, "rank", rank)
        set_field(self, "suit", suit)
        set_field(self, "text", text)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card is immutable: {name}")

    def __lt__(self, other: "Card") -> bool:
        return self.index < other.index

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"card({self.text!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return card, (self.text,)


STANDARD_DECK: Final[tuple[Card, ...]] = tuple(
    Card(index=13 * number + offset, rank=rank, suit=suit, text=rank.text + suit.symbol)
    for number, suit in enumerate(Suit)
    for offset, rank in enumerate(rank for rank in Rank if rank is not Rank.JOKER)
)
"""The fifty-two cards, spades first, twos first."""

JOKERS: Final[tuple[Card, ...]] = (
    Card(index=52, rank=Rank.JOKER, suit=None, text="RJ"),
    Card(index=53, rank=Rank.JOKER, suit=None, text="BJ"),
)
"""The red joker and the black joker."""


def _spellings(known: Card) -> Iterable[str]:
    yield known.text
    if known.suit is not None:
        for rank in {known.rank.text, "T" if known.rank is Rank.TEN else known.rank.text}:
            yield rank + known.suit.symbol
            yield rank + known.suit[0].upper()


_BY_TEXT: Final = {text: known for known in STANDARD_DECK + JOKERS for text in _spellings(known)}


_CAPITALS: Final = str.maketrans(ascii_lowercase, ascii_uppercase)
"""Upper case for ASCII letters only: `str.upper` maps some other letters to ASCII ones, such as ſ to S."""


def card(text: str) -> Card:
    """Parse one card: `A♠`, `10♦`, `AS`, `10D`, `TD`, `rj`, in any case; raise `InputError` for any other text.

    >>> card("td")
    card('10♦')
    """
    found = _BY_TEXT.get(text.strip().removesuffix("\ufe0f").translate(_CAPITALS))
    if found is None:
        raise InputError(
            "unknown_card", f"'{text[:20]}' is no card: write rank and suit, such as A♠, 10♦, QH or RJ"
        )
    return found


def cards(text: str, *, deck: Sequence[Card] = STANDARD_DECK) -> tuple[Card, ...]:
    """Parse cards separated by spaces or commas; raise `InputError` for one that occurs more often than in the deck.

    >>> cards("A♠ kd, 10h")
    (card('A♠'), card('K♦'), card('10♥'))
    """
    found = tuple(card(token) for token in text.replace(",", " ").split())
    require_in_deck(found, deck)
    return found


def require_in_deck(held: Iterable[Card], deck: Iterable[Card]) -> None:
    """Raise `InputError` for a card that occurs more often than in the deck."""
    supply = Counter(deck)
    for known in held:
        supply[known] -= 1
        if supply[known] < 0:
            raise InputError("card_too_often", f"{known} occurs more often than the deck holds it")


def write_cards(held: Iterable[Card]) -> str:
    """Return cards as text that `cards` parses.

    >>> write_cards(cards("as kd"))
    'A♠ K♦'
    """
    return " ".join(known.text for known in held)


def without(pool: Iterable[Card], gone: Iterable[Card]) -> tuple[Card, ...]:
    """Return the sorted cards of a pool without those in `gone`; raise `InputError` where one is not in the pool.

    >>> without(cards("A♠ K♠ Q♠"), cards("K♠"))
    (card('Q♠'), card('A♠'))
    """
    left = Counter(pool)
    left.subtract(gone)
    if any(count < 0 for count in left.values()):
        raise InputError(
            "card_not_held", f"not in the pool: {write_cards(known for known in left if left[known] < 0)}"
        )
    return tuple(sorted(left.elements()))
