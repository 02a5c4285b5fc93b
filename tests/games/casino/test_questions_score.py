"""What piles are worth is asked of the rules: points, what they are for, and who is first (§5.3, §5.4)."""

from typing import Any

import pytest

from oddsmith import wire
from oddsmith.errors import InputError
from oddsmith.games.casino.questions.groups import ScoreRequest, score_piles
from oddsmith.games.casino.rules import Rules
from oddsmith.question import Context, read_rules


def asked(**fields: Any) -> dict[str, Any]:  # noqa: ANN401  fields of a question
    """Return the reply to a question, as it is sent."""
    request = wire.from_builtins(fields, ScoreRequest)
    reply = score_piles(request, Context(rules=read_rules(Rules, request.rules)))
    sent: dict[str, Any] = wire.to_builtins(reply)
    return sent


def test_5_3_points_are_told_with_what_they_are_for() -> None:
    """An ace and the ten of diamonds with most cards, against a two of spades with a sweep and most spades."""
    told = asked(piles=[["A♥", "10♦", "9♦"], ["2♠"]], sweeps=[0, 1])

    assert [
        {"cards": 3, "spades": 0, "sweeps": 0, "points": 6, "parts": {"most cards": 3, "10♦": 2, "aces": 1}},
        {
            "cards": 1,
            "spades": 1,
            "sweeps": 1,
            "points": 3,
            "parts": {"most spades": 1, "2♠": 1, "sweeps": 1},
        },
    ] == list(told["scores"])


def test_5_3_the_rules_say_what_counts() -> None:
    """With the short deck two players have nothing for most cards."""
    told = asked(piles=[["A♥", "9♦"], []], sweeps=[0, 0], rules="short")

    assert [{"aces": 1}, {}] == [score["parts"] for score in told["scores"]]


def test_5_4_who_is_first_is_told() -> None:
    """Seats that are equal in everything share."""
    assert (0, 1) == tuple(asked(piles=[[], []], sweeps=[0, 0])["winners"])


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"piles": [["2♠"], ["2♠"]], "sweeps": [0, 0]}, "card_too_often"),
        ({"piles": [["K♠"], []], "sweeps": [0, 0], "rules": "short"}, "unknown_card"),
        ({"piles": [[], []], "sweeps": [0, 0, 0]}, "bad_seats"),
    ],
)
def test_5_3_piles_that_cannot_be_are_refused(fields: dict[str, Any], code: str) -> None:
    """No card lies in two piles, or in one that is not played with, and there are as many sweeps as piles."""
    with pytest.raises(InputError) as refused:
        asked(**fields)

    assert code == refused.value.refusal.code
