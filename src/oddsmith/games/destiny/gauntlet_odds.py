"""Exact odds of a gauntlet: the mean points of a seat, and who wins where every seat plays for its own chance (§12.10)."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm
from typing import Final, NamedTuple, TypeAlias

from oddsmith.errors import InputError
from oddsmith.games.destiny.gauntlet import (
    Standing,
    gauntlet_points,
    is_done,
    may_retire,
    next_seat,
    standings,
    tiers,
)
from oddsmith.games.destiny.gauntlet_rules import MOST_SEATS
from oddsmith.games.destiny.model import Action, Challenge, GauntletState, Retire
from oddsmith.games.destiny.odds import contest_odds
from oddsmith.games.destiny.outlaw_matches import leading_seats
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.scoring import character_bonuses, npc, require_no_exchange
from oddsmith.games.destiny.views import GauntletView

MOST_POSITIONS: Final = 100_000
"""The most positions for which a gauntlet is solved, by an estimate that is too high rather than too low."""
WHOLE: Final = lcm(*range(1, MOST_SEATS + 1))
"""What a win that is not shared counts as, so that every share of it is a whole number."""
CACHED: Final = 256
CACHED_SOLVERS: Final = 8

Outlaws: TypeAlias = tuple[Character, ...]
Standings: TypeAlias = tuple[Standing, ...]
Wins: TypeAlias = tuple[int, ...]


class BoutChance(NamedTuple):
    """The number of pairs of draws of a contest that the outlaw wins, and of all pairs."""

    won: int
    total: int

    @property
    def chance(self) -> Fraction:
        """The chance that the outlaw wins."""
        return Fraction(self.won, self.total)


class Values(NamedTuple):
    """The value of both actions of a seat, for itself: the mean of its final points, or its chance to win.

    `retire` is None before its first contest.
    """

    challenge: Fraction
    retire: Fraction | None

    @property
    def best(self) -> type[Action]:
        """The better action; at a tie the challenge."""
        return Challenge if self.retire is None or self.challenge >= self.retire else Retire


@lru_cache(maxsize=CACHED)
def bout_chances(outlaw: Character, rules: Rules) -> tuple[BoutChance, ...]:
    """Return the chances of an outlaw against the NPC of each tier, in the order in which they are met, as hands are dealt.

    >>> [float(round(one.chance, 3)) for one in bout_chances(Rules().outlaws["iron_jack"], Rules())]
    [0.775, 0.584, 0.305, 0.099, 0.01]
    """
    own = character_bonuses(outlaw, rules)
    met = [contest_odds(own, character_bonuses(npc(tier, rules), rules), rules) for tier in tiers(rules)]
    return tuple(BoutChance(one.attacker, one.total) for one in met)


def points_values(outlaw: Character, standing: Standing, rules: Rules) -> Values:
    """Return the mean of a seat's final points by the action that it takes next, where it then plays for points.

    The seat is not done. Hands are as they are dealt.
    """
    retire = gauntlet_points(standing, rules).fraction if may_retire(standing) else None
    return Values(_points_solver(outlaw, rules)(standing), retire)


@lru_cache(maxsize=CACHED)
def _points_solver(outlaw: Character, rules: Rules) -> Callable[[Standing], Fraction]:
    """Return a function that returns the mean of the final points by a challenge, and keeps what it has found."""
    chances = bout_chances(outlaw, rules)

    @cache
    def challenge(now: Standing) -> Fraction:
        won, lost = _after(now)
        chance = chances[now.beaten].chance
        return chance * value(won) + (1 - chance) * value(lost)

    @cache
    def value(now: Standing) -> Fraction:
        points = gauntlet_points(now, rules).fraction
        return points if is_done(now, rules) else max(points, challenge(now))

    return challenge


def win_values(outlaws: Outlaws, stands: Standings, rules: Rules) -> Values:
    """Return the chance of the seat whose turn it is to win by each action, where every seat plays for its own chance.

    A win that is shared by some seats counts as an equal part of one. Of two actions with the same chance a seat challenges.
    Raises `InputError` where a gauntlet has too many positions, and where hands may be exchanged.

    >>> jack = Rules().outlaws["iron_jack"]
    >>> float(round(win_values((jack, jack), (Standing(), Standing()), Rules()).challenge, 4))
    0.5051
    """
    require_no_exchange(rules, "a gauntlet")
    _require_few(stands, rules)
    solver = _make_solver(outlaws, rules)
    seat = next_seat(stands, rules)
    assert seat is not None  # noqa: S101  asked only while some seat plays
    challenge, retire, scale = solver.options(stands, seat)
    whole = WHOLE * solver.total**scale
    return Values(Fraction(challenge[seat], whole), None if retire is None else Fraction(retire[seat], whole))


def value_actions(view: GauntletState | GauntletView) -> Values:
    """Return the chance to win by each action of the seat whose turn it is; the mean points alone, or where it is not solved."""
    rules, stands = view.rules, standings(view)
    outlaws = tuple(rules.outlaws[choice] for choice in view.choices if choice is not None)
    seat = next_seat(stands, rules)
    assert seat is not None  # noqa: S101  asked only while some seat plays
    if len(outlaws) > 1:
        try:
            return win_values(outlaws, stands, rules)
        except InputError:
            pass
    return points_values(outlaws[seat], stands[seat], rules)


class _Solver:
    """Backward induction over standings; a value is the number of cases in which each seat wins, times `WHOLE`.

    The cases of a position are `total` to the power of the contests that may still be fought from it, so that all values
    are whole numbers.
    """

    def __init__(self, outlaws: Outlaws, rules: Rules) -> None:
        self._rules = rules
        self._chances = [bout_chances(outlaw, rules) for outlaw in outlaws]
        self._values: dict[Standings, Wins] = {}
        self.total = self._chances[0][0].total

    def options(self, stands: Standings, seat: int) -> tuple[Wins, Wins | None, int]:
        """Return the cases of a challenge by the seat whose turn it is, those of its retirement where it may retire, and the scale of both."""
        scale = self._scale(stands)
        won, lost = (_replace(stands, seat, after) for after in _after(stands[seat]))
        ways = self._chances[seat][stands[seat].beaten].won
        cases = tuple(
            ways * one + (self.total - ways) * other
            for one, other in zip(self._scaled(won, scale - 1), self._scaled(lost, scale - 1), strict=True)
        )
        if not may_retire(stands[seat]):
            return cases, None, scale
        retired = _replace(stands, seat, stands[seat]._replace(has_retired=True))
        return cases, self._scaled(retired, scale), scale

    def _scaled(self, stands: Standings, scale: int) -> Wins:
        factor = self.total ** (scale - self._scale(stands))
        return tuple(cases * factor for cases in self._solve(stands))

    def _scale(self, stands: Standings) -> int:
        """Return the most contests that may still be fought."""
        rules = self._rules
        return sum(
            len(rules.npcs) - one.beaten + rules.gauntlet.lives - one.lost - 1
            for one in stands
            if not is_done(one, rules)
        )

    def _solve(self, stands: Standings) -> Wins:
        found = self._values.get(stands)
        if found is None:
            found = self._values[stands] = self._best(stands)
        return found

    def _best(self, stands: Standings) -> Wins:
        seat = next_seat(stands, self._rules)
        if seat is None:
            winners = leading_seats([gauntlet_points(one, self._rules) for one in stands])
            return tuple(WHOLE // len(winners) * (place in winners) for place in range(len(stands)))
        challenge, retire, _ = self.options(stands, seat)
        return challenge if retire is None or challenge[seat] >= retire[seat] else retire


@lru_cache(maxsize=CACHED_SOLVERS)
def _make_solver(outlaws: Outlaws, rules: Rules) -> _Solver:
    """Return the solver of a gauntlet, which keeps the positions that it has solved."""
    return _Solver(outlaws, rules)


def _after(standing: Standing) -> tuple[Standing, Standing]:
    """Return the standing after a victory, and after a defeat."""
    return standing._replace(beaten=standing.beaten + 1), standing._replace(lost=standing.lost + 1)


def _replace(stands: Standings, seat: int, standing: Standing) -> Standings:
    return (*stands[:seat], standing, *stands[seat + 1 :])


def _require_few(stands: Sequence[Standing], rules: Rules) -> None:
    """Raise `InputError` where more positions than are solved may be reached."""
    active = sum(not is_done(one, rules) for one in stands)
    lives, met = rules.gauntlet.lives, len(rules.npcs)
    each = lives + (met + 1) * 2
    bound = active * (met + lives) * each**active
    if bound > MOST_POSITIONS:
        raise InputError(
            "too_many_positions",
            f"a gauntlet is solved with up to {MOST_POSITIONS:,} positions, and this one may have {bound:,}",
            paragraph="12.10",
        )
