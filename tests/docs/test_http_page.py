"""The requests on the page about HTTP are valid."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.server.api_types import ActRequest, JoinRequest, OpenMatchRequest, ReplayRequest
from tests.server.questions import question_paths

PAGE = Path(__file__).parents[2] / "docs/reference/http.md"
TEXT = PAGE.read_text(encoding="utf-8")
FOUND = [*re.finditer(r"^```json\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)]
BLOCKS = [found[1] for found in FOUND]
ADDRESS = re.compile(r"/api/v1/[a-z_]+(?:/[a-z_]+)+")
ASKED_AT = {"table": "/api/v1/casino/odds", "drops": "/api/v1/casino/resolve"}
"""Addresses by the type of a request."""


def blocks_with(key: str) -> list[str]:
    """Return the blocks with a key that only one type of request has."""
    return [block for block in BLOCKS if key in json.loads(block)]


@pytest.mark.parametrize(
    ("key", "kind"),
    [("seats", OpenMatchRequest), ("name", JoinRequest), ("act", ActRequest), ("viewer", ReplayRequest)],
)
def test_the_requests_of_the_page_are_valid(key: str, kind: type[Any]) -> None:
    """Each is parsed and has all required fields."""
    read = [wire.from_json(block, kind) for block in blocks_with(key)]

    assert read
    assert [json.loads(block)[key] for block in blocks_with(key)] == [
        json.loads(wire.to_json(request))[key] for request in read
    ]


def questions() -> dict[str, str]:
    """Return the requests of questions with their addresses: the last one before each block."""
    addresses_by_block = {}
    for before, found in pairwise(FOUND):
        addresses = ADDRESS.findall(TEXT, before.end(), found.start())
        if addresses and addresses[-1] in question_paths():
            addresses_by_block[found[1]] = addresses[-1]
    return addresses_by_block


def test_the_questions_of_the_page_are_answered() -> None:
    """Each at its address; none is without one."""
    paths = question_paths()
    for block, address in questions().items():
        request = wire.from_json(block, paths[address].request)
        reply = json.loads(wire.to_json(paths[address].answer(request, Seeded("page"))))

        assert reply, address
    assert {
        "/api/v1/destiny/check",
        "/api/v1/destiny/run",
        "/api/v1/destiny/odds/curve",
        "/api/v1/dice/score/batch",
        "/api/v1/dice/advise",
        "/api/v1/duel/split",
        "/api/v1/fate/abilities",
        "/api/v1/casino/odds",
        "/api/v1/casino/drops",
    } == {*questions().values()}


def test_the_batches_of_the_page_are_answered() -> None:
    """A batch has a reply for each of its requests."""
    (block,) = blocks_with("count")
    question = question_paths()["/api/v1/dice/score/batch"]
    reply = question.answer(wire.from_json(block, question.request), Seeded("page"))

    assert json.loads(block)["count"] == len(json.loads(wire.to_json(reply))["answers"])
