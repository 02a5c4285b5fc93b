"""Work of one client leaves the event loop to the others, and is charged to whoever caused it."""

import asyncio
import gc
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from types import SimpleNamespace
from typing import Any, Final, TypeVar

import pytest

from oddsmith.errors import RateLimitError
from oddsmith.server import frames, game_operations, match_operations, question_operations
from oddsmith.server.application import make_app
from oddsmith.server.buckets import Buckets
from oddsmith.server.charging import Account, charged, current_account, metered, open_account, start_metered
from oddsmith.server.long_work import LongWork, WorkTime
from oddsmith.server.loop_watch import COLLECTION, FACTORY, LongCallback, WatchedLoop
from oddsmith.server.matches import commands
from oddsmith.server.metrics import Metrics
from oddsmith.server.middleware import rate_limits
from oddsmith.server.rule_calls import RuleCalls
from oddsmith.server.settings import Settings
from oddsmith.server.slow_questions import SlowQuestions
from oddsmith.server.uvicorn_server import server_config
from tests.server.servers import API, HttpMatch, RunningServer, run_server

T = TypeVar("T")

SECONDS: Final = 5.0
TOO_LARGE: Final = "x = [" + "1," * 28_000 + "]"
CROWDED: Final = {"capture_targets": 10, "trail_restriction": "never"}
LONGEST_MS: Final = 20.0
"""Four times what the page about servers promises: other tests may use the same processor."""


@pytest.fixture(scope="module")
def own() -> Iterator[RunningServer]:
    """Run a server of these tests."""
    with run_server() as server:
        yield server


class Held:
    """Calls of a function that wait until they are released; `was_free` says whether another request was answered meanwhile."""

    def __init__(self, whole: Callable[..., Any]) -> None:
        self._whole = whole
        self._released = threading.Event()
        self.began = threading.Event()
        self.calls = 0
        self.was_free: bool | None = None

    def __call__(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401  any function
        self.calls += 1
        self.began.set()
        released = self._released.wait(SECONDS)
        self.was_free = released and self.was_free is not False
        return self._whole(*arguments, **named)

    def release(self) -> None:
        self._released.set()


def hold(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> Held:  # noqa: ANN401  a module
    """Let calls of a module's function wait."""
    held = Held(getattr(module, name))
    monkeypatch.setattr(module, name, held)
    return held


def answer_meanwhile(server: RunningServer, held: Held, ask: Callable[[], T], *, times: int = 1) -> list[T]:
    """Return the answers to requests whose work waits until another request is answered."""
    with ThreadPoolExecutor(times) as threads:
        asked = [threads.submit(ask) for _ in range(times)]
        assert held.began.wait(SECONDS)
        assert 200 == server.http.get("/healthz").status_code
        held.release()
        return [one.result() for one in asked]


# --- work leaves the event loop ---------------------------------------------------------------------------------------


def test_rules_are_read_off_the_event_loop(own: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request with 56 KB of TOML: another request is answered while it is parsed."""
    held = hold(monkeypatch, game_operations, "read_rules")
    [reply] = answer_meanwhile(
        own, held, lambda: own.http.post(f"{API}/games/duel/rules", json={"toml": TOO_LARGE})
    )

    assert held.was_free
    assert (400, "unknown_key") == (reply.status_code, reply.json()["error"]["code"])


def test_the_rules_of_a_match_are_read_off_the_event_loop(
    own: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = hold(monkeypatch, match_operations, "read_rules")
    rules = {"removed_by_no_version": ["x" * 10] * 1_000}
    body = {"game": "duel", "seats": [None, None], "rules": rules}
    [reply] = answer_meanwhile(own, held, lambda: own.http.post(f"{API}/matches", json=body))

    assert held.was_free
    assert 400 == reply.status_code


def test_a_quick_question_with_large_rules_is_answered_off_the_event_loop(
    own: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = hold(monkeypatch, question_operations, "read_rules")
    outlaws = {f"o{turn}": {"skills": {"stealth": 3}} for turn in range(90)}
    body = {"character": "o1", "target": 5, "rules": {"outlaws": outlaws}}
    [reply] = answer_meanwhile(own, held, lambda: own.http.post(f"{API}/destiny/check", json=body))

    assert held.was_free
    assert 200 == reply.status_code


def test_the_first_frame_of_a_viewer_is_made_off_the_event_loop(
    own: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows yet how long it takes; it is made once, whoever asks for it."""
    match = own.open_match("casino")
    held = hold(monkeypatch, frames, "match_view")
    answer_meanwhile(own, held, match.spectator.get_frame, times=8)

    assert held.was_free
    assert 1 == held.calls


def test_the_first_command_of_a_match_is_judged_off_the_event_loop(
    own: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = own.open_match("casino", fill=False)
    held = hold(monkeypatch, commands, "apply")
    [joined] = answer_meanwhile(own, held, lambda: match.join("Ann"))

    assert held.was_free
    assert 0 == joined.seat


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("duel/schema", "rules_schema"),
        ("duel/types", "game_types"),
        ("duel/questions/odds", "question_form"),
    ],
)
def test_a_schema_is_made_once(monkeypatch: pytest.MonkeyPatch, path: str, name: str) -> None:
    """Eight concurrent first requests, and all later ones, get the bytes of one call."""
    with run_server() as server:
        held = hold(monkeypatch, game_operations, name)
        replies = answer_meanwhile(server, held, lambda: server.http.get(f"{API}/games/{path}"), times=8)
        again = server.http.get(f"{API}/games/{path}")

    assert held.was_free
    assert 1 == held.calls
    assert [200] * 9 == [reply.status_code for reply in (*replies, again)]
    assert 1 == len({reply.content for reply in (*replies, again)})


def test_a_schema_that_does_not_exist_is_refused_each_time(own: RunningServer) -> None:
    replies = [own.http.get(f"{API}/games/duel/questions/none") for _ in range(2)]

    assert [404, 404] == [reply.status_code for reply in replies]


def test_a_refusal_is_computed_once(own: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the log is read again before a refusal is answered, and has nothing new."""
    match = own.open_match("casino")
    version = match.spectator.get_frame()["version"]
    counted = hold(monkeypatch, commands, "apply")
    counted.release()
    refused = [match.players[0].act("K♠xQ♥+J♥", version) for _ in range(3)]

    assert [422] * 3 == [reply.status_code for reply in refused]
    assert 3 == counted.calls


def crowd(server: RunningServer) -> HttpMatch:
    """Return a match of Casino with 44 loose cards: 40 cards were trailed."""
    match = server.open_match("casino", rules=CROWDED)
    for _ in range(40):
        frame = match.spectator.get_frame()
        player = match.players[frame["deciding"][0]]
        card = player.get_frame()["view"]["hand"][0]
        assert 200 == player.act(card, frame["version"]).status_code
    return match


def test_a_crowded_table_does_not_hold_the_event_loop(own: RunningServer) -> None:
    """Neither a refused capture nor the frame with thousands of moves, over HTTP and over a socket."""
    match = crowd(own)
    version = match.spectator.get_frame()["version"]
    own.logged.clear()
    player = next(one for one in match.players if one.get_frame()["actions"])
    frame = player.get_frame()
    hand, loose = frame["view"]["hand"], frame["view"]["loose"]
    act = {"kind": "capture", "hand": hand[:1], "loose": loose[:20]}
    refused = [player.act(act, version).status_code for _ in range(10)]
    connection = own.socket(match.id, {"token": player.token}, max_size=None)
    shown = json.loads(connection.recv(timeout=SECONDS))
    connection.send(json.dumps({"id": "x", "version": version, "act": act}))
    answer = json.loads(connection.recv(timeout=SECONDS))
    long = [line for line in own.long_callbacks if match.id in line["what"] and line["ms"] > LONGEST_MS]

    assert 44 == len(loose)
    assert 1_000 < len(shown["actions"])
    assert [422] * 10 == refused
    assert "illegal" == answer["answer"]["answer"]
    assert [] == long


# --- work is charged --------------------------------------------------------------------------------------------------


def work(seconds: float) -> str:
    """Use processor time in this thread, and return the thread's name."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass
    return threading.current_thread().name


class Bill:
    """What was charged to accounts, by client."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.is_charged = asyncio.Event()

    def charge(self, account: Account, seconds: float) -> None:
        client = account.request.client
        self.seconds[client] = self.seconds.get(client, 0.0) + seconds
        self.is_charged.set()

    def open(self, client: str) -> None:
        request: Any = SimpleNamespace(client=client, method="GET", path="/", route="test")
        open_account(Account(request, None, self.charge))


def test_each_step_of_a_request_is_charged_to_its_client() -> None:
    """Not what other tasks do while it waits; a task that it starts belongs to it."""
    bill = Bill()

    async def answer(client: str, seconds: float) -> None:
        bill.open(client)
        await asyncio.sleep(0)
        work(seconds)
        await asyncio.sleep(0)
        await start_metered(use(seconds))

    async def use(seconds: float) -> None:
        work(seconds)

    async def both() -> None:
        await asyncio.gather(start_metered(answer("ann", 0.05)), start_metered(answer("bo", 0.0)))

    asyncio.run(both())

    assert {"ann"} == set(bill.seconds)
    assert 0.1 <= bill.seconds["ann"] < 1.0


def test_errors_and_cancellation_pass_through_a_metered_coroutine() -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise KeyError("a defect")

    async def await_metered() -> None:
        await metered(fail())

    async def wait() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "cancelled"
        return "never"

    async def cancel() -> str:
        task = start_metered(wait())
        await asyncio.sleep(0)
        task.cancel()
        return await task

    with pytest.raises(KeyError, match="a defect"):
        asyncio.run(await_metered())
    assert "cancelled" == asyncio.run(cancel())


THREADS: Final[dict[str, Callable[[Callable[[], Any]], Any]]] = {
    "a slow question": lambda given: SlowQuestions().run(given, client="ann"),
    "rules of a file": lambda given: RuleCalls(games={"moody"}).run("moody", given),
    "rules that take long": lambda given: RuleCalls().run("casino", given),
    "any thread": lambda given: asyncio.to_thread(charged(given)),
}


@pytest.mark.parametrize("run", THREADS.values(), ids=THREADS)
def test_work_in_threads_is_charged_to_whoever_caused_it(run: Callable[[Callable[[], Any]], Any]) -> None:
    """A second in a thread costs as much as a fifth of a second on the event loop."""
    bill = Bill()

    async def ask() -> None:
        bill.open("ann")
        await run(lambda: work(0.1))
        await bill.is_charged.wait()

    asyncio.run(ask())

    assert 0.02 <= bill.seconds["ann"] < 0.2


def test_work_that_nobody_waits_for_any_more_is_charged() -> None:
    """A slow question that is ended at its time limit, for what it has used until then."""
    bill = Bill()

    async def ask() -> None:
        bill.open("ann")
        with pytest.raises(Exception, match="no answer after"):
            await SlowQuestions(seconds=0.2).run(lambda: work(30).encode(), client="ann")
        await bill.is_charged.wait()

    asyncio.run(asyncio.wait_for(ask(), SECONDS))

    assert 0 < bill.seconds["ann"] < 1


def test_the_time_in_threads_counts_for_the_limit_of_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules of 56 KB take more than one request is worth; other addresses are not affected."""
    monkeypatch.setattr(rate_limits, "Buckets", partial(Buckets, clock=lambda: 0.0))
    with run_server(requests_per_second=1, burst=5, proxies=("127.0.0.1",)) as server:

        def ask(address: str, body: object) -> int:
            return server.http.post(
                f"{API}/games/duel/rules", headers={"x-forwarded-for": address}, json=body
            ).status_code

        statuses = [ask("192.0.2.1", {"toml": TOO_LARGE}) for _ in range(8)]
        others = [ask("192.0.2.2", {"rules": "default"}) for _ in range(8)]

    assert 400 == statuses[0]
    assert 429 == statuses[-1]
    assert [200] * 8 == others


def test_the_work_of_a_seat_counts_for_the_limit_of_the_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """From whatever address its next request comes."""
    monkeypatch.setattr(rate_limits, "Buckets", partial(Buckets, clock=lambda: 0.0))
    limits = rate_limits.RateLimits(Settings(requests_per_second=1, burst=100), Metrics())

    def use(address: str, token: str, seconds: float) -> None:
        request: Any = SimpleNamespace(client=address)
        limits.check_token(request, token)
        account = current_account()
        assert account is not None
        account.charge(account, seconds)

    copy_context().run(use, "192.0.2.1", "a" * 64, 0.15)
    copy_context().run(use, "192.0.2.2", "b" * 64, 0.0)

    with pytest.raises(RateLimitError, match="from this seat"):
        copy_context().run(use, "192.0.2.3", "a" * 64, 0.0)


# --- long work --------------------------------------------------------------------------------------------------------


def test_work_leaves_the_event_loop_after_it_took_long_and_returns_when_it_was_short_many_times() -> None:
    """What is not known yet is long. Short work in between does not bring long work back."""
    long_work, took = LongWork(), WorkTime()
    own = threading.current_thread().name

    async def run(*seconds: float) -> list[bool]:
        return [await long_work.run(partial(work, each), took) == own for each in seconds]

    assert [False, True, True] == asyncio.run(run(0, 0, 0.05))
    assert [False] * 12 == asyncio.run(run(*(0, 0.05) * 6))
    assert [False, True] == asyncio.run(run(*[0] * 60))[::59]


def test_clients_take_turns_for_the_threads_of_long_work() -> None:
    """One client queues eight pieces; another, who comes last, waits for the threads that are busy, and not for the queue."""
    long_work, bill = LongWork(), Bill()
    release, done = threading.Event(), []

    def piece(name: str) -> None:
        release.wait(SECONDS)
        done.append(name)

    async def ask(client: str, name: str) -> None:
        bill.open(client)
        await long_work.run(partial(piece, name))

    async def run() -> None:
        tasks = [asyncio.create_task(ask("ann", f"ann {turn}")) for turn in range(8)]
        tasks.append(asyncio.create_task(ask("bo", "bo")))
        await asyncio.sleep(0)
        release.set()
        await asyncio.gather(*tasks)

    asyncio.run(run())

    assert 9 == len(done)
    assert done.index("bo") < 6


def test_work_that_is_cancelled_while_it_waits_takes_no_thread() -> None:
    long_work, release = LongWork(), threading.Event()

    async def run() -> str:
        tasks = [asyncio.create_task(long_work.run(partial(release.wait, SECONDS))) for _ in range(4)]
        await asyncio.sleep(0)
        tasks[3].cancel()
        release.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        return await long_work.run(partial(work, 0))

    assert asyncio.run(run()).startswith("oddsmith-long")


# --- the watch --------------------------------------------------------------------------------------------------------


def test_long_callbacks_of_the_event_loop_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """With their route, in the log and as a metric; short ones are not."""
    with run_server() as server:
        server.http.get(f"{API}/games")
        whole = game_operations.game_summary

        def summarize(mechanic: Any) -> object:  # noqa: ANN401  a mechanic
            work(0.03)
            return whole(mechanic)

        monkeypatch.setattr(game_operations, "game_summary", summarize)
        server.http.get(f"{API}/games")
        reports = [line for line in server.long_callbacks if line["route"] == "games"]
        metrics = server.http.get("/metrics").text

    assert [f"GET {API}/games"] == [line["what"] for line in reports]
    assert reports[0]["ms"] >= 30
    assert 'oddsmith_long_callbacks_total{route="games"} 1.0' in metrics


def test_callbacks_are_not_watched_by_default() -> None:
    assert 0 == Settings().longest_callback
    assert "auto" == server_config(make_app(Settings()), Settings()).loop
    assert FACTORY == server_config(make_app(Settings()), Settings(longest_callback=5)).loop


def test_a_garbage_collection_is_reported_by_itself() -> None:
    """Not as the time of the callback that it interrupted; callbacks, timers and calls of other threads are watched."""
    reports: list[LongCallback] = []
    garbage: list[object] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, WatchedLoop)
        loop.watch(0.02, reports.append)
        garbage.extend([[number] for number in range(300_000)])
        gc.collect()
        await asyncio.sleep(0)
        loop.call_soon(work, 0.03)
        await asyncio.sleep(0.001)
        loop.call_later(0, work, 0.04)
        await asyncio.sleep(0.05)
        loop.call_soon_threadsafe(work, 0.05)
        await asyncio.sleep(0.001)

    with asyncio.Runner(loop_factory=WatchedLoop) as runner:
        runner.run(run())
    found = [report.function for report in reports]

    assert COLLECTION in found
    assert 3 == found.count("work")
    assert all(report.seconds >= 0.02 for report in reports)
