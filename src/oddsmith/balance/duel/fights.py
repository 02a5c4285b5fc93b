"""How duels with the house go is worked out once for a fighter and some rules, and remembered."""

from functools import lru_cache
from typing import Final, Literal, TypeAlias

from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.prospects import Prospects, prospects
from oddsmith.games.duel.rules import DeckKind, Rules
from oddsmith.sim.duels import play_duels

__all__ = ["SteadyPolicy", "followed", "fought"]

SteadyPolicy: TypeAlias = Literal["random", "all_attack", "all_defense", "best_trade"]
"""Who splits by a simple rule, and never looks at hit points or the round."""

LAST_FOLLOWED: Final = 512
SEED: Final = "figures"
"""Duels that are played for a figure are always the same ones."""


def followed(policy: SteadyPolicy, rules: Rules) -> Prospects:
    """Return how duels with fresh decks end, computed round by round.

    >>> f"{followed('all_defense', Rules(difficulty=3)).win:.4f}"
    '0.6000'
    """
    return _followed(policy, rules.replace(deck=DeckKind.FRESH))


@lru_cache(maxsize=LAST_FOLLOWED)
def _followed(policy: SteadyPolicy, rules: Rules) -> Prospects:
    return prospects(POLICIES[policy], rules)


@lru_cache(maxsize=LAST_FOLLOWED)
def fought(policy: str, rules: Rules, duels: int) -> Prospects:
    """Return how so many duels end that are played by the rules as they are; errors are those of 95 %.

    >>> fought("all_attack", Rules(difficulty=1), 50).duels
    50
    """
    return play_duels(policy, rules, duels, SEED).prospects(rules.rounds)
