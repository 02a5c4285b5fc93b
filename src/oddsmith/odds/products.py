"""Exact products of generating functions by fast Fourier transforms, and weighted pairs counted in one sort.

Entries are split into balanced digits, and products of digits are rounded to the nearest integer. The rounding
error of a convolution is at most the product of the digits' 2-norms times a factor of the length (Brent, Percival
and Zimmermann, 2007). Digits are chosen so that this bound is below 1/4, so the nearest integer is the exact value.
"""

from collections.abc import Iterator, Sequence
from math import ceil, log2, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import InputError

__all__ = ["count_pairs_above", "digits_needed", "log_norm", "multiply", "smooth_length", "write_digits"]

Floats = NDArray[np.float64]
Spectra = NDArray[np.complex128]
Terms = list[tuple[int, Floats]]
"""A generating function: the sum of `2**shift · array` over its terms, arrays of integers within ±2⁵², lowest shift first."""

_BLOCK_LENGTH = 2**16  # a few arrays of this length fit in the CPU cache
_ROUNDOFF = 2.0**-53
_SLACK = 1 + 2.0**-20  # covers the rounding of the norms and of the bound themselves
_MOST_ERROR = 0.25


def multiply(x: Terms, y: Terms) -> Terms:
    """Return the exact product of two generating functions."""
    length = len(x[0][1]) + len(y[0][1]) - 1
    size = smooth_length(length)
    rows, left, width = _split_digits(x, y, size)
    spectra = np.fft.rfft(rows)
    products = _sum_diagonals(spectra[:left], spectra[left:])
    raw = np.fft.irfft(products, size, out=rows[: len(products)])
    _round_in_place(raw)
    return [(width * place, row[:length]) for place, row in enumerate(raw)]


def _sum_diagonals(left: Spectra, right: Spectra) -> Spectra:
    """Return, for each significance, the sum of the products of digits, so that one inverse transform serves it."""
    if len(right) == 1:
        left *= right
        return left
    sums = np.zeros((len(left) + len(right) - 1, left.shape[1]), dtype=np.complex128)
    for place, spectrum in enumerate(left):
        sums[place : place + len(right)] += spectrum * right
    return sums


def _round_in_place(raw: Floats) -> None:
    """Round to integers in place; an entry that is 1/4 or more away from an integer raises `ArithmeticError`."""
    for row in raw:
        for start in range(0, len(row), _BLOCK_LENGTH):
            chunk = row[start : start + _BLOCK_LENGTH]
            whole = np.rint(chunk)
            chunk -= whole
            if not max(chunk.max(), -chunk.min()) < _MOST_ERROR:
                raise ArithmeticError(
                    "the Fourier transform of this numpy errs more than double precision may"
                )
            chunk[:] = whole


def _split_digits(x: Terms, y: Terms, size: int) -> tuple[Floats, int, int]:
    """Split both factors into the fewest balanced digits for which the error bound is below 1/4.

    Return the digits as rows, padded with zeros to `size`, the number of rows that belong to x, and the width in
    bits.
    """
    factor = _error_factor(size)
    candidates = _digit_plans(x, y, factor)
    while True:
        left, right, width = next(candidates)
        rows = np.empty((left + right, size))
        write_digits(x, width, rows[:left])
        write_digits(y, width, rows[left:])
        norms = [_norm(row) for row in rows]
        if _largest_diagonal(norms[:left], norms[left:]) * factor < _MOST_ERROR:
            return rows, left, width


def _digit_plans(x: Terms, y: Terms, factor: float) -> Iterator[tuple[int, int, int]]:
    """Yield digit counts of x and y with a width, cheapest first, whose predicted norms satisfy the error bound."""
    x_norm, y_norm = log_norm(x), log_norm(y)
    x_spread, y_spread = (log2(len(terms[0][1]) / 12) / 2 for terms in (x, y))
    digit_count = 2
    while True:
        for right in range(1, digit_count):
            left = digit_count - right
            widest = ceil(max(x_norm / left, y_norm / right))
            for width in range(widest, max(0, widest - 6), -1):
                ours = _predict_norms(left, width, x_norm, x_spread)
                theirs = _predict_norms(right, width, y_norm, y_spread)
                if (
                    max(ours) * max(theirs) * factor < _MOST_ERROR
                    and _largest_diagonal(ours, theirs) * factor < _MOST_ERROR
                ):
                    yield left, right, width
        digit_count += 1


def _predict_norms(digit_count: int, width: int, norm: float, spread: float) -> list[float]:
    """Return the expected norms of balanced digits: all but the last are distributed as if they were random."""
    top = 2.0 ** min(norm - width * (digit_count - 1), 500.0)
    return [2.0 ** min(width + spread, norm, 500.0)] * (digit_count - 1) + [top]


def _largest_diagonal(left: Sequence[float], right: Sequence[float]) -> float:
    """Return the largest sum of products of norms on one diagonal, rounded up by the error of its additions.

    An addition errs by u of its sum, and the error factor of any length is more than 32u.
    """
    sums = [0.0] * (len(left) + len(right) - 1)
    for i, ours in enumerate(left):
        for j, theirs in enumerate(right):
            sums[i + j] += ours * theirs
    additions = min(len(left), len(right)) - 1
    return max(sums) * (1 + additions / 32)


def _norm(array: Floats) -> float:
    """Return an upper bound of the 2-norm. BLAS is avoided because its threads would compete with the caller's."""
    return sqrt(float(np.einsum("i,i->", array, array))) * _SLACK


def log_norm(terms: Terms) -> float:
    """Estimate the binary logarithm of the 2-norm from the two most significant terms."""
    top = terms[-1][0]
    norm = sum(2.0 ** (shift - top) * _norm(array) for shift, array in terms[-2:])
    return log2(norm + 1) + top


def _error_factor(size: int) -> float:
    """Return the factor that bounds the error of a convolution of this length: see the module's docstring."""
    twiddle, passes = sqrt(5) + 8, 0.0
    for radix, butterfly in ((4, 2.0), (2, 1.0), (3, 11.0), (5, 20.0)):
        while size % radix == 0:
            size //= radix
            passes += butterfly + twiddle
    return (3 * passes + 8) * _ROUNDOFF * _SLACK


def smooth_length(least: int) -> int:
    """Return the smallest length from `least` on that is a power of two, at least 2, times 1, 3, 5, 9 or 15.

    >>> smooth_length(1000), smooth_length(291_424)
    (1024, 294912)
    """
    return min(odd << max(1, (-(-least // odd) - 1).bit_length()) for odd in (1, 3, 5, 9, 15))


def write_digits(terms: Terms, width: int, rows: Floats) -> None:
    """Write the entries into `rows` as balanced digits of `width` bits, lowest first; the last row takes the rest."""
    length, last = len(terms[0][1]), len(rows) - 1
    rows[:, length:] = 0
    for start in range(0, length, _BLOCK_LENGTH):
        end = min(start + _BLOCK_LENGTH, length)
        carry = np.zeros(end - start)
        for place, row in enumerate(rows):
            low = place * width
            high = low + width if place < last else terms[-1][0] + 1
            pieces = [(shift - low, array[start:end]) for shift, array in terms if low <= shift < high]
            if place < last:
                carry = _write_digit(pieces, carry, width, row[start:end])
            else:
                row[start:end] = sum((piece * 2.0**shift for shift, piece in pieces), start=carry)


def _write_digit(pieces: Terms, carry: Floats, width: int, row: Floats) -> Floats:
    """Write one digit from the terms that begin inside it, and return the carry to the next digit."""
    buffer, carried = np.empty_like(carry), []
    for shift, piece in pieces:
        if shift:
            high = _divide_rounded(piece, width - shift)
            carried.append(high)
            np.multiply(high, -(2.0 ** (width - shift)), out=buffer)
            buffer += piece
            buffer *= 2.0**shift
            carry += buffer
        else:
            carry += piece
    high = _divide_rounded(carry, width)
    np.multiply(high, -(2.0**width), out=buffer)
    np.add(carry, buffer, out=row)
    return sum(carried, start=high)


def _divide_rounded(array: Floats, bits: int) -> Floats:
    """Return the array divided by `2**bits`, rounded to the nearest integer."""
    high = array * 2.0**-bits
    return np.rint(high, out=high)


def digits_needed(terms: Terms, width: int) -> int:
    """Return how many balanced digits of `width` bits represent every entry with a last digit no wider than the others."""
    top = terms[-1][0]
    largest = sum(2.0 ** (shift - top) * max(array.max(), -array.min()) for shift, array in terms)
    return ceil((log2(largest + 1) + top + 2) / width)


Integers = NDArray[np.int64]

WORD_BITS: Final = 63


def count_pairs_above(
    values: Integers, weights: Integers, others: Integers, other_weights: Integers, *, or_level: bool = False
) -> int:
    """Return the total weight of pairs in which a value is greater than one of the others, or equal with `or_level`.

    Neither list needs to be sorted. Every value is packed with its position into one machine word, so that one sort
    orders both lists. At a tie, the entry that must not be counted has the higher position. Values too far apart
    for one word are refused with `too_wide`, weights whose product may overflow with `too_heavy`.

    >>> die = np.arange(1, 7); once = np.ones(6, dtype=np.int64)
    >>> count_pairs_above(die, once, die, once), count_pairs_above(die, once, die, once, or_level=True)
    (15, 21)
    """
    first, second = (others, values) if or_level else (values, others)
    both = np.concatenate((first, second))
    least, most, bits = int(both.min()), int(both.max()), len(both).bit_length()
    if (most - least).bit_length() + bits > WORD_BITS:
        raise InputError("too_wide", "these values lie too far apart to be compared in machine words")
    if int(weights.sum()) * int(other_weights.sum()) >= 1 << WORD_BITS:
        raise InputError("too_heavy", "these weights are too large to be compared in machine words")
    both -= least
    both <<= bits
    both |= np.arange(len(both))
    both.sort()
    both &= (1 << bits) - 1
    zeros = np.zeros_like
    order = (other_weights, zeros(weights)) if or_level else (zeros(weights), other_weights)
    below = np.add.accumulate(np.concatenate(order)[both])
    order = (zeros(other_weights), weights) if or_level else (weights, zeros(other_weights))
    return int(np.concatenate(order)[both] @ below)
