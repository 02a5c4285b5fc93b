"""Oracles: games enumerated without shared states, each seat choosing at random; and the examples under test."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from oddsmith.defaults.playout import win_share
from oddsmith.game import Act, Await, Decide, Luck, Over, Seat
from oddsmith.mechanic import Mechanic
from tests.mechanics.subjects import EXAMPLES


def example(name: str) -> Mechanic:
    """Return the mechanic of an example."""
    return next(mechanic for mechanic in EXAMPLES if mechanic.name == name)


def moves(game: Any, state: Any) -> Iterator[tuple[Fraction, Any]]:  # noqa: ANN401  any game
    """Yield each state that can follow, with its chance where seats choose at random."""
    turn = game.turn(state)
    if isinstance(turn, Await):
        for outcome, weight in turn.chance.outcomes():
            yield Fraction(weight, turn.chance.total), game.step(state, Luck(outcome)).state
    elif isinstance(turn, Decide):
        seat = turn.seats[0]
        actions = game.actions(state, seat)
        for action in actions:
            yield Fraction(1, len(actions)), game.step(state, Act(seat, action)).state


def expect(game: Any, state: Any, seat: Seat) -> tuple[Fraction, Fraction]:  # noqa: ANN401  as above
    """Return the chance to win and the expected score of a seat."""
    turn = game.turn(state)
    if isinstance(turn, Over):
        return win_share(turn.outcome, seat), turn.outcome.scores[seat].fraction
    win = score = Fraction(0)
    for chance, after in moves(game, state):
        found = expect(game, after, seat)
        win, score = win + chance * found[0], score + chance * found[1]
    return win, score


def views_by_depth(game: Any, start: Any, seat: Seat, depth: int) -> dict[Any, dict[Any, Fraction]]:  # noqa: ANN401  as above
    """Return the states after `depth` moves by the view of a seat that chooses then, with their chances by luck and random play."""
    level: dict[Any, Fraction] = {start: Fraction(1)}
    for _ in range(depth):
        after: dict[Any, Fraction] = defaultdict(Fraction)
        for state, chance in level.items():
            for share, following in moves(game, state):
                after[following] += chance * share
        level = dict(after)
    found: dict[Any, dict[Any, Fraction]] = defaultdict(dict)
    for state, chance in level.items():
        turn = game.turn(state)
        if isinstance(turn, Decide) and seat in turn.seats:
            found[game.view(state, seat)][state] = chance
    return found
