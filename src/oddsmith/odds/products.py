"""Exact products of generating functions by Fourier transforms with proven rounding, and pairs counted in one sort."""

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
"""A generating function: the sum of `2**shift · array`, the arrays being integers within ±2⁵², lowest shift first."""

_BLOCK_LENGTH = 2**16  # a few arrays of this length stay in a processor's cache
_ROUNDOFF = 2.0**-53
_SLACK = 1 + 2.0**-20  # covers the rounding of the norms and of the bound themselves
_MOST_ERROR = 0.25


def multiply(x: Terms, y: Terms) -> Terms:
    """Multiply two generating functions exactly."""
    length = len(x[0][1]) + len(y[0][1]) - 1
    size = smooth_length(length)
    rows, left, width = _split_digits(x, y, size)
    spectra = np.fft.rfft(rows)
    products = _sum_diagonals(spectra[:left], spectra[left:])
    raw = np.fft.irfft(products, size, out=rows[: len(products)])
    _round_in_place(raw)
    return [(width * place, row[:length]) for place, row in enumerate(raw)]


def _sum_diagonals(left: Spectra, right: Spectra) -> Spectra:
    """Add up the products of digits of the same significance, so that one inverse serves them all."""
    if len(right) == 1:
        left *= right
        return left
    sums = np.zeros((len(left) + len(right) - 1, left.shape[1]), dtype=np.complex128)
    for place, spectrum in enumerate(left):
        sums[place : place + len(right)] += spectrum * right
    return sums


def _round_in_place(raw: Floats) -> None:
    """Round to integers in place, and confirm that each was beyond doubt."""
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
    """Cut both into the fewest balanced digits whose products are provably rounded right.

    Return the digits, zeros up to `size` behind them, the number of those that are x's, and their width.
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
    """Go through numbers of digits and their widths, cheapest first, that should keep the error bound."""
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
    """Foresee the norms of balanced digits: all but the last look random."""
    top = 2.0 ** min(norm - width * (digit_count - 1), 500.0)
    return [2.0 ** min(width + spread, norm, 500.0)] * (digit_count - 1) + [top]


def _largest_diagonal(left: Sequence[float], right: Sequence[float]) -> float:
    """Return the largest sum of products of norms on one diagonal, with room for the rounding of its additions.

    An addition errs by u of its sum, and the error factor of any length is more than 32u.
    """
    sums = [0.0] * (len(left) + len(right) - 1)
    for i, ours in enumerate(left):
        for j, theirs in enumerate(right):
            sums[i + j] += ours * theirs
    additions = min(len(left), len(right)) - 1
    return max(sums) * (1 + additions / 32)


def _norm(array: Floats) -> float:
    """Bound the 2-norm from above; not by BLAS, whose threads would fight with ours."""
    return sqrt(float(np.einsum("i,i->", array, array))) * _SLACK


def log_norm(terms: Terms) -> float:
    """Estimate the binary logarithm of the norm from the two most significant terms."""
    top = terms[-1][0]
    norm = sum(2.0 ** (shift - top) * _norm(array) for shift, array in terms[-2:])
    return log2(norm + 1) + top


def _error_factor(size: int) -> float:
    """Bound the error of a convolution of this length as a multiple of the norms: see the top of the module."""
    twiddle, passes = sqrt(5) + 8, 0.0
    for radix, butterfly in ((4, 2.0), (2, 1.0), (3, 11.0), (5, 20.0)):
        while size % radix == 0:
            size //= radix
            passes += butterfly + twiddle
    return (3 * passes + 8) * _ROUNDOFF * _SLACK


def smooth_length(least: int) -> int:
    """Return the smallest length from `least` on that is a power of two, at least 2, times one of a few odd numbers.

    >>> smooth_length(1000), smooth_length(291_424)
    (1024, 294912)
    """
    return min(odd << max(1, (-(-least // odd) - 1).bit_length()) for odd in (1, 3, 5, 9, 15))


def write_digits(terms: Terms, width: int, rows: Floats) -> None:
    """Write the entries as balanced digits of `width` bits, lowest first, zeros behind; the last takes all that is left."""
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
    """Write one digit from the pieces that begin inside it; return what is carried to the next."""
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
    """Divide by a power of two, to the nearest integer."""
    high = array * 2.0**-bits
    return np.rint(high, out=high)


def digits_needed(terms: Terms, width: int) -> int:
    """Return how many balanced digits of `width` bits hold every entry, the last being no larger than the others."""
    top = terms[-1][0]
    largest = sum(2.0 ** (shift - top) * max(array.max(), -array.min()) for shift, array in terms)
    return ceil((log2(largest + 1) + top + 2) / width)


Integers = NDArray[np.int64]

WORD_BITS: Final = 63


def count_pairs_above(
    values: Integers, weights: Integers, others: Integers, other_weights: Integers, *, or_level: bool = False
) -> int:
    """Count the weighted pairs in which a value stands above (or level with) another; neither list is sorted.

    Every value is packed with its place into one word, so that one plain sort puts both lists in order and
    settles ties: what must not be counted at a tie is placed behind.

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
