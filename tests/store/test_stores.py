"""What any store promises, held against each of them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from random import Random
from threading import Event
from time import monotonic, sleep

import msgspec
import pytest

from oddsmith.errors import InputError, StoreAwayError
from oddsmith.match.model import Clock, Left, Made, Seated
from oddsmith.store import Append, Snapshot, Status, Store, open_store, postgres, sqlite
from tests.store.builders import OPENED, one_more, summary
from tests.store.crashing import acknowledged, losses
from tests.store.racing import MATCH, racers_of, winners

LOG = (
    msgspec.structs.replace(OPENED, clock=Clock(choice_seconds=30)),
    Seated(at=2, seat=0, name="Zoë ♠", token="a0" * 32, request="b1" * 32, seed="luck"),
    Made(at=3, line="\0 any ' text \" A♠"),
    Made(at=4, line="0 pass", seat=0, id="c1"),
    Left(at=5, seat=0, id="c2"),
)


def told_until(told: list[tuple[str, int]], expected: set[tuple[str, int]]) -> set[tuple[str, int]]:
    """Wait for what is expected, and return what was told."""
    end = monotonic() + 10
    while not expected <= set(told) and monotonic() < end:
        sleep(0.01)
    return set(told)


def test_what_was_appended_is_read_back(store: Store) -> None:
    """Every kind of entry comes back as it was, from any version on."""
    done = store.append([Append(version=0, entries=LOG, summary=summary("m", 5))])

    assert [True] == done
    assert LOG == store.entries("m")
    assert LOG[3:] == store.entries("m", after=3)
    assert () == store.entries("m", after=5)


def test_it_is_there_when_the_store_is_opened_again(where: str, opening: Callable[[str], Store]) -> None:
    """A store that was closed and opened has what it had."""
    first = opening(where)
    first.append([Append(version=0, entries=LOG, summary=summary("m", 5))])
    first.close()
    again = opening(where)

    assert LOG == again.entries("m")
    assert (summary("m", 5),) == again.matches()


@pytest.mark.parametrize("match", ["nobody", "no\0body", "\ud800", ""])
def test_of_a_match_that_there_is_not_nothing_is_known(store: Store, match: str) -> None:
    """Whatever is asked for, what is not there is nothing, and no failure."""
    assert () == store.entries(match)
    assert store.snapshot(match) is None
    assert () == store.matches(game=match)
    assert () == store.matches(before=(0, match))


def test_one_who_comes_too_late_does_not_hold_up_the_others(store: Store) -> None:
    """Each append is done or not by itself, though all are one transaction."""
    store.append([one_more("m", 0), one_more("n", 0)])
    late, early, unknown, again = one_more("m", 0), one_more("n", 2), one_more("o", 1), one_more("n", 1)
    done = store.append([one_more("m", 1), late, early, unknown, again, one_more("p", 0)])

    assert [True, False, False, False, True, True] == done
    assert {"m": 2, "n": 2, "p": 1} == {one.match: one.version for one in store.matches()}
    assert [2, 2, 0, 1] == [len(store.entries(match)) for match in ("m", "n", "o", "p")]


def test_entries_of_one_match_may_come_in_turn(store: Store) -> None:
    """Appends to one match in one transaction follow each other."""
    done = store.append([one_more("m", version, said=f"0 {version}") for version in range(5)])

    assert [True] * 5 == done
    assert ["0 1", "0 2", "0 3", "0 4"] == [
        getattr(entry, "line", None) for entry in store.entries("m", after=1)
    ]


def test_nothing_to_append_is_nothing_done(store: Store) -> None:
    """No appends, no answers."""
    assert [] == store.append([])


@pytest.mark.parametrize(("version", "entries"), [(0, ()), (1, LOG[:1]), (0, LOG[:2])])
def test_an_append_says_what_version_it_makes(version: int, entries: tuple[Made, ...]) -> None:
    """Entries, and the version that a list shows afterwards, belong together."""
    with pytest.raises(
        InputError, match=f"{len(entries)} entries after version {version} do not make"
    ) as caught:
        Append(
            version=version, entries=entries, summary=summary("m", 1 if version + len(entries) != 1 else 2)
        )

    assert "bad_append" == caught.value.refusal.code


def test_the_latest_snapshot_is_kept(store: Store) -> None:
    """A later snapshot takes the place of an earlier one, an earlier one that of none, and none is ahead of its log."""
    store.append([Append(version=0, entries=LOG, summary=summary("m", 5))])
    for version in (2, 4, 3, 6):
        store.write_snapshot(Snapshot(match="m", version=version, data={"at": version, "who": ["Zoë", None]}))

    assert Snapshot(match="m", version=4, data={"at": 4, "who": ["Zoë", None]}) == store.snapshot("m")


def test_matches_are_listed_last_changed_first(store: Store) -> None:
    """A list shows each match as its last append said, and can be asked for a game, a status, or both."""
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


def test_private_matches_are_in_no_list_of_others(store: Store) -> None:
    """Who lists matches sees no private one, however it asks; whoever needs them asks for them alone."""
    shown = {
        match: summary(match, 1, game=game, private=private)
        for match, game, private in (("m", "duel", False), ("n", "fate", True), ("o", "duel", True))
    }
    store.append([Append(version=0, entries=(OPENED,), summary=one) for one in shown.values()])

    assert (shown["m"],) == store.matches() == store.matches(status=Status.PLAYING)
    assert () == store.matches(game="fate")
    assert (shown["o"], shown["n"]) == store.matches(private=True)
    assert (shown["n"],) == store.matches(private=True, game="fate", status=Status.PLAYING)


def test_a_practice_is_listed_as_one(store: Store) -> None:
    """Whatever else changes, it stays one."""
    store.append([one_more("m", 0, practice=True)])
    store.append([one_more("m", 1, practice=True, status=Status.OVER)])

    assert (summary("m", 2, practice=True, status=Status.OVER),) == store.matches()


def test_pages_show_every_match_once(store: Store) -> None:
    """Matches that changed in the same millisecond are neither lost nor doubled between pages."""
    store.append([one_more(f"m{number}", 0, changed_at=5 + number // 4) for number in range(10)])
    seen: list[str] = []
    page = store.matches(limit=3)
    while page:
        seen += [one.match for one in page]
        page = store.matches(before=(page[-1].changed_at, page[-1].match), limit=3)

    assert [f"m{number}" for number in reversed(range(10))] == seen


def test_matches_whose_clock_is_up_are_due(store: Store) -> None:
    """Those that have waited longest come first; a match without a clock is never due."""
    clocks = {"a": 50, "b": 30, "c": 51, "d": None, "e": 40}
    store.append([one_more(match, 0, due_at=due_at) for match, due_at in clocks.items()])

    assert ("b", "e", "a") == store.due_matches(50)
    assert ("b", "e") == store.due_matches(50, limit=2)

    store.append([one_more("b", 1)])

    assert ("e", "a") == store.due_matches(50)


def test_who_watches_is_told_of_every_append(store: Store) -> None:
    """What was done is told before `append` returns, what was not is not, and who has closed hears no more."""
    told: list[tuple[str, int]] = []
    deaf: list[tuple[str, int]] = []
    watch = store.watch(lambda match, version: told.append((match, version)))
    store.watch(lambda match, version: deaf.append((match, version))).close()
    store.append([one_more("m", 0), one_more("m", 1), one_more("n", 7)])

    assert [("m", 1), ("m", 2)] == told

    watch.close()
    store.append([one_more("m", 2)])

    assert [("m", 1), ("m", 2)] == told
    assert [] == deaf


def test_who_watches_is_told_of_other_processes(
    where: str, opening: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that changed anywhere is told everywhere; one's own appends are told once."""
    monkeypatch.setattr(sqlite, "PAUSE", 0.01)
    monkeypatch.setattr(postgres, "PAUSE", 0.01)
    here, there = opening(where), opening(where)
    told: list[tuple[str, int]] = []
    there.append([one_more("before", 0)])
    here.watch(lambda match, version: told.append((match, version)))
    here.append([one_more("own", 0)])
    sleep(0.1)
    there.append([one_more("m", 0), one_more("n", 0)])
    there.append([one_more("m", 1), one_more("own", 1)])
    expected = {("own", 1), ("n", 1), ("m", 2), ("own", 2)}

    assert expected == told_until(told, expected) - {("m", 1)}
    assert 1 == told.count(("own", 1))


def test_who_fails_to_hear_harms_nobody(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """An append is done, and told to the others, whatever a watcher makes of it."""
    told: list[tuple[str, int]] = []

    def fail(match: str, _: int) -> None:
        raise KeyError(match)

    store.watch(fail)
    store.watch(lambda match, version: told.append((match, version)))
    done = store.append([one_more("m", 0)])

    assert ([True], [("m", 1)]) == (done, told)
    assert ["a callback for match m failed"] == caplog.messages


def test_a_watcher_may_close_the_store(where: str, opening: Callable[[str], Store]) -> None:
    """Who hears of a match of another process may let go of everything at once."""
    here, there = opening(where), opening(where)
    ended = Event()

    def end(*_: object) -> None:
        here.close()
        ended.set()

    here.watch(end)
    there.append([one_more("m", 0)])

    assert ended.wait(10)
    assert not here.is_ready()


def test_a_closed_store_says_so(store: Store) -> None:
    """After its end a store is not ready, refuses everything, and may be closed again."""
    assert store.is_ready()

    store.close()
    store.close()
    snapshot = Snapshot(match="m", version=1, data={})
    calls: list[Callable[[], object]] = [
        lambda: store.append([one_more("m", 0)]),
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


def test_many_may_open_a_new_store_at_once(where: str) -> None:
    """Whoever comes first makes it, and everyone has it."""
    with ThreadPoolExecutor(8) as threads:
        stores = list(threads.map(open_store, [where] * 8))
    done = [store.append([one_more("m", version)]) for version, store in enumerate(stores)]
    logs = [len(store.entries("m")) for store in stores]
    for store in stores:
        store.close()

    assert [[True]] * 8 == done
    assert [8] * 8 == logs


def test_threads_read_while_others_write(store: Store) -> None:
    """Every log that is read is whole: versions of one transaction are all there, or none."""
    with ThreadPoolExecutor(8) as threads:
        logs = [threads.submit(store.entries, "m") for _ in range(40)]
        for version in range(0, 60, 3):
            entries = LOG[2:5] if version else LOG[:3]
            store.append([Append(version=version, entries=entries, summary=summary("m", version + 3))])
            logs.append(threads.submit(store.entries, "m"))

    assert {0} == {len(log.result()) % 3 for log in logs}
    assert 60 == len(store.entries("m"))


def test_one_of_all_who_race_for_a_version_wins(where: str, opening: Callable[[str], Store]) -> None:
    """Two processes of two threads race for each of 500 versions: exactly one append is done each time."""
    opening(where)
    racers = [racers_of(where), racers_of(where)]
    won = [winners(racers, version) for version in range(500)]
    for process in racers:
        process.communicate()

    assert [1] * 500 == won
    assert [0, 0] == [process.returncode for process in racers]
    assert 500 == len(opening(where).entries(MATCH))


def test_groups_of_the_same_matches_in_any_order_wait_for_each_other(
    where: str, opening: Callable[[str], Store]
) -> None:
    """Two stores advance the same twenty matches, each time in another order: none fails, and each version has one."""
    stores = [opening(where), opening(where)]
    orders = [Random(seed) for seed in range(2)]

    def advance(turn: tuple[Store, Random, int]) -> list[str]:
        store, order, version = turn
        matches = order.sample([f"m{number:02}" for number in range(20)], 20)
        done = store.append([one_more(match, version) for match in matches])
        return [match for match, is_done in zip(matches, done, strict=True) if is_done]

    with ThreadPoolExecutor(2) as threads:
        for version in range(30):
            done = threads.map(
                advance, [(store, order, version) for store, order in zip(stores, orders, strict=True)]
            )

            assert [f"m{number:02}" for number in range(20)] == sorted(chain.from_iterable(done))


def test_what_was_acknowledged_survives_a_kill(where: str, opening: Callable[[str], Store]) -> None:
    """A process that appends is killed twenty times: all that it was told is done is there, and whole."""
    told = acknowledged(where, kills=20, seed=7)

    assert len(told) >= 10
    assert [] == losses(opening(where), told)
