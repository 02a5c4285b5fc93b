"""Moves as lines of a record; other lines are refused."""

import pytest
from hypothesis import given

from oddsmith.cards import Card
from oddsmith.errors import InputError
from oddsmith.game import Act, Luck
from oddsmith.games.destiny import GAME
from oddsmith.games.destiny.model import Action, Attempt, Buy, Choose, Hand, Rest, Travel
from oddsmith.games.destiny.notation import read_move, write_move
from tests.games.destiny.builders import ROYAL_FLUSH, refusal, run
from tests.games.destiny.strategies import hands

MOVES: list[tuple[Act[Action] | Luck[Hand], str]] = [
    (Act(0, Choose("calamity_rose")), "0 choose calamity_rose"),
    (Act(1, Choose("iron_jack")), "1 choose iron_jack"),
    (Act(0, Attempt("bank_robbery")), "0 attempt bank_robbery"),
    (Act(0, Rest()), "0 rest"),
    (Act(0, Travel("red_gulch")), "0 travel red_gulch"),
    (Act(0, Buy("whiskey")), "0 buy whiskey"),
    (Luck(ROYAL_FLUSH), "* 10♠ J♠ Q♠ K♠ A♠"),
]


@pytest.mark.parametrize(("move", "line"), MOVES)
def test_11_2_a_move_is_written_and_read_back(move: Act[Action] | Luck[Hand], line: str) -> None:
    """By the notation and by the game."""
    state = run()

    assert line == write_move(move) == GAME.write(state, move)
    assert move == read_move(line) == GAME.read(state, line)
    assert move == read_move(f"  {line}  ")


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("", "bad_move", "a move starts with a seat's number or with *, not ''"),
        ("rest", "bad_move", "not 'rest'"),
        ("10 rest", "bad_move", "not '10'"),
        ("² rest", "bad_move", "not '²'"),
        ("0", "bad_move", "'' is no move"),
        ("0 rests", "bad_move", "did you mean 'rest'?"),
        ("0 rest now", "bad_move", "rest needs no name"),
        ("0 attempt", "bad_move", "attempt needs exactly one name"),
        ("0 buy two whiskeys", "bad_move", "buy needs exactly one name"),
        ("0 dance", "bad_move", "choose, attempt, rest, travel, buy"),
        ("* A♠ K♠ Q♠ J♠ 1♠", "unknown_card", "'1♠' is no card"),
        ("* A♠ A♠ Q♠ J♠ 10♠", "card_too_often", "A♠ occurs more often"),
    ],
)
def test_11_2_a_line_that_is_no_move_is_refused(line: str, code: str, words: str) -> None:
    """The sentence says what is wrong and suggests the nearest word."""
    refused = refusal(lambda: read_move(line), InputError)

    assert code == refused.code
    assert words in refused.sentence


@given(hands())
def test_1_1_every_hand_can_be_written(held: tuple[Card, ...]) -> None:
    """In any order of its cards; it is read as the sorted hand."""
    assert Luck(tuple(sorted(held))) == read_move(write_move(Luck(held)))
