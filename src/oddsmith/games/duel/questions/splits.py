"""The splits of a hand in a position are ranked: by what perfect play makes of them, or by the trade they are."""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite

import msgspec
import numpy as np

from oddsmith.cards import Card
from oddsmith.games.duel.classes import house_exchange
from oddsmith.games.duel.model import Power
from oddsmith.games.duel.odds import Objective, Solved, SplitWorth
from oddsmith.games.duel.rules import Rules

__all__ = ["SplitReply", "WeighedSplit", "traded", "weighed"]


class WeighedSplit(msgspec.Struct, frozen=True, kw_only=True):
    """One split of a hand: its two sides, the damage it deals and takes, its worth, its loss to the best."""

    attack: Power
    defense: Power
    dealt: Fraction
    taken: Fraction
    value: float | None = None
    loss: float | None = None


class SplitReply(msgspec.Struct, frozen=True, kw_only=True):
    """The splits of a hand, best first, valued with fresh decks.

    `enemy` is the attack and the defence that are shown; null where splits are means over all that the opponent
    may do. `flight` is what fleeing is worth, null where it is not allowed. `error` bounds how far a value is from the
    true one, and twice it a loss. `objective`, `error` and every value are null where nothing was solved.
    """

    rules_id: str
    hand: tuple[Card, ...]
    hp: int
    enemy_hp: int
    round: int
    enemy: tuple[int, int] | None
    objective: Objective | None
    error: float | None
    flight: float | None
    splits: tuple[WeighedSplit, ...]


def weighed(
    solved: Solved, hand: Sequence[Card], hps: tuple[int, int], number: int, enemy: tuple[int, int] | None
) -> SplitReply:
    """Weigh the splits of a hand, and flight, by what perfect play makes of each; of equals the better trade first."""
    found = sorted(
        solved.splits(hand, *hps, number, shown=enemy),
        key=lambda one: (one.value, *_trade(one)),
        reverse=True,
    )
    flight = solved.flight(number)
    best = found[0].value
    return _reply(
        solved.rules,
        hand,
        hps,
        number,
        enemy,
        objective=solved.objective,
        error=solved.error,
        flight=flight if isfinite(flight) else None,
        splits=[(one, one.value, best - one.value) for one in found],
    )


def traded(
    rules: Rules, hand: Sequence[Card], hps: tuple[int, int], number: int, enemy: tuple[int, int] | None
) -> SplitReply:
    """Rank the splits of a hand by damage dealt less damage taken, of equal ones that which deals more."""
    unsolved = _unsolved(rules, hidden=enemy is None)
    found = sorted(unsolved.splits(hand, *hps, number, shown=enemy), key=_trade, reverse=True)
    return _reply(
        rules,
        hand,
        hps,
        number,
        enemy,
        objective=None,
        error=None,
        flight=None,
        splits=[(one, None, None) for one in found],
    )


def _trade(one: SplitWorth) -> tuple[Fraction, Fraction]:
    return one.dealt - one.taken, one.dealt


def _unsolved(rules: Rules, *, hidden: bool) -> Solved:
    """Return a solution in which nothing is worth anything: it still knows what splits deal and take."""
    table = np.broadcast_to(np.float64(0), (rules.rounds, rules.player_hp + 1, rules.opponent_hp + 1))
    rows = [(*pair, ways) for pair, ways in house_exchange(rules).items()] if hidden else []
    exchange = np.array(rows, dtype=np.int64)
    return Solved(rules=rules, objective=Objective.WIN, house=True, table=table, exchange=exchange, error=0.0)


def _reply(
    rules: Rules,
    hand: Sequence[Card],
    hps: tuple[int, int],
    number: int,
    enemy: tuple[int, int] | None,
    *,
    objective: Objective | None,
    error: float | None,
    flight: float | None,
    splits: Sequence[tuple[SplitWorth, float | None, float | None]],
) -> SplitReply:
    return SplitReply(
        rules_id=rules.rules_id,
        hand=tuple(hand),
        hp=hps[0],
        enemy_hp=hps[1],
        round=number,
        enemy=enemy,
        objective=objective,
        error=error,
        flight=flight,
        splits=tuple(
            WeighedSplit(
                attack=one.attack,
                defense=one.defense,
                dealt=one.dealt,
                taken=one.taken,
                value=value,
                loss=less,
            )
            for one, value, less in splits
        ),
    )
