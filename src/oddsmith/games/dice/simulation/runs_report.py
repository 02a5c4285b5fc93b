"""A report counts how far runs of Dice Hands got; nothing in it is rounded."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate

import msgspec

from oddsmith.errors import InputError
from oddsmith.estimate import Estimate, Proportion
from oddsmith.games.dice.rules import BossKind


class RunEnd(msgspec.Struct, frozen=True):
    """How a run ended, as far as it is counted: how many rounds it won, and which boss the round had that it lost.

    A run that won every round lost none, and so to no boss.
    """

    won: int
    boss: BossKind | None = None


class RunsReport(msgspec.Struct, frozen=True):
    """How often runs ended in which way, and what was bought in all of them; two reports can be added.

    >>> early, late = RunEnd(3, BossKind.MISER), RunEnd(6)
    >>> report = RunsReport({early: 3}, {"upgrade pair": 2}) + RunsReport({late: 1}, {"upgrade pair": 5})
    >>> report.runs, report.rounds.mean, report.won(4).happened, report.best, report.bought["upgrade pair"]
    (4, 3.75, 1, 6, 7)
    """

    ends: Mapping[RunEnd, int]
    bought: Mapping[str, int] = {}

    def __add__(self, other: "RunsReport") -> "RunsReport":
        return RunsReport(
            dict(Counter(self.ends) + Counter(other.ends)), dict(Counter(self.bought) + Counter(other.bought))
        )

    @property
    def runs(self) -> int:
        """How many runs were counted."""
        return sum(self.ends.values())

    @property
    def by_won(self) -> Mapping[int, int]:
        """How many runs won each number of rounds that any of them did."""
        counts: Counter[int] = Counter()
        for end, count in self.ends.items():
            counts[end.won] += count
        return dict(sorted(counts.items()))

    @property
    def rounds(self) -> Estimate:
        """The number of rounds won."""
        return Estimate.of(self.by_won)

    @property
    def best(self) -> int:
        """The most rounds that a run won."""
        return max(self.by_won)

    def won(self, number: int) -> Proportion:
        """Return the share of all runs that won round `number`."""
        return Proportion(self.runs, self._at_least(number))

    def passed(self, number: int) -> Proportion | None:
        """Return the share of the runs that came to round `number` which won it; None where none came."""
        came = self._at_least(number - 1)
        return Proportion(came, self._at_least(number)) if came else None

    def quantile(self, share: Fraction) -> int:
        """Return the least number of rounds that at least this share of the runs did not surpass.

        >>> RunsReport({RunEnd(1): 1, RunEnd(2): 1, RunEnd(9): 2}).quantile(Fraction(1, 2))
        2
        """
        if not 0 <= share <= 1:
            raise InputError("bad_share", f"a share is from 0 to 1, not {share}")
        counted = accumulate(self.by_won.values())
        return next(won for won, runs in zip(self.by_won, counted, strict=True) if runs >= share * self.runs)

    def _at_least(self, number: int) -> int:
        return sum(count for won, count in self.by_won.items() if won >= number)
