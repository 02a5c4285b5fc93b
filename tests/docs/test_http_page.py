"""Requests that the page about HTTP shows are read as a server reads them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.server.question_endpoints import question_paths
from oddsmith.server.requests import Acting, Joining, Opening, Replaying

PAGE = Path(__file__).parents[2] / "docs/reference/http.md"
BLOCKS = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
ASKED_AT = {
    "check": "/api/v1/destiny/resolve",
    "table": "/api/v1/casino/odds",
    "drops": "/api/v1/casino/resolve",
    "abilities": "/api/v1/fate/odds",
    "check_curve": "/api/v1/destiny/odds",
    "run": "/api/v1/destiny/odds",
}


def shown(key: str) -> list[str]:
    """Return the blocks that have a key which only one kind of request has."""
    return [block for block in BLOCKS if key in json.loads(block)]


@pytest.mark.parametrize(
    ("key", "kind"), [("seats", Opening), ("name", Joining), ("act", Acting), ("viewer", Replaying)]
)
def test_requests_that_are_shown_can_be_sent(key: str, kind: type[Any]) -> None:
    """Each has all that is needed, in the form that is asked for."""
    read = [wire.from_json(block, kind) for block in shown(key)]

    assert read
    assert [json.loads(block)[key] for block in shown(key)] == [
        json.loads(wire.to_json(request))[key] for request in read
    ]


def test_questions_that_are_shown_can_be_asked() -> None:
    """Each is answered at its address."""
    asked = {block: question_paths()[ASKED_AT[json.loads(block)["type"]]] for block in shown("type")}
    replies = [
        question.answer(wire.from_json(block, question.request), Seeded("page"))
        for block, question in asked.items()
    ]

    assert [
        "Checked",
        "CasinoOddsReply",
        "DropsReply",
        "RunReply",
        "AbilitiesReply",
        "CheckCurveReply",
    ] == [type(reply).__name__ for reply in replies]


def test_a_question_of_dice_hands_that_is_shown_can_be_asked() -> None:
    """It is answered at the address that stands before it."""
    (block,) = shown("faces")
    question = question_paths()["/api/v1/dice/advise"]
    reply = question.answer(wire.from_json(block, question.request), Seeded("page"))

    assert "AdviceReply" == type(reply).__name__


def test_batches_that_are_shown_can_be_asked() -> None:
    """A batch has a reply for each of its questions."""
    (block,) = shown("count")
    question = question_paths()["/api/v1/dice/score/batch"]
    reply = question.answer(wire.from_json(block, question.request), Seeded("page"))

    assert json.loads(block)["count"] == len(json.loads(wire.to_json(reply))["answers"])
