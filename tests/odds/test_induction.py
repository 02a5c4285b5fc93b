"""Backward induction agrees with a plain recursion in value and best action."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from operator import xor
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.chance import Chance, Draw, Roll, Weighted
from oddsmith.die import D6
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.game import Act, Await, Decide, Luck, Outcome, Over, Step, Turn
from oddsmith.odds.induction import solve
from oddsmith.points import Points
from oddsmith.rules import Ruleset

S = TypeVar("S")


class GraphGame(Generic[S]):
    """A game given as a graph: an action and an outcome of luck are the state that follows."""

    name = "toy"
    rules_type = Ruleset
    state_type: type[S]
    action_type: Any = None
    luck_type: Any = None
    event_type: Any = None
    view_type: type[object] = object

    def __init__(self, turn: Callable[[S], Turn[Any]], actions: Callable[[S], Sequence[S]]) -> None:
        self._turn = turn
        self._actions = actions

    def turn(self, state: S) -> Turn[Any]:
        return self._turn(state)

    def actions(self, state: S, seat: int) -> Sequence[S]:
        return self._actions(state) if Decide((seat,)) == self._turn(state) else ()

    def step(self, state: S, move: Act[S] | Luck[Any]) -> Step[S]:  # noqa: ARG002  the move is the next state
        return Step(move.action if isinstance(move, Act) else move.outcome, ())

    def view(self, state: S, viewer: int | None) -> S:  # noqa: ARG002  nothing is hidden
        return state

    def _unused(self, *_: object) -> NoReturn:
        raise NotImplementedError

    seats = setup = objection = imagine = cards = write = read = _unused


def end_with(score: int) -> Over:
    return Over(Outcome(why="counted", winners=(), scores=(Points(score),)))


def score(outcome: Outcome, _: object) -> Fraction:
    return outcome.scores[0].fraction


def coin(*states: S) -> Await[S]:
    return Await(Weighted(tuple((state, 1) for state in states)))


def refusal_code(call: Callable[[], object], error: type[OddsmithError] = InputError) -> str:
    with pytest.raises(error) as caught:
        call()
    return caught.value.refusal.code


class Heaps(NamedTuple):
    left: tuple[int, ...]
    mover: int


def heaps_after(state: Heaps) -> list[Heaps]:
    return [
        Heaps((*state.left[:index], rest, *state.left[index + 1 :]), 1 - state.mover)
        for index, heap in enumerate(state.left)
        for rest in range(heap)
    ]


NIM = GraphGame[Heaps](
    lambda state: Decide((state.mover,)) if any(state.left) else end_with(-1 if state.mover == 0 else 1),
    heaps_after,
)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=3), st.sampled_from([0, 1]))
def test_nim_is_won_by_the_mover_unless_the_heaps_xor_to_nothing(heaps: list[int], mover: int) -> None:
    """Bouton's theorem of 1901: the seat to move wins exactly when the xor of the heaps is not 0."""
    start = Heaps(tuple(heaps), mover)
    solution = solve(NIM, start, payoff=score)
    mover_wins = reduce(xor, heaps) != 0

    assert (1 if mover_wins == (mover == 0) else -1) == solution.value(start)


def test_the_best_action_in_nim_balances_the_heaps() -> None:
    """From 1, 2, 4 the only winning move leaves 3 of the heap of 4, for either mover."""
    for mover in (0, 1):
        start = Heaps((1, 2, 4), mover)
        solution = solve(NIM, start, payoff=score)

        assert Heaps((1, 2, 3), 1 - mover) == solution.best(start)
        assert heaps_after(start) == [action for action, _ in solution.choices(start)]
        assert 1 == sum(value == solution.value(start) for _, value in solution.choices(start))


class Pot(NamedTuple):
    points: int
    next: str


def pig_turn(state: Pot) -> Turn[Pot]:
    if state.next == "over":
        return end_with(state.points)
    if state.next == "decide":
        return Decide((0,))
    return Await(
        Weighted(((Pot(0, "over"), 1), *((Pot(state.points + n, "decide"), 1) for n in range(2, 7))))
    )


def pig_actions(state: Pot) -> list[Pot]:
    hold, roll = Pot(state.points, "over"), Pot(state.points, "roll")
    return [hold, roll] if state.points < 40 else [hold]


PIG = GraphGame[Pot](pig_turn, pig_actions)


@cache
def pig_value(points: int) -> Fraction:
    rolled = sum((pig_value(points + face) for face in range(2, 7)), Fraction(0)) / 6 if points < 40 else 0
    return max(Fraction(points), Fraction(rolled))


def test_pig_is_rolled_below_twenty_and_then_held() -> None:
    """At 20 rolling and holding have equal values; a turn has the value 8.14."""
    start = Pot(0, "roll")
    solution = solve(PIG, start, payoff=score)
    reached = range(2, 40)

    assert [pig_value(points) for points in reached] == [
        solution.value(Pot(points, "decide")) for points in reached
    ]
    assert "roll" == solution.best(Pot(19, "decide")).next
    assert "over" == solution.best(Pot(20, "decide")).next
    assert [20, 20] == [value for _, value in solution.choices(Pot(20, "decide"))]
    assert Fraction("8.14") == round(solution.value(start), 2)


class Race(NamedTuple):
    mine: int
    theirs: int
    mover: int
    rolling: bool = False


GOAL = 7


def advance(state: Race, steps: int) -> Race:
    if state.mover == 0:
        return Race(state.mine + steps, state.theirs, 1)
    return Race(state.mine, state.theirs + steps, 0)


def race_turn(state: Race) -> Turn[Race]:
    if max(state.mine, state.theirs) >= GOAL:
        return end_with(1 if state.mine >= GOAL else 0)
    if state.rolling:
        return Await(Weighted(((advance(state, 1), 2), (advance(state, 4), 1))))
    return Decide((state.mover,))


RACE = GraphGame[Race](race_turn, lambda state: [advance(state, 2), state._replace(rolling=True)])


@cache
def race_value(state: Race) -> Fraction:
    if max(state.mine, state.theirs) >= GOAL:
        return Fraction(state.mine >= GOAL)
    gamble = (2 * race_value(advance(state, 1)) + race_value(advance(state, 4))) / 3
    best = max if state.mover == 0 else min
    return best(race_value(advance(state, 2)), gamble)


@given(st.integers(0, GOAL - 1), st.integers(0, GOAL - 1), st.sampled_from([0, 1]))
def test_a_race_with_luck_agrees_with_the_recursion(mine: int, theirs: int, mover: int) -> None:
    """With luck and a minimising opponent, every state has the value of the plain recursion."""
    start = Race(mine, theirs, mover)
    solution = solve(RACE, start, payoff=score)

    assert race_value(start) == solution.value(start)


def test_the_values_of_both_seats_add_up_to_one() -> None:
    """Solved for either seat."""
    start = Race(0, 0, 0)
    first = solve(RACE, start, payoff=score)
    second = solve(RACE, start, payoff=lambda outcome, _: 1 - score(outcome, _), seat=1)

    assert 1 == first.value(start) + second.value(start)
    assert first.best(start) == second.best(start)


def test_a_long_game_needs_no_recursion() -> None:
    """Twenty thousand moves are solved without a stack overflow."""
    walk = GraphGame[int](lambda state: Decide((0,)) if state else end_with(7), lambda state: [state - 1])
    reported: list[int] = []
    solution = solve(walk, 20_000, payoff=score, progress=reported.append)

    assert Fraction(7) == solution.value(20_000)
    assert 20_001 == len(solution)
    assert list(range(1_000, 20_001, 1_000)) == reported
    assert "<Solution of toy for seat 0: 20,001 states>" == repr(solution)


TWO_DICE = GraphGame[tuple[int, ...]](
    lambda state: end_with(sum(state)) if state else Await(Roll((D6, D6))), lambda _: []
)


def sorted_rolls(_: tuple[int, ...], chance: Chance[Any]) -> Iterable[tuple[tuple[int, ...], int]]:
    pairs = {tuple(sorted(roll)) for roll, _ in chance.outcomes()}
    return [(pair, 1 if pair[0] == pair[1] else 2) for pair in pairs]


def test_representatives_of_classes_replace_all_outcomes() -> None:
    """Twenty-one sorted rolls with their counts have the value of thirty-six rolls."""
    full = solve(TWO_DICE, (), payoff=score)
    collapsed = solve(TWO_DICE, (), payoff=score, outcomes=sorted_rolls)

    assert Fraction(7) == full.value(()) == collapsed.value(())
    assert (37, 22) == (len(full), len(collapsed))


def test_representatives_must_count_every_outcome() -> None:
    """Counts that do not add up to the node's total are refused."""
    forgotten = [((1, 1), 1)]

    assert "bad_weights" == refusal_code(
        lambda: solve(TWO_DICE, (), payoff=score, outcomes=lambda _state, _chance: forgotten)
    )


def test_work_is_bounded() -> None:
    """A game with too many states is refused, and so is one chance node with too many outcomes."""
    walk = GraphGame[int](lambda state: Decide((0,)) if state else end_with(7), lambda state: [state - 1])

    assert 10 == len(solve(walk, 9, payoff=score, limit=10))
    assert "too_many_states" == refusal_code(lambda: solve(walk, 10, payoff=score, limit=10), WorkLimitError)
    assert "too_many_states" == refusal_code(
        lambda: solve(TWO_DICE, (), payoff=score, limit=10), WorkLimitError
    )


@pytest.mark.parametrize(
    ("turn", "code"),
    [
        (Decide((0, 1)), "simultaneous_decision"),
        (Decide(()), "simultaneous_decision"),
        (Decide((2,)), "too_many_seats"),
        (Decide((1,)), "endless_game"),
        (coin("start", "end"), "endless_game"),
    ],
)
def test_other_games_are_refused(turn: Turn[str], code: str) -> None:
    """Simultaneous decisions, a third seat and cycles have no backward induction."""
    game = GraphGame[str](lambda state: end_with(0) if state == "end" else turn, lambda _: ["end", "start"])

    assert code == refusal_code(lambda: solve(game, "start", payoff=score))


def test_a_longer_cycle_is_found() -> None:
    """A state that recurs after two moves is a cycle, as one that recurs at once."""
    ahead = {"a": ["b", "end"], "b": ["c", "end"], "c": ["a"]}
    game = GraphGame[str](lambda state: Decide((0,)) if state in ahead else end_with(0), ahead.__getitem__)

    assert "endless_game" == refusal_code(lambda: solve(game, "a", payoff=score))


def test_paths_that_meet_again_are_no_cycle() -> None:
    """A state reached by two paths is solved once."""
    ahead = {"a": ["b", "c", "d"], "b": ["c", "d"], "c": ["d"]}
    game = GraphGame[str](lambda state: Decide((0,)) if state in ahead else end_with(3), ahead.__getitem__)

    assert 4 == len(solve(game, "a", payoff=score))


def test_a_seat_without_actions_is_refused() -> None:
    game = GraphGame[str](lambda _: Decide((0,)), lambda _: [])

    assert "no_actions" == refusal_code(lambda: solve(game, "start", payoff=score))


def test_a_payoff_is_exact() -> None:
    """A float is refused, a fraction is accepted."""
    game = GraphGame[str](lambda _: end_with(0), lambda _: [])
    inexact: Any = 0.5

    assert Fraction(1, 3) == solve(game, "end", payoff=lambda *_: Fraction(1, 3)).value("end")
    assert "inexact_payoff" == refusal_code(lambda: solve(game, "end", payoff=lambda *_: inexact))


def test_only_reached_states_have_values() -> None:
    """Another state has no value, and a state without a decision has no best action."""
    solution = solve(PIG, Pot(0, "roll"), payoff=score)

    assert "not_reached" == refusal_code(lambda: solution.value(Pot(1, "decide")))
    assert "no_decision" == refusal_code(lambda: solution.best(Pot(0, "roll")))
    assert "no_decision" == refusal_code(lambda: solution.choices(Pot(0, "over")))


def test_the_value_of_a_chance_node_is_the_weighted_mean() -> None:
    values = {roll: sum(roll) for roll in product(range(1, 7), repeat=2)}

    assert Fraction(sum(values.values()), 36) == solve(TWO_DICE, (), payoff=score).value(())


class Guess(GraphGame[tuple[str, str]]):
    """A seat guesses a coin that has fallen: it does not see which state it is in."""

    def view(self, state: tuple[str, str], viewer: int | None) -> Any:  # noqa: ANN401, ARG002  what is seen of the state
        return state[0]

    def imagine(self, view: Any, draw: Draw) -> tuple[str, str]:  # type: ignore[override]  # noqa: ANN401  as above
        return view, ("heads", "tails")[draw.below(2)]


def test_a_decision_without_sight_of_the_state_is_refused() -> None:
    """From states the guess would always be right, a value of 1 instead of 1/2."""

    def turn(state: tuple[str, str]) -> Turn[Any]:
        if state[0] == "falling":
            return Await(Weighted(((("guess", "heads"), 1), (("guess", "tails"), 1))))
        return Decide((0,)) if state[0] == "guess" else end_with(int(state[0] == state[1]))

    game = Guess(turn, lambda state: [("heads", state[1]), ("tails", state[1])])

    assert "hidden_state" == refusal_code(lambda: solve(game, ("falling", ""), payoff=score))
