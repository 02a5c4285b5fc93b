"""Persistent append-only list and dict with near-constant-time copies."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, Generic, TypeVar, final
from zlib import crc32

import msgspec

T = TypeVar("T")

PAGE: Final = 64
"""The number of items of a full page of a list."""
BUCKETS: Final = 64
"""The number of buckets of a dict."""


@final
class PersistentList(msgspec.Struct, Generic[T], frozen=True):
    """An immutable list of pages: `with_item` copies the last page, and the list of pages where that page is full.

    >>> letters = PersistentList.of("abc")
    >>> len(letters.with_item("d")), letters.with_item("d").items_from(2), len(letters)
    (4, ('c', 'd'), 3)
    """

    full: tuple[tuple[T, ...], ...] = ()
    last: tuple[T, ...] = ()

    @classmethod
    def of(cls, items: Iterable[T]) -> "PersistentList[T]":
        """Return the list of these items."""
        made: PersistentList[T] = PersistentList()
        for item in items:
            made = made.with_item(item)
        return made

    def with_item(self, item: T) -> "PersistentList[T]":
        """Return a list that has one more item at its end."""
        if len(self.last) < PAGE:
            return PersistentList(self.full, (*self.last, item))
        return PersistentList((*self.full, self.last), (item,))

    def items_from(self, start: int) -> tuple[T, ...]:
        """Return the items without the first `start`."""
        page, place = divmod(start, PAGE)
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
class PersistentDict(msgspec.Struct, frozen=True):
    """An immutable dict from text to whole numbers, in hash buckets: `with_item` copies one bucket.

    >>> versions = PersistentDict().with_item("0 a", 7)
    >>> versions.get("0 a"), versions.get("0 b")
    (7, None)
    """

    buckets: tuple[dict[str, int], ...] = ({},) * BUCKETS

    @classmethod
    def of(cls, items: Iterable[tuple[str, int]]) -> "PersistentDict":
        """Return the dict of these keys and numbers; of two with one key, the last counts."""
        buckets: tuple[dict[str, int], ...] = tuple({} for _ in range(BUCKETS))
        for key, number in items:
            buckets[_bucket_index(key)][key] = number
        return cls(buckets)

    def get(self, key: str) -> int | None:
        """Return the number of a key; None where there is none."""
        return self.buckets[_bucket_index(key)].get(key)

    def with_item(self, key: str, number: int) -> "PersistentDict":
        """Return a dict in which the key has this number."""
        index = _bucket_index(key)
        bucket = {**self.buckets[index], key: number}
        return PersistentDict((*self.buckets[:index], bucket, *self.buckets[index + 1 :]))

    def to_dict(self) -> dict[str, int]:
        """Return an ordinary dict, in order of its keys."""
        return dict(sorted(item for bucket in self.buckets for item in bucket.items()))


def _bucket_index(key: str) -> int:
    return crc32(key.encode(errors="surrogatepass")) % BUCKETS
