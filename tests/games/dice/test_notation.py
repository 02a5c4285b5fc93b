"""Moves as lines of a record and as JSON, and refused texts."""

import pytest

from oddsmith import wire
from oddsmith.game import Act, Luck
from oddsmith.games.dice import (
    GAME,
    Action,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    Lock,
    PoolDie,
    Rules,
    SetWild,
    Unlock,
)
from oddsmith.games.dice.engine import LuckOutcome
from oddsmith.games.dice.notation import read_action, read_move, write_move
from oddsmith.records import Record
from tests.games.dice.builders import LEAVE, REROLL, SCORE, first_roll, objection_to, refusal

MOVES = [
    ("0 lock 2", Act(0, Lock(2))),
    ("0 unlock 2", Act(0, Unlock(2))),
    ("0 set 2 6", Act(0, SetWild(2, 6))),
    ("0 reroll", Act(0, REROLL)),
    ("0 score", Act(0, SCORE)),
    ("0 replace 4 glass+1", Act(0, BuyDie(4, PoolDie("glass", 1)))),
    ("0 replace 0 wild", Act(0, BuyDie(0, PoolDie("wild")))),
    ("0 item even_steven", Act(0, BuyItem("even_steven"))),
    ("0 upgrade pair", Act(0, BuyUpgrade("pair"))),
    ("0 extra", Act(0, BuyExtraDie())),
    ("0 leave", Act(0, LEAVE)),
    ("* 5 5 5 2 4", Luck((5, 5, 5, 2, 4))),
    ("*", Luck(())),
    ("* = miser", Luck("miser")),
    ("* = glass+1", Luck("glass+1")),
    ("* extra_reroll insurance", Luck(("extra_reroll", "insurance"))),
]


@pytest.mark.parametrize(("line", "move"), MOVES)
def test_a_move_is_one_short_line(line: str, move: Act[Action] | Luck[LuckOutcome]) -> None:
    """A seat and its choice, or a star and what luck decided."""
    state = first_roll((5, 5, 5, 2, 4))

    assert line == write_move(move) == GAME.write(state, move)
    assert move == read_move(line) == GAME.read(state, line)


def test_spaces_do_not_matter() -> None:
    assert SetWild(2, 6) == read_action("  set  2   6 ")
    assert Luck((5, 5)) == read_move(" *  5   5 ")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "a move starts with a seat's number or with *, not ''"),
        ("lock 0", "a move starts with a seat's number or with *, not 'lock'"),
        ("-1 score", "a move starts with a seat's number or with *, not '-1'"),
        ("10 score", "a move starts with a seat's number or with *, not '10'"),
        ("² score", "a move starts with a seat's number or with *, not '²'"),
        ("0 lock", "'lock' is no move: 'lock' is followed by 1 word, not 0"),
        ("0 lock 1 2", "'lock 1 2' is no move: 'lock' is followed by 1 word, not 2"),
        ("0 lock -1", "'lock -1' is no move: '-1' is no number from 0"),
        ("0 lock ²", "'lock ²' is no move: '²' is no number from 0"),
        ("0 lock 1000", "'lock 1000' is no move: '1000' is no number from 0"),
        ("0 set 1", "'set 1' is no move: 'set' is followed by 2 words, not 1"),
        ("0 score now", "'score now' is no move: 'score' is followed by 0 words, not 1"),
        ("0 replace 1 glass+x", "'replace 1 glass+x' is no move: 'x' is no number from 0"),
        ("0 replace 1 glass+", "'replace 1 glass+' is no move: '' is no number from 0"),
        ("0 lock 1" + " " * 200 + "2", f"'lock 1{' ' * 54} …' is no move: it has more than 200 characters"),
        ("0 item " + "x" * 61, f"'item {'x' * 55} …' is no move: a name has at most 60 characters"),
        ("* =", "'* =' is no move: one name follows ="),
        ("* = miser silencer", "'* = miser silencer' is no move: one name follows ="),
        (
            "*" + " 1" * 21,
            f"'*{' 1' * 21}"[:61] + " …' is no move: luck decides at most 20 things",
        ),
    ],
)
def test_a_line_that_is_no_move_is_refused(line: str, sentence: str) -> None:
    """The sentence says what is wrong."""
    refused = refusal(lambda: read_move(line))

    assert ("bad_move", sentence) == (refused.code, refused.sentence)


def test_the_nearest_word_is_suggested() -> None:
    """`rerol` suggests reroll; an empty line suggests nothing."""
    known = "lock, unlock, set, reroll, score, replace, item, upgrade, extra, leave"

    assert f"'rerol' is no move — did you mean 'reroll'? Known: {known}" == refusal(
        lambda: read_move("0 rerol")
    ).sentence  # fmt: skip
    assert f"'' is no move; known: {known}" == refusal(lambda: read_move("0")).sentence


def test_a_place_outside_the_pool_is_refused_by_the_rules() -> None:
    """It is a valid action and an illegal move."""
    assert "no_such_die" == objection_to(first_roll((1, 2, 3)), read_action("lock 999")).code


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ('{"type": "lock", "place": 2}', Lock(2)),
        ('{"type": "unlock", "place": 2}', Unlock(2)),
        ('{"type": "set_wild", "place": 2, "face": 6}', SetWild(2, 6)),
        ('{"type": "reroll"}', REROLL),
        ('{"type": "score"}', SCORE),
        (
            '{"type": "buy_die", "place": 4, "die": {"kind": "glass", "level": 1}}',
            BuyDie(4, PoolDie("glass", 1)),
        ),
        ('{"type": "buy_die", "place": 4, "die": {"kind": "wild"}}', BuyDie(4, PoolDie("wild"))),
        ('{"type": "buy_item", "item": "insurance"}', BuyItem("insurance")),
        ('{"type": "buy_upgrade", "hand": "pair"}', BuyUpgrade("pair")),
        ('{"type": "buy_extra_die"}', BuyExtraDie()),
        ('{"type": "leave"}', LEAVE),
    ],
)
def test_actions_as_json(text: str, action: Action) -> None:
    """One object, tagged by its type."""
    assert action == wire.from_json(text, GAME.action_type)
    assert action == wire.from_json(wire.to_json(action), GAME.action_type)


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "lock"}',
        '{"type": "lock", "place": "2"}',
        '{"type": "lock", "place": 2.5}',
        '{"type": "lock", "place": true}',
        '{"type": "lock", "place": 1001}',
        '{"type": "lock", "place": 1, "seat": 0}',
        '{"type": "set_wild", "place": 1}',
        '{"type": "set_wild", "place": 1, "face": 1001}',
        '{"type": "buy_die", "place": 1, "die": "glass"}',
        '{"type": "buy_die", "place": 1, "die": {"kind": "Glass"}}',
        '{"type": "buy_die", "place": 1, "die": {"kind": "glass", "level": 11}}',
        f'{{"type": "buy_item", "item": "{"x" * 61}"}}',
        '{"type": "reroll", "place": 1}',
        '{"type": "cheat"}',
        '{"place": 1}',
        "[]",
    ],
)
def test_json_that_is_no_action_is_refused(text: str) -> None:
    """Missing or unknown keys, invalid numbers and names."""
    assert "bad_json" == refusal(lambda: wire.from_json(text, GAME.action_type)).code


def test_a_record_has_a_line_for_each_move() -> None:
    """The outcome is its end."""
    moves: list[Act[Action] | Luck[LuckOutcome]] = [
        Luck((1, 2, 3, 5, 6)),
        Act(0, Lock(4)),
        Act(0, REROLL),
        Luck((2, 2, 3, 5)),
        Act(0, SCORE),
    ]
    record = Record.of(GAME, Rules(), ["Ann"], moves)

    assert ("* 1 2 3 5 6", "0 lock 4", "0 reroll", "* 2 2 3 5", "0 score") == record.moves
    assert record.outcome is not None
    assert "a score below the target" == record.outcome.why
