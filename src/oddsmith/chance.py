"""Chance nodes and sources of randomness.

A node (`Chance`) has outcomes with exact integer weights. A source (`Draw`) returns uniform whole numbers below a bound.
Rules return nodes. Drivers sample them with a source.
"""

import hashlib
import hmac
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, repeat
from math import comb, prod
from operator import attrgetter
from typing import Any, Final, Generic, Protocol, TypeVar, final

import msgspec

from oddsmith.cards import Card, without, write_cards
from oddsmith.die import Die
from oddsmith.errors import InputError

__all__ = [
    "BufferedSystem",
    "Chance",
    "Choose",
    "Committed",
    "DealHand",
    "DealHands",
    "Deck",
    "Draw",
    "Roll",
    "Scripted",
    "Seeded",
    "System",
    "Weighted",
    "draw_below",
]

T = TypeVar("T")

LARGEST_BOUND: Final = 2**256
BOUNDS_CACHED: Final = 1_024
_INDEX: Final = attrgetter("index")


class Draw(Protocol):
    """A source of uniform random whole numbers."""

    def below(self, bound: int) -> int:
        """Return one of 0, 1, … `bound - 1`, each equally likely."""
        ...


class Chance(Protocol[T]):
    """A chance node: outcomes with whole-number weights that add up to `total`."""

    @property
    def total(self) -> int:
        """The sum of all weights."""
        ...

    def weight(self, outcome: T) -> int:
        """Return the weight of an outcome, out of `total`; 0 where it is impossible."""
        ...

    def outcomes(self) -> Iterator[tuple[T, int]]:
        """Yield every outcome once, with its weight."""
        ...

    def sample(self, draw: Draw) -> T:
        """Return a random outcome, with probabilities by weight."""
        ...


class Weighted(msgspec.Struct, Generic[T], frozen=True):
    """A chance node of listed outcomes with their weights.

    >>> node = Weighted((("heads", 1), ("tails", 2)))
    >>> node.total, node.weight("tails"), node.sample(Scripted([0]))
    (3, 2, 'heads')
    """

    cases: tuple[tuple[T, int], ...]

    def __post_init__(self) -> None:
        if not self.cases or any(weight <= 0 for _, weight in self.cases):
            raise InputError("bad_weights", "a chance node needs outcomes, each with a weight of at least 1")
        if len({outcome for outcome, _ in self.cases}) != len(self.cases):
            raise InputError("bad_weights", "a chance node lists each outcome once")

    @property
    def total(self) -> int:
        """The sum of all weights."""
        return sum(weight for _, weight in self.cases)

    def weight(self, outcome: T) -> int:
        """Return the weight of an outcome, 0 where it is not listed."""
        return dict(self.cases).get(outcome, 0)

    def outcomes(self) -> Iterator[tuple[T, int]]:
        """Return every outcome once, with its weight."""
        return iter(self.cases)

    def sample(self, draw: Draw) -> T:
        """Return a random outcome."""
        return _case(self.cases, draw.below(self.total))


class Roll(msgspec.Struct, frozen=True):
    """The roll of some dice; an outcome has the faces in the order of the dice.

    >>> from oddsmith.die import D6
    >>> Roll((D6, D6)).total, Roll((D6, D6)).sample(Scripted([5, 0]))
    (36, (6, 1))
    """

    dice: tuple[Die, ...]

    @property
    def total(self) -> int:
        """The product of the dice's totals."""
        return prod(die.total for die in self.dice)

    def weight(self, outcome: object) -> int:
        """Return the product of the faces' weights."""
        if not isinstance(outcome, tuple) or len(outcome) != len(self.dice):
            return 0
        return prod(die.weight(face) for die, face in zip(self.dice, outcome, strict=True))

    def outcomes(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Return every possible combination of faces, with its weight."""
        rolled: list[tuple[tuple[int, ...], int]] = [((), 1)]
        for die in self.dice:
            rolled = [
                ((*faces, face), ways * weight)
                for faces, ways in rolled
                for face, weight in zip(die.faces, die.weights, strict=True)
                if weight
            ]
        return iter(rolled)

    def sample(self, draw: Draw) -> tuple[int, ...]:
        """Roll each die in turn."""
        return tuple(
            _case(zip(die.faces, die.weights, strict=True), draw.below(die.total)) for die in self.dice
        )


def _case(cases: Iterable[tuple[T, int]], number: int) -> T:
    """Return the outcome whose range of cumulative weights contains the number."""
    for outcome, weight in cases:
        if number < weight:
            return outcome
        number -= weight
    raise InputError("bad_draw", "the source drew a number that is not below its bound")


class Choose(msgspec.Struct, Generic[T], frozen=True):
    """A uniform choice of `size` different things; an outcome has them in the order of the list.

    >>> node = Choose(("hat", "rope", "knife"), 2)
    >>> node.total, node.sample(Scripted([2, 0]))
    (3, ('hat', 'knife'))
    """

    things: tuple[T, ...]
    size: int

    def __post_init__(self) -> None:
        if len(set(self.things)) != len(self.things):
            raise InputError("bad_choice", "a choice lists each thing once")
        if not 0 <= self.size <= len(self.things):
            raise InputError("bad_choice", f"{self.size} things cannot be chosen from {len(self.things)}")

    @property
    def total(self) -> int:
        """The number of choices."""
        return comb(len(self.things), self.size)

    def weight(self, outcome: object) -> int:
        """Return 1 for a possible choice, else 0."""
        if not isinstance(outcome, tuple) or len(outcome) != self.size:
            return 0
        return int(tuple(thing for thing in self.things if thing in outcome) == outcome)

    def outcomes(self) -> Iterator[tuple[tuple[T, ...], int]]:
        """Return every choice once, with the weight 1."""
        return zip(combinations(self.things, self.size), repeat(1), strict=False)

    def sample(self, draw: Draw) -> tuple[T, ...]:
        """Return a random choice, drawn one by one."""
        left = list(range(len(self.things)))
        chosen = sorted(left.pop(draw.below(len(left))) for _ in range(self.size))
        return tuple(self.things[place] for place in chosen)


class DealHand(msgspec.Struct, frozen=True):
    """The deal of `size` cards: the `known` ones first, then a random set from the pool.

    The cards from the pool are sorted in the outcome, so that one hand is one outcome.

    >>> from oddsmith.cards import cards
    >>> node = DealHand(cards("A♠ K♠ Q♠"), 2)
    >>> node.total, [hand for hand, weight in node.outcomes()][0]
    (3, (card('Q♠'), card('K♠')))
    """

    pool: tuple[Card, ...]
    size: int
    known: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.size - len(self.known) <= len(self.pool):
            raise InputError("too_few_cards", f"{self.size} cards cannot be dealt from {len(self.pool)}")

    @property
    def total(self) -> int:
        """The number of hands, where equal cards of the pool count as different."""
        return comb(len(self.pool), self.size - len(self.known))

    def weight(self, outcome: object) -> int:
        """Return the number of ways in which the pool gives a hand."""
        if not isinstance(outcome, tuple) or len(outcome) != self.size:
            return 0
        rest = outcome[len(self.known) :]
        if outcome[: len(self.known)] != self.known:
            return 0
        if list(rest) != sorted(rest):
            return 0
        held = Counter(self.pool)
        return prod(comb(held[known], count) for known, count in Counter(rest).items())

    def outcomes(self) -> Iterator[tuple[tuple[Card, ...], int]]:
        """Return every hand once, with its weight."""
        hands = combinations(sorted(self.pool), self.size - len(self.known))
        if len(set(self.pool)) == len(self.pool):
            return zip(map(self.known.__add__, hands), repeat(1), strict=False)
        ways = Counter(hands)
        return ((self.known + rest, weight) for rest, weight in ways.items())

    def sample(self, draw: Draw) -> tuple[Card, ...]:
        """Return a random hand, drawn one by one without replacement."""
        pool, below = list(self.pool), draw.below
        least = len(pool) - self.size + len(self.known)
        rest: list[Any] = [pool.pop(below(left)) for left in range(len(pool), least, -1)]
        if rest:
            rest.sort(key=_INDEX if type(rest[0]) is Card else None)
        return self.known + tuple(rest)


class DealHands(msgspec.Struct, frozen=True):
    """The deal of several hands from one pool; each hand of an outcome is sorted, so that one deal is one outcome.

    >>> from oddsmith.cards import cards
    >>> node = DealHands(cards("A♠ K♠ Q♠ J♠"), (1, 2))
    >>> node.total, node.weight((cards("K♠"), cards("J♠ A♠"))), node.weight((cards("K♠"), cards("A♠ J♠")))
    (12, 1, 0)
    """

    pool: tuple[Card, ...]
    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(set(self.pool)) != len(self.pool):
            raise InputError("bad_pool", "hands are dealt from cards of which there is one each")
        if not 0 <= sum(self.sizes) <= len(self.pool) or min(self.sizes, default=0) < 0:
            raise InputError(
                "too_few_cards", f"{sum(self.sizes)} cards cannot be dealt from {len(self.pool)}"
            )

    @property
    def total(self) -> int:
        """The number of deals."""
        left = [len(self.pool) - sum(self.sizes[:place]) for place in range(len(self.sizes))]
        return prod(comb(cards, size) for cards, size in zip(left, self.sizes, strict=True))

    def weight(self, outcome: object) -> int:
        """Return 1 for a possible deal, else 0."""
        if not isinstance(outcome, tuple) or not all(isinstance(hand, tuple) for hand in outcome):
            return 0
        dealt = [card for hand in outcome for card in hand]
        fits = (
            tuple(map(len, outcome)) == self.sizes
            and len(set(dealt)) == len(dealt)
            and set(dealt) <= set(self.pool)
            and all(list(hand) == sorted(hand) for hand in outcome)
        )
        return int(fits)

    def outcomes(self) -> Iterator[tuple[tuple[tuple[Card, ...], ...], int]]:
        """Return every deal once, with the weight 1."""
        return zip(self._deals(tuple(sorted(self.pool)), self.sizes), repeat(1), strict=False)

    def _deals(
        self, pool: tuple[Card, ...], sizes: tuple[int, ...]
    ) -> Iterator[tuple[tuple[Card, ...], ...]]:
        if not sizes:
            yield ()
            return
        if not any(sizes[1:]):
            for hand in combinations(pool, sizes[0]):
                yield hand, *((),) * len(sizes[1:])
            return
        for hand in combinations(pool, sizes[0]):
            held = set(hand)
            left = tuple(card for card in pool if card not in held)
            for others in self._deals(left, sizes[1:]):
                yield hand, *others

    def sample(self, draw: Draw) -> tuple[tuple[Card, ...], ...]:
        """Return a random deal, drawn card by card and hand by hand."""
        pool = sorted(self.pool)
        return tuple(
            tuple(sorted(pool.pop(draw.below(len(pool))) for _ in range(size))) for size in self.sizes
        )


class Deck(msgspec.Struct, frozen=True):
    """A shuffled deck whose order is undetermined until cards are drawn, except for known cards at the top and bottom.

    `top` and `bottom` are known cards in order: `top[0]` is drawn next and `bottom[-1]` last. `pool` has the others, in
    no order.

    >>> from oddsmith.cards import cards
    >>> deck = Deck(cards("2♠ 3♠ 4♠")).with_top(cards("4♠"))
    >>> deck.deal(2).total
    2
    >>> len(deck.after(cards("4♠ 2♠")))
    1
    """

    pool: tuple[Card, ...]
    top: tuple[Card, ...] = ()
    bottom: tuple[Card, ...] = ()

    def __len__(self) -> int:
        return len(self.top) + len(self.pool) + len(self.bottom)

    def deal(self, size: int) -> DealHand:
        """Return the chance node of drawing the next `size` cards; raise `InputError` where there are too few."""
        if not 0 <= size <= len(self):
            raise InputError("too_few_cards", f"{size} cards cannot be dealt from {len(self)}")
        beyond = size - len(self.top) - len(self.pool)
        if beyond > 0:
            return DealHand((), size, self.top + tuple(sorted(self.pool)) + self.bottom[:beyond])
        return DealHand(self.pool, size, self.top[:size])

    def after(self, drawn: Sequence[Card]) -> "Deck":
        """Return the deck without these drawn cards; raise `InputError` where they cannot be the next."""
        if not self.deal(len(drawn)).weight(tuple(drawn)):
            raise InputError("impossible_draw", f"the deck cannot give {write_cards(drawn)}")
        rest = drawn[len(self.top) :]
        beyond = max(0, len(rest) - len(self.pool))
        return Deck(
            without(self.pool, rest[: len(rest) - beyond]), self.top[len(drawn) :], self.bottom[beyond:]
        )

    def with_top(self, seen: Sequence[Card]) -> "Deck":
        """Return the deck with cards of the pool as the next known ones, below those already known."""
        return Deck(without(self.pool, seen), (*self.top, *seen), self.bottom)

    def with_bottom(self, placed: Sequence[Card]) -> "Deck":
        """Return the deck with further cards at the bottom, in this order."""
        return Deck(self.pool, self.top, (*self.bottom, *placed))

    def shuffled(self, added: Iterable[Card] = ()) -> "Deck":
        """Return the deck with all cards in the pool, and `added` shuffled in."""
        return Deck(tuple(sorted((*self.pool, *self.top, *self.bottom, *added))))


def draw_below(bound: int, take: Callable[[int], bytes]) -> int:
    r"""Return a uniform whole number below `bound` by rejection sampling of the bytes that `take` returns.

    >>> given = iter([b"\xff", b"\x0d"])
    >>> draw_below(6, lambda count: next(given))
    5
    """
    bits, mask = _bits_and_mask(bound)
    if not bits:
        return 0
    count = (bits + 7) // 8
    while True:
        number = int.from_bytes(take(count)) & mask
        if number < bound:
            return number


@lru_cache(maxsize=BOUNDS_CACHED)
def _bits_and_mask(bound: int) -> tuple[int, int]:
    """Return the number of bits of a draw below `bound`, and their mask; raise `InputError` for a bad bound."""
    if not 1 <= bound <= LARGEST_BOUND:
        raise InputError("bad_bound", f"a draw needs a bound from 1 to 2^256, not {bound}")
    bits = (bound - 1).bit_length()
    return bits, (1 << bits) - 1


@final
class System:
    """Cryptographically secure randomness of the operating system; it cannot be repeated."""

    def below(self, bound: int) -> int:
        """Return a uniform number below `bound`."""
        return draw_below(bound, os.urandom)


@final
class BufferedSystem:
    """Randomness of the operating system, read in blocks: several draws cost one system call.

    It belongs to one thread of one process. Threads that share it, or a process that forks, could use the same bits twice.

    >>> source = BufferedSystem()
    >>> {source.below(6) for _ in range(1_000)} == {0, 1, 2, 3, 4, 5}
    True
    """

    __slots__ = ("_bits", "_left")

    BLOCK: Final = 32

    def __init__(self) -> None:
        self._bits = 0
        self._left = 0
        """The number of bits that are not used yet."""

    def below(self, bound: int) -> int:
        """Return a uniform number below `bound`, by rejection sampling of as many bits as the bound needs."""
        count, mask = _bits_and_mask(bound)
        while True:
            if self._left < count:
                self._bits, self._left = int.from_bytes(os.urandom(self.BLOCK)), 8 * self.BLOCK
            number = self._bits & mask
            self._bits >>= count
            self._left -= count
            if number < bound:
                return number


@final
class Seeded:
    """Randomness from a seed, the same on every machine and in every version.

    The bytes are SHA-256 of the seed's text and a counter. `drawn` is the number of bytes to skip: a source continues
    where another stopped.

    >>> first, again = Seeded("yuma"), Seeded("yuma")
    >>> [first.below(52) for _ in range(5)] == [again.below(52) for _ in range(5)]
    True
    >>> Seeded("yuma", drawn=first.drawn).below(52) == again.below(52)
    True
    """

    LONGEST_SEED: Final = 200
    BLOCK: Final = 32

    def __init__(self, seed: str | int, *, drawn: int = 0) -> None:
        try:
            self.seed = str(seed)
            text = self.seed.encode()
        except ValueError as error:
            raise InputError("bad_seed", "a seed is text, or a whole number") from error
        if not 1 <= len(self.seed) <= self.LONGEST_SEED:
            raise InputError("bad_seed", f"a seed has 1 to {self.LONGEST_SEED} characters")
        self._key = hashlib.sha256(b"oddsmith seed 1\0" + text).digest()
        self._block = b""
        self._used = 0
        self._blocks, begun = divmod(drawn, self.BLOCK)
        self._take(begun)

    @property
    def drawn(self) -> int:
        """The number of bytes that were used, with those skipped."""
        return self._blocks * self.BLOCK - len(self._block) + self._used

    def below(self, bound: int) -> int:
        """Return a uniform number below `bound`."""
        return draw_below(bound, self._take)

    def _take(self, count: int) -> bytes:
        while len(self._block) - self._used < count:
            more = hashlib.sha256(self._key + self._blocks.to_bytes(8)).digest()
            self._block = self._block[self._used :] + more
            self._used = 0
            self._blocks += 1
        self._used += count
        return self._block[self._used - count : self._used]


@final
class Committed:
    """Randomness from a server's committed seed and the players' seeds: one stream for each ply of a match.

    The bytes are HMAC-SHA256, keyed by the server's seed, of the JSON text `[match,[seeds…],ply,block]`, block after
    block from 0. Equal seeds give equal numbers.

    >>> draw = Committed(bytes(32), match="m1", seeds=("ann", "bo"), ply=1)
    >>> [draw.below(52) for _ in range(3)]
    [25, 11, 26]
    """

    def __init__(self, secret: bytes, *, match: str, seeds: Sequence[str], ply: int) -> None:
        self._secret = secret
        self._message = (match, list(seeds), ply)
        self._blocks = 0
        self._left = b""

    def below(self, bound: int) -> int:
        """Return a uniform number below `bound`."""
        return draw_below(bound, self._take)

    def _take(self, count: int) -> bytes:
        while len(self._left) < count:
            message = json.dumps((*self._message, self._blocks), separators=(",", ":")).encode()
            self._left += hmac.digest(self._secret, message, hashlib.sha256)
            self._blocks += 1
        taken, self._left = self._left[:count], self._left[count:]
        return taken


@final
class Scripted:
    """A source that returns given numbers, for tests.

    >>> Scripted([3, 0]).below(6)
    3
    """

    def __init__(self, numbers: Iterable[int]) -> None:
        self._numbers = iter(numbers)

    def below(self, bound: int) -> int:
        """Return the next number; raise `InputError` where it is not below `bound`, or there are no more."""
        for number in self._numbers:
            if not 0 <= number < bound:
                raise InputError(
                    "bad_script", f"the script says {number} where a number below {bound} is drawn"
                )
            return number
        raise InputError("bad_script", f"the script has no more numbers, and one below {bound} is drawn")
