"""A store in PostgreSQL reports the errors of its server, and works again when the server is back."""

import logging
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Event

import psycopg
import pytest

from oddsmith.errors import InputError
from oddsmith.store import Snapshot, Store, migrations, open_store, postgres
from oddsmith.store.migrations import STEPS
from oddsmith.store.postgres import MOST_CONNECTIONS
from oddsmith.store.sql import SqlStore
from tests.store.builders import OPENED, next_append, summary
from tests.store.postgres_server import Server
from tests.store.refusals import catch_refusal
from tests.store.test_stores import wait_for_notifications

VERSION_1 = """
    CREATE SCHEMA oddsmith;
    CREATE TABLE oddsmith.store (version integer NOT NULL);
    INSERT INTO oddsmith.store VALUES (1);
    CREATE TABLE oddsmith.entries (
        match text NOT NULL, version integer NOT NULL, entry text NOT NULL, PRIMARY KEY (match, version)
    );
    CREATE TABLE oddsmith.matches (
        match text COLLATE "C" PRIMARY KEY, game text NOT NULL, rules_id text NOT NULL, status text NOT NULL,
        version integer NOT NULL, names text NOT NULL, bots text NOT NULL,
        opened_at bigint NOT NULL, changed_at bigint NOT NULL, due_at bigint,
        change xid8 NOT NULL DEFAULT pg_current_xact_id(), writer text NOT NULL
    );
    CREATE INDEX matches_changed ON oddsmith.matches (changed_at, match);
    CREATE INDEX matches_of_status ON oddsmith.matches (status, changed_at, match);
    CREATE INDEX matches_change ON oddsmith.matches (change);
    INSERT INTO oddsmith.entries VALUES ('m', 1,
        '{"entry":"opened","at":1000,"match":"m","game":"duel","rules":"","bots":[null,"greedy"],"secret":"5e","key":"c4"}'
    );
    INSERT INTO oddsmith.matches VALUES (
        'm', 'duel', 'r1', 'playing', 1, '["Ann",null]', '[null,"greedy"]', 1000, 1001, NULL, DEFAULT, 'w'
    );
""".replace('"5e"', f'"{"5e" * 32}"').replace('"c4"', f'"{"c4" * 32}"')
"""The schema of version 1."""

FAILING = """
    CREATE FUNCTION oddsmith.fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'as told' USING ERRCODE = '{state}'; END $$;
    CREATE TRIGGER failing BEFORE INSERT ON oddsmith.entries EXECUTE FUNCTION oddsmith.fail()
"""


@pytest.fixture
def own_server(server: Server) -> Iterator[Server]:
    """Start a server that may be stopped."""
    own = server.copy()
    own.start()
    yield own
    own.stop()
    own.remove()


def test_an_old_schema_is_migrated(server: Server, database: str, opener: Callable[[str], Store]) -> None:
    """All data of version 1 is there, and later operations work."""
    server.execute(VERSION_1, database)
    store = opener(server.url(database))
    store.write_snapshot(Snapshot(match="m", version=1, data={"a": 1}))

    assert (OPENED,) == store.entries("m")
    assert (summary("m", 1),) == store.matches()
    assert () == store.matches(private=True)
    assert [True] == store.append([next_append("m", 1, due_at=5)])
    assert ("m",) == store.due_matches(5)
    assert Snapshot(match="m", version=1, data={"a": 1}) == store.snapshot("m")
    assert [(len(STEPS),)] == server.execute("SELECT version FROM oddsmith.store", database)


def test_a_failing_migration_changes_nothing(
    server: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A schema is of the old version or of the new one, never in between."""
    server.execute(VERSION_1, database)
    monkeypatch.setattr(migrations, "STEPS", (*STEPS, ("CREATE TABLE oddsmith.more ()", "no statement")))
    code, sentence = catch_refusal(lambda: open_store(server.url(database)))

    assert ("store_failed", True) == (code, "syntax error" in sentence)
    assert [(1,)] == server.execute("SELECT version FROM oddsmith.store", database)
    assert [(None, None)] == server.execute(
        "SELECT to_regclass('oddsmith.more'), to_regclass('oddsmith.snapshots')", database
    )


@pytest.mark.parametrize(
    ("script", "code", "words"),
    [
        ("CREATE SCHEMA oddsmith; CREATE TABLE oddsmith.t (a int)", "not_a_store", "is of another program"),
        (
            "CREATE SCHEMA oddsmith; CREATE TABLE oddsmith.store (version int); INSERT INTO oddsmith.store VALUES (99)",
            "newer_store",
            f"the store has version 99, and this oddsmith knows {len(STEPS)}: use a newer oddsmith",
        ),
    ],
)
def test_a_foreign_schema_is_refused_and_unchanged(
    server: Server, database: str, script: str, code: str, words: str
) -> None:
    """A schema of another program, or of a later version."""
    server.execute(script, database)
    refusal = catch_refusal(lambda: open_store(server.url(database)))

    assert (code, True) == (refusal[0], words in refusal[1])
    assert [(1,)] == server.execute(
        "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('oddsmith')", database
    )


def test_an_empty_schema_is_used(server: Server, database: str, opener: Callable[[str], Store]) -> None:
    """For users who may not create schemas."""
    server.execute("CREATE SCHEMA oddsmith", database)

    assert [True] == opener(server.url(database)).append([next_append("m", 0)])


def test_a_read_only_database_is_refused(
    server: Server, database: str, opener: Callable[[str], Store]
) -> None:
    """A read-only database, and a user without write permission."""
    opener(server.url(database))
    read_only = f"{server.url(database)}&options=-c%20default_transaction_read_only%3Don"
    server.execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
    guest = server.url(database).replace("odds@", "guest@")

    assert ("store_read_only", "the database of the store may not be written: allow it") == catch_refusal(
        lambda: open_store(read_only)
    )
    assert (
        "store_read_only",
        "the store may not be written: permission denied for schema oddsmith",
    ) == tuple(part.split(" LINE ")[0] for part in catch_refusal(lambda: open_store(guest)))


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("53100", "store_full"),
        ("25006", "store_read_only"),
        ("55P03", "store_busy"),
        ("57014", "store_busy"),
        ("40P01", "store_busy"),
        ("23505", "damaged_store"),
        ("57P01", "store_away"),
        ("53300", "store_away"),
        ("22012", "store_failed"),
    ],
)
def test_an_error_of_the_server_is_reported_and_changes_nothing(
    server: Server, database: str, opener: Callable[[str], Store], state: str, code: str
) -> None:
    """A failed append changes nothing; when its cause is gone it succeeds, without reopening the store."""
    store = opener(server.url(database))
    server.execute(FAILING.format(state=state), database)
    refusal = catch_refusal(lambda: store.append([next_append("m", 0)]))

    assert (code, True) == (refusal[0], refusal[1].partition(": ")[2].startswith("as told"))
    assert ((), ()) == (store.entries("m"), store.matches())

    server.execute("DROP TRIGGER failing ON oddsmith.entries", database)

    assert [True] == store.append([next_append("m", 0)])


def test_commits_are_synchronous_whatever_the_default_of_the_database(
    server: Server, database: str, opener: Callable[[str], Store]
) -> None:
    store = opener(f"{server.url(database)}&options=-c%20synchronous_commit%3Doff")
    assert isinstance(store, SqlStore)

    with store.dialect.read() as session:
        assert [("on",)] == session.rows("SHOW synchronous_commit", {})


@contextmanager
def borrow_connections(store: Store, count: int) -> Iterator[None]:
    """Borrow `count` connections of a store."""
    assert isinstance(store, SqlStore)
    with ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(store.dialect.read())
        yield


def backends(server: Server, database: str, what: str) -> list[object]:
    """Return a column of each connection that stores have to a database."""
    ask = (
        "SELECT {} FROM pg_stat_activity WHERE application_name = 'oddsmith' AND datname = current_database()"
    )
    return [value for (value,) in server.execute(ask.format(what), database)]


def test_connections_that_were_lost_while_idle_are_replaced(
    server: Server, database: str, opener: Callable[[str], Store]
) -> None:
    store = opener(server.url(database))
    with borrow_connections(store, MOST_CONNECTIONS):
        pass
    ended = backends(server, database, "pg_terminate_backend(pid)")

    assert [True] * MOST_CONNECTIONS == ended
    assert [True] == store.append([next_append("m", 0)])
    assert (OPENED,) == store.entries("m")


def test_the_number_of_connections_is_limited(
    server: Server, database: str, opener: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """More readers wait for a returned connection, and make no connection to find the reason."""
    store = opener(server.url(database))
    attempts: list[None] = []
    with ThreadPoolExecutor(4) as threads:
        with borrow_connections(store, MOST_CONNECTIONS):
            with monkeypatch.context() as patch:
                patch.setattr(postgres, "POOL_TIMEOUT", 0.001)
                patch.setattr(postgres.PostgresDialect, "_connect", lambda _: attempts.append(None))
                waiting = [threads.submit(store.entries, "m") for _ in range(4)]

                assert MOST_CONNECTIONS == len(backends(server, database, "pid"))
            assert not any(one.done() for one in waiting)

        assert [()] * 4 == [one.result(10) for one in waiting]
    assert [] == attempts
    assert MOST_CONNECTIONS == len(backends(server, database, "pid"))


def test_the_pool_logs_nothing(
    own_server: Server, opener: Callable[[str], Store], caplog: pytest.LogCaptureFixture
) -> None:
    """Connection failures are raised instead."""
    caplog.set_level(logging.INFO)
    store = opener(own_server.url())
    store.append([next_append("m", 0)])
    own_server.stop()

    assert "store_away" == catch_refusal(lambda: store.entries("m"))[0]
    assert [] == caplog.messages

    own_server.start()


def test_foreign_notifications_are_ignored(
    server: Server, database: str, opener: Callable[[str], Store]
) -> None:
    here, there = opener(server.url(database)), opener(server.url(database))
    notified: list[tuple[str, int]] = []
    here.watch(lambda match, version: notified.append((match, version)))
    server.execute("NOTIFY oddsmith, 'hello'", database)
    there.append([next_append("m", 0)])

    assert {("m", 1)} == wait_for_notifications(notified, {("m", 1)})


def test_a_store_works_again_after_an_outage_of_its_server(
    own_server: Server, opener: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """During the outage errors are raised; afterwards watchers are notified once of what changed meanwhile."""
    monkeypatch.setattr(postgres, "HEARTBEAT", 0.0)
    here, there = opener(own_server.url()), opener(own_server.url())
    notified: list[tuple[str, int]] = []
    connected = postgres._Listener._subscribe
    may_listen = Event()

    def subscribe(listener: postgres._Listener) -> psycopg.Connection[tuple[object, ...]]:
        if not may_listen.wait(10):
            raise psycopg.OperationalError("never allowed")
        return connected(listener)

    here.append([next_append("old", 0)])
    there.append([next_append("m", 0)])
    may_listen.set()
    watch = here.watch(lambda match, version: notified.append((match, version)))
    there.append([next_append("m", 1)])

    assert ("m", 2) in wait_for_notifications(notified, {("m", 2)})

    may_listen.clear()
    monkeypatch.setattr(postgres._Listener, "_subscribe", subscribe)
    own_server.stop()

    assert "store_away" == catch_refusal(lambda: here.append([next_append("m", 2)]))[0]
    assert "store_away" == catch_refusal(lambda: here.entries("m"))[0]
    assert "store_away" == catch_refusal(lambda: open_store(own_server.url()))[0]
    assert not here.is_ready()

    own_server.start()

    assert here.is_ready()
    assert [True, True] == there.append([next_append("m", 2), next_append("n", 0)])
    assert 3 == len(here.entries("m"))

    notified.clear()
    may_listen.set()
    there_later = {("m", 3), ("n", 1)}

    assert there_later == wait_for_notifications(notified, there_later) - {("m", 2)}

    there.append([next_append("m", 3)])

    assert ("m", 4) in wait_for_notifications(notified, {("m", 4)})
    assert 1 == notified.count(("n", 1))
    watch.close()


def test_all_releases_migrate_under_the_same_lock() -> None:
    """The number of the lock is `oddsmith`: a release with another number would migrate while this one does."""
    assert b"oddsmith" == postgres.MIGRATION_LOCK.to_bytes(8)


def test_an_unreachable_server_is_reported(own_server: Server) -> None:
    """An unknown database, and a watch that cannot begin, are errors with the server's reason and no URL."""
    store = open_store(own_server.url())
    missing = catch_refusal(lambda: open_store(own_server.url("nowhere").replace("odds@", "odds:hush@")))
    own_server.stop()
    watching = catch_refusal(lambda: store.watch(lambda *_: None))
    own_server.start()
    store.close()

    assert ("store_away", True) == (missing[0], 'database "nowhere" does not exist' in missing[1])
    assert "hush" not in missing[1]
    assert "store_away" == watching[0]


@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("mysql://somewhere/matches", "unknown_store"),
        ("postgresql://odds:hush@/%zz", "bad_store_url"),
        ("postgresql://odds:hush@/a?colour=red", "bad_store_url"),
    ],
)
def test_an_invalid_url_is_refused(location: str, code: str) -> None:
    """Without the password in the sentence."""
    with pytest.raises(InputError) as caught:
        open_store(location)

    assert (code, False) == (caught.value.refusal.code, "hush" in str(caught.value))


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without psycopg the error says what to install."""
    monkeypatch.setitem(sys.modules, "oddsmith.store.postgres", None)
    with pytest.raises(InputError, match=r"install oddsmith\[postgres\]") as caught:
        open_store("postgresql:///matches")

    assert "missing_extra" == caught.value.refusal.code


@pytest.fixture
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the time limits of connections: tests wait for them."""
    monkeypatch.setattr(postgres.Connection, "reply_timeout", 0.5)
    monkeypatch.setattr(postgres, "REPLY_TIMEOUT", 0.5)
    monkeypatch.setattr(postgres, "CHECK_TIMEOUT", 0.5)
    monkeypatch.setitem(postgres.CONNECTION_DEFAULTS, "connect_timeout", "2")


@pytest.mark.usefixtures("short_limits")
def test_a_server_that_hangs_is_away_until_it_goes_on(
    own_server: Server, opener: Callable[[str], Store]
) -> None:
    """Every call fails in time, also that of a transaction in progress; afterwards all work, without reopening the store."""
    store = opener(own_server.url())
    assert isinstance(store, SqlStore)
    store.append([next_append("m", 0)])
    notified: list[tuple[str, int]] = []
    store.watch(lambda match, version: notified.append((match, version)))

    def hang_while_writing() -> None:
        with store.dialect.write() as session:
            session.rows("SELECT 1", {})
            own_server.pause()
            session.rows("SELECT 2", {})

    try:
        refused = [
            catch_refusal(use)
            for use in (
                hang_while_writing,
                lambda: store.append([next_append("m", 1)]),
                lambda: store.entries("m"),
                store.matches,
                lambda: open_store(own_server.url()),
            )
        ]
        was_ready = store.is_ready()
    finally:
        own_server.resume()
    opener(own_server.url()).append([next_append("n", 0)])

    assert [code for code, _ in refused] == ["store_away"] * 5
    assert refused[0][1] == "the store cannot be reached: it did not reply within 0.5 seconds"
    assert not was_ready
    assert store.is_ready()
    assert store.append([next_append("m", len(store.entries("m")))]) == [True]
    assert ("n", 1) in wait_for_notifications(notified, {("n", 1)})


def test_a_statement_that_waits_for_a_lock_is_ended_by_the_server(
    server: Server, database: str, opener: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connection is used again."""
    monkeypatch.setitem(postgres.SESSION_DEFAULTS, "statement_timeout", "200ms")
    store = opener(server.url(database))
    with psycopg.connect(server.url(database)) as other:
        other.execute("LOCK TABLE oddsmith.matches IN ACCESS EXCLUSIVE MODE")
        code, sentence = catch_refusal(lambda: store.append([next_append("m", 0)]))

    assert ("store_busy", True) == (code, "statement timeout" in sentence)
    assert [True] == store.append([next_append("m", 0)])


def test_limits_that_the_url_sets_are_kept(
    server: Server, database: str, opener: Callable[[str], Store]
) -> None:
    store = opener(f"{server.url(database)}&options=-c%20statement_timeout%3D90s")
    assert isinstance(store, SqlStore)

    with store.dialect.read() as session:
        assert [("90s",)] == session.rows("SHOW statement_timeout", {})
        assert [("10s",)] == session.rows("SHOW idle_in_transaction_session_timeout", {})


def test_a_call_does_not_wait_without_end_for_a_connection(
    server: Server, database: str, opener: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "SLOT_TIMEOUT", 0.1)
    store = opener(server.url(database))
    with borrow_connections(store, MOST_CONNECTIONS):
        refused = catch_refusal(lambda: store.entries("m"))

    assert refused == ("store_busy", "all 8 connections have been in use for 0.1 seconds")
    assert store.entries("m") == ()
