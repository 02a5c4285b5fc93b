"""The server's description of a question is enough to build a form for it."""

from typing import Any

import jsonschema_rs
import pytest

from oddsmith import wire
from oddsmith.mechanic import AnyQuestion
from oddsmith.question_examples import example_request
from oddsmith.registry import load_mechanics, mechanic_names
from tests.server.servers import API, RunningServer

QUESTIONS = [
    pytest.param(game, question, id=f"{game}-{question.name}")
    for game, mechanic in load_mechanics().items()
    for question in mechanic.questions.values()
]


@pytest.mark.parametrize("game", mechanic_names())
def test_the_questions_of_a_game_are_listed(server: RunningServer, game: str) -> None:
    listed = server.http.get(f"{API}/games/{game}/questions").json()

    assert [(one["name"], one["summary"]) for one in listed] == [
        (question.name, question.summary) for question in load_mechanics()[game].questions.values()
    ]


@pytest.mark.parametrize(("game", "question"), QUESTIONS)
def test_the_schemas_of_a_question_are_self_contained(
    server: RunningServer, game: str, question: AnyQuestion
) -> None:
    """Every field of the request is in its schema, the example is valid, and no reference leads out of a schema."""
    form = server.http.get(f"{API}/games/{game}/questions/{question.name}").json()

    assert [*question.request.__struct_fields__] == [*form["request"]["properties"]]
    assert [*question.reply.__struct_fields__] == [*form["reply"]["properties"]]
    assert wire.to_json(form["example"]) == wire.to_json(example_request(question))
    for schema in (form["request"], form["reply"]):
        assert {*references(schema)} <= {f"#/$defs/{name}" for name in schema["$defs"]}
        jsonschema_rs.validator_for(schema)
    if form["example"] is not None:
        jsonschema_rs.validator_for(form["request"]).validate(form["example"])
        wire.from_builtins(form["example"], question.request)


def references(schema: Any) -> list[str]:  # noqa: ANN401  a JSON schema
    """Return all references of a schema."""
    if isinstance(schema, list):
        return [found for inner in schema for found in references(inner)]
    if not isinstance(schema, dict):
        return []
    own = [schema["$ref"]] if "$ref" in schema else []
    return [*own, *(found for inner in schema.values() for found in references(inner))]


def test_a_chance_is_marked_in_the_schema_of_a_reply(server: RunningServer) -> None:
    form = server.http.get(f"{API}/games/fate/questions/abilities").json()

    assert form["reply"]["properties"]["chance"]["x-unit"] == "chance"
    assert "x-unit" not in form["reply"]["properties"]["drawn"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("games/chess/questions", "unknown_game"),
        ("games/chess/questions/odds", "unknown_game"),
        ("games/duel/questions/weather", "unknown_question"),
    ],
)
def test_an_unknown_game_or_question_is_not_found(server: RunningServer, path: str, code: str) -> None:
    refused = server.http.get(f"{API}/{path}")

    assert (404, code) == (refused.status_code, refused.json()["error"]["code"])


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"target": "burglary", "at": "noon"}, "at"),
        ({"target": "burglary", "character": {"skills": {"stealth": "much"}}}, "character.skills"),
        ({}, "target"),
        ({"target": "burglary", "colour": "red"}, "colour"),
    ],
)
def test_a_malformed_request_names_its_field(server: RunningServer, body: dict[str, Any], where: str) -> None:
    refused = server.http.post(f"{API}/destiny/odds", json=body)

    assert (400, "bad_json", where) == (
        refused.status_code,
        refused.json()["error"]["code"],
        refused.json()["error"]["where"],
    )
