"""Exact odds of many contests, or checks, between different characters in one vectorised call.

A total is the score of a hand's kind (its rank, and what its cards add), plus its suit score, plus modifiers. The number of
hands of a kind with a given pattern of suits depends only on the pattern's spread (five of one suit, four and one, …), and
there are six spreads. So pairs of kinds are counted once for each pair of spreads, by their difference in score, and
cached. A contest is then 56 × 56 lookups, one for each pair of suit patterns.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.cards import Suit
from oddsmith.games.destiny.classes import RANKS, hand_classes
from oddsmith.games.destiny.model import Degree, Side
from oddsmith.games.destiny.odds import ContestOdds, contest_odds, degree_odds, is_standard
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.rules import DEFAULT, Rules
from oddsmith.games.destiny.scoring import Bonuses, base_hundredths, is_trump, least_margins, tie_winner
from oddsmith.points import Points

Integers = NDArray[np.int64]
Boosts: TypeAlias = tuple[int, ...]
"""The sum of a character's boosts for each rank of `RANKS`, in hundredths."""

MOST_STEPS: Final = 20_000
"""The longest cumulative count, in steps. Rules that need a longer one are counted contest by contest."""
BATCH_SIZE: Final = 64
"""Contests per batch: the index arrays of a batch fit in the CPU cache."""


class _Kinds(msgspec.Struct, frozen=True, eq=False):
    """The kinds of hands by rank and extra value, the spread of each suit pattern, and `ways[spread, kind]`: the hands per pattern."""

    rank: Integers
    extra: Integers
    spread: Integers
    ways: Integers

    @property
    def of_pattern(self) -> Integers:
        """The number of hands by suit pattern and kind."""
        return self.ways[self.spread]


@cache
def _kinds() -> _Kinds:
    table = hand_classes()
    kinds, kind = np.unique(np.stack((table.rank, table.extra), axis=1), axis=0, return_inverse=True)
    spreads, spread = np.unique(np.sort(table.patterns, axis=1), axis=0, return_inverse=True)
    ways = np.zeros((len(spreads), len(kinds)), dtype=np.int64)
    ways[spread.ravel()[table.pattern], kind.ravel()] = table.ways
    return _Kinds(kinds[:, 0], kinds[:, 1], spread.ravel(), ways)


def _scores(rules: Rules, boosts: Boosts) -> Integers:
    """Return the score of each kind in hundredths, boosts included (§2, §5.2)."""
    kinds = _kinds()
    bases = [
        base_hundredths(RANKS[place], extra, rules)
        for place, extra in zip(kinds.rank.tolist(), kinds.extra.tolist(), strict=True)
    ]
    return np.array(bases, dtype=np.int64) + np.array(boosts, dtype=np.int64)[kinds.rank]


class _BonusArrays(msgspec.Struct, frozen=True, eq=False):
    """Bonuses of characters with equal boosts, a row each: the suit score by suit pattern, and the sum of modifiers."""

    suits: Integers
    modifiers: Integers
    boosts: Boosts

    @property
    def added(self) -> Integers:
        return self.suits + self.modifiers[:, None]

    def at(self, places: Integers) -> "_BonusArrays":
        return _BonusArrays(self.suits[places], self.modifiers[places], self.boosts)

    def never_floored(self, rules: Rules) -> NDArray[np.bool_]:
        """Return a mask of the characters of whom no total is below 0, where it would be raised to 0 (§6.1)."""
        least: Integers = self.added.min(axis=1) + _scores(rules, self.boosts).min()
        return least >= 0


def _stack_bonuses(bonuses: Sequence[Bonuses]) -> _BonusArrays:
    suits = np.array([[one.suits[suit].hundredths for suit in Suit] for one in bonuses])
    modifiers = np.array([sum(part.points.hundredths for part in one.modifiers) for one in bonuses])
    return _BonusArrays(suits @ hand_classes().patterns.T, modifiers, _boosts(bonuses[0]))


_NO_BOOSTS: Final = (0,) * len(RANKS)


def _boosts(bonuses: Bonuses) -> Boosts:
    if not bonuses.boosts:
        return _NO_BOOSTS
    return tuple(sum(boost.points.hundredths for boost in bonuses.boosts.get(rank, ())) for rank in RANKS)


class _LeadCounts(msgspec.Struct, frozen=True, eq=False):
    """Cumulative counts of pairs of hands by the lead of the first, for each pair of spreads.

    `counts[first, second, place]` is the number of pairs with a lead of at least `least + place · step` hundredths.
    """

    counts: Integers
    least: int
    step: int

    @property
    def steps(self) -> int:
        return int(self.counts.shape[2]) - 1


@lru_cache(maxsize=16)
def _lead_counts(rules: Rules, attack: Boosts, defense: Boosts) -> _LeadCounts | None:
    """Count pairs of kinds by their difference in score; None where that takes more than `MOST_STEPS` steps."""
    apart = np.subtract.outer(_scores(rules, attack), _scores(rules, defense)).ravel()
    least = int(apart.min())
    apart -= least
    step = int(np.gcd.reduce(apart)) or 1
    apart //= step
    steps = int(apart.max()) + 1
    if steps > MOST_STEPS:
        return None
    ways = _kinds().ways
    counts = np.zeros((len(ways), len(ways), steps + 1), dtype=np.int64)
    for first, second in np.ndindex(len(ways), len(ways)):
        together = np.outer(ways[first], ways[second]).ravel().astype(np.float64)  # far below 2^53: exact
        at = np.bincount(apart, weights=together, minlength=steps).astype(np.int64)
        counts[first, second, :steps] = at[::-1].cumsum()[::-1]
    return _LeadCounts(counts, least, step)


def many_contests(pairs: Sequence[tuple[Bonuses, Bonuses]], rules: Rules = DEFAULT) -> list[ContestOdds]:
    """Return the odds of each contest of an attacker and a defender, equal to those of `contest_odds` (§8).

    >>> from oddsmith.games.destiny.scoring import npc, character_bonuses
    >>> rookie, elite = character_bonuses(npc("rookie")), character_bonuses(npc("elite"))
    >>> many_contests([(rookie, elite)]) == [contest_odds(rookie, elite)]
    True
    """
    if not is_standard(rules):
        return [contest_odds(*pair, rules) for pair in pairs]
    counted = _count_contests(pairs, rules) if not any(is_trump(rank, rules) for rank in RANKS) else {}
    total = int(hand_classes().ways.sum()) ** 2
    return [
        ContestOdds(counted[place], total - counted[place])
        if place in counted
        else contest_odds(*pair, rules)
        for place, pair in enumerate(pairs)
    ]


def _count_contests(pairs: Sequence[tuple[Bonuses, Bonuses]], rules: Rules) -> dict[int, int]:
    """Return the attacker's wins by the place of the contest, for all that tables can count."""
    won: dict[int, int] = {}
    for boosts, places in _alike(pairs).items():
        ahead = _lead_counts(rules, *boosts)
        if ahead is None:
            continue
        sides = [_stack_bonuses([pairs[place][side] for place in places]) for side in (0, 1)]
        fit = np.flatnonzero(np.logical_and(*(side.never_floored(rules) for side in sides)))
        for some in np.split(fit, range(BATCH_SIZE, len(fit), BATCH_SIZE)):
            counts = _count_wins(sides[0].at(some), sides[1].at(some), ahead, rules)
            won.update(zip([places[place] for place in some], counts.tolist(), strict=True))
    return won


def _alike(pairs: Iterable[tuple[Bonuses, Bonuses]]) -> dict[tuple[Boosts, Boosts], list[int]]:
    """Return the places of the pairs with the same boosts."""
    places: dict[tuple[Boosts, Boosts], list[int]] = {}
    for place, (attacker, defender) in enumerate(pairs):
        places.setdefault((_boosts(attacker), _boosts(defender)), []).append(place)
    return places


def _count_wins(
    attackers: _BonusArrays, defenders: _BonusArrays, ahead: _LeadCounts, rules: Rules
) -> Integers:
    """Count the pairs of hands that each attacker wins; equal hands are decided by suits (§8.2, §8.3)."""
    or_level = tie_winner(rules) is Side.ATTACKER
    spread = _kinds().spread
    needed = np.subtract(
        defenders.added[:, None, :], attackers.added[:, :, None], dtype=np.int32, casting="unsafe"
    )  # two totals are never 2^31 hundredths apart
    needed += (not or_level) - ahead.least + ahead.step - 1
    needed //= ahead.step
    np.clip(needed, 0, ahead.steps, out=needed)
    needed += ((spread[:, None] * len(ahead.counts) + spread) * (ahead.steps + 1)).astype(np.int32)
    won: Integers = ahead.counts.ravel().take(needed).sum(axis=(1, 2))
    return won + _same_hand_correction(attackers, defenders, or_level=or_level)


def _same_hand_correction(attackers: _BonusArrays, defenders: _BonusArrays, *, or_level: bool) -> Integers:
    """Return the difference in wins because equal hands are decided by suits instead of totals (§8.3)."""
    beats = np.greater_equal if or_level else np.greater
    boosts = np.subtract(attackers.boosts, defenders.boosts)[_kinds().rank]
    by_suits = beats(attackers.suits, defenders.suits).astype(np.int64)
    apart = attackers.added - defenders.added
    more = np.zeros(len(apart), dtype=np.int64)
    for boost in np.unique(boosts):
        ways = _kinds().of_pattern[:, boosts == boost].sum(axis=1)
        more += (by_suits - beats(apart + boost, 0)) @ ways
    return more


class _ReachCounts(msgspec.Struct, frozen=True, eq=False):
    """Cumulative counts of hands by score: `counts[spread, place]` hands per pattern score at least `scores[place]`."""

    scores: Integers
    counts: Integers


@lru_cache(maxsize=64)
def _reach_counts(rules: Rules, boosts: Boosts, *, royal: bool) -> _ReachCounts:
    """Return the cumulative counts of royal flushes, or of all other hands."""
    kinds = _kinds()
    meant = (kinds.rank == RANKS.index(HandRank.ROYAL_FLUSH)) == royal
    scores = _scores(rules, boosts)[meant]
    order = np.argsort(scores)
    counts = np.zeros((len(kinds.ways), len(order) + 1), dtype=np.int64)
    counts[:, :-1] = kinds.ways[:, meant][:, order][:, ::-1].cumsum(axis=1)[:, ::-1]
    return _ReachCounts(scores[order], counts)


def many_checks(checks: Sequence[tuple[Bonuses, Points]], rules: Rules = DEFAULT) -> Integers:
    """Return the number of hands by degree, best first: a row for each pair of bonuses and threshold (§7).

    >>> from oddsmith.games.destiny.scoring import npc, character_bonuses
    >>> many_checks([(character_bonuses(npc("elite")), Points(275))]).sum()
    np.int64(2598960)
    """
    if not is_standard(rules):
        counted = [degree_odds(bonuses, threshold, rules) for bonuses, threshold in checks]
        return np.array([[one.weight(degree) for degree in Degree] for one in counted], dtype=np.int64)
    met = np.zeros((len(checks), len(Degree)), dtype=np.int64)
    for boosts, places in _alike_checks(checks).items():
        bonuses = _stack_bonuses([checks[place][0] for place in places])
        thresholds = np.array([checks[place][1].hundredths for place in places])
        for rank in (HandRank.ROYAL_FLUSH, HandRank.HIGH_CARD):
            reached = _reach_counts(rules, boosts, royal=rank is HandRank.ROYAL_FLUSH)
            for worst, margin in enumerate(least_margins(rank, rules)):
                met[places, worst] += _count_reaching(thresholds + margin, bonuses, reached)
    met[:, 1:] -= met[:, :-1].copy()
    return met


def _alike_checks(checks: Iterable[tuple[Bonuses, Points]]) -> dict[Boosts, list[int]]:
    places: dict[Boosts, list[int]] = {}
    for place, (bonuses, _) in enumerate(checks):
        places.setdefault(_boosts(bonuses), []).append(place)
    return places


def _count_reaching(totals: Integers, bonuses: _BonusArrays, reached: _ReachCounts) -> Integers:
    """Count the hands with which each character reaches its total; every hand reaches 0 or less (§6.1)."""
    places = np.searchsorted(reached.scores, totals[:, None] - bonuses.added)
    places[totals <= 0] = 0
    counts: Integers = reached.counts[_kinds().spread, places].sum(axis=1)
    return counts
