"""The contract of a store, tested with each kind."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from random import Random
from threading import Event
from time import sleep
from typing import Any

import msgspec
import pytest

from oddsmith.errors import InputError, StoreAwayError
from oddsmith.match.model import Clock, Left, Made, Seated
from oddsmith.store import (
    Append,
    Outage,
    Pulse,
    Snapshot,
    Status,
    Store,
    Summary,
    open_store,
    postgres,
    sqlite,
)
from oddsmith.store.sql import SqlStore, Values
from tests.store.builders import OPENED, next_append, summary
from tests.store.crashing import losses, run_kills
from tests.store.databases import execute
from tests.store.racing import MATCH, count_winners, start_racers
from tests.waiting import wait_until

LOG = (
    msgspec.structs.replace(OPENED, clock=Clock(choice_seconds=30)),
    Seated(at=2, seat=0, name="Zoë ♠", token="a0" * 32, request="b1" * 32, seed="luck"),
    Made(at=3, line="\0 any ' text \" A♠"),
    Made(at=4, line="0 pass", seat=0, id="c1"),
    Left(at=5, seat=0, id="c2"),
)


def wait_for_notifications(
    notified: list[tuple[str, int]], expected: set[tuple[str, int]]
) -> set[tuple[str, int]]:
    """Wait until all expected notifications have arrived, and return all of them."""
    wait_until(lambda: expected <= {*notified}, f"{expected}")
    return {*notified}


def test_appended_entries_are_read_back(store: Store) -> None:
    """Every kind of entry, from any version on."""
    done = store.append([Append(version=0, entries=LOG, summary=summary("m", 5))])

    assert [True] == done
    assert LOG == store.entries("m")
    assert LOG[3:] == store.entries("m", after=3)
    assert () == store.entries("m", after=5)


def test_a_reopened_store_has_its_data(location: str, opener: Callable[[str], Store]) -> None:
    first = opener(location)
    first.append([Append(version=0, entries=LOG, summary=summary("m", 5))])
    first.close()
    again = opener(location)

    assert LOG == again.entries("m")
    assert (summary("m", 5),) == again.matches()


@pytest.mark.parametrize("match", ["nobody", "no\0body", "\ud800", ""])
def test_an_unknown_match_has_no_data(store: Store, match: str) -> None:
    """Reading it is no error."""
    assert () == store.entries(match)
    assert store.snapshot(match) is None
    assert () == store.matches(game=match)
    assert () == store.matches(before=(0, match))


def test_a_late_append_does_not_fail_the_others(store: Store) -> None:
    """Each append succeeds or fails by itself, though all are one transaction."""
    store.append([next_append("m", 0), next_append("n", 0)])
    late, early, unknown, again = (
        next_append("m", 0),
        next_append("n", 2),
        next_append("o", 1),
        next_append("n", 1),
    )
    done = store.append([next_append("m", 1), late, early, unknown, again, next_append("p", 0)])

    assert [True, False, False, False, True, True] == done
    assert {"m": 2, "n": 2, "p": 1} == {one.match: one.version for one in store.matches()}
    assert [2, 2, 0, 1] == [len(store.entries(match)) for match in ("m", "n", "o", "p")]


def test_appends_to_one_match_may_follow_each_other_in_a_transaction(store: Store) -> None:
    done = store.append([next_append("m", version, line=f"0 {version}") for version in range(5)])

    assert [True] * 5 == done
    assert ["0 1", "0 2", "0 3", "0 4"] == [
        getattr(entry, "line", None) for entry in store.entries("m", after=1)
    ]


def test_an_empty_list_of_appends_does_nothing(store: Store) -> None:
    assert [] == store.append([])


@pytest.mark.parametrize(("version", "entries"), [(0, ()), (1, LOG[:1]), (0, LOG[:2])])
def test_an_append_has_a_consistent_version(version: int, entries: tuple[Made, ...]) -> None:
    """The summary has the version after the entries."""
    with pytest.raises(
        InputError, match=f"{len(entries)} entries after version {version} do not make"
    ) as caught:
        Append(
            version=version, entries=entries, summary=summary("m", 1 if version + len(entries) != 1 else 2)
        )

    assert "bad_append" == caught.value.refusal.code


def test_the_latest_snapshot_is_stored(store: Store) -> None:
    """A later snapshot replaces an earlier one, an earlier one replaces none, and none is ahead of its log."""
    store.append([Append(version=0, entries=LOG, summary=summary("m", 5))])
    for version in (2, 4, 3, 6):
        store.write_snapshot(Snapshot(match="m", version=version, data={"at": version, "who": ["Zoë", None]}))

    assert Snapshot(match="m", version=4, data={"at": 4, "who": ["Zoë", None]}) == store.snapshot("m")


def test_matches_are_listed_last_changed_first(store: Store) -> None:
    """With the summary of their last append, filtered by game, status, or both."""
    shown = [
        summary("a", 1, changed_at=10, status=Status.OPEN, names=(None, None)),
        summary("b", 1, changed_at=30, game="fate", status=Status.OVER),
        summary("c", 1, changed_at=20, game="fate", status=Status.OPEN, due_at=99),
    ]
    store.append([Append(version=0, entries=(OPENED,), summary=one) for one in shown])
    later = summary("a", 2, changed_at=40, status=Status.PLAYING)
    store.append([Append(version=1, entries=LOG[3:4], summary=later)])

    assert (later, shown[1], shown[2]) == store.matches()
    assert (shown[1], shown[2]) == store.matches(game="fate")
    assert (shown[2],) == store.matches(status=Status.OPEN)
    assert (shown[1],) == store.matches(game="fate", status=Status.OVER)
    assert () == store.matches(game="duel", status=Status.ABANDONED)


def test_private_matches_are_in_no_public_list(store: Store) -> None:
    """With any filter; they can be listed separately."""
    shown = {
        match: summary(match, 1, game=game, private=private)
        for match, game, private in (("m", "duel", False), ("n", "fate", True), ("o", "duel", True))
    }
    store.append([Append(version=0, entries=(OPENED,), summary=one) for one in shown.values()])

    assert (shown["m"],) == store.matches() == store.matches(status=Status.PLAYING)
    assert () == store.matches(game="fate")
    assert (shown["o"], shown["n"]) == store.matches(private=True)
    assert (shown["n"],) == store.matches(private=True, game="fate", status=Status.PLAYING)


def test_a_practice_is_listed_as_practice(store: Store) -> None:
    """Also after later appends."""
    store.append([next_append("m", 0, practice=True)])
    store.append([next_append("m", 1, practice=True, status=Status.OVER)])

    assert (summary("m", 2, practice=True, status=Status.OVER),) == store.matches()


def test_pages_have_every_match_once(store: Store) -> None:
    """Matches that changed in the same millisecond are neither lost nor repeated between pages."""
    store.append([next_append(f"m{number}", 0, changed_at=5 + number // 4) for number in range(10)])
    seen: list[str] = []
    page = store.matches(limit=3)
    while page:
        seen += [one.match for one in page]
        page = store.matches(before=(page[-1].changed_at, page[-1].match), limit=3)

    assert [f"m{number}" for number in reversed(range(10))] == seen


def test_a_page_has_50_matches_unless_another_number_is_wanted(store: Store) -> None:
    store.append([next_append(f"m{number}", 0, due_at=1) for number in range(101)])

    assert (50, 51) == (len(store.matches()), len(store.matches(limit=51)))
    assert (100, 101) == (len(store.due_matches(1)), len(store.due_matches(1, limit=101)))


def test_matches_whose_time_is_up_are_due(store: Store) -> None:
    """Those that have waited longest come first; a match without a clock is never due."""
    clocks = {"a": 50, "b": 30, "c": 51, "d": None, "e": 40}
    store.append([next_append(match, 0, due_at=due_at) for match, due_at in clocks.items()])

    assert ("b", "e", "a") == store.due_matches(50)
    assert ("b", "e") == store.due_matches(50, limit=2)

    store.append([next_append("b", 1)])

    assert ("e", "a") == store.due_matches(50)


def test_a_gap_between_heartbeats_is_an_outage(store: Store) -> None:
    """Time limits that run are moved on by it, from the last change of their match on; each outage is recorded once."""
    first = store.beat(50_000, interval=5, longest_gap=10)
    store.append([next_append("a", 0, changed_at=49_000, due_at=90_000), next_append("b", 0)])
    store.append([next_append("c", 0, changed_at=50_004, due_at=50_100)])
    soon = store.beat(50_004, interval=5, longest_gap=10)
    beaten = store.beat(50_010, interval=5, longest_gap=10)
    late = store.beat(51_010, interval=5, longest_gap=10)
    again = store.beat(51_010, interval=5, longest_gap=10)
    back = store.beat(20_000, interval=5, longest_gap=10)

    outage = Outage(began=50_010, ended=51_010)
    assert first == soon == Pulse(at=50_000, outages=())
    assert beaten == Pulse(at=50_010, outages=())
    assert late == again == back == Pulse(at=51_010, outages=(outage,))
    assert {one.match: one.due_at for one in store.matches()} == {"a": 91_000, "b": None, "c": 51_100}
    assert store.due_matches(51_099) == ()
    assert store.due_matches(51_100) == ("c",)


def test_the_first_heartbeat_of_a_store_is_the_last_change_of_a_match(store: Store) -> None:
    """So that a store of an earlier version knows how long no server ran."""
    store.append([next_append("a", 0, changed_at=7_000), next_append("b", 0, changed_at=9_000)])

    assert store.beat(10_000, interval=5, longest_gap=100) == Pulse(
        at=10_000, outages=(Outage(began=9_000, ended=10_000),)
    )


def test_stores_that_beat_at_once_record_one_outage(location: str, opener: Callable[[str], Store]) -> None:
    stores = [opener(location) for _ in range(4)]
    stores[0].beat(1_000, interval=5, longest_gap=100)
    with ThreadPoolExecutor(4) as threads:
        pulses = [*threads.map(lambda store: store.beat(9_000, interval=5, longest_gap=100), stores)]

    assert pulses == [Pulse(at=9_000, outages=(Outage(began=1_000, ended=9_000),))] * 4


@pytest.mark.parametrize(
    ("column", "value"),
    [("names", "'[1'"), ("names", "'[7]'"), ("bots", "'{{}}'"), ("status", "'lost'"), ("status", "'\"'")],
)
def test_a_damaged_row_is_left_out_of_lists(location: str, store: Store, column: str, value: str) -> None:
    """Every page is full, and has what follows the damaged rows; each of these is reported."""
    store.append([next_append(f"m{number}", 0, changed_at=number) for number in range(9)])
    where = "match IN ('m8', 'm5', 'm4', 'm0')"
    execute(location, f"UPDATE {{schema}}matches SET {column} = {value} WHERE {where}")  # noqa: S608  literals
    damaged: list[str] = []
    first = store.matches(limit=3, on_damaged=lambda match, _: damaged.append(match))
    last = (first[-1].changed_at, first[-1].match)
    second = store.matches(limit=3, before=last, on_damaged=lambda match, _: damaged.append(match))

    assert [one.match for one in first] == ["m7", "m6", "m3"]
    assert [one.match for one in second] == ["m2", "m1"]
    assert damaged == ["m8", "m5", "m4", "m0"]
    assert len(store.matches()) == 5


def test_a_watcher_is_notified_of_every_append(store: Store) -> None:
    """Before `append` returns, for successful appends only, and not after the watch is closed."""
    notified: list[tuple[str, int]] = []
    deaf: list[tuple[str, int]] = []
    watch = store.watch(lambda match, version: notified.append((match, version)))
    store.watch(lambda match, version: deaf.append((match, version))).close()
    store.append([next_append("m", 0), next_append("m", 1), next_append("n", 7)])

    assert [("m", 1), ("m", 2)] == notified

    watch.close()
    store.append([next_append("m", 2)])

    assert [("m", 1), ("m", 2)] == notified
    assert [] == deaf


def test_the_thread_that_listens_ends_with_the_last_watch(store: Store) -> None:
    before = {*threading.enumerate()}
    watches = [store.watch(lambda *_: None) for _ in range(2)]
    counts = []
    for watch in watches:
        counts.append(len({*threading.enumerate()} - before))
        watch.close()
    counts.append(len({*threading.enumerate()} - before))

    assert [1, 1, 0] == counts


def test_a_watcher_is_notified_of_other_processes(
    location: str, opener: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own appends are reported once."""
    monkeypatch.setattr(sqlite, "PAUSE", 0.01)
    monkeypatch.setattr(postgres, "PAUSE", 0.01)
    here, there = opener(location), opener(location)
    notified: list[tuple[str, int]] = []
    there.append([next_append("before", 0)])
    here.watch(lambda match, version: notified.append((match, version)))
    here.append([next_append("own", 0)])
    sleep(0.1)
    there.append([next_append("m", 0), next_append("n", 0)])
    there.append([next_append("m", 1), next_append("own", 1)])
    expected = {("own", 1), ("n", 1), ("m", 2), ("own", 2)}

    assert expected == wait_for_notifications(notified, expected) - {("m", 1)}
    assert 1 == notified.count(("own", 1))


def test_a_failing_watcher_affects_no_other(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """The append succeeds, and other watchers are notified."""
    notified: list[tuple[str, int]] = []

    def fail(match: str, _: int) -> None:
        raise KeyError(match)

    store.watch(fail)
    store.watch(lambda match, version: notified.append((match, version)))
    done = store.append([next_append("m", 0)])

    assert ([True], [("m", 1)]) == (done, notified)
    assert ["a callback for match m failed"] == caplog.messages


def test_a_watcher_may_close_the_store(location: str, opener: Callable[[str], Store]) -> None:
    """During the notification of another process's append."""
    here, there = opener(location), opener(location)
    ended = Event()

    def end(*_: object) -> None:
        here.close()
        ended.set()

    here.watch(end)
    there.append([next_append("m", 0)])

    assert ended.wait(10)
    assert not here.is_ready()


def test_a_closed_store_is_not_ready(store: Store) -> None:
    """It refuses everything, and may be closed again."""
    assert store.is_ready()

    store.close()
    store.close()
    snapshot = Snapshot(match="m", version=1, data={})
    calls: list[Callable[[], object]] = [
        lambda: store.append([next_append("m", 0)]),
        lambda: store.entries("m"),
        lambda: store.write_snapshot(snapshot),
        lambda: store.snapshot("m"),
        store.matches,
        lambda: store.due_matches(0),
    ]
    for call in calls:
        with pytest.raises(StoreAwayError, match="the store was closed") as caught:
            call()

        assert "store_closed" == caught.value.refusal.code
    assert not store.is_ready()


def test_a_new_store_may_be_opened_concurrently(location: str) -> None:
    """The first creates it, and all can use it."""
    with ThreadPoolExecutor(8) as threads:
        stores = list(threads.map(open_store, [location] * 8))
    done = [store.append([next_append("m", version)]) for version, store in enumerate(stores)]
    logs = [len(store.entries("m")) for store in stores]
    for store in stores:
        store.close()

    assert [[True]] * 8 == done
    assert [8] * 8 == logs


def test_threads_read_while_others_write(store: Store) -> None:
    """Every log that is read is consistent: a transaction is visible as a whole or not at all."""
    with ThreadPoolExecutor(8) as threads:
        logs = [threads.submit(store.entries, "m") for _ in range(40)]
        for version in range(0, 60, 3):
            entries = LOG[2:5] if version else LOG[:3]
            store.append([Append(version=version, entries=entries, summary=summary("m", version + 3))])
            logs.append(threads.submit(store.entries, "m"))

    assert {0} == {len(log.result()) % 3 for log in logs}
    assert 60 == len(store.entries("m"))


def test_one_of_all_racing_appends_succeeds(location: str, opener: Callable[[str], Store]) -> None:
    """Two processes of two threads race for each of 500 versions: exactly one append succeeds each time."""
    opener(location)
    racers = [start_racers(location), start_racers(location)]
    won = [count_winners(racers, version) for version in range(500)]
    for process in racers:
        process.communicate()

    assert [1] * 500 == won
    assert [0, 0] == [process.returncode for process in racers]
    assert 500 == len(opener(location).entries(MATCH))


def test_overlapping_transactions_in_any_order_do_not_deadlock(
    location: str, opener: Callable[[str], Store]
) -> None:
    """Two stores append to the same twenty matches, each time in another order: none fails, and each version exists once."""
    stores = [opener(location), opener(location)]
    orders = [Random(seed) for seed in range(2)]

    def advance(turn: tuple[Store, Random, int]) -> list[str]:
        store, order, version = turn
        matches = order.sample([f"m{number:02}" for number in range(20)], 20)
        done = store.append([next_append(match, version) for match in matches])
        return [match for match, is_done in zip(matches, done, strict=True) if is_done]

    with ThreadPoolExecutor(2) as threads:
        for version in range(30):
            done = threads.map(
                advance, [(store, order, version) for store, order in zip(stores, orders, strict=True)]
            )

            assert [f"m{number:02}" for number in range(20)] == sorted(chain.from_iterable(done))


def test_acknowledged_appends_survive_a_kill(location: str, opener: Callable[[str], Store]) -> None:
    """A process that appends is killed twenty times: all acknowledged appends are there, and no transaction is torn."""
    notified = run_kills(location, kills=20, seed=7)

    assert len(notified) >= 10
    assert [] == losses(opener(location), notified)


def append_match(store: Store, match: str, **summary: Any) -> None:  # noqa: ANN401  fields of a summary
    """Append a match with one entry."""
    assert store.append([next_append(match, 0, **summary)]) == [True]


@pytest.mark.parametrize("status", [None, *Status])
def test_lists_of_a_game_have_the_order_and_pages_of_all_matches(store: Store, status: Status | None) -> None:
    """A list by game is that of all matches without other games, for each status and page size."""
    for number in range(24):
        append_match(
            store,
            f"m{number:02}",
            game=("duel", "casino", "dice")[number % 3],
            status=[*Status][number % 4],
            changed_at=1_000 + number // 2,
        )
    everything = [one for one in store.matches(status=status, limit=50) if one.game == "casino"]
    paged: list[Summary] = []
    before: tuple[int, str] | None = None
    while page := store.matches(game="casino", status=status, before=before, limit=3):
        paged += page
        before = page[-1].changed_at, page[-1].match

    assert paged == everything
    assert len(everything) == (8 if status is None else 2)


def test_lists_of_a_game_read_an_index(location: str, opener: Callable[[str], Store]) -> None:
    """No row of another game is read: the plan of each list names the index by game, and no scan of the matches."""
    store = opener(location)
    assert isinstance(store, SqlStore)
    values: Values = {"private": False, "game": "duel", "changed_at": 10**15, "match": "", "limit": 5}
    explain = "EXPLAIN " if "://" in location else "EXPLAIN QUERY PLAN "
    plans = []
    with store.dialect.write() as session:
        if "://" in location:
            session.write("SET LOCAL enable_seqscan = off", {})
            session.write("SET LOCAL enable_bitmapscan = off", {})
        lists: list[tuple[str, Values]] = [
            (store._sql.matches_of_game, {}),
            (store._sql.matches_of_game_and_status, {"status": "open"}),
        ]
        for statement, more in lists:
            plans.append(str(session.rows(explain + statement, {**values, **more})))

    assert [plan.count("matches_of_game") for plan in plans] == [4, 1]
    assert not any("Seq Scan" in plan or "SCAN matches" in plan for plan in plans)


def test_running_matches_are_those_that_are_open_or_played(store: Store) -> None:
    for status in Status:
        append_match(store, status.value, status=status)

    assert {*store.running([*Status, "unknown"])} == {"open", "playing"}
    assert store.running([]) == ()


def test_ended_matches_are_removed_with_all_that_is_stored_of_them(store: Store) -> None:
    """Only at the version that was named, and only over or abandoned ones; the others stay as they are."""
    for name in ("over", "abandoned", "playing", "advanced"):
        status = Status(name) if name in [*Status] else Status.OVER
        append_match(store, name, status=status)
        store.write_snapshot(Snapshot(match=name, version=1, data={"a": 1}))
    assert store.append([next_append("advanced", 1, status=Status.OVER)]) == [True]
    append_match(store, "last")
    removed = store.remove([("over", 1), ("abandoned", 1), ("playing", 1), ("advanced", 1), ("unknown", 1)])

    assert {*removed} == {"over", "abandoned"}
    assert {one.match for one in store.matches()} == {"playing", "advanced", "last"}
    assert [store.entries(name) for name in removed] == [(), ()]
    assert [store.snapshot(name) for name in removed] == [None, None]
    assert len(store.entries("advanced")) == 2
    assert store.remove([]) == ()


def test_the_match_that_was_changed_last_is_not_removed(
    location: str, opener: Callable[[str], Store]
) -> None:
    """Other processes count changes from it, and miss none after a removal."""
    here, there = opener(location), opener(location)
    notified: list[tuple[str, int]] = []
    append_match(there, "first", status=Status.OVER)
    append_match(there, "last", status=Status.OVER)
    here.watch(lambda match, version: notified.append((match, version)))
    removed = there.remove([("first", 1), ("last", 1)])
    append_match(there, "next")

    assert removed == ("first",)
    assert ("next", 1) in wait_for_notifications(notified, {("next", 1)})


def test_usage_has_the_bytes_on_disk_and_the_oldest_change(store: Store) -> None:
    before = store.usage()
    append_match(store, "new", changed_at=3_000)
    append_match(store, "old", changed_at=2_000, private=True)
    for number in range(300):
        append_match(store, f"m{number}", changed_at=4_000, rules_id="r" * 500)
    after = store.usage()

    assert (before.oldest_at, after.oldest_at) == (None, 2_000)
    assert after.bytes > before.bytes + 100_000
