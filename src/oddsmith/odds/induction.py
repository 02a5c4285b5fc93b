"""Backward induction: exact values of every state of a finite game of perfect information."""

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from oddsmith.chance import Chance, Seeded
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.game import Act, Decide, Game, Luck, Outcome, Over, Seat, find_advance

__all__ = ["Solution", "solve"]

S = TypeVar("S", bound=Hashable)
A = TypeVar("A")
O = TypeVar("O")  # noqa: E741  outcomes of chance, named as in the Game protocol

Payoff: TypeAlias = Callable[[Outcome, S], Fraction | int]
Outcomes: TypeAlias = Callable[[S, Chance[O]], Iterable[tuple[O, int]]]

MOST_STATES: Final = 1_000_000
PROGRESS_EVERY: Final = 1_000
MOST_SEATS: Final = 2
IMAGINED: Final = 8
"""The number of states that a seat imagines at each decision, to find what is hidden from it."""


class Solution(Generic[S, A]):
    """The exact value of every reachable state for one seat under optimal play of both sides; returned by `solve`."""

    def __init__(self, game: Game[Any, S, A, Any, Any], seat: Seat, values: dict[S, Fraction]) -> None:
        self._game = game
        self._seat = seat
        self._values = values

    def value(self, state: S) -> Fraction:
        """Return the expected payoff of the seat from a state on; a state that was not solved is refused."""
        if state not in self._values:
            raise InputError("not_reached", "this state cannot be reached from the one that was solved")
        return self._values[state]

    def choices(self, state: S) -> list[tuple[A, Fraction]]:
        """Return every action of the deciding seat, in canonical order, with its value.

        Values are those of the seat that was solved for. The other seat prefers the least.
        """
        decider = self._decider(state)
        return [
            (action, self.value(self._game.step(state, Act(decider, action)).state))
            for action in self._game.actions(state, decider)
        ]

    def best(self, state: S) -> A:
        """Return the best action of the deciding seat; the first one at a tie."""
        wanted = self.value(state)
        return next(action for action, value in self.choices(state) if value == wanted)

    def _decider(self, state: S) -> Seat:
        turn = self._game.turn(state)
        if not isinstance(turn, Decide):
            raise InputError("no_decision", "no seat decides in this state")
        return turn.seats[0]

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<Solution of {self._game.name} for seat {self._seat}: {len(self):,} states>"


def solve(
    game: Game[Any, S, A, O, Any],
    state: S,
    *,
    payoff: Payoff[S],
    seat: Seat = 0,
    outcomes: Outcomes[S, O] | None = None,
    limit: int = MOST_STATES,
    progress: Callable[[int], None] | None = None,
) -> Solution[S, A]:
    """Solve a finite game of perfect information from a state on, for one seat against luck or two against each other.

    `payoff` returns the value of a final state to `seat`; the other seat minimises it. `outcomes` may replace the
    outcomes of a chance node by representatives of classes, with counts that add up to the node's total. `progress`
    is called with the number of solved states, every `PROGRESS_EVERY` states. More than `limit` states raise a
    `WorkLimitError`; simultaneous decisions, decisions without sight of the whole state, more than two seats and cycles are
    refused with an `InputError`.
    """
    tree = _Tree(game, payoff, seat, outcomes, limit)
    values: dict[S, Fraction] = {}
    expanded: dict[S, _Node[S]] = {}
    stack = [state]
    while stack:
        current = stack[-1]
        if current in values:
            stack.pop()
            continue
        if current not in expanded:
            _require_within(len(values) + len(expanded) + 1, limit)
            expanded[current] = tree.expand(current)
            stack.extend(_unsolved_successors(expanded[current], values, expanded))
        if stack[-1] is current:
            values[current] = expanded.pop(current).value(values)
            stack.pop()
            if progress is not None and len(values) % PROGRESS_EVERY == 0:
                progress(len(values))
    return Solution(game, seat, values)


class _Node(NamedTuple, Generic[S]):
    """The successors of a state with their weights, and the function that combines their values."""

    successors: dict[S, int]
    combine: Callable[[Iterable[tuple[Fraction, int]]], Fraction]

    def value(self, values: dict[S, Fraction]) -> Fraction:
        return self.combine((values[state], weight) for state, weight in self.successors.items())


class _Tree(NamedTuple, Generic[S, A, O]):
    """The game tree of one seat."""

    game: Game[Any, S, A, O, Any]
    payoff: Payoff[S]
    seat: Seat
    outcomes: Outcomes[S, O] | None
    limit: int

    def expand(self, state: S) -> _Node[S]:
        turn = self.game.turn(state)
        if isinstance(turn, Over):
            payoff = _to_fraction(self.payoff(turn.outcome, state))
            return _Node({}, lambda _: payoff)
        if isinstance(turn, Decide):
            return self._expand_decision(state, turn.seats)
        return self._expand_chance(state, turn.chance)

    def _expand_decision(self, state: S, seats: tuple[Seat, ...]) -> _Node[S]:
        if len(seats) != 1:
            raise InputError(
                "simultaneous_decision",
                f"seats {', '.join(map(str, seats))} decide at the same time: that is no game of perfect information",
            )
        if seats[0] not in range(MOST_SEATS) or self.seat not in range(MOST_SEATS):
            raise InputError("too_many_seats", "only one seat, or two against each other, can be solved")
        decider = seats[0]
        self._require_seen(state, decider)
        advance = find_advance(self.game)
        successors = {advance(state, Act(decider, action)): 1 for action in self.game.actions(state, decider)}
        if not successors:
            raise InputError("no_actions", f"seat {decider} must decide and has no action")
        return _Node(successors, _maximum if decider == self.seat else _minimum)

    def _require_seen(self, state: S, decider: Seat) -> None:
        """Refuse a state of which the seat that decides does not know all: it could be another one."""
        view = self.game.view(state, decider)
        if view is state:
            return
        draw = Seeded("seen")
        if any(self.game.imagine(view, draw) != state for _ in range(IMAGINED)):
            raise InputError(
                "hidden_state",
                f"seat {decider} decides without seeing the whole state, so that solving from states would be wrong; "
                "games with hidden places are not solved yet: play them out instead",
            )

    def _expand_chance(self, state: S, chance: Chance[O]) -> _Node[S]:
        outcomes = chance.outcomes() if self.outcomes is None else self.outcomes(state, chance)
        advance = find_advance(self.game)
        successors: dict[S, int] = {}
        for outcome, weight in outcomes:
            successor = advance(state, Luck(outcome))
            successors[successor] = successors.get(successor, 0) + weight
            _require_within(len(successors), self.limit)
        if sum(successors.values()) != chance.total:
            raise InputError(
                "bad_weights",
                f"the weights of the outcomes add up to {sum(successors.values())}, not to the node's {chance.total}",
            )
        return _Node(successors, _weighted_mean)


def _unsolved_successors(node: _Node[S], values: dict[S, Fraction], expanded: dict[S, _Node[S]]) -> list[S]:
    waiting = [state for state in node.successors if state not in values]
    if any(state in expanded for state in waiting):
        raise InputError("endless_game", "a state can come back: backward induction needs a game that ends")
    return waiting


def _require_within(states: int, limit: int) -> None:
    if states > limit:
        raise WorkLimitError(
            "too_many_states", f"the game has more than the {limit:,} states that are solved"
        )


def _to_fraction(payoff: Fraction | int) -> Fraction:
    if not isinstance(payoff, (int, Fraction)):
        raise InputError("inexact_payoff", f"a payoff is a whole number or a fraction, not {payoff!r}")
    return Fraction(payoff)


def _maximum(weighted: Iterable[tuple[Fraction, int]]) -> Fraction:
    return max(value for value, _ in weighted)


def _minimum(weighted: Iterable[tuple[Fraction, int]]) -> Fraction:
    return min(value for value, _ in weighted)


def _weighted_mean(weighted: Iterable[tuple[Fraction, int]]) -> Fraction:
    pairs = list(weighted)
    return sum((value * weight for value, weight in pairs), Fraction(0)) / sum(weight for _, weight in pairs)
