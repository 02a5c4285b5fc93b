"""Moves of a position: refusals, lines of notation, turns and changed tuples."""

from collections import Counter
from itertools import product
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.position.test_declarations import Stop

from oddsmith.cards import STANDARD_DECK, cards
from oddsmith.chance import Scripted
from oddsmith.errors import IllegalMove, InputError, OddsmithError
from oddsmith.game import Act, Luck
from oddsmith.points import Points
from oddsmith.position import Card, ends, less, one_of, plus, put, roll
from oddsmith.position.chances import SortedRoll
from oddsmith.position.notation import MoveNotation, write_value

Hand = tuple[Card, ...]


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (Literal["roll", "hold"], "hold", "hold"),
        (int, 6, "6"),
        (bool, True, "true"),
        (tuple[int, ...], (3, 5), "[3,5]"),
        (Card, cards("A♠")[0], "A♠"),
        (Hand, cards("A♠ 10♦"), "A♠ 10♦"),
        (Hand, (), "none"),
        (tuple[Hand, ...], (cards("A♠"), ()), "A♠ | none"),
        (tuple[Hand, ...], (cards("A♠ K♠"),), "A♠ K♠"),
        (Literal["pass"] | Hand, "pass", "pass"),
        (Literal["pass"] | Hand, cards("2♣"), "2♣"),
        (int | Literal["stand"], "stand", "stand"),
    ],
)
def test_a_move_is_a_line_of_words_numbers_or_cards(kind: Any, value: Any, text: str) -> None:  # noqa: ANN401  any type
    notation = MoveNotation(kind, kind)

    assert (f"1 {text}", f"* {text}") == (notation.write(Act(1, value)), notation.write(Luck(value)))
    assert (Act(1, value), Luck(value)) == (notation.read(f"1 {text}"), notation.read(f"* {text}"))


@pytest.mark.parametrize(
    "line", ["", "hold", "x hold", "01 hold", "1 fold", "1", "* fold", "1 hold ", "٣ hold", "-1 hold"]
)
def test_a_line_that_is_no_move_is_refused(line: str) -> None:
    with pytest.raises(InputError) as caught:
        MoveNotation(Literal["roll", "hold"], int).read(line)

    assert "bad_move" == caught.value.refusal.code


@given(st.text(max_size=12))
def test_any_line_is_a_move_or_refused(line: str) -> None:
    """A line that is read is the line of the move that was read."""
    notation = MoveNotation(Literal["pass"] | Hand, tuple[Hand, ...])
    try:
        move = notation.read(line)
    except OddsmithError:
        return

    assert line == notation.write(move)


@given(st.lists(st.sampled_from(STANDARD_DECK), max_size=5))
def test_every_hand_is_read_back(hand: list[Any]) -> None:
    notation = MoveNotation(Hand, Hand)

    assert Act(0, tuple(hand)) == notation.read(notation.write(Act(0, tuple(hand))))
    assert write_value(tuple(hand)) == (" ".join(card.text for card in hand) or "none")


def test_moves_out_of_turn_are_refused() -> None:
    game = Stop.as_game()
    start = game.setup(game.rules_type(), 2)
    over = game.step(start, Act(0, "stop")).state
    sentences = []
    for state, move in (
        (start, Act(1, "stop")),
        (start, Act(0, "go")),
        (over, Act(0, "stop")),
        (start, Luck(1)),
    ):
        with pytest.raises(IllegalMove) as caught:
            game.step(state, move)
        sentences.append(caught.value.refusal.sentence)

    assert [
        "it is not this seat's turn to choose",
        "'go' is not possible now; possible: stop",
        "the game is over: stopped",
        "no luck is due now: a seat must choose, or the game is over",
    ] == sentences


@pytest.mark.parametrize(
    ("scores", "winners"), [((3, 10), (1,)), ((5, 5, 2), (0, 1)), ((7,), (0,)), ((0,), ()), ((-2,), ())]
)
def test_the_highest_score_wins(scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """A single seat wins with a score above 0."""
    outcome = ends("over", scores).outcome

    assert (winners, tuple(map(Points, scores))) == (outcome.winners, outcome.scores)


def test_winners_may_be_given() -> None:
    assert (0,) == ends("over", (1, 9), winners=(0,)).outcome.winners


@pytest.mark.parametrize(
    ("place", "sentence"),
    [(2, "there is no place 2: the places are 0 to 1"), (-1, "there is no place -1: the places are 0 to 1")],
)
def test_a_place_outside_is_refused(place: int, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        put((1, 2), place, 3)

    assert sentence == str(caught.value)


def test_cards_join_and_leave_sorted_piles() -> None:
    hands = plus((cards("3♠"), ()), 0, cards("2♠"))

    assert (cards("2♠ 3♠"), ()) == hands
    assert cards("3♠") == less(hands[0], cards("2♠"))


def test_a_card_that_is_not_there_cannot_leave() -> None:
    with pytest.raises(InputError) as caught:
        less(cards("2♠"), cards("3♠"))

    assert "not in the pile: 3♠" == str(caught.value)


@pytest.mark.parametrize(("sides", "count"), [(1, 0), (2, 3), (6, 2), (4, 4)])
def test_a_roll_counts_the_orders_of_its_faces(sides: int, count: int) -> None:
    """Compared with all ordered rolls."""
    node = SortedRoll(sides, count)
    ordered = Counter(tuple(sorted(faces)) for faces in product(range(1, sides + 1), repeat=count))

    assert ordered == dict(node.outcomes())
    assert ordered == {faces: node.weight(faces) for faces in ordered}
    assert sum(ordered.values()) == node.total


@pytest.mark.parametrize("outcome", [(6, 1), (1,), (0, 1), (1, 7), "11", None])
def test_a_roll_that_is_impossible_weighs_nothing(outcome: object) -> None:
    assert 0 == roll(6, 2).weight(outcome)  # type: ignore[arg-type]  # a wrong outcome


def test_a_roll_is_sampled_die_by_die() -> None:
    assert (2, 6) == roll(6, 2).sample(Scripted([5, 1]))


@pytest.mark.parametrize(
    "make",
    [lambda: roll(0), lambda: roll(0, 1), lambda: roll(6, -1), lambda: one_of({"a": 0}), lambda: one_of(())],
)
def test_luck_without_outcomes_is_refused(make: Any) -> None:  # noqa: ANN401  makes a chance node
    with pytest.raises(InputError):
        make()
