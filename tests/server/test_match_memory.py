"""Matches in memory are limited by their bytes, and equal rules are in memory once."""

import asyncio
import gc
import shutil
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from oddsmith.chance import Seeded
from oddsmith.match.machine import open_match
from oddsmith.match.model import Match, Open
from oddsmith.registry import find_game
from oddsmith.rules import Ruleset
from oddsmith.server.matches import MatchService
from oddsmith.server.matches.live_matches import Subscriber
from oddsmith.server.matches.match_memory import BYTES_OF_A_MATCH, BYTES_OF_AN_ENTRY, MatchMemory
from oddsmith.store import Store
from tests.server.servers import new_store

RULES: Any = find_game("destiny").rules_type


@pytest.fixture
def store() -> Iterator[Store]:
    """Return a store in a new folder."""
    folder, store = new_store()
    yield store
    store.close()
    shutil.rmtree(folder)


def varied(number: int) -> Ruleset:
    """Return rules that differ from those of any other number, and are as large."""
    default = RULES()
    rules: Ruleset = default.replace(skill_checks={**default.skill_checks, f"check_{number}": 1})
    return rules


def opened(number: int, rules: Ruleset | None = None) -> Match:
    """Return a match that was opened with rules that were parsed for it."""
    given = RULES.from_toml((rules or RULES()).to_toml())
    bots = (None,) * find_game("destiny").seats(given).start
    return open_match(Open(rules=given, bots=bots), 0, Seeded(f"memory {number}")).match


def test_equal_rules_of_matches_are_one_object() -> None:
    """The text in the first entry of the log, too: a hundred matches take a tenth of what their rules would."""
    gc.collect()
    tracemalloc.start()
    try:
        [first, *others] = [opened(number) for number in range(100)]
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    text = first.rules.to_toml()

    assert all(other.rules is first.rules for other in others)
    assert all(other.log[0].rules is first.log[0].rules for other in others)  # type: ignore[union-attr]
    assert taken < 100 * len(text)


def test_shared_rules_are_forgotten_with_their_last_match() -> None:
    from oddsmith.match import shared_rules  # noqa: PLC0415  its registry is looked at

    rules = RULES().to_toml() + "\n# only here"
    share = shared_rules.share_rules
    kept, _ = share(RULES, rules)
    assert share(RULES, rules)[0] is kept
    del kept
    gc.collect()

    assert (RULES, rules) not in shared_rules._known
    assert (RULES, rules) not in shared_rules._texts


def test_memory_counts_each_match_as_it_is_now_and_rules_once() -> None:
    memory, first, second = MatchMemory(), opened(1), opened(2)
    memory.note(first)
    memory.note(first)
    alone = memory.total
    memory.note(second)
    both = memory.total
    memory.forget(first.id)
    memory.forget(first.id)

    assert (len(memory), memory.total) == (1, alone)
    assert both - alone == BYTES_OF_A_MATCH + BYTES_OF_AN_ENTRY
    assert alone - (both - alone) > 5 * len(RULES().to_toml())

    memory.forget(second.id)

    assert memory.total == 0


def test_idle_matches_are_evicted_when_they_take_too_many_bytes(store: Store) -> None:
    """The least recently used first, and loaded again on use: of thirty small ones some ten remain."""
    most = 10 * (BYTES_OF_A_MATCH + BYTES_OF_AN_ENTRY) + 10_000

    async def open_many() -> tuple[int, int, bool]:
        service = MatchService(store, draw=Seeded("many"), most_live_bytes=most)
        await service.start()
        rules = find_game("casino").rules_type()
        ids = [(await service.open(Open(rules=rules, bots=(None, None)))).id for _ in range(30)]
        count = len(service.live_matches)
        is_found = (await service.find(ids[0])).match.id == ids[0]
        total = service.live_matches._memory.total
        await service.stop()
        return count, total, is_found

    count, total, is_found = asyncio.run(open_many())

    assert 5 <= count <= 11
    assert total <= most
    assert is_found


def test_matches_with_large_rules_are_evicted_sooner(store: Store) -> None:
    """Of matches whose rules differ, fewer are in memory than of matches that share theirs."""
    most = 400_000

    async def count_live(name: str, rules: list[Ruleset]) -> int:
        service = MatchService(store, draw=Seeded(name), most_live_bytes=most)
        await service.start()
        for one in rules:
            bots = (None,) * find_game("destiny").seats(one).start
            await service.open(Open(rules=one, bots=bots))
        count = len(service.live_matches)
        await service.stop()
        return count

    async def both() -> tuple[int, int]:
        same = await count_live("same", [RULES()] * 20)
        return same, await count_live("other", [varied(number) for number in range(20)])

    same, other = asyncio.run(both())

    assert same > 1.5 * other


def test_matches_in_use_are_examined_once_before_others(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches that somebody watches stay, however many; they do not keep idle ones in memory, nor are all examined each time."""
    monkeypatch.setattr("oddsmith.server.matches.live_matches.MOST_EXAMINED", 4)

    async def open_many() -> tuple[set[str], set[str], int]:
        service = MatchService(store, draw=Seeded("watched"), most_live_bytes=1)
        await service.start()
        rules = find_game("casino").rules_type()
        lives = service.live_matches
        watched = []
        for _ in range(12):
            live = await service.find((await service.open(Open(rules=rules, bots=(None, None)))).id)
            live.subscribers.add(Subscriber(None))
            watched.append(live.match.id)
        for _ in range(20):
            await service.open(Open(rules=rules, bots=(None, None)))
        left = {*lives._matches}
        await service.stop()
        return {*watched}, left, len(left)

    watched, left, count = asyncio.run(open_many())

    assert watched <= left
    assert count <= 12 + 8
