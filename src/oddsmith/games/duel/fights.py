"""How duels with the house go is worked out once for a fighter and some rules, and remembered."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple, get_args

import numpy as np

from oddsmith import disk_cache, wire
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Reading
from oddsmith.games.duel.model import SteadyPolicy
from oddsmith.games.duel.policies import BLIND, POLICIES
from oddsmith.games.duel.policy_odds import follow_policy
from oddsmith.games.duel.rules import DeckKind, RelevantSuit, Rewards, Rules
from oddsmith.games.duel.simulation import play_duels
from oddsmith.games.duel.tally import DuelSummary

__all__ = [
    "BLIND_POLICIES",
    "Chances",
    "SteadyPolicy",
    "blind_chances",
    "load_summary",
    "make_reading",
    "simulate_policy",
    "summarize_policy",
]

BLIND_POLICIES: Final[tuple[SteadyPolicy, ...]] = tuple(
    name for name in get_args(SteadyPolicy) if POLICIES[name] in BLIND
)
"""Ways to play that never look at anything."""

LAST_FOLLOWED: Final = 512
LAST_RULES: Final = 16
MADE_BY: Final = {"follower": 2}
"""Raised whenever chances may come out differently, so that older ones are not taken from the disk cache."""
SUMMARY_MADE_BY: Final = {"prospects": 1}
"""Likewise for summaries of duels; the name is that of earlier versions, whose files are still read."""
SEED: Final = "figures"
"""Duels that are played for a figure are always the same ones."""


def summarize_policy(policy: SteadyPolicy, rules: Rules) -> DuelSummary:
    """Return how duels with fresh decks end, computed round by round.

    >>> f"{summarize_policy('all_defense', Rules(difficulty=3)).win:.4f}"
    '0.6000'
    """
    return _summarize(policy, rules.replace(deck=DeckKind.FRESH))


@lru_cache(maxsize=LAST_FOLLOWED)
def _summarize(policy: SteadyPolicy, rules: Rules) -> DuelSummary:
    return follow_policy(POLICIES[policy], rules)


def load_summary(name: str, rules: Rules, make: Callable[[], DuelSummary]) -> DuelSummary:
    """Return the summary that is in the disk cache under this name and these rules; else make it and put it there.

    The decks of the rules make no difference.
    """
    place = f"duel-{name}-{rules.replace(deck=DeckKind.FRESH).rules_id}"
    kept = disk_cache.load(place, SUMMARY_MADE_BY)
    if kept is not None:
        try:
            return wire.from_json(kept["prospects"].tobytes(), DuelSummary)
        except (KeyError, InputError):
            pass
    made = make()
    arrays = {"prospects": np.frombuffer(wire.to_json(made), dtype=np.uint8)}
    disk_cache.store(place, arrays, SUMMARY_MADE_BY)
    return made


class Chances(NamedTuple):
    """The chance to win, that of them on the clock, and how far each may be off."""

    win: float
    timeout_win: float
    error: float


def blind_chances(rules: Rules) -> Mapping[tuple[SteadyPolicy, int], Chances]:
    """Return how often the rules' fighter wins who looks at nothing, by policy and difficulty; kept in the disk cache.

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


@lru_cache(maxsize=LAST_RULES)
def _blind_chances(rules: Rules) -> Mapping[tuple[SteadyPolicy, int], Chances]:
    levels = range(1, len(rules.house.attack_cards) + 1)
    asked = [(policy, level) for level in levels for policy in BLIND_POLICIES]
    name = f"duel-blind-{rules.rules_id}"
    kept = disk_cache.load(name, MADE_BY) or {}
    table = kept.get("chances")
    if table is None or table.shape != (len(asked), len(Chances._fields)):
        ends = [summarize_policy(policy, rules.replace(difficulty=level)) for policy, level in asked]
        table = np.array([(end.win, end.timeout_win, end.error) for end in ends])
        disk_cache.store(name, {"chances": table}, MADE_BY)
    return dict(zip(asked, map(Chances._make, table.tolist()), strict=True))


@lru_cache(maxsize=LAST_FOLLOWED)
def simulate_policy(policy: str, rules: Rules, duels: int) -> DuelSummary:
    """Return how so many duels end that are played by the rules as they are; errors are those of 95 %.

    >>> simulate_policy("all_attack", Rules(difficulty=1), 50).duels
    50
    """
    return play_duels(policy, rules, duels, SEED).summarize(rules.rounds)


def make_reading(value: float, error: float, duels: int | None = None) -> Reading:
    """Return a number that was computed within a bound, or counted in so many duels.

    >>> make_reading(0.5, 0.0625)
    Reading(value=Fraction(1, 2), error=Fraction(1, 16), basis=<Basis.BOUNDED: 'bounded'>, name=None)
    """
    basis = Basis.BOUNDED if duels is None else Basis.ESTIMATED
    return Reading(Fraction(value), Fraction(error), basis)
