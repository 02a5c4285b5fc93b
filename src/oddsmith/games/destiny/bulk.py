"""Many hands at once: drawn, read and written as rows of numbers; what they are worth is asked of their classes."""

import hashlib
import string
from math import perm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from oddsmith.cards import STANDARD_DECK
from oddsmith.chance import LARGEST_BOUND, Draw
from oddsmith.errors import InputError
from oddsmith.poker import FULL_HAND

Integers = NDArray[np.int64]

LETTERS: Final = string.ascii_uppercase + string.ascii_lowercase
"""A letter for each card of the standard deck, in its order: `A` is 2♠, `M` is A♠, `N` is 2♥, `z` is A♦."""

WORD: Final = 8
SEED_BYTES: Final = 32
NO_CARD: Final = -1

_LETTER_BYTES: Final = np.frombuffer(LETTERS.encode(), dtype=np.uint8)
_CARDS: Final = np.full(256, NO_CARD, dtype=np.int64)
_CARDS[_LETTER_BYTES] = range(len(STANDARD_DECK))


def draw_hands(count: int, draw: Draw) -> Integers:
    """Return so many hands, each drawn from a deck of its own, every hand equally likely; one row is one hand.

    >>> from oddsmith.chance import Seeded
    >>> write_hands(draw_hands(2, Seeded("yuma")))
    'IKPWpKOWbq'
    """
    return hands_numbered(uniform_numbers(perm(len(STANDARD_DECK), FULL_HAND), count, draw))


def hands_numbered(numbers: Integers) -> Integers:
    """Return the hand of each number below 52 · 51 · 50 · 49 · 48: its digits say which of the cards left are drawn.

    >>> write_hands(hands_numbered(np.array([0, 51])))
    'ABCDEABCDz'
    """
    drawn: list[Integers] = []
    for left in range(len(STANDARD_DECK), len(STANDARD_DECK) - FULL_HAND, -1):
        numbers, card = np.divmod(numbers, left)
        for place, before in enumerate(drawn):
            card += card >= before
            drawn[place], card = np.minimum(card, before), np.maximum(card, before)
        drawn.append(card)
    return np.stack(drawn, axis=1)


def uniform_numbers(bound: int, count: int, draw: Draw) -> Integers:
    """Return so many numbers below a bound, each equally likely: SHAKE-256 stretches one draw of the source."""
    stream = hashlib.shake_256(draw.below(LARGEST_BOUND).to_bytes(SEED_BYTES))
    fair, asked = (1 << 64) // bound * bound, count
    while True:
        words = np.frombuffer(stream.digest(asked * WORD), dtype="<u8")
        kept = words[words <= np.uint64(fair - 1)]
        if len(kept) >= count:
            return (kept[:count] % np.uint64(bound)).astype(np.int64)
        asked *= 2


def read_hands(text: str) -> Integers:
    """Read hands of five letters each; what is no hand of five different cards is refused.

    >>> read_hands("IJKLM")
    array([[ 8,  9, 10, 11, 12]])
    """
    cards = _CARDS[np.frombuffer(text.encode("ascii", "replace"), dtype=np.uint8)]
    if not len(cards) or len(cards) % FULL_HAND or (cards == NO_CARD).any():
        raise InputError(
            "bad_hands",
            f"hands are written as {FULL_HAND} letters each, A to Z and a to z for the 52 cards",
            where="hands",
        )
    hands = cards.reshape(-1, FULL_HAND)
    masks = np.left_shift(1, hands)
    twice = np.flatnonzero(np.bitwise_or.reduce(masks, axis=1) != masks.sum(axis=1))
    if len(twice):
        raise InputError(
            "card_too_often", f"a hand has five different cards: hand {twice[0]} has one twice", where="hands"
        )
    return hands


def write_hands(hands: Integers) -> str:
    """Write hands as `read_hands` reads them.

    >>> write_hands(read_hands("IJKLM"))
    'IJKLM'
    """
    return _LETTER_BYTES[hands.ravel()].tobytes().decode()
