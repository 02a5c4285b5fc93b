"""The driver gives each seat its own view and makes one move at a time."""

from collections.abc import Sequence
from typing import Any

import pytest

from oddsmith.chance import Scripted, Seeded
from oddsmith.errors import IllegalMove
from oddsmith.game import Act, Luck, Over, Seat
from oddsmith.records import play
from tests.laws.toy import SIX, Play, Rules, State, Vie, View

VIE = Vie()
START = VIE.setup(Rules(), 2)


def choose_lowest(view: View, actions: Sequence[Play]) -> Play:  # noqa: ARG001  the signature of a chooser
    return actions[0]


def test_a_game_is_driven_to_its_end() -> None:
    """Two rounds for two take eight plies, each from the state of the last one."""
    plies = list(play(VIE, START, [choose_lowest, choose_lowest], Seeded("yuma")))

    assert list(range(1, 9)) == [ply.number for ply in plies]
    assert [START, *(ply.after for ply in plies[:-1])] == [ply.before for ply in plies]
    assert isinstance(VIE.turn(plies[-1].after), Over)
    assert [VIE.step(ply.before, ply.move).events for ply in plies] == [ply.events for ply in plies]


def test_the_source_decides_luck_and_the_seats_all_else() -> None:
    """The first two cards of the pool are dealt twice; the choosers then play the lowest."""
    moves = [
        ply.move for ply in play(VIE, VIE.setup(Rules(rounds=1), 2), [choose_lowest] * 2, Scripted([0] * 4))
    ]

    assert [Luck(SIX[:2]), Luck(SIX[2:4]), Act(0, Play(SIX[0])), Act(1, Play(SIX[2]))] == moves


def test_a_seat_gets_its_own_view_and_actions() -> None:
    """A chooser gets exactly what the game gives that seat."""
    met: list[tuple[Seat, View, Sequence[Play]]] = []

    def make_recorder(seat: Seat) -> Any:  # noqa: ANN401  a chooser
        def choose(view: View, actions: Sequence[Play]) -> Play:
            met.append((seat, view, actions))
            return actions[0]

        return choose

    plies = list(play(VIE, START, [make_recorder(0), make_recorder(1)], Seeded("yuma")))

    assert met == [
        (ply.move.seat, VIE.view(ply.before, ply.move.seat), VIE.actions(ply.before, ply.move.seat))
        for ply in plies
        if isinstance(ply.move, Act)
    ]


def test_the_caller_decides_which_seat_is_asked_first() -> None:
    """Where both seats decide at once, the last one can be asked first."""
    plies = play(VIE, START, [choose_lowest, choose_lowest], Seeded("yuma"), who=max)

    assert [1, 0, 1, 0] == [ply.move.seat for ply in plies if isinstance(ply.move, Act)]


def test_plies_are_generated_lazily() -> None:
    """A caller can show each ply before the next one is drawn, and stop at any time."""
    plies = play(VIE, START, [choose_lowest, choose_lowest], Scripted([0, 0]))

    assert Luck(SIX[:2]) == next(plies).move


def test_a_refused_choice_is_raised_and_the_game_can_continue() -> None:
    """The driver has no state: a new one started from the last state plays on to the end."""
    states: list[State] = []
    with pytest.raises(IllegalMove) as caught:
        states.extend(
            ply.after for ply in play(VIE, START, [lambda _, __: Play(SIX[5])] * 2, Scripted([0] * 4))
        )

    assert "not_held" == caught.value.refusal.code
    assert 6 == len(list(play(VIE, states[-1], [choose_lowest, choose_lowest], Seeded("yuma"))))


def test_a_finished_game_has_no_more_plies() -> None:
    *_, last = play(VIE, START, [choose_lowest, choose_lowest], Seeded("yuma"))

    assert [] == list(play(VIE, last.after, [choose_lowest, choose_lowest], Scripted([])))


class HasNoTurn(Vie):
    def turn(self, state: State) -> Any:  # noqa: ANN401, ARG002  the fault under test
        return "later"


def test_a_game_without_a_turn_cannot_be_driven() -> None:
    """The fault is raised."""
    with pytest.raises(AssertionError, match="later"):
        next(play(HasNoTurn(), START, [choose_lowest, choose_lowest], Scripted([])))
