"""How duels end: a summary of chances and means, and a tally of played duels."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, Self

import msgspec

from oddsmith.errors import InputError
from oddsmith.estimate import Estimate, Proportion
from oddsmith.games.duel.model import Ending, Result

MOST_DUELS: Final = 10_000_000


def require_duels(duels: int) -> None:
    """Raise `InputError` unless the number of duels is from 1 to `MOST_DUELS`."""
    if not 1 <= duels <= MOST_DUELS:
        raise InputError("bad_duels", f"from 1 to {MOST_DUELS:,} duels can be fought: {duels} were asked for")


class DuelSummary(msgspec.Struct, frozen=True, kw_only=True):
    """How duels end: chances, the mean number of rounds and of gold, each within its `error`.

    `timeout` is the chance to fight to the last round, won or not; `ends[n]` the chance to end in round n + 1.
    `duels` is the number of simulated duels, None where nothing was simulated.
    """

    win: float
    defeat: float
    draw: float
    timeout: float
    timeout_win: float
    flee: float
    rounds: float
    gold: float
    ends: tuple[float, ...]
    error: float
    gold_error: float
    rounds_error: float
    duels: int | None = None


class End(msgspec.Struct, frozen=True):
    """The counted part of a result: why the duel ended, who won, the gold, and the round."""

    why: Ending
    winner: int | None
    gold: int
    number: int

    @classmethod
    def of(cls, result: Result, number: int) -> Self:
        """Return the end of a duel with this result in round `number`."""
        return cls(result.why, result.winner, result.gold, number)


class Tally(msgspec.Struct, frozen=True):
    """The number of duels by their end; two tallies can be added.

    >>> won, lost = End(Ending.KNOCK_OUT, 0, 120, 4), End(Ending.TIMEOUT, 1, 0, 20)
    >>> tally = Tally({won: 3}) + Tally({lost: 1})
    >>> tally.duels, tally.wins.mean, tally.gold.mean, tally.timeouts_lost.happened
    (4, 0.75, 90.0, 1)
    """

    ends: Mapping[End, int]

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(dict(Counter(self.ends) + Counter(other.ends)))

    @property
    def duels(self) -> int:
        """The number of duels."""
        return sum(self.ends.values())

    @property
    def wins(self) -> Proportion:
        """Duels won by seat 0."""
        return self._share({end for end in self.ends if end.winner == 0})

    @property
    def defeats(self) -> Proportion:
        """Duels won by the opponent; a flight from the house has no winner."""
        return self._share({end for end in self.ends if end.winner == 1})

    @property
    def draws(self) -> Proportion:
        """Duels without a winner from which nobody fled."""
        return self._share({end for end in self.ends if end.winner is None and end.why is not Ending.FLIGHT})

    @property
    def flights(self) -> Proportion:
        """Duels that ended by flight."""
        return self._share({end for end in self.ends if end.why is Ending.FLIGHT})

    @property
    def timeouts(self) -> Proportion:
        """Duels that ended after the last round without a knock-out."""
        return self._share({end for end in self.ends if end.why is Ending.TIMEOUT})

    @property
    def timeouts_won(self) -> Proportion:
        """Duels won by timeout."""
        return self._share({end for end in self.ends if end.why is Ending.TIMEOUT and end.winner == 0})

    @property
    def timeouts_lost(self) -> Proportion:
        """Duels lost by timeout."""
        return self._share({end for end in self.ends if end.why is Ending.TIMEOUT and end.winner == 1})

    @property
    def rounds(self) -> Estimate:
        """The number of rounds."""
        return Estimate.of(self.by_round)

    @property
    def gold(self) -> Estimate:
        """The gold of a duel."""
        return Estimate.of(self._counted({end: end.gold for end in self.ends}))

    @property
    def by_round(self) -> Mapping[int, int]:
        """The number of duels by the round in which they ended; rounds without any are left out."""
        return self._counted({end: end.number for end in self.ends})

    def summarize(self, rounds: int) -> DuelSummary:
        """Return the chances and means for duels of up to `rounds` rounds.

        Errors are half-widths at 95 %; `error` is the widest of all chances.
        """
        chances = (self.wins, self.defeats, self.draws, self.timeouts, self.timeouts_won, self.flights)
        ends = [Proportion(self.duels, self.by_round.get(number, 0)) for number in range(1, rounds + 1)]
        return DuelSummary(
            win=self.wins.mean,
            defeat=self.defeats.mean,
            draw=self.draws.mean,
            timeout=self.timeouts.mean,
            timeout_win=self.timeouts_won.mean,
            flee=self.flights.mean,
            rounds=self.rounds.mean,
            gold=self.gold.mean,
            ends=tuple(share.mean for share in ends),
            error=max(share.error for share in (*chances, *ends)),
            gold_error=self.gold.error,
            rounds_error=self.rounds.error,
            duels=self.duels,
        )

    def _share(self, ends: set[End]) -> Proportion:
        return Proportion(self.duels, sum(self.ends[end] for end in ends))

    def _counted(self, numbers: Mapping[End, int]) -> dict[int, int]:
        counts: Counter[int] = Counter()
        for end, number in numbers.items():
            counts[number] += self.ends[end]
        return dict(sorted(counts.items()))
