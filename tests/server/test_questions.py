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
from oddsmith.games.destiny import Rules
from oddsmith.games.destiny.questions.checks import CheckRequest, make_check
from oddsmith.question import Context
from oddsmith.question_variants import BatchRequest, CurveRequest
from oddsmith.registry import mechanic_names
from oddsmith.server.question_endpoints import Endpoint, question_paths, with_questions

CHECK: dict[str, Any] = {"character": "calamity_rose", "target": "bank_robbery"}
ROLL: dict[str, Any] = {"faces": [5, 5, 5, 2, 4]}
DRAW: dict[str, Any] = {"target": 4, "triggers": ["single(spade)"]}
KINGS: dict[str, Any] = {"cards": ["KS", "QS"]}
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
RUN = {"type": "run", "outlaw": "iron_jack", "energy": 150, "gold": 0, "place": "sangre_canyon", "clock": 0}
ELITES: dict[str, Any] = {"attacker": "elite", "defender": "elite"}
GANGS: dict[str, Any] = {"attackers": ["iron_jack", "elite"], "defenders": ["elite"]}
MINING: dict[str, Any] = {"values": [None, 50], "read": ["success"]}
BRAWLING: dict[str, Any] = {"values": [None, 50], "read": ["attacker_wins"]}
ASKED: list[tuple[str, dict[str, Any], str]] = [
    ("destiny/score", {"hand": "K♠ K♦ A♣ 7♥ 3♠"}, "total"),
    ("destiny/check", CHECK, "check"),
    ("destiny/check/batch", {"count": 2, "same": CHECK}, "answers"),
    ("destiny/checks", {**CHECK, "count": 10_000}, "degrees"),
    ("destiny/contest", ELITES, "winner"),
    ("destiny/contests", {**ELITES, "count": 5_000}, "winners"),
    ("destiny/gang_war", GANGS, "winner"),
    ("destiny/gang_wars", {**GANGS, "count": 9}, "winners"),
    ("destiny/odds", {"character": "elite", "target": 90}, "success"),
    ("destiny/odds/curve", {"ask": CHECK, "over": "character.skills.mining", **MINING}, "points"),
    ("destiny/versus", {"attacker": "iron_jack", "defender": "elite"}, "attacker_exact"),
    ("destiny/versus/curve", {"ask": ELITES, "over": "defender.skills.brawling", **BRAWLING}, "points"),
    ("destiny/gang", GANGS, "attacker_exact"),
    (
        "destiny/level",
        {"target": "easy", "success": "1/2", "character": {"skills": {"mining": None}}},
        "chance",
    ),
    ("destiny/threshold", {"success": "1/2"}, "threshold"),
    ("destiny/run", {"view": RUN}, "choices"),
    ("destiny/roster", {}, "attacker_wins"),
    ("duel/round", {}, "blows"),
    ("duel/round/batch", {"count": 3, "each": {"round": [1, 2, 3]}}, "answers"),
    (
        "duel/odds",
        {"policies": ["all_attack"], "rules": POCKET, "objective": "win"},
        "solved",
    ),
    (
        "duel/split",
        {"hand": ["10S", "7H", "5C", "AD", "3S"], "enemy_attack": 25, "enemy_defense": 10},
        "splits",
    ),
    ("duel/solved", {"rules": POCKET}, "objectives"),
    ("duel/fighter", {"fighter": "house", "hand": ["10S", "7H", "5C", "AD", "3S"]}, "splits"),
    ("duel/tournament", {"duels": 100, "bots": ["all_attack"], "rules": POCKET}, "results"),
    ("dice/score", ROLL, "score"),
    ("dice/roll", {}, "score"),
    ("dice/score/batch", {"count": 2, "each": {"faces": [[1, 1, 1, 1, 1], [6, 6, 6, 6, 6]]}}, "answers"),
    ("dice/odds", {"target": 90, "rerolls": 1}, "reached"),
    ("dice/advise", {"faces": [5, 5, 2, 3, 6], "rerolls": 1}, "choices"),
    ("dice/offers", {"round": 3, "stock": {"upgrades": ["pair"]}}, "offers"),
    ("dice/build", {}, "hands"),
    ("dice/table", {"dice": 3}, "hands"),
    ("dice/shop", {"round": 3, "money": 5}, "purchases"),
    ("dice/runs", {"bots": ["random"], "runs": 2}, "bots"),
    ("fate/check", DRAW, "result"),
    ("fate/check/batch", {"count": 100, "same": DRAW}, "answers"),
    ("fate/odds", {"target": 4}, "success"),
    ("fate/trigger", {"trigger": "single(spade)"}, "words"),
    ("fate/abilities", {"check": "hard", "on_turn": False}, "abilities"),
    ("fate/checks", {}, "checks"),
    (
        "fate/answers",
        {"check": "hard", "hand": ["3♠", "J♥"], "deck": {"out": ["3♠", "J♥"]}},
        "answers",
    ),
    ("casino/classify", KINGS, "kind"),
    ("casino/moves", {"hand": ["7S"], "loose": ["7H"]}, "moves"),
    (
        "casino/drops",
        {"view": KNOWN, "dragged": {"thing": "hand_card", "card": "7S"}},
        "drops",
    ),
    ("casino/score", {"piles": [["AS", "10D"], ["AH"]], "sweeps": [1, 0]}, "scores"),
    ("casino/dialog", {"view": KNOWN, "stack": STACK}, "options"),
    (
        "casino/unstage",
        {"view": KNOWN, "stack": STACK, "thing": {"thing": "loose_card", "card": "3S"}},
        "stack",
    ),
    (
        "casino/classify/batch",
        {"count": 2, "each": {"cards": [["KS"], ["2S", "3S"]]}},
        "answers",
    ),
    ("casino/odds", {"view": KNOWN}, "holding"),
    ("casino/solve", {"view": LAST}, "best"),
    ("casino/position", {"plies": 4}, "toml"),
    ("casino/perft", {"seed": "1", "depth": 1}, "lines"),
    ("casino/tournament", {"bots": ["random"], "games": 3}, "seats"),
]
"""A request of every kind at every address, and a part of its reply that is there."""

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


@pytest.mark.parametrize(
    ("address", "asked", "key"), ASKED, ids=lambda given: given if isinstance(given, str) else ""
)
def test_every_kind_of_question_is_answered(address: str, asked: dict[str, Any], key: str) -> None:
    """Alone and in batches; what is replied is of the type that the description says."""
    path = f"/api/v1/{address}"
    reply = post(path, asked)

    assert (200, "application/json") == (reply.status_code, reply.headers["content-type"]), reply.text
    assert reply.json()[key]
    assert wire.from_json(reply.content, _decodable(question_paths()[path].reply, reply.json())) is not None


def test_no_kind_of_question_is_left_out_above() -> None:
    """Batches and curves of declared questions are derived: they are tested once, whatever they are of."""
    kinds = {
        path.removeprefix("/api/v1/"): len(getattr(endpoint.request, "__args__", ("one",)))
        for path, endpoint in question_paths().items()
        if endpoint.request not in (BatchRequest, CurveRequest)
    }

    assert {
        path: count for path, count in Counter(path for path, *_ in ASKED).items() if path in kinds
    } == kinds
    assert {path.partition("/")[0] for path in kinds} == {*mechanic_names()}


def _decodable(kind: Any, reply: dict[str, Any]) -> Any:  # noqa: ANN401  types
    """Return which type of a union a reply is, by its keys: replies have no tags."""
    kinds = getattr(kind, "__args__", (kind,))
    return next(one for one in kinds if _required(one) <= {*reply} <= {*one.__struct_fields__})


def _required(kind: Any) -> set[str]:  # noqa: ANN401  a struct
    """Return the fields that a reply always has: those without a default, where defaults are left out."""
    fields = msgspec.structs.fields(kind)
    return {field.name for field in fields if field.required or not kind.__struct_config__.omit_defaults}


def test_odds_that_take_long_are_refused_with_what_would_be_right() -> None:
    """A gang war of many different people, and perfect play that nobody has solved."""
    crowd = [{"skills": {"stealth": level}} for level in range(1, 11)]
    gang = post(
        "/api/v1/destiny/gang",
        {"attackers": crowd, "defenders": crowd, "rules": {"gang_score": "best"}},
    )
    duel = post("/api/v1/duel/odds", {"rules": {"rounds": 19}, "objective": "gold"})

    assert ["gang_too_large", "not_solved"] == [one.json()["refusal"]["code"] for one in (gang, duel)]


def test_luck_comes_from_the_source_of_the_server() -> None:
    """The same as the house draws from it."""
    reply = post("/api/v1/destiny/check", CHECK, draw=Seeded("yuma"))
    expected = make_check(CheckRequest(**CHECK), Context(rules=Rules(), draw=Seeded("yuma")))

    assert wire.to_json(expected) == reply.content


def test_what_cannot_be_read_is_refused() -> None:
    """Unknown fields, bad values and what is no JSON are refused as everywhere."""
    unreadable: list[object] = [{**CHECK, "luck": 1}, {**CHECK, "type": "check"}, {}, {"type": "duel"}, [], 7]
    for asked in unreadable:
        refused = post("/api/v1/destiny/check", asked)

        assert "bad_json" == refused.json()["refusal"]["code"]


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
