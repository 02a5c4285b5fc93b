"""Compiled code with borrowed arrays computes what numpy does, without counting references."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

import oddsmith.odds.borrowing.arrays  # noqa: F401  registers `borrow` with the compiler
from oddsmith.odds.borrowing import borrow

ROW = np.arange(6)
TABLE = np.arange(20.0).reshape(4, 5)
CUBE = np.arange(24, dtype=np.int32).reshape(2, 3, 4)


def total(part: Any) -> Any:  # noqa: ANN401  an array in Python, a borrowed one in compiled code
    """Add up a row."""
    summed = 0
    for place in range(len(part)):
        summed += part[place]
    return summed


compiled_total = njit(total)


READS: dict[str, tuple[np.ndarray[Any, Any], Callable[[Any], Any]]] = {
    "number": (ROW, lambda array: borrow(array)[2]),
    "number from the end": (ROW, lambda array: borrow(array)[-1]),
    "number of a table": (TABLE, lambda array: borrow(array)[3, 4]),
    "number of a table from the end": (TABLE, lambda array: borrow(array)[-1, -2]),
    "number of a cube": (CUBE, lambda array: borrow(array)[1, 2, 3]),
    "length of a table": (TABLE, lambda array: len(borrow(array))),
    "length of a row": (TABLE, lambda array: len(borrow(array)[1])),
    "width of a table": (TABLE, lambda array: borrow(array).shape[1]),
    "row": (TABLE, lambda array: compiled_total(borrow(array)[2])),
    "row of a cube": (CUBE, lambda array: compiled_total(borrow(array)[1, 2])),
    "slice": (ROW, lambda array: compiled_total(borrow(array)[1:4])),
    "slice to the end": (ROW, lambda array: compiled_total(borrow(array)[4:])),
    "slice from the start": (ROW, lambda array: compiled_total(borrow(array)[:-2])),
    "slice beyond the end": (ROW, lambda array: compiled_total(borrow(array)[4:9])),
    "slice of nothing": (ROW, lambda array: len(borrow(array)[4:2])),
    "slice of a row": (TABLE, lambda array: compiled_total(borrow(array)[2, 1:3])),
    "slice of a row of a cube": (CUBE, lambda array: compiled_total(borrow(array)[1, 2, 1:])),
    "slice of rows": (TABLE, lambda array: compiled_total(borrow(array)[1:3][1])),
    "borrowed twice": (TABLE, lambda array: borrow((borrow(array), 1))[0][1, 1]),
}


@pytest.mark.sweep
@pytest.mark.parametrize(("array", "read"), READS.values(), ids=READS)
def test_reads_agree_with_python(
    array: np.ndarray[Any, Any], read: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = njit(read)(array)
    monkeypatch.setitem(globals(), "compiled_total", total)

    assert read(array) == found


def write_numbers(array: Any) -> None:  # noqa: ANN401  an array in Python, a borrowed one in compiled code
    here = borrow(array)
    here[0, 0] = 7
    here[-1, -1] += 2
    here[1][2] = -1


def fill_parts(array: Any) -> None:  # noqa: ANN401  an array in Python, a borrowed one in compiled code
    here = borrow(array)
    here[0] = 7
    here[1, 2:] = 8
    here[2:, ] = 9  # fmt: skip


def fill_all(array: Any) -> None:  # noqa: ANN401  an array in Python, a borrowed one in compiled code
    borrow(array)[:] = 3


@pytest.mark.sweep
@pytest.mark.parametrize("write", [write_numbers, fill_parts, fill_all])
@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.int8])
def test_writes_agree_with_python(write: Callable[[Any], None], dtype: type) -> None:
    expected: np.ndarray[Any, Any] = np.ones((4, 5), dtype)
    found: np.ndarray[Any, Any] = np.ones((4, 5), dtype)
    write(expected)
    njit(write)(found)

    assert expected.tolist() == found.tolist()


class Inner(NamedTuple):
    """Two rows."""

    first: Any
    second: Any


class Outer(NamedTuple):
    """A number, rows, and a two-dimensional array."""

    number: int
    inner: Inner
    table: Any


def add_up(given: Outer) -> Any:  # noqa: ANN401  a number
    """Write into every array of nested tuples, and read from them."""
    outer, (row, _) = borrow((given, (given.inner.first, 0)))
    outer.inner.second[1] = row[0] + outer.number
    outer.table[0, 1] += outer.inner.second[1]
    return outer.table[0, 1]


def test_arrays_in_tuples_are_borrowed() -> None:
    def make_outer() -> Outer:
        return Outer(3, Inner(np.array([4, 5]), np.array([6, 7])), np.ones((2, 2)))

    mine, its = make_outer(), make_outer()

    assert add_up(mine) == njit(add_up)(its) == 8.0
    assert [4, 5, 6, 7, 1.0, 8.0, 1.0, 1.0] == [
        number for array in (*its.inner, its.table) for number in array.ravel()
    ]


def test_borrowed_arrays_have_no_reference_counts() -> None:
    """A function with borrowed arguments has no reference to them."""

    def pass_on(table: Any, row: int) -> Any:  # noqa: ANN401  an array in Python, a borrowed one in compiled code
        return compiled_total(table[row])

    options: dict[str, Any] = {
        "no_cpython_wrapper": True
    }  # the wrapper counts references, because it takes arrays from Python
    inner = njit(pass_on, **options)

    def entry(table: Any) -> Any:  # noqa: ANN401  an array in Python, a borrowed one in compiled code
        return inner(borrow(table), 1)

    found = njit(entry)(TABLE)
    [written] = inner.inspect_llvm().values()

    assert TABLE[1].sum() == found
    assert "NRT_" not in written


def put_row(array: Any) -> None:  # noqa: ANN401  an array in Python, a borrowed one in compiled code
    """Assign an array to a slice."""
    borrow(array)[1:3] = array[1:3]


WRONG: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "a step": (ROW, lambda array: borrow(array)[::2]),
    "a text": (ROW, lambda array: borrow(array)["a"]),
    "an array into a slice": (ROW, put_row),
    "an array with gaps": (TABLE[:, 1], lambda array: len(borrow(array))),
    "a text in a tuple": (ROW, lambda array: len(borrow((array, "a")))),
}


@pytest.mark.parametrize(("array", "ask"), WRONG.values(), ids=WRONG)
def test_other_uses_are_not_compiled(array: np.ndarray[Any, Any], ask: Callable[[Any], Any]) -> None:
    with pytest.raises(TypingError):
        njit(ask)(array)
