"""Values of every position of a duel under perfect play, with fresh decks.

Against the house, perfect play is optimal. Between players it is the best reply to a rival who splits at random.
Solutions are cached on disk by rules and objective.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import groupby
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
from oddsmith.games.duel.conditions import require_no_combos, round_rules
from oddsmith.games.duel.model import Power, Result
from oddsmith.games.duel.rules import DeckKind, Rules
from oddsmith.games.duel.scoring import (
    SPLITS,
    Objective,
    damage,
    house_flight_result,
    house_result,
    player_flight_result,
    player_result,
    relevant_cards,
    split,
    split_power,
)
from oddsmith.odds import attrition
from oddsmith.odds.distribution import Distribution
from oddsmith.poker import FULL_HAND

__all__ = ["Objective", "Solution", "SplitValue", "load_solution", "solve", "solve_reply"]

MOST_STATES: Final = 20_000_000
CACHE_HEADER: Final = {"solver": 1}
"""The version of the solver, raised when solutions may change: the disk cache ignores those of other versions."""
DRAW_VALUE: Final = 0.5
STAGES_CACHED: Final = 32
"""Cache size for the opponent's exchanges in rounds with worn gear."""

SolutionArrays: TypeAlias = tuple[NDArray[np.float64], Integers, float]
"""Values by round and hit points, the opponent's exchanges with their ways, and the error bound of values."""


class SplitValue(msgspec.Struct, frozen=True, kw_only=True):
    """One of the 32 splits: its powers, the damage dealt and taken (means where the opponent is hidden) and its value."""

    defends: tuple[bool, ...]
    attack: Power
    defense: Power
    dealt: Fraction
    taken: Fraction
    value: float


class Solution(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """The value of every position, and from it the best split of every hand; `solve` and `solve_reply` return it.

    `values[number - 1, hp, opponent_hp]` is the value before round `number`; `error` bounds its rounding error. Rows
    of `exchange` are the opponent's attack, defense and the number of ways to get them, in round 1. `house` is false for the best
    reply to a rival, whose `objective` is to win.
    """

    rules: Rules
    objective: Objective
    house: bool
    values: NDArray[np.float64]
    exchange: Integers
    error: float

    def value(self, hp: int | None = None, opponent_hp: int | None = None, number: int = 1) -> float:
        """Return the value before round `number` with these hit points, by default full ones.

        Raise `InputError` where the duel has no such position.
        """
        full = self.rules.player_hp, self.rules.opponent_hp if self.house else self.rules.player_hp
        mine = full[0] if hp is None else hp
        theirs = full[1] if opponent_hp is None else opponent_hp
        if not (1 <= mine <= full[0] and 1 <= theirs <= full[1] and 1 <= number <= self.rules.rounds):
            raise InputError(
                "no_position",
                f"{mine} against {theirs} HP in round {number} is no position of this duel: hit points are 1 to "
                f"{full[0]} and 1 to {full[1]}, rounds 1 to {self.rules.rounds}",
            )
        return float(self.values[number - 1, mine, theirs])

    def value_after(self, hp: int, opponent_hp: int, number: int, relevant: int) -> float:
        """Return the value after round `number` with these hit points left and `relevant` cards of the suit in hand."""
        result = self._end(hp, opponent_hp, number, relevant)
        return self._payoff(result) if result is not None else self.value(hp, opponent_hp, number + 1)

    def _end(self, hp: int, opponent_hp: int, number: int, relevant: int) -> Result | None:
        if self.house:
            return house_result(hp, opponent_hp, number, relevant, self.rules)
        return player_result((hp, opponent_hp), number, self.rules)

    def _payoff(self, result: Result) -> float:
        return self.objective.payoff(result) if self.house else _reply_payoff(result)

    def exchange_in(self, number: int, streak: int | None = None) -> Integers:
        """Return the opponent's exchanges in round `number`, where gear is worn (§2.11), with its streak (§2.12)."""
        stage = round_rules(self.rules, number, streak)
        if stage == round_rules(self.rules, 1):
            return self.exchange
        return _stage_exchange(stage, house=self.house)

    def flight_value(self, number: int) -> float:
        """Return the value of fleeing in round `number`, or minus infinity where that is not allowed."""
        if number > self.rules.flee_rounds:
            return -inf
        return self._payoff(
            house_flight_result(self.rules) if self.house else player_flight_result((True, False))
        )

    def splits(
        self,
        hand: Sequence[Card],
        hp: int | None = None,
        opponent_hp: int | None = None,
        number: int = 1,
        *,
        shown: tuple[int, int] | None = None,
        streaks: tuple[int, int] | None = None,
    ) -> tuple[SplitValue, ...]:
        """Return all 32 splits of a hand, best first, equal ones in the order of `SPLITS`.

        `shown` is the opponent's attack and defense. Without it, the value of a split is its mean over the opponent's
        exchanges. `streaks` are those of both fighters' combos (§2.12), by default those before the first round. Raise
        `InputError` for a hand that is not five cards of a deck, or where there is no such position.
        """
        require_in_deck(hand, STANDARD_DECK)
        if len(hand) != FULL_HAND:
            raise InputError("bad_hand", f"a hand has {FULL_HAND} cards, not {len(hand)}")
        full = self.rules.opponent_hp if self.house else self.rules.player_hp
        mine = self.rules.player_hp if hp is None else hp
        theirs = full if opponent_hp is None else opponent_hp
        self.value(mine, theirs, number)
        streak, their_streak = (None, None) if streaks is None else streaks
        exchange = (
            self.exchange_in(number, their_streak)
            if shown is None
            else np.array([[*shown, 1]], dtype=np.int64)
        )
        evaluator = _SplitEvaluator(
            self,
            hps=(mine, theirs),
            number=number,
            relevant=relevant_cards(hand, self.rules),
            exchange=exchange,
            streak=streak,
        )
        values = [evaluator.evaluate(hand, defends) for defends in SPLITS]
        return tuple(sorted(values, key=lambda one: -one.value))


class _SplitEvaluator:
    """Values of splits in one position against a distribution of the opponent's exchanges."""

    def __init__(
        self,
        solution: Solution,
        *,
        hps: tuple[int, int],
        number: int,
        relevant: int,
        exchange: Integers,
        streak: int | None,
    ) -> None:
        self._solution = solution
        self._hps = hps
        self._number = number
        self._round_rules = round_rules(solution.rules, number, streak)
        self._relevant = relevant
        self._exchange = exchange.tolist()
        self._total = sum(ways for _, _, ways in self._exchange)
        self._attacks: Counter[int] = Counter()
        self._defenses: Counter[int] = Counter()
        for their_attack, their_defense, ways in self._exchange:
            self._attacks[their_attack] += ways
            self._defenses[their_defense] += ways
        self._after: dict[tuple[int, int], float] = {}

    def evaluate(self, hand: Sequence[Card], defends: tuple[bool, ...]) -> SplitValue:
        """Return one split with its mean damage and value over the opponent's exchanges."""
        rules = self._solution.rules
        attacking, defending = split(hand, defends)
        power, guard = split_power(attacking, defending, rules.player, self._round_rules)
        least_taken = rules.least_taken if self._solution.house else rules.least_dealt
        out = {their: damage(power.total, their, rules.least_dealt) for their in self._defenses}
        lost = {their: damage(their, guard.total, least_taken) for their in self._attacks}
        value = 0.0
        for their_attack, their_defense, ways in self._exchange:
            value += ways * self._value_left(lost[their_attack], out[their_defense])
        return SplitValue(
            defends=defends,
            attack=power,
            defense=guard,
            dealt=Fraction(sum(ways * out[their] for their, ways in self._defenses.items()), self._total),
            taken=Fraction(sum(ways * lost[their] for their, ways in self._attacks.items()), self._total),
            value=value / self._total,
        )

    def _value_left(self, lost: int, out: int) -> float:
        known = self._after.get((lost, out))
        if known is None:
            left = max(0, self._hps[0] - lost), max(0, self._hps[1] - out)
            known = self._solution.value_after(*left, self._number, self._relevant)
            self._after[lost, out] = known

        return known


def load_solution(rules: Rules, objective: Objective = Objective.WIN) -> Solution | None:
    """Return the solution of the duel with the house from the disk cache, or None where it is not there."""
    stored = _load_arrays(_cache_name(rules, objective))
    if stored is None:
        return None
    values, exchange, error = stored
    return Solution(
        rules=rules, objective=objective, house=True, values=values, exchange=exchange, error=error
    )


def _cache_name(rules: Rules, objective: Objective) -> str:
    return f"duel-{objective}-{_fresh_rules_id(rules)}"


def solve(
    rules: Rules,
    objective: Objective = Objective.WIN,
    *,
    progress: Callable[[float], None] | None = None,
    cache: bool = True,
) -> Solution:
    """Return the solution of the duel with the house for one objective, from the disk cache or solved now.

    Decks count as fresh in every round, whatever the rules say. `progress` is called with the share of the work that
    is done. A new solution is stored in the disk cache if `cache` is true. Raise `WorkLimitError` for more than
    `MOST_STATES` positions, and `InputError` for rules with combos. A duel of full size takes seconds to minutes.
    """
    by_suit = objective in (Objective.GOLD, Objective.EXPERIENCE) and rules.relevant_suit.suit is not None
    columns = range(FULL_HAND + 1) if by_suit else range(1)

    def payoff(number: int, hp: int, opponent_hp: int) -> Sequence[float]:
        results = [house_result(hp, opponent_hp, number, relevant, rules) for relevant in columns]
        return [objective.payoff(result) for result in results if result is not None]

    def contest(stage: Rules) -> attrition.Contest:
        return attrition.Contest(
            own=rules.player_hp,
            opponent=rules.opponent_hp,
            rounds=rules.rounds,
            least_dealt=rules.least_dealt,
            least_taken=rules.least_taken,
            shown=rules.opponent_visible,
            hands=_hand_arrays(stage, by_suit=by_suit),
            exchange=_exchange_arrays(_opponent_exchange(stage, house=True)),
            payoff=payoff,
            flight=_flight_values(objective.payoff(house_flight_result(rules)), rules),
        )

    values, exchange, error = _load_or_solve(
        _cache_name(rules, objective), rules, contest, progress, cache=cache
    )
    return Solution(
        rules=rules, objective=objective, house=True, values=values, exchange=exchange, error=error
    )


def solve_reply(rules: Rules, seat: Seat = 0, *, progress: Callable[[float], None] | None = None) -> Solution:
    """Return the best reply to another player who splits at random, where a draw is worth half a victory.

    The `rules` of the solution have the fighter of `seat` as the player. The rest is as for `solve`.
    """
    own = rules if seat == 0 else rules.replace(player=rules.rival, rival=rules.player)

    def payoff(number: int, hp: int, opponent_hp: int) -> Sequence[float]:
        result = player_result((hp, opponent_hp), number, own)
        return [] if result is None else [_reply_payoff(result)]

    def contest(stage: Rules) -> attrition.Contest:
        return attrition.Contest(
            own=own.player_hp,
            opponent=own.player_hp,
            rounds=own.rounds,
            least_dealt=own.least_dealt,
            least_taken=own.least_dealt,
            shown=False,
            hands=_hand_arrays(stage, by_suit=False),
            exchange=_exchange_arrays(_opponent_exchange(stage, house=False)),
            payoff=payoff,
            flight=_flight_values(_reply_payoff(player_flight_result((True, False))), own),
        )

    values, exchange, error = _load_or_solve(f"duel-reply-{_fresh_rules_id(own)}", own, contest, progress)
    return Solution(
        rules=own, objective=Objective.WIN, house=False, values=values, exchange=exchange, error=error
    )


def _fresh_rules_id(rules: Rules) -> str:
    """Return the id of the rules with fresh decks: solutions do not depend on the deck."""
    return rules.replace(deck=DeckKind.FRESH).rules_id


def _reply_payoff(result: Result) -> float:
    """Return the value of a duel between players to the first of them."""
    return DRAW_VALUE if result.winner is None else float(result.winner == 0)


def _flight_values(value: float, rules: Rules) -> list[float]:
    return [value if number <= rules.flee_rounds else -inf for number in range(1, rules.rounds + 1)]


def _hand_arrays(rules: Rules, *, by_suit: bool) -> attrition.Hands:
    kinds, powers = hand_kinds(), split_powers(rules.player, rules)
    ways = kinds.ways if by_suit else kinds.ways.sum(axis=1, keepdims=True)
    return attrition.Hands(attack=powers.attack, defense=powers.defense, ways=ways)


def _opponent_exchange(stage: Rules, *, house: bool) -> Distribution[tuple[int, int]]:
    """Return the exchanges of the house, or of a rival who splits at random, with the powers of a stage."""
    return house_exchange(stage) if house else random_exchange(stage.rival, stage)


@lru_cache(maxsize=STAGES_CACHED)
def _stage_exchange(stage: Rules, *, house: bool) -> Integers:
    return stack_exchange(_opponent_exchange(stage, house=house))


def stack_exchange(seen: Distribution[tuple[int, int]]) -> Integers:
    """Return a row of attack, defense and ways for each exchange."""
    return np.array([(*pair, ways) for pair, ways in seen.items()], dtype=np.int64)


def _exchange_arrays(seen: Distribution[tuple[int, int]]) -> attrition.Exchange:
    rows = stack_exchange(seen)
    return attrition.Exchange(*(np.ascontiguousarray(column) for column in rows.T))


def _load_arrays(name: str) -> SolutionArrays | None:
    stored = disk_cache.load(name, CACHE_HEADER)
    if stored is None or stored.keys() != {"table", "exchange", "error"}:
        return None
    return stored["table"], stored["exchange"], float(stored["error"])


def _load_or_solve(
    name: str,
    rules: Rules,
    contest: Callable[[Rules], attrition.Contest],
    progress: Callable[[float], None] | None,
    *,
    cache: bool = True,
) -> SolutionArrays:
    """Return the arrays of a solution from the disk cache, or solve it and store them there.

    `contest` returns the contest of the whole duel with the powers of a stage.
    """
    require_no_combos(rules)
    stored = _load_arrays(name)
    if stored is not None:
        return stored
    first = contest(round_rules(rules, 1))
    if first.own * first.opponent * first.rounds > MOST_STATES:
        raise WorkLimitError(
            "too_many_states",
            f"{first.own} × {first.opponent} HP × {first.rounds} rounds are more than the {MOST_STATES:,} "
            "positions that are solved",
        )
    array, error = _solve_stages(rules, contest, progress or (lambda _: None))
    exchange = np.stack((first.exchange.attack, first.exchange.defense, first.exchange.ways), axis=1)
    if cache:
        solution = {"table": array, "exchange": exchange, "error": np.array(error)}
        disk_cache.store(name, solution, CACHE_HEADER)
    return array, exchange, error


def _solve_stages(
    rules: Rules, contest: Callable[[Rules], attrition.Contest], progress: Callable[[float], None]
) -> tuple[NDArray[np.float64], float]:
    """Return the values of all positions and their error: stages are rounds with equal powers, the last is solved first."""
    later: NDArray[np.float64] | None = None
    error = 0.0
    for stage, group in reversed([*_stages(rules)]):
        whole = contest(stage)
        part = attrition.solve(
            _stage_contest(whole, group, later, error), progress=_shift(progress, group, rules)
        )
        error = part.error
        later = part.array if later is None else np.concatenate((part.array, later))
    assert later is not None  # noqa: S101  a duel has a round
    return later, error


def _stages(rules: Rules) -> Iterator[tuple[Rules, range]]:
    """Yield the rules of each stage and its rounds."""
    for stage, group in groupby(range(1, rules.rounds + 1), partial(round_rules, rules)):
        numbers = [*group]
        yield stage, range(numbers[0], numbers[-1] + 1)


def _stage_contest(
    whole: attrition.Contest, numbers: range, later: NDArray[np.float64] | None, error: float
) -> attrition.Contest:
    """Return the contest of some rounds; where a later stage follows, its values are the payoffs of the last round."""

    def payoff(number: int, hp: int, opponent_hp: int) -> Sequence[float]:
        if later is not None and hp and opponent_hp:
            return [float(later[0, hp, opponent_hp])] * whole.hands.ways.shape[1]
        return whole.payoff(numbers[0] + number - 1, hp, opponent_hp)

    flight = whole.flight[numbers[0] - 1 : numbers[-1]]
    return msgspec.structs.replace(
        whole, rounds=len(numbers), payoff=payoff, flight=flight, payoff_error=error
    )


def _shift(progress: Callable[[float], None], numbers: range, rules: Rules) -> Callable[[float], None]:
    """Return the progress of a stage as that of the whole duel, whose last rounds are solved first."""
    done = rules.rounds - numbers[-1]
    return lambda share: progress((done + share * len(numbers)) / rules.rounds)
