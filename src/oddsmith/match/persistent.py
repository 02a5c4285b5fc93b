"""Collections that grow by one and leave the one before as it was, at a cost that hardly grows with them."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, Generic, TypeVar, final
from zlib import crc32

import msgspec

T = TypeVar("T")

PAGE: Final = 64
BUCKETS: Final = 64


@final
class Trail(msgspec.Struct, Generic[T], frozen=True):
    """A sequence in pages: one more item copies the last page, and now and then the list of pages.

    >>> trail = Trail.of("abc")
    >>> len(trail.added("d")), trail.added("d").after(2), len(trail)
    (4, ('c', 'd'), 3)
    """

    full: tuple[tuple[T, ...], ...] = ()
    last: tuple[T, ...] = ()

    @classmethod
    def of(cls, items: Iterable[T]) -> "Trail[T]":
        """Return the trail of these items."""
        trail: Trail[T] = Trail()
        for item in items:
            trail = trail.added(item)
        return trail

    def added(self, item: T) -> "Trail[T]":
        """Return the trail with one more item."""
        if len(self.last) < PAGE:
            return Trail(self.full, (*self.last, item))
        return Trail((*self.full, self.last), (item,))

    def after(self, count: int) -> tuple[T, ...]:
        """Return the items after the first so many."""
        page, place = divmod(count, PAGE)
        pages = [*self.full[page:], self.last] if page <= len(self.full) else []
        return tuple(chain.from_iterable(pages))[place:]

    def __len__(self) -> int:
        return len(self.full) * PAGE + len(self.last)

    def __getitem__(self, place: int) -> T:
        page, rest = divmod(range(len(self))[place], PAGE)
        return (*self.full[page : page + 1], self.last)[0][rest]

    def __iter__(self) -> Iterator[T]:
        return chain(chain.from_iterable(self.full), self.last)


@final
class Ledger(msgspec.Struct, frozen=True):
    """Numbers by name, in buckets: one more name copies its bucket alone.

    >>> ledger = Ledger().noted("0 a", 7)
    >>> ledger.number("0 a"), ledger.number("0 b")
    (7, None)
    """

    buckets: tuple[dict[str, int], ...] = ({},) * BUCKETS

    @classmethod
    def of(cls, numbers: Iterable[tuple[str, int]]) -> "Ledger":
        """Return the ledger of these names and numbers."""
        buckets: tuple[dict[str, int], ...] = tuple({} for _ in range(BUCKETS))
        for name, number in numbers:
            buckets[_bucket(name)][name] = number
        return cls(buckets)

    def number(self, name: str) -> int | None:
        """Return the number that was noted last under a name."""
        return self.buckets[_bucket(name)].get(name)

    def noted(self, name: str, number: int) -> "Ledger":
        """Return the ledger with this number under this name."""
        place = _bucket(name)
        changed = {**self.buckets[place], name: number}
        return Ledger((*self.buckets[:place], changed, *self.buckets[place + 1 :]))

    def numbers(self) -> dict[str, int]:
        """Return all numbers by their names, in order of the names."""
        return dict(sorted(pair for bucket in self.buckets for pair in bucket.items()))


def _bucket(name: str) -> int:
    return crc32(name.encode(errors="surrogatepass")) % BUCKETS
