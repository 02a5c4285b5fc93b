"""A store of any earlier version is migrated to the latest one when it is opened, and loses nothing."""

from collections.abc import Callable

import msgspec
import pytest

from oddsmith import wire
from oddsmith.errors import StoreError
from oddsmith.store import Snapshot, Store, migrations, open_store
from oddsmith.store.migrations import STEPS
from tests.store.builders import OPENED, next_append, summary
from tests.store.concurrent_opening import open_jointly, start_opener
from tests.store.databases import execute, rows_of, schema_of, version_of, wipe

LATEST = len(STEPS)
EARLIER = range(1, LATEST)
SNAPSHOTS_SINCE = 2
MATCHES = ("m", "n")
OTHER_COLUMNS: dict[str, str | int] = {
    "game": "duel",
    "rules_id": "r1",
    "status": "playing",
    "version": 1,
    "names": '["Ann",null]',
    "bots": '[null,"greedy"]',
    "opened_at": 1000,
    "writer": "w",
}
"""Columns of `summary` with the same value for both matches, which every version has."""
SNAPSHOT = Snapshot(match="n", version=1, data={"a": 1})


@pytest.fixture
def make_old(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Return a function that makes a store of an earlier version, with two matches in it."""

    def make_old(location: str, version: int) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(migrations, "STEPS", STEPS[:version])
            open_store(location).close()
        for number, match in enumerate(MATCHES, 1):
            entry = wire.to_json(msgspec.structs.replace(OPENED, match=match)).decode()
            _insert(location, "entries (match, version, entry)", (match, 1, entry))
            row = (match, *OTHER_COLUMNS.values(), 1000 + number, 50 * number, number)
            _insert(location, f"matches (match, {', '.join(OTHER_COLUMNS)}, changed_at, due_at, change)", row)
        if version >= SNAPSHOTS_SINCE:
            row = (SNAPSHOT.match, SNAPSHOT.version, wire.to_json(SNAPSHOT.data).decode())
            _insert(location, "snapshots (match, version, data)", row)

    return make_old


def _insert(location: str, table: str, row: tuple[str | int, ...]) -> None:
    values = ", ".join(f"'{value}'" for value in row).replace("{", "{{").replace("}", "}}")
    execute(location, f"INSERT INTO {{schema}}{table} VALUES ({values})")  # noqa: S608  values of these tests


@pytest.mark.parametrize("version", EARLIER)
def test_every_earlier_version_is_migrated_with_all_its_data(
    location: str, version: int, make_old: Callable[[str, int], None], opener: Callable[[str], Store]
) -> None:
    make_old(location, version)

    assert version_of(location) == version

    store = opener(location)

    assert version_of(location) == LATEST
    assert [store.entries(match) for match in MATCHES] == [
        (msgspec.structs.replace(OPENED, match=match),) for match in MATCHES
    ]
    assert store.matches() == (
        summary("n", 1, changed_at=1002, due_at=100),
        summary("m", 1, changed_at=1001, due_at=50),
    )
    assert store.snapshot("n") == (SNAPSHOT if version >= SNAPSHOTS_SINCE else None)
    assert store.due_matches(60) == ("m",)
    assert store.append([next_append("m", 1), next_append("new", 0, private=True)]) == [True, True]
    assert [one.match for one in store.matches(private=True)] == ["new"]


@pytest.mark.parametrize("version", EARLIER)
def test_a_migrated_schema_equals_a_new_one(
    location: str, version: int, make_old: Callable[[str, int], None]
) -> None:
    make_old(location, version)
    old = schema_of(location)
    open_store(location).close()
    migrated = schema_of(location)
    wipe(location)
    open_store(location).close()

    assert migrated == schema_of(location)
    assert migrated != old


@pytest.mark.parametrize("version", EARLIER)
@pytest.mark.parametrize("steps", [0, 1], ids=["at once", "after another step"])
def test_a_failing_step_leaves_everything_unchanged(
    location: str,
    version: int,
    steps: int,
    make_old: Callable[[str, int], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_old(location, version)
    tables = ["entries", "matches", *(["snapshots"] if version >= SNAPSHOTS_SINCE else [])]
    before = version_of(location), schema_of(location), rows_of(location, *tables)
    failing = ("CREATE TABLE {schema}more (n integer)", "no statement")
    monkeypatch.setattr(migrations, "STEPS", (*STEPS[: version + steps], failing))

    with pytest.raises(StoreError, match="syntax error") as caught:
        open_store(location)

    assert caught.value.refusal.code == "store_failed"
    assert before == (version_of(location), schema_of(location), rows_of(location, *tables))


def test_processes_that_open_an_old_store_at_once_all_succeed(
    location: str, make_old: Callable[[str, int], None]
) -> None:
    """Two processes open a store of each earlier version, five times: both read its log, and it is migrated once."""
    openers = [start_opener(location, "m"), start_opener(location, "m")]
    found = []
    for version in [*EARLIER] * 5:
        make_old(location, version)
        found.append((open_jointly(openers), version_of(location)))
        wipe(location)
    for process in openers:
        process.communicate()

    assert found == [([1, 1], LATEST)] * 5 * len(EARLIER)
    assert [process.returncode for process in openers] == [0, 0]


def test_a_store_of_the_latest_version_is_not_migrated(
    location: str, make_old: Callable[[str, int], None]
) -> None:
    make_old(location, LATEST)
    before = schema_of(location), rows_of(location, "entries", "matches", "snapshots")
    open_store(location).close()

    assert before == (schema_of(location), rows_of(location, "entries", "matches", "snapshots"))
    assert version_of(location) == LATEST
