"""Simulation of team duels between fixed policies with fresh decks: many duels at once, as arrays (§9.11).

Attack and defence of a round are drawn from their exact distribution. The rules of a round are those of `team_scoring`,
restated for arrays and tested against them.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.estimate import Estimate, Proportion
from oddsmith.game import Seat
from oddsmith.games.duel.classes import Integers
from oddsmith.games.duel.conditions import round_rules
from oddsmith.games.duel.model import SteadyPolicy
from oddsmith.games.duel.policies import BLIND, POLICIES, at_random
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.team_odds import combo_exchange
from oddsmith.games.duel.team_scoring import gear_of, living_opponents

__all__ = ["TeamTally", "fight_rounds", "simulate_teams"]

Booleans = NDArray[np.bool_]
BATCH: Final = 10_000
"""Duels in a batch; progress is reported after each."""


class TeamTally(msgspec.Struct, frozen=True):
    """The number of simulated duels by winner, 0, 1 or None, and by last round."""

    winners: Mapping[int | None, int]
    rounds: Mapping[int, int]

    @property
    def duels(self) -> int:
        """The number of duels."""
        return sum(self.winners.values())

    def share(self, winner: int | None) -> Proportion:
        """Return the share of duels that a side won, or of draws where `winner` is None."""
        return Proportion(self.duels, self.winners.get(winner, 0))

    @property
    def length(self) -> Estimate:
        """The number of rounds."""
        return Estimate.of(self.rounds)


def simulate_teams(
    policies: Sequence[SteadyPolicy],
    rules: Rules,
    duels: int,
    seed: str | int,
    *,
    progress: Callable[[float], None] | None = None,
) -> TeamTally:
    """Simulate team duels with fresh decks between fixed policies, one for each seat, and return how they end.

    >>> rules = Rules.preset("teams_of_two")
    >>> simulate_teams(["all_attack"] * 4, rules, 1_000, "yuma").duels
    1000
    """
    generator = np.random.default_rng(int.from_bytes(hashlib.sha256(str(seed).encode()).digest()))
    arena = _Arena(policies, rules)
    winners: Counter[int | None] = Counter()
    rounds: Counter[int] = Counter()
    for first in range(0, duels, BATCH):
        size = min(BATCH, duels - first)
        won, last = arena.fight(generator, size)
        for side, number in zip(won.tolist(), last.tolist(), strict=True):
            winners[None if side == 0 else 0 if side > 0 else 1] += 1
            rounds[number] += 1
        if progress is not None:
            progress((first + size) / duels)
    return TeamTally(dict(winners), dict(rounds))


def fight_rounds(
    hps: Integers, attacks: Integers, defenses: Integers, targets: Integers, least: int
) -> Integers:
    """Return the hit points after a round of many duels: arrays by duel and seat; the fallen neither strike nor are struck."""
    rows = np.arange(len(hps))[:, np.newaxis]
    dealt = np.where(hps > 0, np.maximum(least, attacks - defenses[rows, targets]), 0)
    taken = np.zeros_like(hps)
    np.add.at(taken, (rows, targets), dealt)
    left: Integers = np.maximum(0, hps - taken)
    return left


class _Arena:
    """The fighters of a team duel, and the distributions of their attack and defence by target."""

    def __init__(self, policies: Sequence[SteadyPolicy], rules: Rules) -> None:
        self._policies = policies
        self._rules = rules
        self._size = rules.teams.size
        self._drawings: dict[tuple[Seat, Seat, Rules, Rules], tuple[Integers, Integers]] = {}

    def fight(self, generator: np.random.Generator, duels: int) -> tuple[Integers, Integers]:
        """Fight duels to their end; return the sign of the winner, 1 for side 0 and 0 for a draw, and the last round.

        A side that is out has no hit points, and after the last round the greater sum wins, as all have the same full hit
        points: in either case the sign of the difference decides.
        """
        hps = np.full((duels, 2 * self._size), self._rules.player_hp, dtype=np.int64)
        streaks = np.zeros_like(hps)
        won, last = np.zeros(duels, dtype=np.int64), np.zeros(duels, dtype=np.int64)
        going = np.arange(duels)
        for number in range(1, self._rules.rounds + 1):
            hps[going], streaks[going] = self._fight_round(generator, number, hps[going], streaks[going])
            sums = hps[going, : self._size].sum(axis=1), hps[going, self._size :].sum(axis=1)
            over = (sums[0] == 0) | (sums[1] == 0) | (number == self._rules.rounds)
            won[going[over]] = np.sign(sums[0] - sums[1])[over]
            last[going[over]] = number
            going = going[~over]
        return won, last

    def _fight_round(
        self, generator: np.random.Generator, number: int, hps: Integers, streaks: Integers
    ) -> tuple[Integers, Integers]:
        """Return the hit points and the streaks after a round; fighters draw in groups of equal target and streaks."""
        targets = np.stack([self._choose_targets(generator, seat, hps) for seat in self._seats], axis=1)
        attacks, defenses, after = np.zeros_like(hps), np.zeros_like(hps), np.zeros_like(hps)
        rows, most = np.arange(len(hps)), self._rules.combos.most
        for seat in self._seats:
            order = np.array(living_opponents(seat, (1,) * (2 * self._size), self._rules))
            target_streaks = streaks[rows, targets[:, seat]]
            if POLICIES[self._policies[seat]] in BLIND:
                target_streaks = np.zeros_like(target_streaks)
            groups = np.stack(
                (order.argsort()[targets[:, seat] - order.min()], streaks[:, seat], target_streaks)
            )
            living = np.flatnonzero(hps[:, seat] > 0)
            found, place = np.unique(groups[:, living], axis=1, return_inverse=True)
            for group, (turned, streak, other) in enumerate(found.T.tolist()):
                here = living[place.ravel() == group]
                turns, ways = self._turns(seat, int(order[turned]), number, streak, other)
                drawn = ways.searchsorted(generator.integers(ways[-1], size=len(here)), side="right")
                attacks[here, seat], defenses[here, seat], goes_on = turns[drawn].T
                after[here, seat] = np.where(goes_on, min(streak + 1, most), 0)
        return fight_rounds(hps, attacks, defenses, targets, self._rules.least_dealt), after

    def _choose_targets(self, generator: np.random.Generator, seat: Seat, hps: Integers) -> Integers:
        """Return the target of a seat in each duel, as its bot chooses it (§9.9)."""
        order = np.array(living_opponents(seat, (1,) * (2 * self._size), self._rules))
        theirs = hps[:, order]
        if POLICIES[self._policies[seat]] is at_random:
            keys = np.where(theirs > 0, generator.random(theirs.shape), 2.0)
        else:
            keys = np.where(theirs > 0, theirs, np.inf)
        targets: Integers = order[keys.argmin(axis=1)]
        return targets

    @property
    def _seats(self) -> range:
        return range(2 * self._size)

    def _turns(
        self, seat: Seat, target: Seat, number: int, streak: int, target_streak: int
    ) -> tuple[Integers, Integers]:
        """Return rows of attack, defence and whether the combo goes on, and their cumulative ways."""
        rules, target_rules = (round_rules(self._rules, number, one) for one in (streak, target_streak))
        key = seat, target, rules, target_rules
        if key not in self._drawings:
            exchange = combo_exchange(
                self._policies[seat], gear_of(seat, rules), gear_of(target, rules), rules, target_rules
            )
            ways = np.array([ways for _, ways in exchange.items()], dtype=np.int64)
            self._drawings[key] = np.array(list(exchange), dtype=np.int64), ways.cumsum()
        return self._drawings[key]
