"""Committed luck is computed by its published formula, and is uniform."""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from math import factorial, sqrt

import pytest

from oddsmith.cards import STANDARD_DECK
from oddsmith.chance import DealHands, Draw
from oddsmith.match.model import Match
from oddsmith.match.proofs import commitment, luck_draw
from tests.match.drivers import MatchDriver, finished_match

DRAWS = 200_000
CARDS = 52
LIMIT = 6.0
"""A deviation of this many standard deviations happens by chance once in a billion times."""


def deviation(counts: Counter[object], cells: int) -> float:
    """Return the deviation of the chi-square of counts from that of uniform luck, in standard deviations."""
    expected = counts.total() / cells
    square = sum((count - expected) ** 2 / expected for count in counts.values())
    square += (cells - len(counts)) * expected
    return (square - (cells - 1)) / sqrt(2 * (cells - 1))


def test_luck_is_hmac_sha256_of_seeds_match_ply_and_block() -> None:
    """The bytes of a ply, in the documented layout."""
    match = finished_match("duel")
    seeds = [chair.seed for chair in match.chairs]
    message = json.dumps([match.id, seeds, 3, 0], separators=(",", ":")).encode()
    block = hmac.new(bytes.fromhex(match.secret), message, hashlib.sha256).digest()

    assert int.from_bytes(block) == luck_draw(match, 3).below(2**256)
    assert hashlib.sha256(bytes.fromhex(match.secret)).hexdigest() == commitment(match.secret)


def numbers(source: Callable[[int], Draw], bound: int) -> Iterator[int]:
    """Yield numbers below a bound, fifty draws for each ply."""
    for ply in range(DRAWS // 50):
        draw = source(ply)
        for _ in range(50):
            yield draw.below(bound)


def luck_of(match: Match) -> Callable[[int], Draw]:
    """Return the function that gives the luck of a ply."""
    return lambda ply: luck_draw(match, ply)


class Remainder:
    """A biased source: the remainder of a byte favours small numbers."""

    def __init__(self, ply: int) -> None:
        self._bytes = iter(hashlib.shake_128(str(ply).encode()).digest(50))

    def below(self, bound: int) -> int:
        """Draw below a bound, with a bias."""
        return next(self._bytes) % bound


def test_committed_draws_are_uniform() -> None:
    """The chi-square of 200,000 draws over 52 numbers is that of uniform luck."""
    drawn = Counter[object](numbers(luck_of(finished_match("duel")), CARDS))

    assert abs(deviation(drawn, CARDS)) < LIMIT


def test_a_biased_source_is_detected() -> None:
    """The same test detects a remainder in place of rejection sampling."""
    drawn = Counter[object](numbers(Remainder, CARDS))

    assert deviation(drawn, CARDS) > LIMIT


ORDERS = factorial(4)


def shuffle(draw: Draw) -> tuple[int, ...]:
    """Shuffle four cards by taking one after the other, as deals are made."""
    left = [0, 1, 2, 3]
    return tuple(left.pop(draw.below(len(left))) for _ in range(4))


def shuffle_naively(draw: Draw) -> tuple[int, ...]:
    """Shuffle four cards by swapping each with any: 256 ways are not uniform over 24 orders."""
    order = [0, 1, 2, 3]
    for place in range(4):
        other = draw.below(4)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


@pytest.mark.parametrize(("shuffle", "is_fair"), [(shuffle, True), (shuffle_naively, False)])
def test_a_biased_shuffle_is_detected(shuffle: Callable[[Draw], tuple[int, ...]], *, is_fair: bool) -> None:
    """Over 10,000 shuffles of committed luck all orders are equally likely, but not with the naive shuffle."""
    source = luck_of(finished_match("duel"))
    orders = Counter[object](shuffle(source(ply)) for ply in range(10_000))

    assert {*permutations(range(4))} == {*orders}
    assert is_fair == (abs(deviation(orders, ORDERS)) < LIMIT)


def test_dealt_cards_are_uniform() -> None:
    """The first card of seat 0 is uniform over the deals of Casino."""
    node, source = DealHands(STANDARD_DECK, (1, 4, 4)), luck_of(MatchDriver("casino").fill().match)
    first = Counter[object](node.sample(source(ply))[0][0] for ply in range(5_000))

    assert abs(deviation(first, CARDS)) < LIMIT
