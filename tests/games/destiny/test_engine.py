"""The Destiny Deck as a game: found, lawful, and lucky only when luck is due."""

import pytest

from oddsmith.errors import IllegalMove
from oddsmith.game import Luck
from oddsmith.games import destiny
from oddsmith.games.destiny import (
    DEFAULT,
    DRAW,
    GAME,
    Rules,
    Run,
)
from oddsmith.games.destiny.model import (
    Attempt,
    Hand,
    Rest,
    State,
)
from oddsmith.laws import LAWS, check_game
from oddsmith.registry import find_game, mechanic_names
from tests.games.destiny.builders import (
    NOTHING,
    ROYAL_FLUSH,
    act,
    draw,
    hand,
    refusal,
    run,
)


def test_the_game_is_found_by_its_name() -> None:
    """`destiny` is the Destiny Deck; another name is refused with those that are known."""
    refused = refusal(lambda: find_game("destny"))

    assert GAME is find_game("destiny")
    assert "destiny" in mechanic_names()
    assert "unknown_game" == refused.code
    assert "did you mean 'destiny'?" in refused.sentence


def test_the_public_names_are_there() -> None:
    """Each name of `__all__` once, in order, and none is missing."""
    assert sorted(set(destiny.__all__)) == sorted(destiny.__all__)
    assert all(hasattr(destiny, name) for name in destiny.__all__)


@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize("preset", Rules.presets())
def test_every_law_holds(preset: str, seats: int) -> None:
    """Random games of each kind keep every law of the kit: two runs of a whole day, four games of all else.

    Beyond the default, runs take four hours.
    """
    rules = Rules.preset(preset)
    playouts = 2 if (preset, seats) == ("default", 1) else 4
    if preset != "default":
        rules = rules.replace(run=Run(duration=14_400))
    report = check_game(GAME, rules, seats=seats, playouts=playouts, outcomes=0)

    assert list(LAWS) == [held.law for held in report.laws]
    assert {playouts} == {held.playouts for held in report.laws}


def test_the_draw_promises_all_hands() -> None:
    """The chance law with every one of the 2,598,960 hands counted."""
    assert 1 == check_game(GAME, seats=2, playouts=1).playouts
    assert 2_598_960 == DRAW.total


@pytest.mark.parametrize("seats", [0, 3, -1])
def test_8_6_one_or_two_seats(seats: int) -> None:
    """One runs, two contend; nobody else."""
    assert "bad_seats" == refusal(lambda: GAME.setup(DEFAULT, seats)).code
    assert range(1, 3) == GAME.seats(DEFAULT)


@pytest.mark.parametrize("state", [run(), GAME.setup(DEFAULT, 1), GAME.setup(DEFAULT, 2)])
def test_1_1_luck_comes_only_when_it_is_due(state: State) -> None:
    """A hand that nobody is waiting for is refused."""
    assert "no_luck_due" == refusal(lambda: draw(state, NOTHING), IllegalMove).code


@pytest.mark.parametrize(
    "held",
    [
        ROYAL_FLUSH[::-1],
        ROYAL_FLUSH[:4],
        (*ROYAL_FLUSH[:4], ROYAL_FLUSH[3]),
        (*ROYAL_FLUSH, hand("2♠")[0]),
        (),
    ],
    ids=["unsorted", "four", "twice", "six", "none"],
)
def test_1_1_luck_is_a_hand_of_the_deck(held: Hand) -> None:
    """What cannot be drawn is refused: one hand is one outcome, five different cards, sorted."""
    waiting = act(run(), Attempt("pickpocket")).state

    assert "impossible_luck" == refusal(lambda: GAME.step(waiting, Luck(held)), IllegalMove).code


def test_who_is_late_rests() -> None:
    """Before an outlaw is chosen, any choice will do."""
    begun = GAME.setup(DEFAULT, 1)

    assert [Rest()] == [*GAME.overdue(run(), 0)]
    assert GAME.actions(begun, 0) == GAME.overdue(begun, 0)
