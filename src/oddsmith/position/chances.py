"""Luck in the words of the field: rolls, deals, hands and weighted choices, as chance nodes."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Final, TypeVar, cast, overload

import msgspec

from oddsmith.chance import Chance, DealHand, DealHands, Draw, Weighted
from oddsmith.errors import InputError

if TYPE_CHECKING:
    from oddsmith.cards import Card

T = TypeVar("T", bound=Hashable)

NODES_CACHED: Final = 1_024


class SortedRoll(msgspec.Struct, frozen=True):
    """The roll of several equal dice; an outcome has the faces in ascending order, so that equal rolls are one outcome.

    >>> node = SortedRoll(6, 2)
    >>> node.total, node.weight((1, 6)), node.weight((6, 6)), node.weight((6, 1))
    (36, 2, 1, 0)
    """

    sides: int
    count: int

    def __post_init__(self) -> None:
        if self.sides < 1 or self.count < 0:
            raise InputError("bad_roll", f"{self.count} dice with {self.sides} sides cannot be rolled")

    @property
    def total(self) -> int:
        """The number of ways to roll."""
        return int(self.sides**self.count)

    def weight(self, outcome: object) -> int:
        """Return the number of orders of the faces; 0 for an outcome that is impossible or not in order."""
        if not isinstance(outcome, tuple) or len(outcome) != self.count or list(outcome) != sorted(outcome):
            return 0
        return _orders(outcome) if all(face in range(1, self.sides + 1) for face in outcome) else 0

    def outcomes(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield every roll once, with its weight."""
        for faces in combinations_with_replacement(range(1, self.sides + 1), self.count):
            yield faces, _orders(faces)

    def sample(self, draw: Draw) -> tuple[int, ...]:
        """Return a random roll."""
        return tuple(sorted(1 + draw.below(self.sides) for _ in range(self.count)))


def _orders(faces: Sequence[int]) -> int:
    return factorial(len(faces)) // prod(map(factorial, Counter(faces).values()))


@overload
def roll(sides: int, /) -> Chance[int]: ...


@overload
def roll(sides: int, /, count: int) -> Chance[tuple[int, ...]]: ...


def roll(sides: int, /, count: int | None = None) -> Chance[int] | Chance[tuple[int, ...]]:
    """Return the roll of a die, or of `count` dice: then an outcome has the faces in ascending order.

    >>> roll(6).weight(3), roll(6, 2).weight((3, 4))
    (1, 2)
    """
    return _die(sides) if count is None else SortedRoll(sides, count)


@lru_cache(maxsize=NODES_CACHED)
def _die(sides: int) -> Weighted[int]:
    if sides < 1:
        raise InputError("bad_roll", f"a die has at least one side, not {sides}")
    return Weighted(tuple((face, 1) for face in range(1, sides + 1)))


def one_of(things: Sequence[T] | Mapping[T, int], /) -> Chance[T]:
    """Return the choice of one of these things: each equally likely, or by the weights of a mapping.

    A thing that occurs twice is twice as likely.

    >>> one_of("AAB").weight("A"), one_of({"heads": 3, "tails": 1}).total
    (2, 4)
    """
    if isinstance(things, Mapping):
        return Weighted(tuple(things.items()))
    return _choice(tuple(things))


@lru_cache(maxsize=NODES_CACHED)
def _choice(things: tuple[T, ...]) -> Weighted[T]:
    return Weighted(tuple(Counter(things).items()))


def deal(pile: tuple[T, ...], size: int, /) -> Chance[tuple[T, ...]]:
    """Return the deal of `size` cards from a pile, in no order: an outcome is sorted. Any values that can be sorted are cards.

    >>> deal((1, 1, 2), 2).weight((1, 2))
    2
    """
    return cast("Chance[tuple[T, ...]]", DealHand(cast("tuple[Card, ...]", pile), size))


def hands(pile: tuple[T, ...], /, *sizes: int) -> Chance[tuple[tuple[T, ...], ...]]:
    """Return the deal of several hands from a pile in which all cards are different; each hand is sorted.

    >>> hands((1, 2, 3), 1, 1).total
    6
    """
    return cast("Chance[tuple[tuple[T, ...], ...]]", DealHands(cast("tuple[Card, ...]", pile), sizes))
