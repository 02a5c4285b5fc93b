"""Summaries of duels with the house by policy and rules: computed or simulated once, then cached."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from oddsmith import disk_cache, wire
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Reading
from oddsmith.games.duel.model import STEADY_POLICIES, SteadyPolicy
from oddsmith.games.duel.policies import BLIND, POLICIES
from oddsmith.games.duel.policy_odds import compute_policy_odds
from oddsmith.games.duel.rules import DeckKind, RelevantSuit, Rewards, Rules
from oddsmith.games.duel.simulation import play_duels
from oddsmith.games.duel.tally import DuelSummary

BLIND_POLICIES: Final[tuple[SteadyPolicy, ...]] = tuple(
    name for name in STEADY_POLICIES if POLICIES[name] in BLIND
)
"""Names of the policies whose choice does not depend on the damage."""

SUMMARIES_CACHED: Final = 512
CHANCES_CACHED: Final = 16
CHANCES_HEADER: Final = {"follower": 2}
"""The version of the computation, raised when chances may change: the disk cache ignores those of other versions."""
SUMMARY_HEADER: Final = {"prospects": 1}
"""The version of summaries; the key has the name of earlier releases, whose files are still read."""
ESTIMATED_DUELS: Final = 400
"""The number of duels from which odds are estimated that are not computed."""
SEED: Final = "figures"
"""The seed of duels that are simulated for a figure."""


def summarize_policy(policy: SteadyPolicy, rules: Rules) -> DuelSummary:
    """Return the summary of duels with fresh decks, computed round by round and cached in memory.

    With combos, `ESTIMATED_DUELS` duels of a fixed seed are simulated instead (§8.5).

    >>> f"{summarize_policy('all_defense', Rules(difficulty=3)).win:.4f}"
    '0.6000'
    """
    return _summarize(policy, rules.replace(deck=DeckKind.FRESH))


@lru_cache(maxsize=SUMMARIES_CACHED)
def _summarize(policy: SteadyPolicy, rules: Rules) -> DuelSummary:
    if rules.combo_ranks:
        return simulate_policy(policy, rules, ESTIMATED_DUELS)
    return compute_policy_odds(POLICIES[policy], rules)


def load_summary(name: str, rules: Rules, make: Callable[[], DuelSummary]) -> DuelSummary:
    """Return the summary of this name and these rules from the disk cache; else call `make` and store its result.

    The key does not depend on the decks of the rules.
    """
    place = f"duel-{name}-{rules.replace(deck=DeckKind.FRESH).rules_id}"
    stored = disk_cache.load(place, SUMMARY_HEADER)
    if stored is not None:
        try:
            return wire.from_json(stored["prospects"].tobytes(), DuelSummary)
        except (KeyError, InputError):
            pass
    summary = make()
    arrays = {"prospects": np.frombuffer(wire.to_json(summary), dtype=np.uint8)}
    disk_cache.store(place, arrays, SUMMARY_HEADER)
    return summary


class Chances(NamedTuple):
    """The chance to win, the chance to win by timeout, and the error bound of both."""

    win: float
    timeout_win: float
    error: float


def blind_chances(rules: Rules) -> Mapping[tuple[SteadyPolicy, int], Chances]:
    """Return the chances of the rules' fighter by blind policy and difficulty, cached on disk.

    >>> from oddsmith.games.duel.rules import House
    >>> single = Rules(difficulty=1, rounds=1, house=House(attack_cards=((5,),)))
    >>> f"{blind_chances(single)['all_defense', 1].win:.4f}"
    '0.4582'
    """
    return _blind_chances(
        rules.replace(
            difficulty=1,
            deck=DeckKind.FRESH,
            rewards=Rewards(),
            relevant_suit=RelevantSuit.NONE,
            timeout_rewards=Decimal(1),
        )
    )


@lru_cache(maxsize=CHANCES_CACHED)
def _blind_chances(rules: Rules) -> Mapping[tuple[SteadyPolicy, int], Chances]:
    levels = range(1, len(rules.house.attack_cards) + 1)
    keys = [(policy, level) for level in levels for policy in BLIND_POLICIES]
    name = f"duel-blind-{rules.rules_id}"
    stored = disk_cache.load(name, CHANCES_HEADER) or {}
    array = stored.get("chances")
    if array is None or array.shape != (len(keys), len(Chances._fields)):
        ends = [summarize_policy(policy, rules.replace(difficulty=level)) for policy, level in keys]
        array = np.array([(end.win, end.timeout_win, end.error) for end in ends])
        disk_cache.store(name, {"chances": array}, CHANCES_HEADER)
    return dict(zip(keys, map(Chances._make, array.tolist()), strict=True))


@lru_cache(maxsize=SUMMARIES_CACHED)
def simulate_policy(policy: str, rules: Rules, duels: int) -> DuelSummary:
    """Return the summary of `duels` simulated duels, with the decks of the rules; errors are half-widths at 95 %.

    >>> simulate_policy("all_attack", Rules(difficulty=1), 50).duels
    50
    """
    return play_duels(policy, rules, duels, SEED).summarize(rules.rounds)


def make_reading(value: float, error: float, duels: int | None = None) -> Reading:
    """Return a reading that is bounded by an error, or estimated where `duels` is given.

    >>> make_reading(0.5, 0.0625)
    Reading(value=Fraction(1, 2), error=Fraction(1, 16), basis=<Basis.BOUNDED: 'bounded'>, name=None)
    """
    basis = Basis.BOUNDED if duels is None else Basis.ESTIMATED
    return Reading(Fraction(value), Fraction(error), basis)
