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
    "table": "/api/v1/casino/odds",
    "drops": "/api/v1/casino/resolve",
    "keep": "/api/v1/dice/odds",
    "abilities": "/api/v1/fate/odds",
}
"""By the type of a request, its address."""
ASKED_WITH = {
    "over": "/api/v1/destiny/odds/curve",
    "view": "/api/v1/destiny/run",
    "character": "/api/v1/destiny/check",
}
"""By a field that only one of the requests without a type has, its address."""


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
    addresses = {block: _address(json.loads(block)) for block in BLOCKS}
    asked = {block: question_paths()[address] for block, address in addresses.items() if address}
    replies = [
        question.answer(wire.from_json(block, question.request), Seeded("page"))
        for block, question in asked.items()
    ]

    assert [
        "CheckReply",
        "CasinoOddsReply",
        "DropsReply",
        "RunReply",
        "KeepReply",
        "AbilitiesReply",
        "CurveReply",
    ] == [type(reply).__name__ for reply in replies]


def _address(request: dict[str, Any]) -> str | None:
    """Return where a request is sent; None for one that is no question."""
    if "type" in request:
        return ASKED_AT[request["type"]]
    return next((address for key, address in ASKED_WITH.items() if key in request), None)


def test_batches_that_are_shown_can_be_asked() -> None:
    """A batch has a reply for each of its questions."""
    (block,) = shown("count")
    question = question_paths()["/api/v1/dice/resolve/batch"]
    reply = question.answer(wire.from_json(block, question.request), Seeded("page"))

    assert json.loads(block)["count"] == len(json.loads(wire.to_json(reply))["answers"])
