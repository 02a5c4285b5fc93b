"""How often the five cards of a round are each hand, and one such hand."""

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from oddsmith.cards import write_cards
from oddsmith.games.duel.classes import hand_kinds
from oddsmith.poker import HandRank, classify


class Dealt(NamedTuple):
    """The chance of a hand, and cards that make it."""

    chance: Fraction
    example: str


@cache
def hands_dealt() -> dict[HandRank, Dealt]:
    """Return every hand of five cards from a full deck, the strongest first.

    >>> hands_dealt()[HandRank.ROYAL_FLUSH].chance
    Fraction(1, 649740)
    """
    kinds = hand_kinds()
    ranks = [classify(hand).rank for hand in kinds.hands]
    ways = dict.fromkeys(HandRank, 0)
    for rank, times in zip(ranks, kinds.ways.sum(axis=1).tolist(), strict=True):
        ways[rank] += times
    total = sum(ways.values())
    return {
        rank: Dealt(Fraction(times, total), write_cards(kinds.hands[ranks.index(rank)]))
        for rank, times in ways.items()
    }
