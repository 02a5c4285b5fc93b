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
from oddsmith.games import NAMES
from oddsmith.games.destiny.questions import CheckQuestion, resolve
from oddsmith.questions import Question
from oddsmith.server.questions import question_paths, with_questions

ASKED: dict[str, dict[str, Any]] = {
    "destiny": {"type": "check", "character": "calamity_rose", "target": "bank_robbery"},
    "duel": {},
    "dice": {"faces": [5, 5, 5, 2, 4]},
    "fate": {"target": 4, "triggers": ["single(spade)"]},
    "casino": {"type": "classify", "cards": ["KS", "QS"]},
}
MANY: dict[str, dict[str, Any]] = {
    "destiny": {**ASKED["destiny"], "count": 10_000},
    "duel": {"count": 3, "each": {"round": [1, 2, 3]}},
    "dice": {"count": 2, "each": {"faces": [[1, 1, 1, 1, 1], [6, 6, 6, 6, 6]]}},
    "fate": {"count": 100, "same": ASKED["fate"]},
    "casino": {"count": 2, "same": {"type": "classify"}, "each": {"cards": [["KS"], ["2S", "3S"]]}},
}
ODDS: dict[str, dict[str, Any]] = {
    "destiny": {"type": "contest", "attacker": "iron_jack", "defender": "elite"},
    "duel": {"policies": ["all_attack"], "rules": {"player_hp": 20, "rounds": 3, "difficulty": 10}},
    "dice": {"target": 90, "rerolls": 1},
    "fate": {"target": 4},
}

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


@pytest.mark.parametrize("name", NAMES)
def test_every_game_resolves_alone_and_in_batches(name: str) -> None:
    """What is replied is of the type that the house says."""
    paths = question_paths()
    for path, asked in (
        (f"/api/v1/{name}/resolve", ASKED[name]),
        (f"/api/v1/{name}/resolve/batch", MANY[name]),
    ):
        reply = post(path, asked)

        assert (200, "application/json") == (reply.status_code, reply.headers["content-type"])
        assert wire.from_json(reply.content, _decodable(paths[path].reply, reply.json())) is not None


def _decodable(kind: Any, reply: dict[str, Any]) -> Any:  # noqa: ANN401  types
    """Return which type of a union a reply is, by its keys: replies have no tags."""
    kinds = getattr(kind, "__args__", (kind,))
    return next(one for one in kinds if {*one.__struct_fields__} == {*reply})


@pytest.mark.parametrize("name", ODDS)
def test_odds_are_proved_in_their_turn(name: str) -> None:
    """Where a game has odds, they come with their counts."""
    reply = post(f"/api/v1/{name}/odds", ODDS[name])

    assert 200 == reply.status_code
    assert reply.json()


def test_luck_comes_from_the_source_of_the_server() -> None:
    """The same as the house draws from it."""
    reply = post("/api/v1/destiny/resolve", ASKED["destiny"], draw=Seeded("yuma"))
    expected = resolve(CheckQuestion(character="calamity_rose", target="bank_robbery"), Seeded("yuma"))

    assert wire.to_json(expected) == reply.content


def test_what_cannot_be_read_is_refused() -> None:
    """Unknown fields, bad values and what is no JSON are refused as everywhere."""
    unreadable: list[object] = [{**ASKED["destiny"], "luck": 1}, {"type": "check"}, {"type": "duel"}, [], 7]
    for asked in unreadable:
        refused = post("/api/v1/destiny/resolve", asked)

        assert "bad_json" == refused.json()["refusal"]["code"]


def test_what_the_house_refuses_is_refused_in_its_words() -> None:
    """Also from a thread, and with its place in a batch."""
    unknown = post("/api/v1/destiny/resolve", {**ASKED["destiny"], "target": "bank_robery"})
    strange = post("/api/v1/casino/resolve", {**ASKED["casino"], "rules": "short"})
    placed = post("/api/v1/dice/resolve/batch", {"count": 2, "each": {"faces": [[1, 1, 1, 1, 1], [1]]}})

    assert "did you mean 'bank_robbery'" in unknown.json()["refusal"]["sentence"]
    assert "unknown_card" == strange.json()["refusal"]["code"]
    assert ("bad_faces", "[1]") == (placed.json()["refusal"]["code"], placed.json()["refusal"]["where"])


def test_a_question_is_a_post() -> None:
    """Other methods are refused; what asks for the methods goes through to whoever knows them."""

    async def run() -> list[httpx.Response]:
        async with asking(with_questions(elsewhere)) as client:
            path = "/api/v1/destiny/resolve"
            return [await client.get(path), await client.options(path), await client.post("/api/v1/matches")]

    got, options, other = asyncio.run(run())

    assert "method_not_allowed" == got.json()["refusal"]["code"]
    assert (299, 299) == (options.status_code, other.status_code)


def test_a_body_may_come_in_pieces() -> None:
    """It is read to its end."""

    async def run() -> httpx.Response:
        async def pieces() -> Any:  # noqa: ANN401  an iterator
            text = msgspec.json.encode(ASKED["dice"])
            for start in range(0, len(text), 5):
                yield text[start : start + 5]

        async with asking(with_questions(elsewhere)) as client:
            return await client.post("/api/v1/dice/resolve", content=pieces())

    assert 90 == asyncio.run(run()).json()["score"]["total"]


# --- what takes long -------------------------------------------------------------------------------------------------


class Slow(msgspec.Struct, frozen=True):
    """A question that is answered when somebody lets it be."""


def held(gate: threading.Event) -> dict[str, Question]:
    def answer(asked: Slow, draw: Draw) -> str:  # noqa: ARG001  as every answer
        gate.wait(10)
        return "at last"

    return {"/slow": Question(request=Slow, reply=str, answer=answer)}


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
            quick = await client.post(
                "/api/v1/destiny/resolve", content=msgspec.json.encode(ASKED["destiny"])
            )
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


def _answer(decode: Callable[[bytes], Any], question: Question, text: bytes, path: str) -> object:
    try:
        return question.answer(decode(text), Seeded(path))
    except OddsmithError as error:
        raise InputError.of(error.refusal) from error
