"""Hands and scores of normal dice by icepool and dyce, libraries that share no code with oddsmith.

The hands come from the rules page alone: each function returns the sum of the matched dice, or None.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

import icepool  # type: ignore[import-untyped]  # it ships no types
from dyce import H, P

Faces = tuple[int, ...]
MatchedSum = Callable[[Faces], int | None]


def _groups(*sizes: int) -> MatchedSum:
    def matched_sum(faces: Faces) -> int | None:
        return max(_ways_to_group(Counter(faces), sizes), default=None)

    return matched_sum


def _ways_to_group(counts: Counter[int], sizes: tuple[int, ...]) -> Iterator[int]:
    if not sizes:
        yield 0
        return
    for value in [value for value, count in counts.items() if count >= sizes[0]]:
        others = Counter({other: count for other, count in counts.items() if other != value})
        yield from (sizes[0] * value + rest for rest in _ways_to_group(others, sizes[1:]))


def _run(length: int) -> MatchedSum:
    def matched_sum(faces: Faces) -> int | None:
        windows = [range(low, low + length) for low in range(1, 8 - length)]
        return max((sum(window) for window in windows if set(window) <= set(faces)), default=None)

    return matched_sum


def _pyramid(faces: Faces) -> int | None:
    return 44 if faces.count(2) >= 1 and faces.count(4) >= 3 and faces.count(6) >= 5 else None


def _parity(odd: int) -> MatchedSum:
    return lambda faces: sum(faces) if all(face % 2 == odd for face in faces) else None


PAGE: Final[tuple[tuple[str, int, Fraction, int, MatchedSum], ...]] = (
    ("pyramid", 200, Fraction(10), 9, _pyramid),
    ("seven_of_a_kind", 175, Fraction(8), 7, _groups(7)),
    ("six_of_a_kind", 130, Fraction(6), 6, _groups(6)),
    ("five_of_a_kind", 100, Fraction(5), 5, _groups(5)),
    ("full_run", 80, Fraction(9, 2), 6, _run(6)),
    ("two_triplets", 65, Fraction(4), 6, _groups(3, 3)),
    ("four_of_a_kind", 60, Fraction(7, 2), 4, _groups(4)),
    ("three_pairs", 50, Fraction(3), 6, _groups(2, 2, 2)),
    ("large_straight", 45, Fraction(3), 5, _run(5)),
    ("full_house", 40, Fraction(5, 2), 5, _groups(3, 2)),
    ("all_even", 40, Fraction(3), 5, _parity(0)),
    ("all_odd", 40, Fraction(3), 5, _parity(1)),
    ("small_straight", 30, Fraction(5, 2), 4, _run(4)),
    ("three_of_a_kind", 30, Fraction(2), 3, _groups(3)),
    ("two_pair", 20, Fraction(3, 2), 4, _groups(2, 2)),
    ("pair", 10, Fraction(3, 2), 2, _groups(2)),
    ("high_roll", 5, Fraction(1), 1, max),
)


def judge_roll(faces: Faces) -> tuple[str, int]:
    """Return the first hand of the rules page that faces make, and its score."""
    for name, base, multiplier, least, rule in PAGE:
        total = rule(faces) if len(faces) >= least else None
        if total is not None:
            return name, int((base + total) * multiplier)
    raise AssertionError(faces)


class Referee(icepool.MultisetEvaluator[int, tuple[str, int]]):  # type: ignore[misc]  # icepool ships no types
    """Collects the faces of a roll and judges them at the end."""

    def next_state(self, state: Any, order: Any, outcome: Any, /, *counts: Any) -> Any:  # noqa: ANN401, ARG002  icepool's own types
        return (state or ()) + (outcome,) * counts[0]

    def final_outcome(self, final_state: Any, order: Any, outcomes: Any, /, *_: Any, **__: Any) -> Any:  # noqa: ANN401, ARG002  icepool's own types
        return judge_roll(final_state)


def count_by_icepool(size: int) -> dict[tuple[str, int], int]:
    """Return in how many ways normal dice make each hand and score, counted by icepool."""
    counted = Referee().evaluate(icepool.d6.pool(size))
    return dict(counted.items())


def count_by_dyce(size: int) -> dict[tuple[str, int], int]:
    """Return the same, counted by dyce."""
    counted: Counter[tuple[str, int]] = Counter()
    for faces, ways in P(*[H(6)] * size).rolls_with_counts():
        counted[judge_roll(tuple(faces))] += ways
    return dict(counted)
