"""Questions over HTTP: quick ones at once, others in turn; each with the answer that its house has."""

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import msgspec
import pytest

from oddsmith import wire
from oddsmith.cards import STANDARD_DECK
from oddsmith.chance import Draw, Seeded
from oddsmith.errors import InputError, OddsmithError
from oddsmith.games.destiny.questions import CheckQuestion, resolve
from oddsmith.questions import Question
from oddsmith.registry import mechanic_names
from oddsmith.server.question_endpoints import question_paths, with_questions

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
POCKET: dict[str, Any] = {
    "player_hp": 20,
    "rounds": 3,
    "difficulty": 10,
    "house": {"hp": 10, "hp_per_difficulty": 1},
    "opponent_visible": False,
}
KNOWN: dict[str, Any] = {
    "viewer": 0,
    "hand": ["6S", "7S", "2D", "9D"],
    "hand_sizes": [4, 4],
    "loose": ["3S", "4H", "8C", "KC"],
}
STACK: dict[str, Any] = {"owner": 0, "loose": ["3S", "4H"]}
LAST: dict[str, Any] = {
    "viewer": 1,
    "hand": ["7H"],
    "hand_sizes": [1, 1],
    "loose": ["7S"],
    "piles": [[card.text for card in STANDARD_DECK if card.text not in ("7♥", "7♠", "2♠")], []],
    "last_capture": 0,
}
MINING: dict[str, Any] = {"skill": "mining", "levels": [0, 50]}
RUN = {"type": "run", "outlaw": "iron_jack", "energy": 150, "gold": 0, "place": "sangre_canyon", "clock": 0}
ODDS: list[tuple[str, dict[str, Any], str]] = [
    ("destiny", {"type": "check", "character": "elite", "target": 90}, "success"),
    ("destiny", {"type": "contest", "attacker": "iron_jack", "defender": "elite"}, "attacker_exact"),
    (
        "destiny",
        {"type": "gang", "attackers": ["iron_jack", "elite"], "defenders": ["elite"]},
        "attacker_exact",
    ),
    ("destiny", {"type": "check_curve", "character": "elite", "target": 90, **MINING}, "points"),
    ("destiny", {"type": "contest_curve", "attacker": "elite", "defender": "elite", **MINING}, "points"),
    ("destiny", {"type": "run", "view": RUN}, "choices"),
    ("destiny", {"type": "roster"}, "attacker_wins"),
    ("duel", {"type": "duel", "policies": ["all_attack"], "rules": POCKET, "objective": "win"}, "solved"),
    ("duel", {"type": "split", "hand": ["10S", "7H", "5C", "AD", "3S"], "enemy": [25, 10]}, "splits"),
    ("duel", {"type": "solved", "rules": POCKET}, "objectives"),
    ("duel", {"type": "fighter", "fighter": "house", "hand": ["10S", "7H", "5C", "AD", "3S"]}, "splits"),
    ("dice", {"type": "roll", "target": 90, "rerolls": 1}, "reached"),
    ("dice", {"type": "keep", "faces": [5, 5, 2, 3, 6], "rerolls": 1}, "choices"),
    ("dice", {"type": "shop", "round": 3, "stock": {"upgrades": ["pair"]}}, "offers"),
    ("dice", {"type": "build"}, "hands"),
    ("fate", {"type": "check", "target": 4}, "success"),
    ("fate", {"type": "abilities", "check": "hard", "on_turn": False}, "abilities"),
    ("fate", {"type": "checks"}, "checks"),
    (
        "fate",
        {"type": "answer", "check": "hard", "hand": ["3♠", "J♥"], "deck": {"out": ["3♠", "J♥"]}},
        "answers",
    ),
    ("casino", {"type": "table", "view": KNOWN}, "holding"),
    ("casino", {"type": "ending", "view": LAST}, "best"),
]
MORE: list[tuple[str, dict[str, Any]]] = [
    ("destiny/resolve", {"type": "contest", "attacker": "elite", "defender": "elite"}),
    ("destiny/resolve", {"type": "gang", "attackers": ["elite"], "defenders": ["rookie", "elite"]}),
    ("destiny/resolve/batch", {"type": "contest", "attacker": "elite", "defender": "elite", "count": 5_000}),
    ("destiny/resolve/batch", {"type": "gang", "attackers": ["elite"], "defenders": ["elite"], "count": 9}),
    ("casino/resolve", {"type": "moves", "hand": ["7S"], "loose": ["7H"]}),
    ("casino/resolve", {"type": "drops", "view": KNOWN, "dragged": {"thing": "hand_card", "card": "7S"}}),
    ("casino/resolve", {"type": "dialog", "view": KNOWN, "stack": STACK}),
    (
        "casino/resolve",
        {"type": "unstage", "view": KNOWN, "stack": STACK, "thing": {"thing": "loose_card", "card": "3S"}},
    ),
]

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


@pytest.mark.parametrize("name", mechanic_names())
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


@pytest.mark.parametrize(("name", "asked", "key"), ODDS)
def test_odds_are_proved_in_their_turn(name: str, asked: dict[str, Any], key: str) -> None:
    """Every game has odds; what is replied is of the type that the house says."""
    path = f"/api/v1/{name}/odds"
    reply = post(path, asked)

    assert 200 == reply.status_code, reply.text
    assert reply.json()[key]
    assert wire.from_json(reply.content, _decodable(question_paths()[path].reply, reply.json())) is not None


def test_every_game_has_odds() -> None:
    """Not one is left out, and each kind of question about them is asked above."""
    paths = question_paths()
    kinds = {
        name: getattr(paths[f"/api/v1/{name}/odds"].request, "__args__", ("one",))
        for name in mechanic_names()
    }

    assert {name: len(of_game) for name, of_game in kinds.items()} == Counter(name for name, _, _ in ODDS)


@pytest.mark.parametrize(("path", "asked"), MORE)
def test_every_kind_of_question_is_resolved(path: str, asked: dict[str, Any]) -> None:
    """Contests and gang wars as checks are, moves as groups are."""
    reply = post(f"/api/v1/{path}", asked)

    assert 200 == reply.status_code, reply.text
    assert wire.from_json(reply.content, _decodable(question_paths()[f"/api/v1/{path}"].reply, reply.json()))


def test_odds_that_take_long_are_refused_with_what_would_be_right() -> None:
    """A gang war of many different people, and perfect play that nobody has solved."""
    crowd = [{"skills": {"stealth": level}} for level in range(1, 11)]
    gang = post(
        "/api/v1/destiny/odds",
        {"type": "gang", "attackers": crowd, "defenders": crowd, "rules": {"gang_score": "best"}},
    )
    duel = post("/api/v1/duel/odds", {"type": "duel", "rules": {"rounds": 19}, "objective": "gold"})

    assert ["gang_too_large", "not_solved"] == [one.json()["refusal"]["code"] for one in (gang, duel)]


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
