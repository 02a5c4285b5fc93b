"""Exact odds of one round of a team duel: the hit points that each fighter has left (§9.10).

Fighters split independently of each other. The damage that a fighter takes is the sum over its attackers, given its own
defence, so its distribution is a mixture of convolutions with whole-number weights. Fighters who share attackers or
attack each other are not independent, so chances of several fighters at once are not products of these.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Final, TypeAlias

from oddsmith.game import Seat
from oddsmith.games.duel.model import SteadyPolicy
from oddsmith.games.duel.policies import BLIND, POLICIES
from oddsmith.games.duel.policy_odds import policy_exchange
from oddsmith.games.duel.rules import Fighter, Rules
from oddsmith.games.duel.scoring import damage
from oddsmith.games.duel.team_bots import gear_rules
from oddsmith.odds.distribution import Distribution

__all__ = ["ComboExchange", "Exchange", "combo_exchange", "fighter_exchange", "round_odds"]

Exchange: TypeAlias = Distribution[tuple[int, int]]
"""The attack and the defence of a fighter."""
ComboExchange: TypeAlias = Distribution[tuple[int, int, bool]]
"""The attack and the defence of a fighter, and whether the attack goes on with its combo."""
EXCHANGES_CACHED: Final = 64


def fighter_exchange(
    policy: SteadyPolicy, own: Fighter, target: Fighter, rules: Rules, target_rules: Rules | None = None
) -> Exchange:
    """Return the attack and the defence of a fighter with a fixed policy, as it splits against its target.

    `rules` are those of the round for the fighter, `target_rules` those for its target, by default the same.

    >>> fighter_exchange("all_attack", Fighter(weapon=5), Fighter(), Rules()).total
    2598960
    """
    return combo_exchange(policy, own, target, rules, target_rules).map(lambda turn: turn[:2])


def combo_exchange(
    policy: SteadyPolicy, own: Fighter, target: Fighter, rules: Rules, target_rules: Rules | None = None
) -> ComboExchange:
    """Return what `fighter_exchange` does, with whether the attack goes on with a combo (§2.12)."""
    is_blind = POLICIES[policy] in BLIND
    other = Fighter() if is_blind else target
    theirs = rules if is_blind or target_rules is None else target_rules
    return _cached_exchange(
        policy,
        *(gear_rules(own, other, one).replace(player_hp=1, rounds=1) for one in (rules, theirs)),
    )


@lru_cache(maxsize=EXCHANGES_CACHED)
def _cached_exchange(policy: SteadyPolicy, rules: Rules, target_rules: Rules) -> ComboExchange:
    return policy_exchange(POLICIES[policy], rules, target_rules)


def round_odds(
    exchanges: Mapping[Seat, Exchange],
    targets: Mapping[Seat, Sequence[Seat]],
    hps: Sequence[int],
    rules: Rules,
) -> dict[Seat, Distribution[int]]:
    """Return the distribution of the hit points that each living fighter has left after a round, exactly.

    `exchanges` are those of the living fighters; each attacks one of its `targets`, all equally likely.
    """
    return {
        seat: _hit_points_left(
            exchange,
            [
                (other, len(targets[attacker]))
                for attacker, other in exchanges.items()
                if seat in targets[attacker]
            ],
            hps[seat],
            rules,
        )
        for seat, exchange in exchanges.items()
    }


def _hit_points_left(
    own: Exchange, attackers: Sequence[tuple[Exchange, int]], hp: int, rules: Rules
) -> Distribution[int]:
    """Return the hit points left after the blows of attackers, each with its number of targets.

    The weights of each sum of damage are packed into one integer, `slot` bits each, so that a product convolves.
    """
    attacks = [(_margin(exchange, 0), count) for exchange, count in attackers]
    slot = (own.total * prod(exchange.total * count for exchange, count in attackers)).bit_length()
    packed = sum(
        ways * prod(_pack(_blows(power, guard, count, hp, rules), slot) for power, count in attacks)
        for guard, ways in _margin(own, 1).items()
    )
    mask = (1 << slot) - 1
    left: Counter[int] = Counter()
    for lost in range(hp * len(attacks) + 1):
        left[max(0, hp - lost)] += packed >> slot * lost & mask
    return Distribution(left)


def _margin(exchange: Exchange, part: int) -> Counter[int]:
    """Return the weights of the attack (0) or of the defence (1) alone."""
    found: Counter[int] = Counter()
    for powers, ways in exchange.items():
        found[powers[part]] += ways
    return found


def _blows(attacks: Counter[int], guard: int, count: int, hp: int, rules: Rules) -> Counter[int]:
    """Return the weights of the damage of an attacker with `count` targets to one of them; no more than `hp` counts."""
    blows: Counter[int] = Counter({0: (count - 1) * attacks.total()})
    for power, ways in attacks.items():
        blows[min(hp, damage(power, guard, rules.least_dealt))] += ways
    return blows


def _pack(weights: Counter[int], slot: int) -> int:
    """Return weights as one integer with `slot` bits for each number from 0 on."""
    return sum(ways << slot * number for number, ways in weights.items())
