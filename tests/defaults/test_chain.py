"""Exact expectations over the Markov chain of a game."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, Self

import pytest

from oddsmith.defaults.chain import Chain, Node, Vector, weigh_equally
from oddsmith.defaults.playout import win_share
from oddsmith.errors import WorkLimitError
from oddsmith.game import Over, Turn
from oddsmith.position import Position, Rules, Seat, asks
from tests.defaults.brute_force import example, expect

PIG, KUHN, CAVE = map(example, ("pig", "kuhn", "cave"))
ZERO, ONE = Fraction(0), Fraction(1)


class IdleRules(Rules):
    """No numbers."""


class Idle(Position[IdleRules, Literal["wait"], None]):
    """A game that never ends."""

    def turn(self) -> Turn[None]:
        return asks(0)

    def actions(self, seat: Seat) -> Sequence[Literal["wait"]]:  # noqa: ARG002  one seat
        return ("wait",)

    def act(self, seat: Seat, action: str) -> Self:  # noqa: ARG002  nothing changes
        return self


def win_and_plies(node: Node) -> Vector:
    if isinstance(node.turn, Over):
        return win_share(node.turn.outcome, 0), ZERO
    return ZERO, ONE


def solve_pig(goal: int, sides: int) -> Vector:
    game, rules = PIG.game, PIG.rules_type(goal=goal, sides=sides)
    start = game.setup(rules, 2)
    chain = Chain(game, [start], weigh_equally, limit=20_000)
    return chain.expect(win_and_plies, 2)[chain.number(start)]


def test_a_game_that_comes_back_is_solved_exactly() -> None:
    """Two-sided Pig to 2: p = 1/2 + 1/2 (1 − p); two turns of two plies on average, and one to hold."""
    assert (Fraction(2, 3), Fraction(5)) == solve_pig(2, 2)


def test_pig_agrees_with_value_iteration() -> None:
    """The chance of the seat on turn by its points, those of the other, and the pot, iterated until it no longer changes."""
    goal, sides = 5, 3
    points = range(goal)
    values = {(own, other, pot): 0.5 for own in points for other in points for pot in range(goal - own)}

    def value(own: int, other: int, pot: int) -> float:
        return 1.0 if own + pot >= goal else values[own, other, pot]

    for _ in range(400):
        for own, other, pot in values:
            rolled = [
                1 - value(other, own, 0),
                *(value(own, other, pot + face) for face in range(2, sides + 1)),
            ]
            roll = sum(rolled) / sides
            hold = 1 - value(other, own + pot, 0) if pot else 0
            values[own, other, pot] = (roll + hold) / 2 if pot else roll

    assert abs(values[0, 0, 0] - float(solve_pig(goal, sides)[0])) < 1e-12


@pytest.mark.parametrize("mechanic", [KUHN, CAVE], ids=["kuhn", "cave"])
def test_shared_states_do_not_change_expectations(mechanic: object) -> None:
    """The same as without them; in the cave, seats choose at the same time."""
    game, rules_type = mechanic.game, mechanic.rules_type  # type: ignore[attr-defined]  # a mechanic
    rules = rules_type() if mechanic is KUHN else rules_type(richest=1, hazards=1)
    start = game.setup(rules, 2)
    chain = Chain(game, [start], weigh_equally, limit=20_000)

    assert expect(game, start, 0)[0] == chain.expect(win_and_plies, 2)[chain.number(start)][0]


def test_too_much_work_is_refused() -> None:
    """States and moves, states that lead back to each other, and play without an end."""
    game, rules = PIG.game, PIG.rules_type(goal=30)
    start = game.setup(rules, 2)
    with pytest.raises(WorkLimitError, match="too many states can follow"):
        Chain(game, [start], weigh_equally, limit=1_000)
    last = game.state_type(rules=PIG.rules_type(goal=80, sides=3), seats=2, scores=(0, 79))
    with pytest.raises(WorkLimitError, match="states lead back to each other"):
        Chain(game, [last], weigh_equally, limit=100_000).expect(win_and_plies, 2)
    with pytest.raises(WorkLimitError, match="never ends"):
        Chain(Idle.as_game(), [Idle(rules=IdleRules(), seats=1)], weigh_equally, limit=10).expect(
            win_and_plies, 2
        )


def test_a_reward_of_another_size_is_an_error() -> None:
    start = KUHN.game.setup(KUHN.rules_type(), 2)
    with pytest.raises(ValueError, match="a reward has 2 numbers, not 3"):
        Chain(KUHN.game, [start], weigh_equally, limit=1_000).expect(win_and_plies, 3)
