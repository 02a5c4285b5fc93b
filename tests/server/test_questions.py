"""Questions over HTTP: quick ones at once, others in turn; each with the answer that its house has."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import msgspec
import pytest

from oddsmith import wire
from oddsmith.chance import Draw, Seeded
from oddsmith.errors import InputError, OddsmithError
from oddsmith.server.question_endpoints import Endpoint, question_paths, with_questions

CHECK: dict[str, Any] = {"character": "calamity_rose", "target": "bank_robbery"}
ROLL: dict[str, Any] = {"faces": [5, 5, 5, 2, 4]}
KINGS: dict[str, Any] = {"cards": ["KS", "QS"]}

Answered = Callable[..., Awaitable[httpx.Response]]


def refusing(app: Any) -> Any:  # noqa: ANN401  ASGI applications
    """Answer refusals, as the door does."""

    async def answering(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  as ASGI has it
        try:
            await app(scope, receive, send)
        except OddsmithError as error:
            await send({"type": "http.response.start", "status": 400, "headers": []})
            await send({"type": "http.response.body", "body": wire.to_json({"refusal": error.refusal})})

    return answering


async def elsewhere(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401, ARG001  as ASGI has it
    """Say that a request has gone through."""
    await send({"type": "http.response.start", "status": 299, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def asking(app: Any) -> httpx.AsyncClient:  # noqa: ANN401  an ASGI application
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=refusing(app)), base_url="http://house")


def post(path: str, asked: object, **more: Any) -> httpx.Response:  # noqa: ANN401  as with_questions takes them
    async def run() -> httpx.Response:
        async with asking(with_questions(elsewhere, **more)) as client:
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

    assert ["gang_too_large", "not_solved"] == [one.json()["refusal"]["code"] for one in (gang, duel)]


def test_what_the_house_refuses_is_refused_in_its_words() -> None:
    """Also from a thread, and with its place in a batch."""
    unknown = post("/api/v1/destiny/check", {**CHECK, "target": "bank_robery"})
    strange = post("/api/v1/casino/classify", {**KINGS, "rules": "short"})
    placed = post("/api/v1/dice/score/batch", {"count": 2, "each": {"faces": [[1, 1, 1, 1, 1], [1]]}})

    assert "did you mean 'bank_robbery'" in unknown.json()["refusal"]["sentence"]
    assert "unknown_card" == strange.json()["refusal"]["code"]
    assert ("bad_faces", "[1]") == (placed.json()["refusal"]["code"], placed.json()["refusal"]["where"])


def test_a_question_is_a_post() -> None:
    """Other methods are refused; what asks for the methods goes through to whoever knows them."""

    async def run() -> list[httpx.Response]:
        async with asking(with_questions(elsewhere)) as client:
            path = "/api/v1/destiny/check"
            return [await client.get(path), await client.options(path), await client.post("/api/v1/matches")]

    got, options, other = asyncio.run(run())

    assert "method_not_allowed" == got.json()["refusal"]["code"]
    assert (299, 299) == (options.status_code, other.status_code)


def test_a_body_may_come_in_pieces() -> None:
    """It is read to its end."""

    async def run() -> httpx.Response:
        async def pieces() -> Any:  # noqa: ANN401  an iterator
            text = msgspec.json.encode(ROLL)
            for start in range(0, len(text), 5):
                yield text[start : start + 5]

        async with asking(with_questions(elsewhere)) as client:
            return await client.post("/api/v1/dice/score", content=pieces())

    assert 90 == asyncio.run(run()).json()["score"]["total"]


# --- what takes long -------------------------------------------------------------------------------------------------


class Slow(msgspec.Struct, frozen=True):
    """A question that is answered when somebody lets it be."""


def held(gate: threading.Event) -> dict[str, Endpoint]:
    def answer(asked: Slow, draw: Draw) -> str:  # noqa: ARG001  as every answer
        gate.wait(10)
        return "at last"

    return {"/slow": Endpoint(request=Slow, reply=str, summary="Wait.", answer=answer)}


def test_too_many_questions_at_once_are_refused_at_once() -> None:
    """Who comes when the bench is full is told so, and those who wait are answered."""
    gate = threading.Event()

    async def run() -> tuple[httpx.Response, list[httpx.Response]]:
        async with asking(with_questions(elsewhere, paths=held(gate), waiting=3)) as client:
            waiting = [asyncio.create_task(client.post("/slow", content=b"{}")) for _ in range(3)]
            await asyncio.sleep(0.1)
            refused = await client.post("/slow", content=b"{}")
            gate.set()
            return refused, await asyncio.gather(*waiting)

    refused, answered = asyncio.run(run())

    assert "busy" == refused.json()["refusal"]["code"]
    assert ["at last"] * 3 == [one.json() for one in answered]


def test_what_takes_too_long_is_given_up_and_keeps_its_place_until_it_is_done() -> None:
    """The thread goes on, so the place on the bench is free only when it ends."""
    gate = threading.Event()

    async def run() -> list[str]:
        async with asking(with_questions(elsewhere, paths=held(gate), waiting=1, seconds=0.05)) as client:
            codes = [(await client.post("/slow", content=b"{}")).json()["refusal"]["code"] for _ in range(2)]
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
    paths = {**held(gate), **question_paths()}

    async def run() -> tuple[int, bool]:
        async with asking(with_questions(elsewhere, paths=paths)) as client:
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
        decode = wire.decoder(question.request)
        for asked in strange:
            with pytest.raises(InputError):
                _answer(decode, question, msgspec.json.encode(asked), path)


def _answer(decode: Callable[[bytes], Any], question: Endpoint, text: bytes, path: str) -> object:
    try:
        return question.answer(decode(text), Seeded(path))
    except OddsmithError as error:
        raise InputError.of(error.refusal) from error
