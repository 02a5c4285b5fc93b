"""Nothing is shown or acknowledged before it is durable, and a store that fails costs nobody a move."""

import asyncio
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from oddsmith.chance import Seeded
from oddsmith.errors import StoreAwayError, StoreError, StoreFullError, UnavailableError
from oddsmith.match.model import Act, Applied, Duplicate, Join, Open, Stale
from oddsmith.registry import find_game
from oddsmith.server.matches import MatchService
from oddsmith.server.matches.committer import Committer
from oddsmith.server.metrics import Metrics
from oddsmith.store import open_store
from tests.server.faults import FaultyStore, away
from tests.server.running import Party, Running, new_store, running
from tests.store.builders import one_more
from tests.store.postgres_server import Server

QUIET = 0.2
"""For how many seconds nothing must be heard, where nothing may be."""


@pytest.fixture(scope="module")
def faulty() -> Iterator[FaultyStore]:
    """Return a store that can be told to fail."""
    folder, store = new_store()
    yield FaultyStore(store)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def house(faulty: FaultyStore) -> Iterator[Running]:
    """Run a server on it."""
    with running(faulty.as_store()) as server:
        yield server


@pytest.fixture
def healed(faulty: FaultyStore) -> Iterator[FaultyStore]:
    """Lend the store, and heal it afterwards."""
    yield faulty
    faulty.fails_before = faulty.fails_after = None
    faulty.is_away = False
    faulty.goes_on.set()


def watched(party: Party) -> Callable[[], list[int]]:
    """Return what tells the versions that a spectator has been shown since it was asked last."""
    socket = party.server.socket(party.match, {})
    socket.recv(timeout=10)

    def heard() -> list[int]:
        versions = []
        try:
            while True:
                versions.append(json.loads(socket.recv(timeout=QUIET))["version"])
        except TimeoutError:
            return versions

    return heard


@pytest.mark.parametrize(("kind", "code"), [(StoreAwayError, "store_away"), (StoreFullError, "store_full")])
def test_what_could_not_be_kept_is_neither_shown_nor_acknowledged(
    server: Running, healed: FaultyStore, kind: type[StoreError], code: str
) -> None:
    """A store that fails is a 503 with its refusal; the same command again is done, once the store is well."""
    party = server.open("casino")
    heard = watched(party)
    frame = party.people[0].look()
    healed.fails_before = lambda: kind(code, "the store fails")
    failed = party.people[0].act(frame["actions"][0], frame["version"], "mine")
    shown = heard()
    healed.fails_before = None
    again = party.people[0].act(frame["actions"][0], frame["version"], "mine")

    assert (503, code) == (failed.status_code, failed.json()["error"]["code"])
    assert "2" == failed.headers["retry-after"]
    assert [] == shown
    assert "applied" == again.json()["answer"]
    assert [again.json()["version"]] == heard()


def test_what_was_kept_though_it_seemed_to_fail_is_found_again(server: Running, healed: FaultyStore) -> None:
    """After a failure the log is read again: what is there is shown, and who sends it again hears that it was done."""
    party = server.open("casino")
    heard = watched(party)
    frame = party.people[0].look()
    healed.fails_after = away
    failed = party.people[0].act(frame["actions"][0], frame["version"], "mine")
    healed.fails_after = None
    versions = heard() or heard() or heard()
    again = party.people[0].act(frame["actions"][0], frame["version"], "mine")

    assert 503 == failed.status_code
    assert {"answer": "duplicate", "version": versions[-1]} == again.json()
    assert versions[-1] == len(server.store.entries(party.match))


def test_while_the_store_stalls_nothing_is_shown(server: Running, healed: FaultyStore) -> None:
    """What waits for the disk is seen by nobody; when it is there, it is shown and acknowledged."""
    party = server.open("casino")
    heard = watched(party)
    frame = party.people[0].look()
    healed.goes_on.clear()
    with ThreadPoolExecutor(1) as pool:
        acting = pool.submit(party.people[0].act, frame["actions"][0], frame["version"])
        assert healed.is_waiting.wait(10)
        shown, seen = heard(), party.spectator.look()["version"]
        was_done = acting.done()
        healed.goes_on.set()
        answer = acting.result(10).json()

    assert ([], frame["version"], False) == (shown, seen, was_done)
    assert "applied" == answer["answer"]
    assert [answer["version"]] == heard()


def test_a_store_that_is_away_is_said_to_be_and_used_again_when_it_is_back(
    server: Running, healed: FaultyStore
) -> None:
    """Requests that need it get 503 and Retry-After meanwhile; nothing has to be started anew."""
    party = server.open("casino")
    server.app.matches.live_matches.evict(party.match)
    healed.is_away = True
    away_now = [
        party.http.get(party.place),
        party.http.get("/api/v1/matches"),
        party.http.get(party.path("rules")),
    ]
    heard = server.socket(party.match, {})
    refusal = json.loads(heard.recv(timeout=10))["error"]["code"]
    healed.is_away = False

    assert [503] * 3 == [answer.status_code for answer in away_now]
    assert {"store_away"} == {answer.json()["error"]["code"] for answer in away_now}
    assert "store_away" == refusal
    with pytest.raises(ConnectionClosed, match="1013"):
        heard.recv(timeout=10)
    assert 200 == party.http.get(party.place).status_code


def test_readiness_tells_whether_the_store_can_be_written(
    server: Running, healed: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/readyz` is 503 while it cannot; `/healthz` says only that the process answers."""
    monkeypatch.setattr("oddsmith.server.application.SECONDS_READY", 0.0)
    ready = server.http.get("/readyz")
    monkeypatch.setattr(healed, "is_ready", lambda: False, raising=False)
    not_ready = server.http.get("/readyz")

    assert (200, {"status": "ready"}) == (ready.status_code, ready.json())
    assert (503, {"status": "store away"}) == (not_ready.status_code, not_ready.json())
    assert 200 == server.http.get("/healthz").status_code


@pytest.mark.parametrize(
    "trouble", [away, lambda: UnavailableError("busy", "try again")], ids=["away", "no room to wait"]
)
def test_bots_wait_while_the_store_is_away(
    server: Running,
    healed: FaultyStore,
    monkeypatch: pytest.MonkeyPatch,
    trouble: Callable[[], Exception],
) -> None:
    """A bot whose move could not be kept makes it when the store is back, or has room again."""
    monkeypatch.setattr("oddsmith.server.matches.bot_driver.SECONDS_TO_RETRY", 0.05)
    party = server.open("casino", [None, "random"], fill=False)
    person = party.join("Ann")
    party.people.append(person)
    while not person.look()["actions"]:
        time.sleep(0.02)
    frame = person.look()
    count = 0

    def fail_for_bots() -> Exception:
        nonlocal count
        count += 1
        return trouble()

    assert "applied" == person.act(frame["actions"][0], frame["version"]).json()["answer"]
    healed.fails_before = fail_for_bots
    time.sleep(0.3)
    healed.fails_before = None
    while party.move():
        pass

    assert person.look()["outcome"] is not None


def test_appends_of_many_matches_are_written_together(server: Running, healed: FaultyStore) -> None:
    """What waits while one group is written is the next group."""
    parties = [server.open("casino") for _ in range(12)]
    frames = [party.people[0].look() for party in parties]
    healed.groups.clear()
    healed.goes_on.clear()
    with ThreadPoolExecutor(12) as pool:
        acting = [
            pool.submit(party.people[0].act, frame["actions"][0], frame["version"])
            for party, frame in zip(parties, frames, strict=True)
        ]
        time.sleep(0.3)
        healed.goes_on.set()
        answers = {one.result(10).json()["answer"] for one in acting}

    assert {"applied"} == answers
    assert 12 == sum(healed.groups)
    assert len(healed.groups) <= 3


def test_one_append_that_cannot_be_written_does_not_take_the_others_with_it(store_file: str) -> None:
    """A group that fails for no reason that all share is written one by one."""
    store = open_store(store_file)

    class Choosy(FaultyStore):
        def append(self, appends: Any) -> list[bool]:  # noqa: ANN401  as given
            if any(append.summary.match == "bad" for append in appends):
                raise ValueError("not this one")
            return super().append(appends)

    async def commit() -> list[object]:
        committer = Committer(Choosy(store).as_store(), Metrics())
        names = ("a", "bad", "b")
        done = await asyncio.gather(
            *(committer.append(one_more(name, 0)) for name in names), return_exceptions=True
        )
        await committer.drain()
        committer.close()
        return [*done]

    first, second, third = asyncio.run(commit())
    store.close()

    assert (True, True) == (first, third)
    assert isinstance(second, ValueError)


@pytest.mark.parametrize(
    ("trouble", "attempts"),
    [(StoreFullError("store_full", "no space"), 2), (StoreError("store_failed", "no"), 4)],
    ids=["an outage", "any other error"],
)
def test_an_outage_fails_a_batch_at_once(store_file: str, trouble: StoreError, attempts: int) -> None:
    """Of three appends one is written first, the others together; after what is no outage these are tried one by one."""
    store = open_store(store_file)
    tried: list[int] = []

    class Counting(FaultyStore):
        def append(self, appends: Any) -> list[bool]:  # noqa: ANN401  as given
            tried.append(len(appends))
            return super().append(appends)

    failing = Counting(store)
    failing.fails_before = lambda: trouble
    failing.goes_on.clear()

    async def commit() -> set[object]:
        committer = Committer(failing.as_store(), Metrics())
        waiting = [committer.append(one_more("a", 0))]
        await asyncio.to_thread(failing.is_waiting.wait, 10)
        waiting += [committer.append(one_more(name, 0)) for name in ("b", "c")]
        failing.goes_on.set()
        done = await asyncio.gather(*waiting, return_exceptions=True)
        committer.close()
        return {*done}

    failed = asyncio.run(commit())
    store.close()

    assert {trouble} == failed
    assert attempts == len(tried)


def test_more_than_can_wait_is_refused(store_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that stalls does not fill the memory: two wait, and no more may."""
    monkeypatch.setattr("oddsmith.server.matches.committer.MOST_WAITING", 2)
    store = open_store(store_file)
    stalled = FaultyStore(store)
    stalled.goes_on.clear()

    async def commit() -> list[bool]:
        committer = Committer(stalled.as_store(), Metrics())
        waiting = [committer.append(one_more(f"m{place}", 0)) for place in range(2)]
        with pytest.raises(UnavailableError, match="too many writes are queued"):
            committer.append(one_more("m2", 0))
        stalled.goes_on.set()
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


class Table:
    """A match between two processes on one store, as two server processes have it."""

    def __init__(self, here: MatchService, there: MatchService) -> None:
        self.here = here
        self.there = there

    async def begin(self) -> None:
        """Open it here; one joins here, the other there."""
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
        """Choose through a process what is possible there."""
        match = (await self.here.find(self.match, at_least=version or self.version)).match
        action = find_game("casino").actions(match.state, seat)
        return await service.run(
            self.match,
            Act(
                token=self.tokens[seat],
                id=name,
                version=version or match.version,
                action=_plain(action[0]) if action else "x",
            ),
        )


def _plain(action: object) -> Any:  # noqa: ANN401  data
    from oddsmith import wire  # noqa: PLC0415  only here

    return wire.to_builtins(action)


async def with_services(store_file: str, play: Callable[[Table], Any]) -> Any:  # noqa: ANN401  what comes of it
    """Play between two processes, each with a store of its own on one file."""
    stores = [open_store(store_file) for _ in range(2)]
    services = [MatchService(store, draw=Seeded(f"hub {place}")) for place, store in enumerate(stores)]
    for service in services:
        await service.start()
    try:
        table = Table(*services)
        await table.begin()
        return await play(table)
    finally:
        for service, store in zip(services, stores, strict=True):
            await service.stop()
            store.close()


def test_who_acts_through_another_process_is_not_told_of_a_past_that_is_over(store_file: str) -> None:
    """Before a process answers `stale` or `illegal` it knows what the log had when the command came."""

    async def play(table: Table) -> list[object]:
        first = await table.act(table.here, 0, "one")
        again = await table.there.run(
            table.match, Act(token=table.tokens[0], id="one", version=1, action="x")
        )
        second = await table.act(table.there, 1, "two", first.version)
        late = await table.act(table.here, 0, "three", first.version)
        return [first, again, second, late]

    first, again, second, late = asyncio.run(with_services(store_file, play))

    assert isinstance(first, Applied)
    assert Duplicate(version=first.version) == again
    assert isinstance(second, Applied)
    assert Stale(version=second.version) == late


def test_two_processes_that_race_for_a_version_do_not_both_win(store_file: str) -> None:
    """Of two choices for one version one is applied, the other is stale, and both processes show the same."""

    async def play(table: Table) -> list[object]:
        version = table.version
        await table.here.find(table.match, at_least=version)
        answers = await asyncio.gather(
            *(
                table.act(service, 0, f"c{place}", version)
                for place, service in enumerate((table.here, table.there))
            )
        )
        seen = [
            (await service.find(table.match, at_least=version + 1)).match.version
            for service in (table.here, table.there)
        ]
        return [sorted(type(answer).__name__ for answer in answers), seen]

    names, seen = asyncio.run(with_services(store_file, play))

    assert ["Applied", "Stale"] == names
    assert seen[0] == seen[1]


def test_who_lost_a_race_hears_of_a_store_that_is_away(
    store_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that came too late and cannot be done again is refused, not forgotten."""

    async def play(table: Table) -> str:
        await table.here.find(table.match, at_least=table.version)
        await table.there.find(table.match, at_least=table.version)
        await table.act(table.there, 0, "first")
        monkeypatch.setattr("oddsmith.server.matches.live_matches.update_match", refuse)
        with pytest.raises(StoreError) as refused:
            await table.act(table.here, 0, "second", table.version)
        return refused.value.refusal.code

    def refuse(*_: object) -> None:
        raise away()

    assert "store_away" == asyncio.run(with_services(store_file, play))


def test_a_command_that_finds_no_room_to_wait_leaves_the_match_as_it_was(
    store_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused as busy; the next one is done."""

    async def play(table: Table) -> tuple[str, str]:
        await table.here.find(table.match, at_least=table.version)
        monkeypatch.setattr("oddsmith.server.matches.committer.MOST_WAITING", 0)
        with pytest.raises(UnavailableError) as refused:
            await table.act(table.here, 0, "one")
        monkeypatch.setattr("oddsmith.server.matches.committer.MOST_WAITING", 10)
        answer = await table.act(table.here, 0, "one")
        return refused.value.refusal.code, type(answer).__name__

    assert ("busy", "Applied") == asyncio.run(with_services(store_file, play))


def test_a_process_hears_what_another_one_does(store_file: str) -> None:
    """Who watches through one process is shown what was done through another, without asking."""

    async def play(table: Table) -> tuple[int, int]:
        live = await table.there.find(table.match, at_least=3)
        answer = await table.act(table.here, 0, "one")
        async with asyncio.timeout(10):
            while live.match.version < answer.version:  # noqa: ASYNC110  a match has no event
                await asyncio.sleep(0.02)
        return live.match.version, answer.version

    shown, made = asyncio.run(with_services(store_file, play))

    assert made == shown


def test_who_stops_waiting_for_an_answer_changes_nothing(store_file: str) -> None:
    """A command whose client has gone is finished, and shown, all the same."""

    async def play(table: Table) -> tuple[int, int]:
        live = await table.here.find(table.match)
        before = live.match.version
        acting = asyncio.create_task(table.act(table.here, 0, "one"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        acting.cancel()
        await asyncio.gather(acting, return_exceptions=True)
        async with asyncio.timeout(10):
            while live.match.version == before:  # noqa: ASYNC110  a match has no event
                await asyncio.sleep(0.01)
        return live.match.version, len(table.here._store.entries(table.match))

    shown, kept = asyncio.run(with_services(store_file, play))

    assert kept == shown


def test_draining_waits_for_a_command_whose_client_has_gone(store_file: str) -> None:
    """A server that stops does not lose what it has begun to write, though nobody waits for the answer."""
    store = open_store(store_file)
    stalled = FaultyStore(store)

    async def stop() -> tuple[bool, int]:
        service = MatchService(stalled.as_store(), draw=Seeded("drain"))
        await service.start()
        match = (await service.open(Open(rules=find_game("casino").rules_type(), bots=(None, None)))).id
        stalled.goes_on.clear()
        joining = asyncio.create_task(service.run(match, Join(id="Ann" * 12, name="Ann")))
        await asyncio.to_thread(stalled.is_waiting.wait, 10)
        joining.cancel()
        draining = asyncio.create_task(service.drain())
        await asyncio.gather(joining, return_exceptions=True)
        was_drained = draining.done()
        stalled.goes_on.set()
        await draining
        written = len(store.entries(match))
        await service.stop()
        return was_drained, written

    stopped = asyncio.run(stop())
    store.close()

    assert (False, 2) == stopped


def test_many_who_ask_for_a_match_wait_for_one_reading(store_file: str) -> None:
    """A match that is not in memory is read once, however many ask; and idle ones are forgotten when there are many."""

    async def play(table: Table) -> tuple[int, int]:
        table.here.live_matches.evict(table.match)
        reads = 0
        entries = table.here._store.entries

        def counted(match: str, *, after: int = 0) -> Any:  # noqa: ANN401  as the store has it
            nonlocal reads
            reads += 1
            return entries(match, after=after)

        table.here._store.entries = counted  # type: ignore[method-assign]  # to count
        found = await asyncio.gather(*(table.here.find(table.match) for _ in range(20)))
        return reads, len({id(live) for live in found})

    assert (1, 1) == asyncio.run(with_services(store_file, play))


def test_idle_matches_are_evicted_when_there_are_too_many(
    store_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The least recently used go first; they are loaded again when they are used."""
    monkeypatch.setattr("oddsmith.server.matches.live_matches.MOST_LIVE", 10)

    async def play(table: Table) -> tuple[int, bool]:
        rules = find_game("casino").rules_type()
        for _ in range(30):
            await table.here.open(Open(rules=rules, bots=(None, None)))
        return len(table.here.live_matches), (await table.here.find(table.match)).match.id == table.match

    count, found = asyncio.run(with_services(store_file, play))

    assert count <= 11
    assert found


@pytest.mark.parametrize("private", [False, True])
def test_a_match_that_nobody_comes_back_to_is_given_up(store_file: str, *, private: bool) -> None:
    """After so many days it is over, in the name of all, whether lists show it or not."""
    store = open_store(store_file)

    async def sweep() -> bool:
        now = 1_000
        service = MatchService(store, draw=Seeded("old"), now=lambda: now, days_to_desertion=2)
        rules = find_game("casino").rules_type()
        match = await service.open(Open(rules=rules, bots=(None, None), private=private))
        now += 3 * 24 * 3600 * 1000
        await service.start()
        async with asyncio.timeout(10):
            while not (live := await service.find(match.id)).match.is_abandoned:  # noqa: ASYNC110  a match has no event
                await asyncio.sleep(0.02)
        await service.stop()
        return live.match.is_over

    given_up = asyncio.run(sweep())
    store.close()

    assert given_up


def test_a_log_that_does_not_replay_is_the_stores_fault(store_file: str) -> None:
    """A damaged log is a 503 that says so, not a mistake of who asks."""
    store = open_store(store_file)
    store.append([one_more("0" * 20, 0)])
    store.append([one_more("0" * 20, 1)])

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
    """Start a PostgreSQL server of these tests' own."""
    server = Server.made()
    server.start()
    yield server
    server.stop()
    server.remove()


def test_a_database_that_goes_away_and_comes_back_costs_nothing_but_time(postgres: Server) -> None:
    """While PostgreSQL is down a choice is 503; when it is up again it is made, through another server process too."""
    with (
        running(open_store(postgres.url())) as here,
        running(open_store(postgres.url())) as there,
    ):
        party = here.open("casino")
        heard = there.socket(party.match, {})
        first = json.loads(heard.recv(timeout=10))["version"]
        frame = party.people[0].look()
        postgres.stop()
        failed = party.people[0].act(frame["actions"][0], frame["version"], "mine")
        postgres.start()
        until = time.monotonic() + 15
        while (done := party.people[0].act(frame["actions"][0], frame["version"], "mine")).status_code == 503:
            assert time.monotonic() < until
            time.sleep(0.1)
        shown = json.loads(heard.recv(timeout=15))["version"]
        heard.close()

    assert (503, "store_away") == (failed.status_code, failed.json()["error"]["code"])
    assert 200 == done.status_code
    assert first < shown == done.json()["version"]


def test_nothing_is_left_running(house: Running) -> None:
    """A server that stops leaves no thread behind but those of others."""
    with running() as another:
        another.open("casino", ["random", "random"])
    names = [thread.name for thread in threading.enumerate() if thread.name.startswith("oddsmith-bots")]

    assert house.app.matches is not another.app.matches
    assert len(names) <= 4
