"""Questions over HTTP: quick ones at once, others in turn; each with the answer that its house has."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
import pytest

from oddsmith import wire
from oddsmith.chance import Draw, Seeded
from oddsmith.errors import InputError, OddsmithError
from oddsmith.server.http_application import HttpApplication
from oddsmith.server.http_request import Operation, Request, Response, bytes_response
from oddsmith.server.question_operations import question_operations
from oddsmith.server.slow_questions import SlowQuestions
from tests.server.questions import Endpoint, asking_application, question_paths

CHECK: dict[str, Any] = {"character": "calamity_rose", "target": "bank_robbery"}
ROLL: dict[str, Any] = {"faces": [5, 5, 5, 2, 4]}
KINGS: dict[str, Any] = {"cards": ["KS", "QS"]}


def asking(app: Any) -> httpx.AsyncClient:  # noqa: ANN401  an ASGI application
    kind = {"content-type": "application/json"}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://server", headers=kind)


def post(path: str, asked: object, draw: Draw | None = None) -> httpx.Response:
    async def run() -> httpx.Response:
        async with asking(asking_application(draw)) as client:
            return await client.post(path, content=msgspec.json.encode(asked))

    return asyncio.run(run())


def test_odds_that_take_long_are_refused_with_what_would_be_right() -> None:
    """A gang war of many different people, and perfect play that nobody has solved."""
    crowd = [{"skills": {"stealth": level}} for level in range(1, 11)]
    gang = post(
        "/api/v1/destiny/gang",
        {"attackers": crowd, "defenders": crowd, "rules": {"gang_score": "best"}},
    )
    duel = post("/api/v1/duel/odds", {"rules": {"rounds": 19}, "objective": "gold"})

    assert ["gang_too_large", "not_solved"] == [one.json()["error"]["code"] for one in (gang, duel)]


def test_what_the_house_refuses_is_refused_in_its_words() -> None:
    """Also from a thread, and with its place in a batch."""
    unknown = post("/api/v1/destiny/check", {**CHECK, "target": "bank_robery"})
    strange = post("/api/v1/casino/classify", {**KINGS, "rules": "short"})
    placed = post("/api/v1/dice/score/batch", {"count": 2, "each": {"faces": [[1, 1, 1, 1, 1], [1]]}})

    assert "did you mean 'bank_robbery'" in unknown.json()["error"]["sentence"]
    assert "unknown_card" == strange.json()["error"]["code"]
    assert ("bad_faces", "[1]") == (placed.json()["error"]["code"], placed.json()["error"]["where"])


def test_a_question_is_a_post() -> None:
    """Other methods are refused; OPTIONS says which there are."""

    async def run() -> list[httpx.Response]:
        async with asking(asking_application()) as client:
            path = "/api/v1/destiny/check"
            return [await client.get(path), await client.options(path), await client.post("/api/v1/matches")]

    got, options, other = asyncio.run(run())

    assert (405, "method_not_allowed") == (got.status_code, got.json()["error"]["code"])
    assert (204, "OPTIONS, POST") == (options.status_code, options.headers["allow"])
    assert (404, "not_found") == (other.status_code, other.json()["error"]["code"])


def test_a_body_may_come_in_pieces() -> None:
    """It is read to its end."""

    async def run() -> httpx.Response:
        async def pieces() -> Any:  # noqa: ANN401  an iterator
            text = msgspec.json.encode(ROLL)
            for start in range(0, len(text), 5):
                yield text[start : start + 5]

        async with asking(asking_application()) as client:
            return await client.post("/api/v1/dice/score", content=pieces())

    assert 90 == asyncio.run(run()).json()["score"]["total"]


# --- what takes long -------------------------------------------------------------------------------------------------


def held(gate: threading.Event, slow: SlowQuestions) -> Operation:
    """Return an operation that is answered in a thread when the gate opens."""

    def wait() -> bytes:
        gate.wait(10)
        return b'"at last"'

    async def handle(request: Request) -> Response:  # noqa: ARG001  as every handler
        return bytes_response(await slow.run(wait))

    return Operation(method="POST", path="/slow", name="slow", summary="Wait.", handler=handle)


def test_too_many_questions_at_once_are_refused_at_once() -> None:
    """Who comes when the bench is full is told so, and those who wait are answered."""
    gate = threading.Event()

    async def run() -> tuple[httpx.Response, list[httpx.Response]]:
        async with asking(HttpApplication([held(gate, SlowQuestions(waiting=3))])) as client:
            waiting = [asyncio.create_task(client.post("/slow", content=b"{}")) for _ in range(3)]
            await asyncio.sleep(0.1)
            refused = await client.post("/slow", content=b"{}")
            gate.set()
            return refused, await asyncio.gather(*waiting)

    refused, answered = asyncio.run(run())

    assert "busy" == refused.json()["error"]["code"]
    assert ["at last"] * 3 == [one.json() for one in answered]


def test_what_takes_too_long_is_given_up_and_keeps_its_place_until_it_is_done() -> None:
    """The thread goes on, so the place on the bench is free only when it ends."""
    gate = threading.Event()

    async def run() -> list[str]:
        async with asking(HttpApplication([held(gate, SlowQuestions(0.05, 1))])) as client:
            codes = [(await client.post("/slow", content=b"{}")).json()["error"]["code"] for _ in range(2)]
            gate.set()
            for _ in range(100):
                await asyncio.sleep(0.02)
                reply = (await client.post("/slow", content=b"{}")).json()
                if reply == "at last":
                    return [*codes, reply]
            return codes

    assert ["too_slow", "busy", "at last"] == asyncio.run(run())


def test_odds_do_not_hold_up_what_is_quick() -> None:
    """While threads are busy, a check is answered."""
    gate = threading.Event()
    slow_questions = SlowQuestions()
    operations = [held(gate, slow_questions), *question_operations(slow_questions)]

    async def run() -> tuple[int, bool]:
        async with asking(HttpApplication(operations)) as client:
            slow = asyncio.create_task(client.post("/slow", content=b"{}"))
            await asyncio.sleep(0.05)
            quick = await client.post("/api/v1/destiny/check", content=msgspec.json.encode(CHECK))
            waits = not slow.done()
            gate.set()
            await slow
            return quick.status_code, waits

    assert (200, True) == asyncio.run(run())


def test_answers_are_never_of_another_kind_of_error() -> None:
    """Whatever JSON is sent in place of a question, what is raised is a refusal."""
    strange: list[object] = [
        None,
        True,
        -1,
        1e300,
        "♠",
        [[]],
        {"type": None},
        {"rules": {"a": {}}},
        {"rules": []},
    ]
    for path, question in question_paths().items():
        decode = wire.make_decoder(question.request)
        for asked in strange:
            with pytest.raises(InputError):
                _answer(decode, question, msgspec.json.encode(asked), path)


def _answer(decode: Callable[[bytes], Any], question: Endpoint, text: bytes, path: str) -> object:
    try:
        return question.answer(decode(text), Seeded(path))
    except OddsmithError as error:
        raise InputError.of(error.refusal) from error
