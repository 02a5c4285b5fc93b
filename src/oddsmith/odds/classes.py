"""Class tables: items grouped by a key, with exact counts, so that a rule is evaluated once for each class."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar, cast

import msgspec

from oddsmith.errors import InputError
from oddsmith.odds.distribution import Distribution

__all__ = ["ClassTable", "collapse"]

T = TypeVar("T")
U = TypeVar("U", bound=Hashable)
K = TypeVar("K", bound=Hashable)


class ClassTable(msgspec.Struct, Generic[K, T], frozen=True):
    """Classes in ascending order of their keys, each with the number of its items and its first item.

    >>> table = collapse(range(1, 11), key=lambda number: number % 3)
    >>> table.keys, table.counts, table.representatives
    ((0, 1, 2), (3, 4, 3), (3, 1, 2))
    """

    keys: tuple[K, ...]
    counts: tuple[int, ...]
    representatives: tuple[T, ...]

    @property
    def total(self) -> int:
        """The number of items in all classes."""
        return sum(self.counts)

    def distribution(self, rule: Callable[[T], U]) -> Distribution[U]:
        """Return the distribution of `rule(item)` over all items, evaluating the rule once for each class.

        The key must separate items for which the rule returns different values.

        >>> words = collapse(["ace", "king", "two", "ten"], key=len)
        >>> words.distribution(len)
        Distribution({3: 3, 4: 1})
        """
        return Distribution(
            (rule(item), count) for item, count in zip(self.representatives, self.counts, strict=True)
        )

    def __len__(self) -> int:
        return len(self.keys)


def collapse(
    items: Iterable[T], key: Callable[[T], K], weight: Callable[[T], int] | None = None
) -> ClassTable[K, T]:
    """Group items by key, each counted once or with its weight.

    A negative weight is refused with `bad_weight`, keys that cannot be sorted with `no_order`. Items of weight 0
    are ignored.

    >>> collapse(["A♠", "A♥", "K♠"], key=lambda text: text[0]).counts
    (2, 1)
    """
    counts: dict[K, int] = {}
    first: dict[K, T] = {}
    for item in items:
        ways = 1 if weight is None else weight(item)
        if ways < 0:
            raise InputError("bad_weight", f"a weight is a whole number from 0: {ways!r} was given")
        if ways:
            class_key = key(item)
            first.setdefault(class_key, item)
            counts[class_key] = counts.get(class_key, 0) + ways
    keys = _sort_keys(counts)
    return ClassTable(keys, tuple(counts[class_key] for class_key in keys), tuple(first[k] for k in keys))


def _sort_keys(keys: Iterable[K]) -> tuple[K, ...]:
    try:
        return tuple(sorted(cast("Iterable[Any]", keys)))
    except TypeError as error:
        raise InputError("no_order", "the keys of classes need an order, so that a table has one") from error
