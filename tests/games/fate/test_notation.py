"""Moves in record notation: each is one line that is read back unchanged."""

import pytest

from oddsmith.game import Act, Luck
from oddsmith.games.fate.model import (
    Action,
    CallCheck,
    DiscardTop,
    EndTurn,
    ForceReshuffle,
    Keep,
    MoveToBottom,
    Peek,
    Ready,
    Redraw,
    Reorder,
    Resolve,
    ReturnDiscards,
    TakeExtra,
)
from oddsmith.games.fate.notation import read_move, write_move
from tests.games.fate.builders import refusal

LINES: dict[str, Act[Action] | Luck[str]] = {
    "0 call 2 hard": Act(0, CallCheck(2, "hard")),
    "0 end": Act(0, EndTurn()),
    "1 ready": Act(1, Ready()),
    "1 resolve": Act(1, Resolve()),
    "1 peek 3": Act(1, Peek(3)),
    "1 reorder 2 0 1": Act(1, Reorder((2, 0, 1))),
    "10 bottom": Act(10, MoveToBottom()),
    "1 discard 2": Act(1, DiscardTop(2)),
    "1 return 1": Act(1, ReturnDiscards(1)),
    "1 extra": Act(1, TakeExtra()),
    "1 keep 0 2": Act(1, Keep((2, 0))),
    "1 redraw": Act(1, Redraw()),
    "1 reshuffle": Act(1, ForceReshuffle()),
    "* 3♠": Luck("3♠"),
}


@pytest.mark.parametrize(("line", "move"), LINES.items(), ids=LINES)
def test_a_move_is_written_and_read_back(line: str, move: Act[Action] | Luck[str]) -> None:
    assert line == write_move(move)
    assert move == read_move(line)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("", "a move starts with a seat's number or with *, not ''"),
        ("x peek 1", "a move starts with a seat's number or with *, not 'x'"),
        ("100 peek 1", "a move starts with a seat's number or with *, not '100'"),
        ("* ", "'* ' is no move: one card is expected after *"),
        ("* 3♠ 2♠", "one card is expected after *"),
        ("1", "'' is no move; known: call"),
        ("1 peak 1", "'peak 1' is no move — did you mean 'peek'? Known: call"),
        ("1 peek", "'peek' is no move: 1 word is expected after 'peek', not 0"),
        ("1 peek 1 2", "1 word is expected after 'peek', not 2"),
        ("1 peek x", "'x' is no number from 0"),
        ("1 peek -1", "'-1' is no number from 0"),
        ("1 peek ٣", "'٣' is no number from 0"),
        ("1 peek 1000", "'1000' is no number from 0"),
        ("1 reorder 0 x", "'x' is no number from 0"),
        ("0 call 1", "2 words are expected after 'call', not 1"),
        (f"1 ready{' ' * 300}or not", "it has at most 300 characters"),
        ("0 call two hard", "'two' is no number from 0"),
    ],
)
def test_a_line_that_is_no_move_is_refused(line: str, part: str) -> None:
    """The sentence shows valid moves."""
    refused = refusal(lambda: read_move(line))

    assert "bad_move" == refused.code
    assert part in refused.sentence
