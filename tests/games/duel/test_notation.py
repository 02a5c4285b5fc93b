"""Moves as lines of a record and as JSON, and refused texts."""

import pytest

from oddsmith import wire
from oddsmith.errors import InputError
from oddsmith.game import Act, Luck
from oddsmith.games.duel import GAME, Action, Rules, SelectAttack, SelectDefense
from oddsmith.games.duel.model import Hand
from oddsmith.games.duel.notation import read_action, read_action_data, read_move, write_move
from oddsmith.records import Record
from tests.games.duel.builders import FIGHT, FLEE, ROYAL, hand, objection_to, refusal, round_with_house

MOVES = [
    ("0 attack 0 1 2", Act(0, SelectAttack((0, 1, 2)))),
    ("1 defend 3 4", Act(1, SelectDefense((3, 4)))),
    ("0 attack", Act(0, SelectAttack(()))),
    ("0 defend", Act(0, SelectDefense(()))),
    ("0 fight", Act(0, FIGHT)),
    ("1 flee", Act(1, FLEE)),
    ("* 10♠ J♠ Q♠ K♠ A♠", Luck(hand(ROYAL))),
    ("* attack 3", Luck(3)),
]


@pytest.mark.parametrize(("line", "move"), MOVES)
def test_a_move_is_one_short_line(line: str, move: Act[Action] | Luck[Hand | int]) -> None:
    """A seat and its choice, or a star and what luck decided."""
    assert line == write_move(move) == GAME.write(round_with_house(), move)
    assert move == read_move(line) == GAME.read(round_with_house(), line)


def test_places_and_cards_may_be_in_any_order() -> None:
    """They are sorted; spaces do not matter."""
    assert SelectAttack((0, 2, 4)) == read_action(" attack  4 0 2 ")
    assert Luck(hand(ROYAL)) == read_move("* A♠ ks Q♠, 10♠ J♠")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "a move starts with a seat's number or with *, not ''"),
        ("attack 0", "a move starts with a seat's number or with *, not 'attack'"),
        ("-1 fight", "a move starts with a seat's number or with *, not '-1'"),
        ("10 fight", "a move starts with a seat's number or with *, not '10'"),
        ("² fight", "a move starts with a seat's number or with *, not '²'"),
        ("0 attack -1", "'attack -1' is no move: '-1' is no place of a card from 0"),
        ("0 attack 2.5", "'attack 2.5' is no move: '2.5' is no place of a card from 0"),
        ("0 defend 100", "'defend 100' is no move: '100' is no place of a card from 0"),
        ("0 attack ²", "'attack ²' is no move: '²' is no place of a card from 0"),
        ("0 fight 1", "'fight 1' is no move: fight has nothing after it"),
        ("0 flee now", "'flee now' is no move: flee has nothing after it"),
        ("* attack", "'* attack' is no move: '' is no place of a card from 0"),
        ("* attack 3 4", "'* attack 3 4' is no move: '3 4' is no place of a card from 0"),
    ],
)
def test_a_line_that_is_no_move_is_refused(line: str, sentence: str) -> None:
    """The sentence says what is wrong."""
    refused = refusal(lambda: read_move(line))

    assert ("bad_move", sentence) == (refused.code, refused.sentence)


def test_the_nearest_word_is_suggested() -> None:
    """`atack` suggests attack."""
    refused = refusal(lambda: read_move("0 atack 0 1"))

    assert (
        "'atack 0 1' is no move — did you mean 'attack'? Known: attack, defend, fight, flee"
        == refused.sentence
    )


def test_a_place_has_at_most_two_digits() -> None:
    """A place that no hand has is parsed, and refused by the rules."""
    assert SelectAttack((99,)) == read_action("attack 99")
    assert "bad_move" == refusal(lambda: read_action("attack 100")).code


def test_the_length_of_a_line_is_limited() -> None:
    """A hundred places are parsed and refused by the rules; more are no move."""
    hundred = read_action("attack" + " 1" * 100)
    refused = refusal(lambda: read_action("attack" + " 1" * 101))

    assert "repeated_index" == objection_to(round_with_house(), hundred).code
    assert f"'attack{' 1' * 27} …' is no move: a hand has five cards" == refused.sentence


def test_invalid_and_repeated_cards_are_refused() -> None:
    assert "unknown_card" == refusal(lambda: read_move("* 10♠ J♠ Q♠ K♠ Z♠")).code
    assert "card_too_often" == refusal(lambda: read_move("* 10♠ 10♠")).code


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ('{"type": "select_attack", "card_indices": [0, 1, 2]}', SelectAttack((0, 1, 2))),
        ('{"card_indices": [2, 0, 1], "type": "select_attack"}', SelectAttack((0, 1, 2))),
        ('{"type": "select_defense", "card_indices": [4, 3]}', SelectDefense((3, 4))),
        ('{"type": "select_defense", "card_indices": []}', SelectDefense(())),
        ('{"type": "execute_turn"}', FIGHT),
        ('{"type": "flee"}', FLEE),
    ],
)
def test_4_1_actions_as_json(text: str, action: Action) -> None:
    """The fields of the source document, places in any order."""
    assert action == wire.from_json(text, GAME.action_type)
    assert action == wire.from_json(wire.to_json(action), GAME.action_type)


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "select_attack"}',
        '{"type": "select_attack", "card_indices": 3}',
        '{"type": "select_attack", "card_indices": [0.5]}',
        '{"type": "select_attack", "card_indices": ["0"]}',
        '{"type": "select_attack", "card_indices": [true]}',
        '{"type": "select_attack", "card_indices": [1001]}',
        f'{{"type": "select_attack", "card_indices": [{"9" * 4000}]}}',
        '{"type": "select_attack", "card_indices": [0], "seat": 1}',
        '{"type": "select_attack", "card_indices": [' + ", ".join("1" * 101) + "]}",
        '{"type": "execute_turn", "card_indices": [0]}',
        '{"type": "hit"}',
        '{"card_indices": [0]}',
        "[]",
    ],
)
def test_4_5_json_that_is_no_action_is_refused(text: str) -> None:
    """Missing or unknown keys, places that are no whole numbers, too many places."""
    assert "bad_json" == refusal(lambda: wire.from_json(text, GAME.action_type), InputError).code


@pytest.mark.parametrize("places", ["[5]", "[-1]", "[0, 0]", "[1000]", "[-1000]"])
def test_4_5_json_with_bad_places_is_refused_by_the_rules(places: str) -> None:
    """It is a valid action and an illegal move."""
    action = wire.from_json(f'{{"type": "select_attack", "card_indices": {places}}}', GAME.action_type)
    refused = GAME.objection(round_with_house(), 0, action)

    assert refused is not None
    assert "4.5" == refused.paragraph


@pytest.mark.parametrize(
    ("data", "action"),
    [
        ({"type": "select_attack", "cardIndices": [0, 1, 2]}, SelectAttack((0, 1, 2))),
        ({"type": "select_defense", "cardIndices": [4, 3]}, SelectDefense((3, 4))),
        ({"type": "select_defense", "cardIndices": []}, SelectDefense(())),
        ({"type": "select_attack", "card_indices": [2, 0]}, SelectAttack((0, 2))),
        ({"type": "select_attack", "card_indices": [7, 7]}, SelectAttack((7, 7))),
        ({"type": "execute_turn"}, FIGHT),
        ({"type": "flee"}, FLEE),
    ],
)
def test_4_1_actions_have_the_spelling_of_the_source_document(data: object, action: Action) -> None:
    """Next to our own; the rules then judge the places."""
    assert action == read_action_data(data) == GAME.claimed_action(round_with_house(), 0, data)


TYPES = "an action is an object whose type is select_attack, select_defense, execute_turn, flee"
PLACES = "cardIndices has the places of cards in the hand, whole numbers from 0 to 4"


@pytest.mark.parametrize(
    ("data", "where", "sentence"),
    [
        (
            {"type": "select_attack", "cardIndices": [0], "card_indices": [0]},
            "cardIndices",
            "cardIndices and card_indices are two names of one field: give one of them",
        ),
        ([], "type", TYPES),
        ({}, "type", TYPES),
        ({"type": 7}, "type", TYPES),
        ({"type": "hit"}, "type", f"{TYPES}, not 'hit'"),
        ({"type": "flee", "cardIndices": [0]}, "cardIndices", "flee has no field 'cardIndices'"),
        ({"type": "select_attack", "seat": 1}, "seat", "select_attack has no field 'seat'"),
        (
            {"type": "select_attack"},
            "card_indices",
            "select_attack needs card_indices, the places of cards in the hand",
        ),
        (
            {"type": "select_attack", "cardIndices": 3},
            "cardIndices",
            "cardIndices is a list of at most 100 places",
        ),
        (
            {"type": "select_attack", "card_indices": [1] * 101},
            "card_indices",
            "card_indices is a list of at most 100 places",
        ),
        ({"type": "select_attack", "cardIndices": [0, "1"]}, "cardIndices[1]", PLACES),
        ({"type": "select_attack", "cardIndices": [True]}, "cardIndices[0]", PLACES),
        ({"type": "select_attack", "cardIndices": [0.5]}, "cardIndices[0]", PLACES),
        ({"type": "select_attack", "cardIndices": [1001]}, "cardIndices[0]", PLACES),
    ],
)
def test_4_1_data_that_are_no_action_are_refused_with_a_sentence(
    data: object, where: str, sentence: str
) -> None:
    """Also an object that has both spellings."""
    refused = refusal(lambda: read_action_data(data), InputError)

    assert ("bad_move", where, sentence) == (refused.code, refused.where, refused.sentence)


def test_a_record_has_a_line_for_each_move() -> None:
    """The outcome is its end."""
    moves: list[Act[Action] | Luck[Hand | int]] = [
        Luck(hand("4♠ 9♠ 8♥ 5♣ 4♦")),
        Luck(3),
        Luck(hand(ROYAL)),
        Act(0, SelectDefense((0,))),
        Act(0, FLEE),
    ]
    record = Record.of(GAME, Rules(), ["Ann"], moves)

    assert (
        "* 4♠ 9♠ 8♥ 5♣ 4♦",
        "* attack 3",
        "* 10♠ J♠ Q♠ K♠ A♠",
        "0 defend 0",
        "0 flee",
    ) == record.moves
    assert record.outcome is not None
    assert "flight" == record.outcome.why
