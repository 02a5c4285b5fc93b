"""A mechanic that comes from a file or a module is described and answered as those that are installed."""

import pytest

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.registry import VARIABLE, add_sources
from oddsmith.server.openapi import description
from oddsmith.server.question_endpoints import question_paths


@pytest.fixture(autouse=True)
def coins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the mechanic of coins beside those that are installed."""
    monkeypatch.setenv(VARIABLE, "")
    add_sources(["tests.core.flips:MECHANIC"])


def test_its_questions_are_described_with_its_rules() -> None:
    described = description(question_paths())

    assert {"/api/v1/coins/flips", "/api/v1/coins/flips/batch", "/api/v1/coins/flips/curve"} <= {
        *described["paths"]
    }
    assert "rounds" in described["components"]["schemas"]["coins.Rules"]["properties"]


def test_its_questions_are_answered_at_their_addresses() -> None:
    endpoint = question_paths()["/api/v1/coins/flips"]
    reply = endpoint.answer(wire.from_json(b'{"flips": 2, "wanted": 2}', endpoint.request), Seeded("yuma"))

    assert (reply.reach.count, reply.reach.total) == (1, 4)
