"""Clocks of matches, and desertion, count the time in which a server ran: wall time that is set, and outages, change nothing."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from structlog.testing import capture_logs

from oddsmith.chance import Seeded
from oddsmith.errors import StoreAwayError
from oddsmith.game import Act as GameAct
from oddsmith.match.model import Act, Applied, Clock, Join, Leave, Match, Open
from oddsmith.registry import find_game
from oddsmith.server.application import Application
from oddsmith.server.matches import MatchService, heartbeat
from oddsmith.server.matches.clock import SteadyClock
from oddsmith.server.matches.retention import RetentionPolicy
from oddsmith.server.settings import Settings
from oddsmith.store import Pulse, Store, open_store
from tests.store.databases import execute

SECOND: Final = 1000
HOUR: Final = 3600 * SECOND
DAY: Final = 24 * HOUR
MATCHES: Final = 20
STEP: Final = 15 * SECOND


class Machine:
    """The clocks of a machine: wall time, which may be set, and steady time; and the store of its servers."""

    def __init__(self, folder: Path) -> None:
        self.wall = 1_700_000_000_000
        self.steady = 5_000
        self.location = str(folder / "matches.db")
        self.servers_begun = 0

    def advance(self, milliseconds: int) -> None:
        """Let time pass."""
        self.wall += milliseconds
        self.steady += milliseconds

    def clock(self) -> SteadyClock:
        """Return the clock of a new server."""
        return SteadyClock(wall=lambda: self.wall, steady=lambda: self.steady)

    @asynccontextmanager
    async def serve(self, *, days_to_desertion: int = 0) -> "AsyncIterator[Server]":
        """Run the matches of the store."""
        store = open_store(self.location)
        self.servers_begun += 1
        service = MatchService(
            store,
            clock=self.clock(),
            draw=Seeded(f"time {self.servers_begun}"),
            days_to_desertion=days_to_desertion,
        )
        await service.start()
        try:
            yield Server(self, service, store)
        finally:
            await service.stop()
            store.close()


class Server:
    """A server of a machine."""

    def __init__(self, machine: Machine, service: MatchService, store: Store) -> None:
        self.machine = machine
        self.service = service
        self.store = store

    async def open(self, game: str = "destiny", *, bank_seconds: int = 0, seconds: int = 3600) -> "Played":
        """Open a match with a clock, and take both seats."""
        rules = find_game(game).rules_type()
        clock = Clock(choice_seconds=seconds, bank_seconds=bank_seconds)
        opened = await self.service.open(Open(rules=rules, bots=(None, None), clock=clock))
        tokens = []
        for name in ("Ann", "Bo"):
            answer = await self.service.run(opened.id, Join(id=name * 12, name=name))
            assert isinstance(answer, Applied)
            tokens.append(answer.token or "")
        return Played(opened.id, tuple(tokens))

    async def run(self, milliseconds: int) -> None:
        """Run for some time, with heartbeats, and let clocks choose."""
        for _ in range(0, milliseconds, STEP):
            self.machine.advance(STEP)
            await self.service._heartbeat.beat()
        await self.tick()

    async def tick(self) -> None:
        """Do what is done every half second."""
        self.service._heartbeat.check_wall_time()
        await self.service._clocks._expire_due()

    async def sweep(self) -> None:
        """Do what is done every ten minutes."""
        if self.service._heartbeat.undisturbed >= HOUR:
            await self.service._clocks._sweep()

    async def find(self, match: str) -> Match:
        """Return a match as this server has it."""
        return (await self.service.find(match)).match

    async def versions(self, matches: "list[Played]") -> list[int]:
        """Return the versions of matches."""
        return [(await self.find(match.id)).version for match in matches]

    async def act(self, played: "Played") -> None:
        """Make the first legal choice of the first seat that must choose."""
        match = await self.find(played.id)
        seat = match.deciding[0]
        line = match.engine.write(match.state, _first_move(match, seat)).partition(" ")[2]
        act = Act(token=played.tokens[seat], id=f"c{match.version}", version=match.version, action=line)
        answer = await self.service.run(played.id, act)
        assert isinstance(answer, Applied), answer


class Played:
    """A match and the tokens of its seats."""

    def __init__(self, match: str, tokens: tuple[str, ...]) -> None:
        self.id = match
        self.tokens = tokens


def _first_move(match: Match, seat: int) -> GameAct[Any]:
    return GameAct(seat, match.engine.actions(match.state, seat)[0])


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    with capture_logs() as lines:
        yield lines


def read_pulse(server: Server) -> Pulse:
    """Return what the store of a server knows of the time, without a heartbeat."""
    return server.store.beat(0, interval=0, longest_gap=0)


def of_event(logged: list[Any], event: str) -> list[int]:
    """Return the seconds in the lines of an event."""
    return [line["seconds"] for line in logged if line["event"] == event]


@pytest.mark.parametrize("jump", [DAY, -DAY], ids=["a day forward", "a day back"])
def test_clocks_ignore_a_jump_of_wall_time(machine: Machine, logged: list[Any], jump: int) -> None:
    """Twenty matches with clocks of one hour: none is late after half an hour, all are after an hour; one line is logged."""

    async def play() -> tuple[list[int], list[int], list[int]]:
        async with machine.serve() as server:
            matches = [await server.open() for _ in range(MATCHES)]
            begun = await server.versions(matches)
            machine.wall += jump
            await server.run(HOUR // 2)
            half = await server.versions(matches)
            await server.run(HOUR // 2)
            return begun, half, await server.versions(matches)

    begun, half, whole = asyncio.run(play())

    assert half == begun
    assert all(after > before for before, after in zip(begun, whole, strict=True))
    assert of_event(logged, "wall time jumped: no clock is charged for it") == [jump // SECOND]


@pytest.mark.parametrize("jump", [DAY, 31 * DAY, -DAY], ids=["a day", "31 days", "a day back"])
def test_clocks_are_not_charged_for_the_time_between_two_servers(machine: Machine, jump: int) -> None:
    """Half an hour is left of each hour, whatever wall time says after the restart; no entry is before the last."""

    async def play() -> list[list[int]]:
        async with machine.serve() as server:
            matches = [await server.open() for _ in range(MATCHES)]
            await server.run(HOUR // 2)
            found = [await server.versions(matches)]
        machine.wall += jump
        async with machine.serve() as server:
            await server.tick()
            found.append(await server.versions(matches))
            await server.run(HOUR // 2 - STEP)
            found.append(await server.versions(matches))
            await server.run(3 * STEP)
            found.append(await server.versions(matches))
            for match in matches:
                times = [entry.at for entry in server.store.entries(match.id)]
                assert times == sorted(times)
        return found

    before, after, nearly, late = asyncio.run(play())

    assert before == after == nearly
    assert all(version > earlier for earlier, version in zip(nearly, late, strict=True))


def test_a_bank_is_not_charged_for_an_outage(machine: Machine) -> None:
    """A player who chooses first thing after a restart has the bank of before; the log says so, and replays equally."""

    async def play() -> tuple[list[int], list[int], list[int]]:
        async with machine.serve() as server:
            match = await server.open(seconds=60, bank_seconds=600)
            await server.run(90 * SECOND)
        machine.advance(DAY)
        async with machine.serve() as server:
            seat = (await server.find(match.id)).deciding[0]
            await server.act(match)
            banks = [chair.bank for chair in (await server.find(match.id)).chairs]
            paused = [getattr(entry, "paused", 0) for entry in server.store.entries(match.id)]
            server.service.live_matches.evict(match.id)
            again = [chair.bank for chair in (await server.find(match.id)).chairs]
        return [banks[seat]], [again[seat]], [pause for pause in paused if pause]

    banks, again, paused = asyncio.run(play())

    assert banks == again
    assert 565 * SECOND <= banks[0] <= 570 * SECOND
    assert len(paused) == 1
    assert DAY <= paused[0] <= DAY + 5 * SECOND


def test_a_suspended_machine_charges_no_clock(machine: Machine) -> None:
    """It wakes after eight hours: the first thing that happens is a choice, and its seat has its bank; others see their time."""

    async def play() -> tuple[int, int]:
        async with machine.serve() as server:
            match = await server.open(seconds=60, bank_seconds=600)
            other = await server.open()
            before = await server.versions([other])
            await server.run(30 * SECOND)
            machine.advance(8 * HOUR)
            seat = (await server.find(match.id)).deciding[0]
            await server.act(match)
            await server.tick()
            bank = (await server.find(match.id)).chairs[seat].bank
            left = min((await server.find(other.id)).dues.values()) - server.service._now()
            assert (await server.versions([other])) == before
            return bank, left

    bank, left = asyncio.run(play())

    assert bank == 600 * SECOND
    assert left == HOUR - 30 * SECOND


def test_an_outage_of_the_store_charges_no_clock(
    machine: Machine, logged: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It cannot be written for two hours, and its server lives on: the rest of each hour is left."""

    def fail(*_: object, **__: object) -> Any:  # noqa: ANN401  never returns
        raise StoreAwayError("store_away", "the store cannot be reached")

    async def play() -> list[list[int]]:
        async with machine.serve() as server:
            matches = [await server.open() for _ in range(3)]
            await server.run(HOUR // 2)
            found = [await server.versions(matches)]
            with monkeypatch.context() as patch:
                patch.setattr(server.store, "beat", fail)
                for _ in range(8):
                    machine.advance(HOUR // 4)
                    with pytest.raises(StoreAwayError):
                        await server.tick()
            await server.run(HOUR // 2 - STEP)
            found.append(await server.versions(matches))
            await server.run(2 * STEP)
            found.append(await server.versions(matches))
        return found

    before, after, late = asyncio.run(play())

    assert after == before
    assert all(version > earlier for earlier, version in zip(after, late, strict=True))
    assert of_event(logged, "outage: no clock is charged for it") == [2 * HOUR // SECOND + STEP // SECOND]


def test_an_application_may_be_given_a_clock(machine: Machine) -> None:
    async def play() -> int:
        async with Application(Settings(store=machine.location), clock=machine.clock()) as application:
            rules = find_game("duel").rules_type()
            return (await application.matches.open(Open(rules=rules, bots=(None, None)))).opened_at

    assert asyncio.run(play()) == machine.wall


def test_no_match_is_deserted_by_a_jump_of_wall_time_with_a_restart(machine: Machine) -> None:
    """Open and running matches, 31 days later by wall time: none is given up, also after the first hour."""

    async def play() -> list[bool]:
        async with machine.serve(days_to_desertion=30) as server:
            matches = [await server.open() for _ in range(MATCHES)]
        machine.wall += 31 * DAY
        async with machine.serve(days_to_desertion=30) as server:
            await server.sweep()
            await server.run(HOUR)
            await server.sweep()
            return [(await server.find(match.id)).is_abandoned for match in matches]

    assert asyncio.run(play()) == [False] * MATCHES


def test_no_match_is_removed_by_a_jump_of_wall_time_with_a_restart(machine: Machine) -> None:
    """A match that ended just before, 400 days later by wall time, is kept for 30 days of running."""

    async def play() -> int:
        async with machine.serve() as server:
            match = await server.open()
            await server.service.run(match.id, Leave(token=match.tokens[0], id="c1"))
            assert (await server.find(match.id)).is_abandoned
            machine.advance(SECOND)
            await server.open()
        machine.wall += 400 * DAY
        async with machine.serve() as server:
            server.service.retention._policy = RetentionPolicy(days_finished=30, days_abandoned=30)
            await server.run(HOUR)
            return await server.service.retention.remove_ended()

    assert asyncio.run(play()) == 0


@pytest.mark.parametrize("private", [False, True])
def test_a_match_is_deserted_after_days_in_which_a_server_ran(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, *, private: bool
) -> None:
    """Two days are needed: an outage of three days does not count; nor does the first hour after a start decide."""
    monkeypatch.setattr(heartbeat, "LONGEST_GAP", HOUR)

    async def days(server: Server, count: int) -> None:
        for _ in range(48 * count):
            machine.advance(HOUR // 2)
            await server.service._heartbeat.beat()

    async def play() -> list[bool]:
        found = []
        rules = find_game("duel").rules_type()
        async with machine.serve(days_to_desertion=2) as server:
            opened = await server.service.open(Open(rules=rules, bots=(None, None), private=private))
            await days(server, 1)
            await server.sweep()
            found.append((await server.find(opened.id)).is_abandoned)
        machine.advance(3 * DAY)
        async with machine.serve(days_to_desertion=2) as server:
            await days(server, 1)
            machine.advance(-HOUR // 4)
            await server.sweep()
            found.append((await server.find(opened.id)).is_abandoned)
        machine.advance(HOUR // 2)
        async with machine.serve(days_to_desertion=2) as server:
            await server.sweep()
            found.append((await server.find(opened.id)).is_abandoned)
            machine.advance(HOUR)
            await server.service._heartbeat.beat()
            await server.sweep()
            found.append((await server.find(opened.id)).is_abandoned)
        return found

    assert asyncio.run(play()) == [False, False, False, True]


def test_a_clock_that_takes_long_delays_no_heartbeat(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match whose rules take long is no outage."""
    monkeypatch.setattr(heartbeat, "SECONDS_BETWEEN_CHECKS", 0.01)

    async def play() -> int:
        async with machine.serve() as server:
            match = await server.open(seconds=20)
            live = await server.service.find(match.id)
            ticking = []
            async with live.lock:
                for _ in range(5):
                    ticking.append(asyncio.create_task(server.service._clocks._expire_due()))
                    machine.advance(STEP)
                    async with asyncio.timeout(20):
                        while read_pulse(server).at < server.service._now():  # noqa: ASYNC110  a store has no event
                            await asyncio.sleep(0.01)
            await asyncio.gather(*ticking)
            outages = read_pulse(server).outages
            return len(outages)

    assert asyncio.run(play()) == 0


def test_a_second_server_with_another_wall_time_charges_no_clock(machine: Machine) -> None:
    """It joins a day ahead: neither server ends a match, and both go on with the later time."""

    async def play() -> tuple[list[int], list[int], int]:
        async with machine.serve() as here:
            matches = [await here.open() for _ in range(MATCHES)]
            begun = await here.versions(matches)
            machine.wall += DAY
            async with machine.serve() as there:
                await there.tick()
                await here.tick()
                await here.run(HOUR // 2)
                await there.tick()
                return begun, await there.versions(matches), there.service._now() - here.service._now()

    begun, versions, difference = asyncio.run(play())

    assert versions == begun
    assert abs(difference) <= STEP


def test_more_than_a_hundred_matches_that_seem_due_do_not_stop_the_clock_of_another(machine: Machine) -> None:
    """Their rows are wrong; the match behind them gets its choice."""

    async def play() -> tuple[int, int]:
        async with machine.serve() as server:
            early = [await server.open("duel") for _ in range(101)]
            late = await server.open("duel", seconds=20)
            [before] = await server.versions([late])
            for match in early:
                execute(
                    machine.location,
                    f"UPDATE {{schema}}matches SET due_at = 1 WHERE match = '{match.id}'",  # noqa: S608  an id
                )
            await server.run(30 * SECOND)
            await server.tick()
            return before, (await server.versions([late]))[0]

    before, after = asyncio.run(play())

    assert after > before


def test_the_clock_of_a_server_is_not_set_with_that_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins with wall time, and advances with steady time."""
    clock = SteadyClock()
    before, wall = clock(), time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: wall + DAY * 1_000_000)

    assert abs(before - wall // 1_000_000) < HOUR
    assert 0 <= clock() - before < HOUR
    assert DAY // 2 < clock.find_jump() < 2 * DAY
    assert clock.find_jump() == 0
