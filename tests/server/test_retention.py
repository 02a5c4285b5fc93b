"""Matches that ended long ago are removed from the store, after their records were written; addresses have quotas."""

import asyncio
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from oddsmith.chance import Seeded
from oddsmith.errors import InputError, NotFoundError, RateLimitError
from oddsmith.match.model import Join, Leave, Open, Tick
from oddsmith.records import read_record, verify
from oddsmith.registry import find_game
from oddsmith.server.matches import MatchService
from oddsmith.server.matches.clock import SteadyClock
from oddsmith.server.matches.retention import MILLISECONDS_OF_A_DAY, RetentionPolicy
from oddsmith.server.settings import Settings
from oddsmith.store import Store
from tests.server.servers import API, RunningServer, new_store, run_server
from tests.waiting import wait_until

DAY = MILLISECONDS_OF_A_DAY


@pytest.fixture
def store() -> Iterator[Store]:
    """Return a store in a new folder."""
    folder, store = new_store()
    yield store
    store.close()
    shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def without_outages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let days pass at once."""
    monkeypatch.setattr("oddsmith.server.matches.heartbeat.LONGEST_GAP", 100_000 * DAY)


class Player:
    """A service with a clock of its own, and matches that are opened, played and abandoned in it."""

    def __init__(self, store: Store, **policy: Any) -> None:  # noqa: ANN401  fields of a policy
        self.now = 1_000
        clock = SteadyClock(wall=lambda: self.now, steady=lambda: self.now)
        self.service = MatchService(
            store, draw=Seeded("retention"), clock=clock, retention=RetentionPolicy(**policy)
        )

    async def open(self, *, private: bool = False) -> str:
        """Open a match that two people may join."""
        rules = find_game("casino").rules_type()
        return (await self.service.open(Open(rules=rules, bots=(None, None), private=private))).id

    async def finish(self, match: str) -> str:
        """Join the seats of a match, and give it up."""
        answers: list[Any] = [
            await self.service.run(match, Join(id=f"{seat}" * 30, name=f"Player {seat}")) for seat in range(2)
        ]
        await self.service.run(match, Leave(token=answers[0].token, id="end"))
        return match


def run(play: Callable[[Player], Any], player: Player) -> Any:  # noqa: ANN401  the result of `play`
    """Run `play` with the service of a player."""

    async def run_service() -> Any:  # noqa: ANN401  as above
        await player.service.start()
        try:
            return await play(player)
        finally:
            await player.service.stop()

    return asyncio.run(run_service())


def test_nothing_is_removed_by_default(store: Store) -> None:
    async def play(player: Player) -> int:
        await player.finish(await player.open())
        player.now += 10_000 * DAY
        return await player.service.retention.remove_ended()

    assert run(play, Player(store)) == 0
    assert len(store.matches()) == 1


def test_ended_matches_are_removed_after_their_days(store: Store) -> None:
    """Public and private ones, not before; running ones stay."""

    async def play(player: Player) -> tuple[list[int], str]:
        for private in (False, True):
            await player.finish(await player.open(private=private))
        running = await player.open()
        counts = []
        for days in (0, 3, 1):
            player.now += days * DAY
            counts.append(await player.service.retention.remove_ended())
        return counts, running

    counts, running = run(play, Player(store, days_abandoned=3))

    assert counts == [0, 0, 2]
    assert [summary.match for summary in store.matches()] == [running]
    assert store.matches(private=True) == ()


def test_records_are_exported_before_matches_are_removed(store: Store, tmp_path: Path) -> None:
    """Each in a file that can be verified; a match that nobody played has no record, and is removed."""

    async def play(player: Player) -> tuple[str, int]:
        played = await player.finish(await player.open())
        await player.service.run(await player.open(), Tick(is_deserted=True))
        player.now += 2 * DAY
        await player.open()
        return played, await player.service.retention.remove_ended()

    played, count = run(play, Player(store, days_finished=1, days_abandoned=1, export=tmp_path))
    [file] = tmp_path.iterdir()
    record = read_record(file.read_text(encoding="utf-8"), find_game)

    assert count == 2
    assert file.name == f"casino-{played}.toml"
    assert record.labels["match"] == played
    verify(find_game("casino"), record)
    assert store.entries(played) == ()


def test_a_match_that_cannot_be_exported_is_kept(store: Store, tmp_path: Path) -> None:
    async def play(player: Player) -> tuple[str, int]:
        match = await player.finish(await player.open())
        player.now += 2 * DAY
        await player.open()
        return match, await player.service.retention.remove_ended()

    match, count = run(play, Player(store, days_abandoned=1, export=tmp_path / "missing"))

    assert count == 0
    assert store.entries(match)


def test_a_match_that_somebody_watches_is_kept_until_they_leave(store: Store) -> None:
    async def play(player: Player) -> tuple[int, int]:
        match = await player.finish(await player.open())
        live = await player.service.find(match)
        player.now += 2 * DAY
        await player.open()
        async with live.lock:
            watched = await player.service.retention.remove_ended()
        left = await player.service.retention.remove_ended()
        with pytest.raises(NotFoundError):
            await player.service.find(match)
        return watched, left

    assert run(play, Player(store, days_abandoned=1)) == (0, 1)


def test_a_missing_folder_for_records_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        Settings(export_folder="/nowhere/records")

    assert (caught.value.refusal.code, caught.value.refusal.where) == ("no_export_folder", "export_folder")


def gauge(server: RunningServer, name: str) -> float:
    """Return a value of the metrics."""
    [value] = re.findall(rf"^{name} (\S+)$", server.http.get("/metrics").text, re.MULTILINE)
    return float(value)


def test_metrics_have_the_size_of_the_store_and_of_the_matches_in_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("oddsmith.server.matches.retention.SECONDS_BETWEEN_MEASUREMENTS", 0.05)
    with run_server() as server:
        match = server.open_match("casino")
        wait_until(lambda: gauge(server, "oddsmith_oldest_match_timestamp_seconds"), "an oldest match")
        [summary] = server.store.matches()

        assert summary.match == match.id
        assert gauge(server, "oddsmith_oldest_match_timestamp_seconds") <= summary.changed_at / 1000
        assert gauge(server, "oddsmith_store_bytes") >= server.store.usage().bytes / 2
        assert gauge(server, "oddsmith_live_match_bytes") > 10_000


def open_over_http(server: RunningServer) -> Any:  # noqa: ANN401  a response
    """Open a match, which nobody joins."""
    return server.http.post(f"{API}/matches", json={"game": "casino", "seats": [None, None]})


def test_an_address_has_at_most_as_many_matches_open_as_it_may() -> None:
    """The next is refused with 429, and no `retry-after`: when one is over, another may be opened."""
    with run_server(matches_per_address=3) as server:
        match = server.open_match("casino")
        replies = [open_over_http(server) for _ in range(3)]
        match.players[0].leave()
        after = [open_over_http(server).status_code for _ in range(2)]

    assert [reply.status_code for reply in replies] == [201, 201, 429]
    assert replies[2].json()["error"]["code"] == "too_many_matches"
    assert "retry-after" not in replies[2].headers
    assert after == [201, 429]


def test_a_quota_is_that_of_one_address(store: Store) -> None:
    """A match that could not be opened is not counted; without an address there is no limit."""

    async def play() -> list[str]:
        service = MatchService(store, draw=Seeded("quota"), matches_per_address=1)
        await service.start()
        rules = find_game("casino").rules_type()
        found = []
        attempts: list[tuple[str | None, int]] = [("ann", 9), ("ann", 2), ("ann", 2), ("bo", 2), (None, 2)]
        for address, seats in attempts:
            try:
                await service.open(Open(rules=rules, bots=(None,) * seats), client=address)
                found.append("opened")
            except (InputError, RateLimitError) as error:
                found.append(error.refusal.code)
        await service.stop()
        return found

    assert asyncio.run(play()) == ["bad_seats", "opened", "too_many_matches", "opened", "opened"]


def test_matches_opened_at_once_count_before_they_are_open(store: Store) -> None:
    """Of ten concurrent requests of one address, as many succeed as the quota allows."""

    async def play() -> int:
        service = MatchService(store, draw=Seeded("at once"), matches_per_address=4)
        await service.start()
        rules = find_game("casino").rules_type()
        opening = [service.open(Open(rules=rules, bots=(None, None)), client="ann") for _ in range(10)]
        results = await asyncio.gather(*opening, return_exceptions=True)
        await service.stop()
        return sum(not isinstance(result, Exception) for result in results)

    assert asyncio.run(play()) == 4
