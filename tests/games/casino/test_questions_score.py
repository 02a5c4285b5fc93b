"""The question about the score of piles: points, their parts, and the winners (§5.3, §5.4)."""

from typing import Any

import pytest

from oddsmith import wire
from oddsmith.errors import InputError
from oddsmith.games.casino.questions.groups import ScoreRequest, score_piles
from oddsmith.games.casino.rules import Rules
from oddsmith.question import Context, read_rules


def ask_score(**fields: Any) -> dict[str, Any]:  # noqa: ANN401  any field of the request
    """Return the reply as JSON values."""
    request = wire.from_builtins(fields, ScoreRequest)
    reply = score_piles(request, Context(rules=read_rules(Rules, request.rules)))
    sent: dict[str, Any] = wire.to_builtins(reply)
    return sent


def test_5_3_points_have_their_parts() -> None:
    """An ace and the ten of diamonds with most cards, against a two of spades with a sweep and most spades."""
    score_reply = ask_score(piles=[["A♥", "10♦", "9♦"], ["2♠"]], sweeps=[0, 1])

    assert [
        {"cards": 3, "spades": 0, "sweeps": 0, "points": 6, "parts": {"most cards": 3, "10♦": 2, "aces": 1}},
        {
            "cards": 1,
            "spades": 1,
            "sweeps": 1,
            "points": 3,
            "parts": {"most spades": 1, "2♠": 1, "sweeps": 1},
        },
    ] == list(score_reply["scores"])


def test_5_3_the_rules_decide_the_points() -> None:
    """With the short deck two players have nothing for most cards."""
    score_reply = ask_score(piles=[["A♥", "9♦"], []], sweeps=[0, 0], rules="short")

    assert [{"aces": 1}, {}] == [score["parts"] for score in score_reply["scores"]]


def test_5_4_the_reply_has_the_winners() -> None:
    """Seats that are equal in everything share."""
    assert (0, 1) == tuple(ask_score(piles=[[], []], sweeps=[0, 0])["winners"])


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"piles": [["2♠"], ["2♠"]], "sweeps": [0, 0]}, "card_too_often"),
        ({"piles": [["K♠"], []], "sweeps": [0, 0], "rules": "short"}, "unknown_card"),
        ({"piles": [[], []], "sweeps": [0, 0, 0]}, "bad_seats"),
    ],
)
def test_5_3_impossible_piles_are_refused(fields: dict[str, Any], code: str) -> None:
    """A card in two piles, a card that is not in the deck, a wrong number of sweeps."""
    with pytest.raises(InputError) as refused:
        ask_score(**fields)

    assert code == refused.value.refusal.code
