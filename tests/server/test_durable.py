"""Nothing is shown or acknowledged before it is durable, and a failing store loses no move."""

import asyncio
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from oddsmith.chance import Seeded
from oddsmith.errors import StoreAwayError, StoreError, StoreFullError, UnavailableError
from oddsmith.match.model import Act, Applied, Duplicate, Join, Open, Stale
from oddsmith.registry import find_game
from oddsmith.server.matches import MatchService
from oddsmith.server.matches.committer import Committer
from oddsmith.server.matches.live_matches import LiveMatches
from oddsmith.server.metrics import Metrics
from oddsmith.store import open_store
from tests.server.faults import FaultyStore, away_error
from tests.server.servers import HttpMatch, RunningServer, new_store, run_server
from tests.store.builders import next_append
from tests.store.postgres_server import Server
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def faulty() -> Iterator[FaultyStore]:
    """Return a store that can be made to fail."""
    folder, store = new_store()
    yield FaultyStore(store)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def shared_server(faulty: FaultyStore) -> Iterator[RunningServer]:
    """Run a server on the faulty store."""
    with run_server(faulty.as_store()) as server:
        yield server


@pytest.fixture
def faulty_store(faulty: FaultyStore) -> Iterator[FaultyStore]:
    """Return the store, and reset its faults afterwards."""
    yield faulty
    faulty.fails_before = faulty.fails_after = None
    faulty.is_away = False
    faulty.goes_on.set()


def watch_versions(match: HttpMatch) -> Callable[[], list[int]]:
    """Return a function that returns the versions shown to a spectator since its last call.

    The spectator sends an incomplete command, and reads until it is refused: what was shown before comes before that.
    """
    socket = match.server.socket(match.id, {})
    socket.recv(timeout=10)

    def new_versions() -> list[int]:
        socket.send("{}")
        versions = []
        while "error" not in (received := json.loads(socket.recv(timeout=10))):
            versions.append(received["version"])
        return versions

    return new_versions


@pytest.mark.parametrize(("kind", "code"), [(StoreAwayError, "store_away"), (StoreFullError, "store_full")])
def test_a_choice_that_cannot_be_stored_is_neither_shown_nor_acknowledged(
    server: RunningServer, faulty_store: FaultyStore, kind: type[StoreError], code: str
) -> None:
    """The reply is a 503 with the store's error; the repeated command is applied once the store works."""
    match = server.open_match("casino")
    new_versions = watch_versions(match)
    frame = match.players[0].get_frame()
    faulty_store.fails_before = lambda: kind(code, "the store fails")
    failed = match.players[0].act(frame["actions"][0], frame["version"], "mine")
    shown = new_versions()
    faulty_store.fails_before = None
    again = match.players[0].act(frame["actions"][0], frame["version"], "mine")

    assert (503, code) == (failed.status_code, failed.json()["error"]["code"])
    assert "2" == failed.headers["retry-after"]
    assert [] == shown
    assert "applied" == again.json()["answer"]
    assert [again.json()["version"]] == wait_until(new_versions, "the choice to be shown")


def test_a_stored_choice_is_found_after_the_store_reported_a_failure(
    server: RunningServer, faulty_store: FaultyStore
) -> None:
    """The log is read again after a failure: the entry is shown, and the repeated command is a duplicate."""
    match = server.open_match("casino")
    spectator = server.socket(match.id, {})
    spectator.recv(timeout=10)
    frame = match.players[0].get_frame()
    faulty_store.fails_after = away_error
    failed = match.players[0].act(frame["actions"][0], frame["version"], "mine")
    faulty_store.fails_after = None
    shown = json.loads(spectator.recv(timeout=30))["version"]
    again = match.players[0].act(frame["actions"][0], frame["version"], "mine")

    assert 503 == failed.status_code
    assert {"answer": "duplicate", "version": shown} == again.json()
    assert shown == len(server.store.entries(match.id))


def test_nothing_is_shown_while_the_store_blocks(server: RunningServer, faulty_store: FaultyStore) -> None:
    """The choice is shown and acknowledged once it is on disk."""
    match = server.open_match("casino")
    new_versions = watch_versions(match)
    frame = match.players[0].get_frame()
    faulty_store.goes_on.clear()
    with ThreadPoolExecutor(1) as pool:
        acting = pool.submit(match.players[0].act, frame["actions"][0], frame["version"])
        assert faulty_store.is_waiting.wait(10)
        shown, seen = new_versions(), match.spectator.get_frame()["version"]
        was_done = acting.done()
        faulty_store.goes_on.set()
        answer = acting.result(10).json()

    assert ([], frame["version"], False) == (shown, seen, was_done)
    assert "applied" == answer["answer"]
    assert [answer["version"]] == wait_until(new_versions, "the choice to be shown")


def test_an_unreachable_store_is_reported_and_used_again_when_it_is_back(
    server: RunningServer, faulty_store: FaultyStore
) -> None:
    """Requests that need it get 503 and Retry-After meanwhile; the server need not be restarted."""
    match = server.open_match("casino")
    server.app.matches.live_matches.evict(match.id)
    faulty_store.is_away = True
    away_now = [
        match.http.get(match.address),
        match.http.get("/api/v1/matches"),
        match.http.get(match.path("rules")),
    ]
    connection = server.socket(match.id, {})
    refusal = json.loads(connection.recv(timeout=10))["error"]["code"]
    faulty_store.is_away = False

    assert [503] * 3 == [answer.status_code for answer in away_now]
    assert {"store_away"} == {answer.json()["error"]["code"] for answer in away_now}
    assert "store_away" == refusal
    with pytest.raises(ConnectionClosed, match="1013"):
        connection.recv(timeout=10)
    assert 200 == match.http.get(match.address).status_code


def test_readiness_reports_whether_the_store_can_be_written(
    server: RunningServer, faulty_store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/readyz` is 503 while it cannot; `/healthz` only reports that the process answers."""
    monkeypatch.setattr("oddsmith.server.application.SECONDS_READY", 0.0)
    ready = server.http.get("/readyz")
    monkeypatch.setattr(faulty_store, "is_ready", lambda: False, raising=False)
    not_ready = server.http.get("/readyz")

    assert (200, "ready") == (ready.status_code, ready.json()["status"])
    assert (503, "store away") == (not_ready.status_code, not_ready.json()["status"])
    assert 200 == server.http.get("/healthz").status_code


@pytest.mark.parametrize(
    "error", [away_error, lambda: UnavailableError("busy", "try again")], ids=["away", "queue full"]
)
def test_bots_wait_while_the_store_is_unreachable(
    server: RunningServer,
    faulty_store: FaultyStore,
    monkeypatch: pytest.MonkeyPatch,
    error: Callable[[], Exception],
) -> None:
    """A bot whose move could not be stored makes it when the store accepts it again."""
    monkeypatch.setattr("oddsmith.server.matches.bot_driver.SECONDS_TO_RETRY", 0.05)
    match = server.open_match("casino", [None, "random"], fill=False)
    person = match.join("Ann")
    match.players.append(person)
    wait_until(lambda: person.get_frame()["actions"], "the turn of the person")
    frame = person.get_frame()
    errors: list[Exception | None] = []

    def fail_for_bots() -> Exception | None:
        errors.append(error() if errors else None)  # the first append is the person's
        return errors[-1]

    faulty_store.fails_before = fail_for_bots
    assert "applied" == person.act(frame["actions"][0], frame["version"]).json()["answer"]
    wait_until(lambda: len(errors) > 2, "two attempts of the bot")
    faulty_store.fails_before = None
    while match.move():
        pass

    assert person.get_frame()["outcome"] is not None


def test_appends_of_many_matches_are_written_together(
    server: RunningServer, faulty_store: FaultyStore
) -> None:
    """Appends that wait while a group is written are the next group."""
    committer = server.app.matches._committer
    parties = [server.open_match("casino") for _ in range(12)]
    frames = [match.players[0].get_frame() for match in parties]
    faulty_store.groups.clear()
    faulty_store.goes_on.clear()
    with ThreadPoolExecutor(12) as pool:
        acting = [
            pool.submit(match.players[0].act, frame["actions"][0], frame["version"])
            for match, frame in zip(parties, frames, strict=True)
        ]
        wait_until(lambda: committer._waiting == 12, "twelve appends that wait")
        faulty_store.goes_on.set()
        answers = {one.result(10).json()["answer"] for one in acting}

    assert {"applied"} == answers
    assert 12 == sum(faulty_store.groups)
    assert len(faulty_store.groups) <= 2


def test_appends_of_one_iteration_of_the_event_loop_are_one_group(store_file: str) -> None:
    """The thread does not begin with the first while others are made: three appends are one transaction."""
    store = open_store(store_file)
    blocked = FaultyStore(store)
    blocked.goes_on.clear()

    async def commit() -> tuple[bool, list[bool]]:
        committer = Committer(blocked.as_store(), Metrics())
        waiting = [committer.append(next_append("a", 0))]
        has_begun = blocked.is_waiting.wait(0.2)
        waiting += [committer.append(next_append(name, 0)) for name in ("b", "c")]
        blocked.goes_on.set()
        done = await asyncio.gather(*waiting)
        committer.close()
        return has_begun, done

    has_begun, done = asyncio.run(commit())
    store.close()

    assert not has_begun
    assert ([True] * 3, [3]) == (done, blocked.groups)


def test_a_group_is_no_larger_than_its_limit(store_file: str) -> None:
    """Of 600 appends of one iteration, none is in a transaction of more than 256, and all are written."""
    store = open_store(store_file)
    counting = FaultyStore(store)

    async def commit() -> list[bool]:
        committer = Committer(counting.as_store(), Metrics())
        done = await asyncio.gather(
            *(committer.append(next_append(f"m{number}", 0)) for number in range(600))
        )
        committer.close()
        return done

    done = asyncio.run(commit())
    store.close()

    assert [True] * 600 == done
    assert 600 == sum(counting.groups)
    assert 256 >= max(counting.groups)


def test_appends_that_were_not_passed_to_the_thread_are_written_at_the_end(store_file: str) -> None:
    """A committer that is closed in the same iteration writes them first."""
    store = open_store(store_file)

    async def commit() -> bool:
        committer = Committer(store, Metrics())
        writing = committer.append(next_append("a", 0))
        committer.close()
        return await writing

    done = asyncio.run(commit())
    found = store.entries("a")
    store.close()

    assert (True, 1) == (done, len(found))


def test_one_failing_append_does_not_fail_the_others(store_file: str) -> None:
    """A group that fails for no common reason is written append by append."""
    store = open_store(store_file)

    class ChoosyStore(FaultyStore):
        def append(self, appends: Any) -> list[bool]:  # noqa: ANN401  the signature of the base class
            if any(append.summary.match == "bad" for append in appends):
                raise ValueError("not this one")
            return super().append(appends)

    async def commit() -> list[object]:
        committer = Committer(ChoosyStore(store).as_store(), Metrics())
        names = ("a", "bad", "b")
        done = await asyncio.gather(
            *(committer.append(next_append(name, 0)) for name in names), return_exceptions=True
        )
        await committer.drain()
        committer.close()
        return [*done]

    first, second, third = asyncio.run(commit())
    store.close()

    assert (True, True) == (first, third)
    assert isinstance(second, ValueError)


@pytest.mark.parametrize(
    ("error", "attempts"),
    [(StoreFullError("store_full", "no space"), 2), (StoreError("store_failed", "no"), 4)],
    ids=["an outage", "any other error"],
)
def test_an_outage_fails_a_batch_without_retries(store_file: str, error: StoreError, attempts: int) -> None:
    """Of three appends one is written first, the others together; after an error that is no outage these are retried one by one."""
    store = open_store(store_file)
    tried: list[int] = []

    class CountingStore(FaultyStore):
        def append(self, appends: Any) -> list[bool]:  # noqa: ANN401  the signature of the base class
            tried.append(len(appends))
            return super().append(appends)

    failing = CountingStore(store)
    failing.fails_before = lambda: error
    failing.goes_on.clear()

    async def commit() -> set[object]:
        committer = Committer(failing.as_store(), Metrics())
        waiting = [committer.append(next_append("a", 0))]
        await asyncio.to_thread(failing.is_waiting.wait, 10)
        waiting += [committer.append(next_append(name, 0)) for name in ("b", "c")]
        failing.goes_on.set()
        done = await asyncio.gather(*waiting, return_exceptions=True)
        committer.close()
        return {*done}

    failed = asyncio.run(commit())
    store.close()

    assert {error} == failed
    assert attempts == len(tried)


def test_appends_beyond_the_queue_limit_are_refused(store_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A blocking store does not fill the memory: with a limit of two, the third append is refused."""
    monkeypatch.setattr("oddsmith.server.matches.committer.MOST_WAITING", 2)
    store = open_store(store_file)
    blocked = FaultyStore(store)
    blocked.goes_on.clear()

    async def commit() -> list[bool]:
        committer = Committer(blocked.as_store(), Metrics())
        waiting = [committer.append(next_append(f"m{place}", 0)) for place in range(2)]
        with pytest.raises(UnavailableError, match="too many writes are queued"):
            committer.append(next_append("m2", 0))
        blocked.goes_on.set()
        done = await asyncio.gather(*waiting)
        committer.close()
        return [*done]

    done = asyncio.run(commit())
    store.close()

    assert [True, True] == done


@pytest.fixture
def store_file() -> Iterator[str]:
    folder, store = new_store()
    store.close()
    yield str(folder / "matches.db")
    shutil.rmtree(folder)


class SharedMatch:
    """A match that two services with one store play, as two server processes do."""

    def __init__(self, here: MatchService, there: MatchService) -> None:
        self.here = here
        self.there = there

    async def begin(self) -> None:
        """Open the match in the first service; one player joins there, the other in the second."""
        rules = find_game("casino").rules_type()
        self.match = (await self.here.open(Open(rules=rules, bots=(None, None)))).id
        tokens = []
        for service, name in ((self.here, "Ann"), (self.there, "Bo")):
            answer = await service.run(self.match, Join(id=name * 12, name=name))
            assert isinstance(answer, Applied)
            tokens.append(answer.token or "")
            self.version = answer.version
        self.tokens = tokens

    async def act(self, service: MatchService, seat: int, name: str, version: int | None = None) -> Any:  # noqa: ANN401  an answer
        """Make the first legal choice of a seat through a service."""
        match = (await self.here.find(self.match, at_least=version or self.version)).match
        action = find_game("casino").actions(match.state, seat)
        self.last_action = _plain(action[0]) if action else "x"
        return await service.run(
            self.match,
            Act(
                token=self.tokens[seat],
                id=name,
                version=version or match.version,
                action=self.last_action,
            ),
        )


def _plain(action: object) -> Any:  # noqa: ANN401  data
    from oddsmith import wire  # noqa: PLC0415  used only here

    return wire.to_builtins(action)


async def with_services(store_file: str, play: Callable[[SharedMatch], Any]) -> Any:  # noqa: ANN401  the result of `play`
    """Run `play` with a match in two services, each with its own connection to one file."""
    stores = [open_store(store_file) for _ in range(2)]
    services = [MatchService(store, draw=Seeded(f"hub {place}")) for place, store in enumerate(stores)]
    for service in services:
        await service.start()
    try:
        shared = SharedMatch(*services)
        await shared.begin()
        return await play(shared)
    finally:
        for service, store in zip(services, stores, strict=True):
            await service.stop()
            store.close()


def test_a_command_through_another_process_is_checked_against_the_current_log(store_file: str) -> None:
    """A process has read the log as of the command's arrival before it answers `stale` or `illegal`."""

    async def play(shared: SharedMatch) -> list[object]:
        first = await shared.act(shared.here, 0, "one")
        command = Act(token=shared.tokens[0], id="one", version=1, action=shared.last_action)
        again = await shared.there.run(shared.match, command)
        second = await shared.act(shared.there, 1, "two", first.version)
        late = await shared.act(shared.here, 0, "three", first.version)
        return [first, again, second, late]

    first, again, second, late = asyncio.run(with_services(store_file, play))

    assert isinstance(first, Applied)
    assert Duplicate(version=first.version) == again
    assert isinstance(second, Applied)
    assert Stale(version=second.version) == late


def test_two_processes_that_race_for_a_version_do_not_both_apply(store_file: str) -> None:
    """Of two choices for one version one is applied, the other is stale, and both processes have the same version."""

    async def play(shared: SharedMatch) -> list[object]:
        version = shared.version
        await shared.here.find(shared.match, at_least=version)
        answers = await asyncio.gather(
            *(
                shared.act(service, 0, f"c{place}", version)
                for place, service in enumerate((shared.here, shared.there))
            )
        )
        seen = [
            (await service.find(shared.match, at_least=version + 1)).match.version
            for service in (shared.here, shared.there)
        ]
        return [sorted(type(answer).__name__ for answer in answers), seen]

    names, seen = asyncio.run(with_services(store_file, play))

    assert ["Applied", "Stale"] == names
    assert seen[0] == seen[1]


def test_a_lost_race_with_an_unreachable_store_is_refused(
    store_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(shared: SharedMatch) -> str:
        await shared.here.find(shared.match, at_least=shared.version)
        await shared.there.find(shared.match, at_least=shared.version)
        await shared.act(shared.there, 0, "first")
        monkeypatch.setattr("oddsmith.server.matches.live_matches.read_later", refuse)
        with pytest.raises(StoreError) as refused:
            await shared.act(shared.here, 0, "second", shared.version)
        return refused.value.refusal.code

    def refuse(*_: object) -> None:
        raise away_error()

    assert "store_away" == asyncio.run(with_services(store_file, play))


def test_a_command_that_is_refused_as_busy_leaves_the_match_unchanged(
    store_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The repeated command is applied."""

    async def play(shared: SharedMatch) -> tuple[str, str]:
        await shared.here.find(shared.match, at_least=shared.version)
        monkeypatch.setattr("oddsmith.server.matches.committer.MOST_WAITING", 0)
        with pytest.raises(UnavailableError) as refused:
            await shared.act(shared.here, 0, "one")
        monkeypatch.setattr("oddsmith.server.matches.committer.MOST_WAITING", 10)
        answer = await shared.act(shared.here, 0, "one")
        return refused.value.refusal.code, type(answer).__name__

    assert ("busy", "Applied") == asyncio.run(with_services(store_file, play))


def test_a_process_is_notified_of_what_another_one_does(store_file: str) -> None:
    """A live match in one process follows choices made in another."""

    async def play(shared: SharedMatch) -> tuple[int, int]:
        live = await shared.there.find(shared.match, at_least=3)
        answer = await shared.act(shared.here, 0, "one")
        async with asyncio.timeout(10):
            while live.match.version < answer.version:  # noqa: ASYNC110  a match has no event
                await asyncio.sleep(0.02)
        return live.match.version, answer.version

    shown, made = asyncio.run(with_services(store_file, play))

    assert made == shown


def test_the_event_loop_is_not_woken_for_what_this_process_writes(
    store_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a choice, the process that made it is not notified, and the other one is."""
    noted: list[tuple[LiveMatches, int]] = []
    note = LiveMatches._note_version

    def note_and_record(live_matches: LiveMatches, match: str, version: int) -> None:
        noted.append((live_matches, version))
        note(live_matches, match, version)

    monkeypatch.setattr(LiveMatches, "_note_version", note_and_record)

    async def play(shared: SharedMatch) -> tuple[set[int], set[int]]:
        here, there = shared.here.live_matches, shared.there.live_matches
        answer = await shared.act(shared.here, 0, "one")
        async with asyncio.timeout(10):
            while (there, answer.version) not in noted:  # noqa: ASYNC110  a notification has no event
                await asyncio.sleep(0.02)
        versions = [{version for place, version in noted if place is one} for one in (here, there)]
        return versions[0] & {answer.version}, versions[1] & {answer.version}

    here, there = asyncio.run(with_services(store_file, play))

    assert (0, 1) == (len(here), len(there))


def test_a_cancelled_client_does_not_cancel_its_command(store_file: str) -> None:
    """The command is finished, stored and shown."""

    async def play(shared: SharedMatch) -> tuple[int, int]:
        live = await shared.here.find(shared.match)
        before = live.match.version
        acting = asyncio.create_task(shared.act(shared.here, 0, "one"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        acting.cancel()
        await asyncio.gather(acting, return_exceptions=True)
        async with asyncio.timeout(10):
            while live.match.version == before:  # noqa: ASYNC110  a match has no event
                await asyncio.sleep(0.01)
        return live.match.version, len(shared.here._store.entries(shared.match))

    shown, kept = asyncio.run(with_services(store_file, play))

    assert kept == shown


def test_draining_waits_for_a_command_whose_client_has_disconnected(store_file: str) -> None:
    """A server that stops does not lose an append that it has begun."""
    store = open_store(store_file)
    blocked = FaultyStore(store)

    async def stop() -> tuple[bool, int]:
        service = MatchService(blocked.as_store(), draw=Seeded("drain"))
        await service.start()
        match = (await service.open(Open(rules=find_game("casino").rules_type(), bots=(None, None)))).id
        blocked.goes_on.clear()
        joining = asyncio.create_task(service.run(match, Join(id="Ann" * 12, name="Ann")))
        await asyncio.to_thread(blocked.is_waiting.wait, 10)
        joining.cancel()
        draining = asyncio.create_task(service.drain())
        await asyncio.gather(joining, return_exceptions=True)
        was_drained = draining.done()
        blocked.goes_on.set()
        await draining
        written = len(store.entries(match))
        await service.stop()
        return was_drained, written

    stopped = asyncio.run(stop())
    store.close()

    assert (False, 2) == stopped


def test_concurrent_requests_for_a_match_load_it_once(store_file: str) -> None:
    async def play(shared: SharedMatch) -> tuple[int, int]:
        shared.here.live_matches.evict(shared.match)
        reads = 0
        entries = shared.here._store.entries

        def count_reads(match: str, *, after: int = 0) -> Any:  # noqa: ANN401  entries of a log
            nonlocal reads
            reads += 1
            return entries(match, after=after)

        shared.here._store.entries = count_reads  # type: ignore[method-assign]  # counts calls
        found = await asyncio.gather(*(shared.here.find(shared.match) for _ in range(20)))
        return reads, len({id(live) for live in found})

    assert (1, 1) == asyncio.run(with_services(store_file, play))


def test_a_damaged_log_is_an_error_of_the_store(store_file: str) -> None:
    """The error code is `damaged_store`."""
    store = open_store(store_file)
    store.append([next_append("0" * 20, 0)])
    store.append([next_append("0" * 20, 1)])

    async def ask() -> str:
        service = MatchService(store)
        try:
            await service.find("0" * 20)
        except StoreError as error:
            return error.refusal.code
        return ""

    code = asyncio.run(ask())
    store.close()

    assert "damaged_store" == code


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    """Run a PostgreSQL server for the tests of this module."""
    server = Server.create()
    server.start()
    yield server
    server.stop()
    server.remove()


def test_an_outage_of_postgresql_loses_nothing(postgres: Server) -> None:
    """During the outage a choice is 503; afterwards it is applied, and another server process shows it."""
    with (
        run_server(open_store(postgres.url())) as here,
        run_server(open_store(postgres.url())) as there,
    ):
        match = here.open_match("casino")
        connection = there.socket(match.id, {})
        first = json.loads(connection.recv(timeout=10))["version"]
        frame = match.players[0].get_frame()
        postgres.stop()
        failed = match.players[0].act(frame["actions"][0], frame["version"], "mine")
        postgres.start()

        def act_again() -> httpx.Response | None:
            reply = match.players[0].act(frame["actions"][0], frame["version"], "mine")
            return None if reply.status_code == 503 else reply

        done = wait_until(act_again, "a reply other than 503")
        assert done is not None
        shown = json.loads(connection.recv(timeout=15))["version"]
        connection.close()

    assert (503, "store_away") == (failed.status_code, failed.json()["error"]["code"])
    assert 200 == done.status_code
    assert first < shown == done.json()["version"]


def test_a_stopped_server_leaves_no_thread(shared_server: RunningServer) -> None:
    """Except for threads of other servers."""
    with run_server() as another:
        another.open_match("casino", ["random", "random"])
    names = [thread.name for thread in threading.enumerate() if thread.name.startswith("oddsmith-bots")]

    assert shared_server.app.matches is not another.app.matches
    assert len(names) <= 4
