"""A store of any earlier version is brought to the latest one when it is opened, and loses nothing."""

from collections.abc import Callable

import msgspec
import pytest

from oddsmith import wire
from oddsmith.errors import StoreError
from oddsmith.store import Snapshot, Store, migrations, open_store
from oddsmith.store.migrations import STEPS
from tests.store.builders import OPENED, one_more, summary
from tests.store.databases import execute, rows_of, schema_of, version_of, wipe
from tests.store.joint_opening import lengths, opener_of

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
"""What both matches have in common in `summary`, in columns that every version has."""
SNAPSHOT = Snapshot(match="n", version=1, data={"a": 1})


@pytest.fixture
def make_old(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Return a function that makes a store as the first steps leave it, with two matches in it."""

    def make_old(where: str, version: int) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(migrations, "STEPS", STEPS[:version])
            open_store(where).close()
        for number, match in enumerate(MATCHES, 1):
            entry = wire.to_json(msgspec.structs.replace(OPENED, match=match)).decode()
            _insert(where, "entries (match, version, entry)", (match, 1, entry))
            row = (match, *OTHER_COLUMNS.values(), 1000 + number, 50 * number, number)
            _insert(where, f"matches (match, {', '.join(OTHER_COLUMNS)}, changed_at, due_at, change)", row)
        if version >= SNAPSHOTS_SINCE:
            row = (SNAPSHOT.match, SNAPSHOT.version, wire.to_json(SNAPSHOT.data).decode())
            _insert(where, "snapshots (match, version, data)", row)

    return make_old


def _insert(where: str, table: str, row: tuple[str | int, ...]) -> None:
    values = ", ".join(f"'{value}'" for value in row).replace("{", "{{").replace("}", "}}")
    execute(where, f"INSERT INTO {{schema}}{table} VALUES ({values})")  # noqa: S608  values of these tests


@pytest.mark.parametrize("version", EARLIER)
def test_every_earlier_version_is_migrated_with_all_its_data(
    where: str, version: int, make_old: Callable[[str, int], None], opening: Callable[[str], Store]
) -> None:
    make_old(where, version)

    assert version_of(where) == version

    store = opening(where)

    assert version_of(where) == LATEST
    assert [store.entries(match) for match in MATCHES] == [
        (msgspec.structs.replace(OPENED, match=match),) for match in MATCHES
    ]
    assert store.matches() == (
        summary("n", 1, changed_at=1002, due_at=100),
        summary("m", 1, changed_at=1001, due_at=50),
    )
    assert store.snapshot("n") == (SNAPSHOT if version >= SNAPSHOTS_SINCE else None)
    assert store.due_matches(60) == ("m",)
    assert store.append([one_more("m", 1), one_more("new", 0, private=True)]) == [True, True]
    assert [one.match for one in store.matches(private=True)] == ["new"]


@pytest.mark.parametrize("version", EARLIER)
def test_a_migrated_schema_equals_a_new_one(
    where: str, version: int, make_old: Callable[[str, int], None]
) -> None:
    make_old(where, version)
    old = schema_of(where)
    open_store(where).close()
    migrated = schema_of(where)
    wipe(where)
    open_store(where).close()

    assert migrated == schema_of(where)
    assert migrated != old


@pytest.mark.parametrize("version", EARLIER)
@pytest.mark.parametrize("steps", [0, 1], ids=["at once", "after another step"])
def test_a_step_that_fails_leaves_everything_as_it_was(
    where: str,
    version: int,
    steps: int,
    make_old: Callable[[str, int], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_old(where, version)
    tables = ["entries", "matches", *(["snapshots"] if version >= SNAPSHOTS_SINCE else [])]
    before = version_of(where), schema_of(where), rows_of(where, *tables)
    failing = ("CREATE TABLE {schema}more (n integer)", "no statement")
    monkeypatch.setattr(migrations, "STEPS", (*STEPS[: version + steps], failing))

    with pytest.raises(StoreError, match="syntax error") as caught:
        open_store(where)

    assert caught.value.refusal.code == "store_failed"
    assert before == (version_of(where), schema_of(where), rows_of(where, *tables))


def test_processes_that_open_an_old_store_at_once_all_have_it(
    where: str, make_old: Callable[[str, int], None]
) -> None:
    """Two processes open a store of each earlier version, five times: both read its log, and it is migrated once."""
    openers = [opener_of(where, "m"), opener_of(where, "m")]
    found = []
    for version in [*EARLIER] * 5:
        make_old(where, version)
        found.append((lengths(openers), version_of(where)))
        wipe(where)
    for process in openers:
        process.communicate()

    assert found == [([1, 1], LATEST)] * 5 * len(EARLIER)
    assert [process.returncode for process in openers] == [0, 0]


def test_a_store_of_the_latest_version_is_opened_as_it_is(
    where: str, make_old: Callable[[str, int], None]
) -> None:
    make_old(where, LATEST)
    before = schema_of(where), rows_of(where, "entries", "matches", "snapshots")
    open_store(where).close()

    assert before == (schema_of(where), rows_of(where, "entries", "matches", "snapshots"))
    assert version_of(where) == LATEST
