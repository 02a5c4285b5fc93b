"""Arrays that compiled code uses without counting references to them."""

from typing import TypeVar

__all__ = ["borrow"]

T = TypeVar("T")


def borrow(arrays: T) -> T:
    """Return an array, or a tuple of arrays, as compiled code reads and writes it fastest; Python gets it as it is.

    The caller of compiled code holds its arrays until the call returns, so that compiled code need not count references.
    Without this, each view and each named tuple that is passed on costs two atomic operations for every array in it.
    Compiled code knows `borrow` once `oddsmith.odds.borrowing.arrays` is imported.

    >>> borrow([1, 2])
    [1, 2]
    """
    return arrays
