"""Questions over HTTP: quick ones in the event loop, slow ones in threads with a limited queue."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import msgspec
import pytest

from oddsmith import wire
from oddsmith.chance import Draw, Seeded
from oddsmith.errors import InputError, OddsmithError, RateLimitError, WorkLimitError
from oddsmith.server.http_application import HttpApplication
from oddsmith.server.http_request import Operation, Request, Response, bytes_response
from oddsmith.server.question_operations import question_operations
from oddsmith.server.slow_questions import SlowQuestions
from tests.server.questions import Endpoint, question_application, question_paths
from tests.waiting import SECONDS, wait_until

CHECK: dict[str, Any] = {"character": "calamity_rose", "target": "bank_robbery"}
ROLL: dict[str, Any] = {"faces": [5, 5, 5, 2, 4]}
KINGS: dict[str, Any] = {"cards": ["KS", "QS"]}


def http_client(app: Any) -> httpx.AsyncClient:  # noqa: ANN401  an ASGI application
    kind = {"content-type": "application/json"}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://server", headers=kind)


def post(path: str, body: object, draw: Draw | None = None) -> httpx.Response:
    async def run() -> httpx.Response:
        async with http_client(question_application(draw)) as client:
            return await client.post(path, content=msgspec.json.encode(body))

    return asyncio.run(run())


def test_questions_that_would_take_too_long_are_refused() -> None:
    """A gang war of many different people, and perfect play that is not solved yet; the sentence says what is possible."""
    crowd = [{"skills": {"stealth": level}} for level in range(1, 11)]
    gang = post(
        "/api/v1/destiny/gang",
        {"attackers": crowd, "defenders": crowd, "rules": {"gang_score": "best"}},
    )
    duel = post("/api/v1/duel/odds", {"rules": {"rounds": 19}, "objective": "gold"})

    assert ["gang_too_large", "not_solved"] == [one.json()["error"]["code"] for one in (gang, duel)]


def test_a_refusal_of_the_game_is_passed_on() -> None:
    """Also from a thread, and with its index in a batch."""
    unknown = post("/api/v1/destiny/check", {**CHECK, "target": "bank_robery"})
    strange = post("/api/v1/casino/classify", {**KINGS, "rules": "short"})
    placed = post("/api/v1/dice/score/batch", {"count": 2, "each": {"faces": [[1, 1, 1, 1, 1], [1]]}})

    assert "did you mean 'bank_robbery'" in unknown.json()["error"]["sentence"]
    assert "unknown_card" == strange.json()["error"]["code"]
    assert ("bad_faces", "[1]") == (placed.json()["error"]["code"], placed.json()["error"]["where"])


def test_a_question_is_a_post() -> None:
    """Other methods are refused; OPTIONS lists the methods."""

    async def run() -> list[httpx.Response]:
        async with http_client(question_application()) as client:
            path = "/api/v1/destiny/check"
            return [await client.get(path), await client.options(path), await client.post("/api/v1/matches")]

    got, options, other = asyncio.run(run())

    assert (405, "method_not_allowed") == (got.status_code, got.json()["error"]["code"])
    assert (204, "OPTIONS, POST") == (options.status_code, options.headers["allow"])
    assert (404, "not_found") == (other.status_code, other.json()["error"]["code"])


def test_a_body_may_arrive_in_pieces() -> None:
    async def run() -> httpx.Response:
        async def pieces() -> Any:  # noqa: ANN401  an iterator
            text = msgspec.json.encode(ROLL)
            for start in range(0, len(text), 5):
                yield text[start : start + 5]

        async with http_client(question_application()) as client:
            return await client.post("/api/v1/dice/score", content=pieces())

    assert 90 == asyncio.run(run()).json()["score"]["total"]


# --- slow questions --------------------------------------------------------------------------------------------------


class BlockedQuestion:
    """A slow question that is answered once the gate is open."""

    def __init__(self, slow: SlowQuestions) -> None:
        self.gate = threading.Event()
        self.asked = 0
        self._slow = slow

    @property
    def operation(self) -> Operation:
        """The operation that asks it."""
        return Operation(method="POST", path="/slow", name="slow", summary="Wait.", handler=self._handle)

    async def wait_for_requests(self, count: int) -> None:
        """Wait until it was asked at least `count` times."""
        async with asyncio.timeout(SECONDS):
            while self.asked < count:  # noqa: ASYNC110  an event would have to count
                await asyncio.sleep(0.001)

    async def _handle(self, request: Request) -> Response:
        self.asked += 1
        return bytes_response(await self._slow.run(self._answer, client=request.client))

    def _answer(self) -> bytes:
        assert self.gate.wait(SECONDS)
        return b'"at last"'


def test_more_slow_questions_than_the_queue_holds_are_refused() -> None:
    """At once, with 429 because all are of one address; the queued ones are answered."""
    blocked = BlockedQuestion(SlowQuestions(waiting=3))

    async def run() -> tuple[httpx.Response, list[httpx.Response]]:
        async with http_client(HttpApplication([blocked.operation])) as client:
            waiting = [asyncio.create_task(client.post("/slow", content=b"{}")) for _ in range(3)]
            await blocked.wait_for_requests(3)
            refused = await client.post("/slow", content=b"{}")
            blocked.gate.set()
            return refused, await asyncio.gather(*waiting)

    refused, answered = asyncio.run(run())

    assert (429, "too_many_questions") == (refused.status_code, refused.json()["error"]["code"])
    assert ["at last"] * 3 == [one.json() for one in answered]


def test_an_address_that_fills_all_places_loses_them_to_others() -> None:
    """The last ones, until both have a share; none of the other is refused, and both take turns."""
    slow = SlowQuestions(waiting=8)
    gate, order = threading.Event(), list[str]()

    def work(name: str) -> Callable[[], bytes]:
        def answer() -> bytes:
            assert gate.wait(SECONDS)
            order.append(name)
            return name.encode()

        return answer

    async def run() -> tuple[list[bytes | BaseException], list[bytes]]:
        many = [asyncio.create_task(slow.run(work("many"), client="many")) for _ in range(8)]
        await asyncio.sleep(0)
        few = [asyncio.create_task(slow.run(work("few"), client="few")) for _ in range(4)]
        await asyncio.sleep(0)
        gate.set()
        return await asyncio.gather(*many, return_exceptions=True), await asyncio.gather(*few)

    many, few = asyncio.run(run())
    refused = [one for one in many if isinstance(one, RateLimitError)]

    assert [b"few"] * 4 == few
    assert ["too_many_questions"] * 4 == [one.refusal.code for one in refused]
    assert [b"many"] * 4 == [one for one in many if isinstance(one, bytes)]
    assert order[:6].count("few") >= 2


def test_a_question_of_another_address_waits_for_one_piece_of_work() -> None:
    """However many an address has in the queue."""
    slow, order, lock = SlowQuestions(), list[str](), threading.Lock()
    begun, gate = threading.Semaphore(0), threading.Event()

    def work(name: str) -> bytes:
        begun.release()
        assert gate.wait(SECONDS)
        with lock:
            order.append(name)
        return b""

    async def run() -> None:
        asked = [asyncio.create_task(slow.run(partial(work, "many"), client="many")) for _ in range(20)]
        await asyncio.to_thread(lambda: [begun.acquire(timeout=SECONDS) for _ in range(2)])
        asked.append(asyncio.create_task(slow.run(partial(work, "one"), client="one")))
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(*asked)

    asyncio.run(run())

    assert order.index("one") <= 3


def test_a_question_that_is_not_begun_in_time_is_not_called_too_slow() -> None:
    """It may be asked again as it is."""
    slow, gate = SlowQuestions(seconds=0.05), threading.Event()

    async def run() -> list[bytes | BaseException]:
        asked = [slow.run(lambda: bytes(gate.wait(SECONDS)), client="ann") for _ in range(3)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        gate.set()
        return found

    codes = [one.refusal.code for one in asyncio.run(run()) if isinstance(one, OddsmithError)]

    assert ["too_slow", "too_slow", "busy"] == codes


def endless_answer() -> bytes:
    """Compute for ever."""
    while True:
        pass


def test_questions_that_time_out_give_their_threads_back() -> None:
    """Both threads compute without end; they are ended, and the next question is answered."""
    slow = SlowQuestions(seconds=0.05)

    async def run() -> tuple[list[bytes | BaseException], bytes]:
        endless = [slow.run(endless_answer, client="ann") for _ in range(2)]
        found = await asyncio.gather(*endless, return_exceptions=True)
        slow._seconds = SECONDS
        return found, await slow.run(lambda: b"done", client="ann")

    found, answer = asyncio.run(run())

    assert [WorkLimitError] * 2 == [type(one) for one in found]
    assert b"done" == answer
    wait_until(lambda: slow._threads.running == 0, "no work in progress")


def test_a_thread_that_cannot_be_ended_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that does not return to the interpreter goes on in its thread; others answer meanwhile."""
    monkeypatch.setattr("oddsmith.server.slow_questions.SECONDS_TO_END", 0.0)
    blocked = BlockedQuestion(SlowQuestions(0.05))

    async def run() -> list[str]:
        async with http_client(HttpApplication([blocked.operation])) as client:
            codes = [(await client.post("/slow", content=b"{}")).json()["error"]["code"] for _ in range(2)]
            blocked._slow._seconds = SECONDS
            answer = (await blocked._slow.run(lambda: b"done", client="ann")).decode()
            blocked.gate.set()
            return [*codes, answer]

    assert ["too_slow", "too_slow", "done"] == asyncio.run(run())
    wait_until(lambda: blocked._slow._threads._lost == 0, "no lost thread")


def test_slow_questions_do_not_delay_quick_ones() -> None:
    """A check is answered while all threads are busy."""
    slow_questions = SlowQuestions()
    blocked = BlockedQuestion(slow_questions)
    operations = [blocked.operation, *question_operations(slow_questions)]

    async def run() -> tuple[int, bool]:
        async with http_client(HttpApplication(operations)) as client:
            slow = asyncio.create_task(client.post("/slow", content=b"{}"))
            await blocked.wait_for_requests(1)
            quick = await client.post("/api/v1/destiny/check", content=msgspec.json.encode(CHECK))
            waits = not slow.done()
            blocked.gate.set()
            await slow
            return quick.status_code, waits

    assert (200, True) == asyncio.run(run())


def test_malformed_requests_raise_no_other_errors() -> None:
    """Whatever JSON is sent in place of a question, the error is an `OddsmithError`."""
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
        for body in strange:
            with pytest.raises(InputError):
                _answer(decode, question, msgspec.json.encode(body), path)


def _answer(decode: Callable[[bytes], Any], question: Endpoint, text: bytes, path: str) -> object:
    try:
        return question.answer(decode(text), Seeded(path))
    except OddsmithError as error:
        raise InputError.of(error.refusal) from error
