"""What every position of a duel is worth to one who plays perfectly, with fresh decks.

Against the house that is the best that can be done. Between players it is the best reply to a rival who splits at
random. Values are solved once for given rules and kept on disk.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith import disk_cache
from oddsmith.cards import STANDARD_DECK, Card, require_in_deck
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.game import Seat
from oddsmith.games.duel.classes import Integers, hand_kinds, house_exchange, random_exchange, split_powers
from oddsmith.games.duel.model import Power, Result
from oddsmith.games.duel.rules import DeckKind, Rules
from oddsmith.games.duel.scoring import (
    SPLITS,
    Objective,
    attack,
    damage,
    defense,
    fled_from_house,
    fled_from_player,
    house_result,
    player_result,
    relevant_cards,
    split,
)
from oddsmith.odds import attrition
from oddsmith.odds.distribution import Distribution
from oddsmith.poker import FULL_HAND

__all__ = ["Objective", "Solved", "SplitWorth", "kept_solution", "solve", "solve_reply"]

MOST_STATES: Final = 20_000_000
MADE_BY: Final = {"solver": 1}
"""Raised whenever solutions may come out differently, so that older ones are not taken from the disk cache."""
EVEN: Final = 0.5

Solution: TypeAlias = tuple[NDArray[np.float64], Integers, float]
"""What every position is worth, what the opponent may do, and how far rounding may have moved a value."""


class SplitWorth(msgspec.Struct, frozen=True, kw_only=True):
    """One of the 32 splits: what it is, what it deals and takes (on average, where the opponent is hidden), its worth."""

    defends: tuple[bool, ...]
    attack: Power
    defense: Power
    dealt: Fraction
    taken: Fraction
    value: float


class Solved(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """The value of every position, and so the best split of every hand; `solve` makes it.

    Values are floats; `error` bounds how far rounding may have moved any of them. `house` is false for the best
    reply to a rival, whose `objective` is to win.
    """

    rules: Rules
    objective: Objective
    house: bool
    table: NDArray[np.float64]
    exchange: Integers
    error: float

    def value(self, hp: int | None = None, opponent_hp: int | None = None, number: int = 1) -> float:
        """Return what it is worth to stand before round `number` with these hit points; full ones unless told."""
        full = self.rules.player_hp, self.rules.opponent_hp if self.house else self.rules.player_hp
        mine = full[0] if hp is None else hp
        theirs = full[1] if opponent_hp is None else opponent_hp
        if not (1 <= mine <= full[0] and 1 <= theirs <= full[1] and 1 <= number <= self.rules.rounds):
            raise InputError(
                "no_position",
                f"{mine} against {theirs} HP in round {number} is no position of this duel: hit points are 1 to "
                f"{full[0]} and 1 to {full[1]}, rounds 1 to {self.rules.rounds}",
            )
        return float(self.table[number - 1, mine, theirs])

    def after(self, hp: int, opponent_hp: int, number: int, relevant: int) -> float:
        """Return what it is worth that round `number` has left these hit points, with so many relevant cards in hand."""
        result = self._result(hp, opponent_hp, number, relevant)
        return self._payoff(result) if result is not None else self.value(hp, opponent_hp, number + 1)

    def _result(self, hp: int, opponent_hp: int, number: int, relevant: int) -> Result | None:
        if self.house:
            return house_result(hp, opponent_hp, number, relevant, self.rules)
        return player_result((hp, opponent_hp), number, self.rules)

    def _payoff(self, result: Result) -> float:
        return self.objective.of(result) if self.house else _share(result)

    def flight(self, number: int) -> float:
        """Return what it is worth to flee in round `number`; minus infinity where that is not allowed."""
        if number > self.rules.flee_rounds:
            return -inf
        return self._payoff(fled_from_house(self.rules) if self.house else fled_from_player((True, False)))

    def splits(
        self,
        hand: Sequence[Card],
        hp: int | None = None,
        opponent_hp: int | None = None,
        number: int = 1,
        *,
        shown: tuple[int, int] | None = None,
    ) -> tuple[SplitWorth, ...]:
        """Return all 32 splits of a hand, best first, equal ones in the order of `SPLITS`.

        `shown` are the opponent's attack and defense; without them the split is worth its mean over all that the
        opponent may do.
        """
        require_in_deck(hand, STANDARD_DECK)
        if len(hand) != FULL_HAND:
            raise InputError("bad_hand", f"a hand has {FULL_HAND} cards, not {len(hand)}")
        full = self.rules.opponent_hp if self.house else self.rules.player_hp
        mine = self.rules.player_hp if hp is None else hp
        theirs = full if opponent_hp is None else opponent_hp
        self.value(mine, theirs, number)
        exchange = self.exchange if shown is None else np.array([[*shown, 1]], dtype=np.int64)
        relevant = relevant_cards(hand, self.rules)
        fought = _Fought(self, mine, theirs, number, relevant, exchange)
        worth = [fought.worth(hand, defends) for defends in SPLITS]
        return tuple(sorted(worth, key=lambda one: -one.value))


class _Fought:
    """A position and all that the opponent may do in it."""

    def __init__(  # noqa: PLR0917  all of it is the position
        self, solved: Solved, hp: int, opponent_hp: int, number: int, relevant: int, exchange: Integers
    ) -> None:
        self._solved = solved
        self._hps = hp, opponent_hp
        self._where = number, relevant
        self._exchange = exchange.tolist()
        self._total = sum(ways for _, _, ways in self._exchange)
        self._attacks: Counter[int] = Counter()
        self._defenses: Counter[int] = Counter()
        for their_attack, their_defense, ways in self._exchange:
            self._attacks[their_attack] += ways
            self._defenses[their_defense] += ways
        self._after: dict[tuple[int, int], float] = {}

    def worth(self, hand: Sequence[Card], defends: tuple[bool, ...]) -> SplitWorth:
        """Weigh one split against all that the opponent may do."""
        rules = self._solved.rules
        attacking, defending = split(hand, defends)
        power, guard = attack(attacking, rules.player, rules), defense(defending, rules.player, rules)
        least_taken = rules.least_taken if self._solved.house else rules.least_dealt
        out = {their: damage(power.total, their, rules.least_dealt) for their in self._defenses}
        lost = {their: damage(their, guard.total, least_taken) for their in self._attacks}
        value = 0.0
        for their_attack, their_defense, ways in self._exchange:
            value += ways * self._left(lost[their_attack], out[their_defense])
        return SplitWorth(
            defends=defends,
            attack=power,
            defense=guard,
            dealt=Fraction(sum(ways * out[their] for their, ways in self._defenses.items()), self._total),
            taken=Fraction(sum(ways * lost[their] for their, ways in self._attacks.items()), self._total),
            value=value / self._total,
        )

    def _left(self, lost: int, out: int) -> float:
        known = self._after.get((lost, out))
        if known is None:
            left = max(0, self._hps[0] - lost), max(0, self._hps[1] - out)
            known = self._after[lost, out] = self._solved.after(*left, *self._where)
        return known


def kept_solution(rules: Rules, objective: Objective = Objective.WIN) -> Solved | None:
    """Return the solution of the duel with the house that is in the disk cache, or None."""
    kept = _kept(_name(rules, objective))
    if kept is None:
        return None
    table, exchange, error = kept
    return Solved(rules=rules, objective=objective, house=True, table=table, exchange=exchange, error=error)


def _name(rules: Rules, objective: Objective) -> str:
    return f"duel-{objective}-{_key(rules)}"


def solve(
    rules: Rules,
    objective: Objective = Objective.WIN,
    *,
    progress: Callable[[float], None] | None = None,
    keep: bool = True,
) -> Solved:
    """Solve the duel with the house for one objective, or take the solution from the disk cache.

    Decks are taken as fresh in every round, whatever the rules say of them. `progress` hears which share of the
    work is done. What was solved is put in the disk cache, unless it is not to be kept.
    """
    by_suit = objective in (Objective.GOLD, Objective.EXPERIENCE) and rules.relevant_suit.suit is not None
    columns = range(FULL_HAND + 1) if by_suit else range(1)

    def payoff(number: int, hp: int, opponent_hp: int) -> Sequence[float]:
        results = [house_result(hp, opponent_hp, number, relevant, rules) for relevant in columns]
        return [objective.of(result) for result in results if result is not None]

    def contest() -> attrition.Contest:
        return attrition.Contest(
            own=rules.player_hp,
            opponent=rules.opponent_hp,
            rounds=rules.rounds,
            least_dealt=rules.least_dealt,
            least_taken=rules.least_taken,
            shown=rules.opponent_visible,
            hands=_hands(rules, by_suit=by_suit),
            exchange=_exchange(house_exchange(rules)),
            payoff=payoff,
            flight=_flights(objective.of(fled_from_house(rules)), rules),
        )

    table, exchange, error = _solution(_name(rules, objective), contest, progress, keep=keep)
    return Solved(rules=rules, objective=objective, house=True, table=table, exchange=exchange, error=error)


def solve_reply(rules: Rules, seat: Seat = 0, *, progress: Callable[[float], None] | None = None) -> Solved:
    """Solve the best reply to another player who splits at random, where a draw is worth half a victory.

    The solution speaks from the seat's own side: its `rules` have the seat's fighter as the player.
    """
    own = rules if seat == 0 else rules.replace(player=rules.rival, rival=rules.player)

    def payoff(number: int, hp: int, opponent_hp: int) -> Sequence[float]:
        result = player_result((hp, opponent_hp), number, own)
        return [] if result is None else [_share(result)]

    def contest() -> attrition.Contest:
        return attrition.Contest(
            own=own.player_hp,
            opponent=own.player_hp,
            rounds=own.rounds,
            least_dealt=own.least_dealt,
            least_taken=own.least_dealt,
            shown=False,
            hands=_hands(own, by_suit=False),
            exchange=_exchange(random_exchange(own.rival, own)),
            payoff=payoff,
            flight=_flights(_share(fled_from_player((True, False))), own),
        )

    table, exchange, error = _solution(f"duel-reply-{_key(own)}", contest, progress)
    return Solved(
        rules=own, objective=Objective.WIN, house=False, table=table, exchange=exchange, error=error
    )


def _key(rules: Rules) -> str:
    """Return the id that rules have with fresh decks: what is solved does not depend on the deck."""
    return rules.replace(deck=DeckKind.FRESH).rules_id


def _share(result: Result) -> float:
    """Return what a duel between players is worth to the first of them."""
    return EVEN if result.winner is None else float(result.winner == 0)


def _flights(worth: float, rules: Rules) -> list[float]:
    return [worth if number <= rules.flee_rounds else -inf for number in range(1, rules.rounds + 1)]


def _hands(rules: Rules, *, by_suit: bool) -> attrition.Hands:
    kinds, worth = hand_kinds(), split_powers(rules.player, rules)
    ways = kinds.ways if by_suit else kinds.ways.sum(axis=1, keepdims=True)
    return attrition.Hands(attack=worth.attack, defense=worth.defense, ways=ways)


def _exchange(seen: Distribution[tuple[int, int]]) -> attrition.Exchange:
    rows = np.array([(*pair, ways) for pair, ways in seen.items()], dtype=np.int64)
    return attrition.Exchange(*(np.ascontiguousarray(column) for column in rows.T))


def _kept(name: str) -> Solution | None:
    kept = disk_cache.load(name, MADE_BY)
    if kept is None or kept.keys() != {"table", "exchange", "error"}:
        return None
    return kept["table"], kept["exchange"], float(kept["error"])


def _solution(
    name: str,
    contest: Callable[[], attrition.Contest],
    progress: Callable[[float], None] | None,
    *,
    keep: bool = True,
) -> Solution:
    """Return values, the opponent's numbers and the error: from the disk cache, or solved and put there."""
    kept = _kept(name)
    if kept is not None:
        return kept
    asked = contest()
    if asked.own * asked.opponent * asked.rounds > MOST_STATES:
        raise WorkLimitError(
            "too_many_states",
            f"{asked.own} × {asked.opponent} HP × {asked.rounds} rounds are more than the {MOST_STATES:,} "
            "positions that are solved",
        )
    values = attrition.solve(asked, progress=progress)
    exchange = np.stack((asked.exchange.attack, asked.exchange.defense, asked.exchange.ways), axis=1)
    if keep:
        solution = {"table": values.table, "exchange": exchange, "error": np.array(values.error)}
        disk_cache.store(name, solution, MADE_BY)
    return values.table, exchange, values.error
