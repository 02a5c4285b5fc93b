"""Every question of every mechanic has the same answer over HTTP and in Python: alone, in batches, by path."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import httpx
import msgspec
import pytest

from oddsmith import wire
from oddsmith.balance.figures import parse_figure
from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.mechanic import AnyQuestion
from oddsmith.question import Context, read_rules
from oddsmith.question_variants import BatchRequest, CurveRequest, batch_of
from oddsmith.registry import find_mechanic
from oddsmith.reply_figures import number_at, value_at
from oddsmith.server.application import api_operations
from oddsmith.server.openapi import description
from oddsmith.server.services import Services
from tests.mechanics.subjects import NAMES, requests_of
from tests.server.questions import question_application, question_paths

CASES: Final = [(name, ask, body) for name in NAMES for ask, body in requests_of(name).items()]
SINGLE: Final = [case for case in CASES if "/" not in case[1]]


def case_id(given: object) -> str:
    return given if isinstance(given, str) else ""


def question_of(name: str, ask: str) -> AnyQuestion:
    return find_mechanic(name).questions[ask]


def context_of(name: str, body: Mapping[str, Any], *, is_limited: bool = True) -> Context[Any]:
    """Return the context that a server gives to a request, with seeded luck."""
    rules = read_rules(find_mechanic(name).game.rules_type, body.get("rules", "default"))
    return Context(rules=rules, draw=Seeded("yuma"), is_limited=is_limited)


def post(path: str, body: object) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=question_application(Seeded("yuma")))
        async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
            return await client.post(
                path, content=msgspec.json.encode(body), headers={"content-type": "application/json"}
            )

    return asyncio.run(ask())


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_a_recorded_request(name: str) -> None:
    """Batches are made from single requests; every mechanic has a recorded curve."""
    endpoints = {
        path.removeprefix(f"/api/v1/{name}/"): endpoint
        for path, endpoint in question_paths().items()
        if path.startswith(f"/api/v1/{name}/")
    }
    recorded = {*requests_of(name)}

    assert {*find_mechanic(name).questions} <= {*endpoints}
    assert {
        ask for ask, one in endpoints.items() if one.request not in (BatchRequest, CurveRequest)
    } <= recorded
    assert any(endpoints[ask].request is CurveRequest for ask in recorded)


def test_every_address_is_in_the_description() -> None:
    """With the rules of each mechanic, also of one from a file."""
    described = description(api_operations(Services()))
    schemas = described["components"]["schemas"]

    assert {*question_paths()} <= {*described["paths"]}
    for name in NAMES:
        keys = find_mechanic(name).game.rules_type.__struct_fields__
        assert {*keys} == {*schemas[f"{name}.Rules"]["properties"]}


@pytest.mark.parametrize(("name", "ask", "body"), CASES, ids=case_id)
def test_http_answers_as_python_does(name: str, ask: str, body: dict[str, Any]) -> None:
    """With the luck of the server's source; the reply has the type of the description."""
    path = f"/api/v1/{name}/{ask}"
    endpoint = question_paths()[path]
    replied = post(path, body)
    expected = endpoint.answer(wire.from_builtins(body, endpoint.request), Seeded("yuma"))

    assert (200, "application/json") == (replied.status_code, replied.headers["content-type"])
    assert wire.to_json(expected) == replied.content
    assert wire.to_json(wire.from_json(replied.content, endpoint.reply)) == replied.content


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "ask", "body"), SINGLE, ids=case_id)
def test_a_batch_agrees_with_its_single_requests(name: str, ask: str, body: dict[str, Any]) -> None:
    """In order, with the same luck."""
    question, context = question_of(name, ask), context_of(name, body)
    single = [question.answer(wire.from_builtins(body, question.request), context) for _ in range(2)]
    batch = batch_of(question).answer(BatchRequest(count=2, same=body), context_of(name, {}))

    assert single == [*batch.answers]


@pytest.mark.parametrize(("name", "ask", "body"), SINGLE, ids=case_id)
def test_an_invalid_request_is_refused(name: str, ask: str, body: dict[str, Any]) -> None:
    """An unknown field, a list, a number and invalid JSON."""
    question = question_of(name, ask)
    for text in (wire.to_json({**body, "no_field": 1}), b"[]", b"7", b"{"):
        with pytest.raises(InputError) as caught:
            wire.from_json(text, question.request)

        assert "bad_json" == caught.value.refusal.code


@pytest.mark.parametrize(("name", "ask", "body"), SINGLE, ids=case_id)
def test_a_bulk_shortcut_agrees_with_single_replies(name: str, ask: str, body: dict[str, Any]) -> None:
    """Most questions have no shortcut."""
    question, context = question_of(name, ask), context_of(name, body)
    request = wire.from_builtins(body, question.request)
    for path, read in question.shortcuts.items():
        assert [value_at(question.answer(request, context), path)] * 2 == [*read([request] * 2, context)]


@pytest.mark.parametrize("name", NAMES)
def test_numbers_in_replies_are_figures_by_path(name: str) -> None:
    """Each reads the reply's value, with the fields of the request as arguments; some are no figures. Of places in a list the last is read."""
    read = 0
    for ask, body in requests_of(name).items():
        question = find_mechanic(name).questions.get(ask)
        if question is None or not question.has_figures:
            continue
        context = context_of(name, body, is_limited=False)
        reply = question.answer(wire.from_builtins(body, question.request), context)
        arguments = {field: value for field, value in body.items() if field != "rules"}
        paths = [path for path in paths_of(wire.to_builtins(reply)) if number_at(reply, path) is not None]
        different = [*{re.sub(r"\d+", "0", path): path for path in paths}.values()]
        for path in different[:: 1 + len(different) // 20]:
            try:
                figure = parse_figure(name, {"figure": f"{ask}.{path}", **arguments})
            except InputError:
                continue
            read += 1

            assert number_at(reply, path) == figure.read(context.rules).value
    assert read > 1


def paths_of(value: Any) -> Iterator[str]:  # noqa: ANN401  plain data
    """Yield the path of every number and text of a reply; fractions are text, and a share is one number."""
    rows = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in rows:
        if isinstance(inner, dict) and {"count", "total"} <= {*inner}:
            yield str(key)
        elif isinstance(inner, dict | list | tuple):
            yield from (f"{key}.{path}" for path in paths_of(inner))
        elif isinstance(inner, int | float | str) and not isinstance(inner, bool) and key != "type":
            yield str(key)
