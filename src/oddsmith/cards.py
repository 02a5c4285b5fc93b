"""Cards are values: fifty-four of them, each existing once and never changing."""

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

    __hash__ = str.__hash__  # equal to its text, it is found by it too

    @property
    def symbol(self) -> str:
        """The suit's sign, as in `A♠`."""
        return _SYMBOLS[self]


_SYMBOLS: Final = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.CLUBS: "♣", Suit.DIAMONDS: "♦"}


class Rank(IntEnum):
    """Two to ace, and the joker below them all; the ace's number is 14."""

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
    """One card of the deck; two mentions of `A♠` are the same object.

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
        keep = object.__setattr__
        keep(self, "index", index)
        keep(self, "number", int(rank))
        keep(self, "rank", rank)
        keep(self, "suit", suit)
        keep(self, "text", text)

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
"""The red joker and the black one."""


def _spellings(known: Card) -> Iterable[str]:
    yield known.text
    if known.suit is not None:
        for rank in {known.rank.text, "T" if known.rank is Rank.TEN else known.rank.text}:
            yield rank + known.suit.symbol
            yield rank + known.suit[0].upper()


_BY_TEXT: Final = {text: known for known in STANDARD_DECK + JOKERS for text in _spellings(known)}


_CAPITALS: Final = str.maketrans(ascii_lowercase, ascii_uppercase)
"""Letters of the keyboard alone: other alphabets have letters that only look alike, or become S when raised."""


def card(text: str) -> Card:
    """Read one card: `A♠`, `10♦`, `AS`, `10D`, `TD`, `rj`; lower case is fine.

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
    """Read cards separated by spaces or commas, each no more often than the deck holds it.

    >>> cards("A♠ kd, 10h")
    (card('A♠'), card('K♦'), card('10♥'))
    """
    found = tuple(card(token) for token in text.replace(",", " ").split())
    require_held(found, deck)
    return found


def require_held(held: Iterable[Card], deck: Iterable[Card]) -> None:
    """Refuse cards that occur more often than the deck holds them."""
    supply = Counter(deck)
    for known in held:
        supply[known] -= 1
        if supply[known] < 0:
            raise InputError("card_too_often", f"{known} occurs more often than the deck holds it")


def write_cards(held: Iterable[Card]) -> str:
    """Write cards as text that `cards` reads back.

    >>> write_cards(cards("as kd"))
    'A♠ K♦'
    """
    return " ".join(known.text for known in held)


def without(pool: Iterable[Card], gone: Iterable[Card]) -> tuple[Card, ...]:
    """Return the pool, sorted, less the cards that are gone.

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
