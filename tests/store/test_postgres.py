"""A store in PostgreSQL says what is wrong with its server, and goes on when the server is back."""

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
from tests.store.builders import OPENED, one_more, summary
from tests.store.postgres_server import Server
from tests.store.refusals import refused
from tests.store.test_stores import told_until

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
"""A schema as version 1 left it behind."""

FAILING = """
    CREATE FUNCTION oddsmith.fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'as told' USING ERRCODE = '{state}'; END $$;
    CREATE TRIGGER failing BEFORE INSERT ON oddsmith.entries EXECUTE FUNCTION oddsmith.fail()
"""


@pytest.fixture
def own_server(server: Server) -> Iterator[Server]:
    """Start a server that may be stopped."""
    own = server.another()
    own.start()
    yield own
    own.stop()
    own.remove()


def test_an_old_schema_is_migrated(server: Server, database: str, opening: Callable[[str], Store]) -> None:
    """What version 1 left is all there, and what came later can be done with it."""
    server.execute(VERSION_1, database)
    store = opening(server.url(database))
    store.write_snapshot(Snapshot(match="m", version=1, data={"a": 1}))

    assert (OPENED,) == store.entries("m")
    assert (summary("m", 1),) == store.matches()
    assert () == store.matches(private=True)
    assert [True] == store.append([one_more("m", 1, due_at=5)])
    assert ("m",) == store.due_matches(5)
    assert Snapshot(match="m", version=1, data={"a": 1}) == store.snapshot("m")
    assert [(len(STEPS),)] == server.execute("SELECT version FROM oddsmith.store", database)


def test_a_migration_that_fails_changes_nothing(
    server: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A schema is of the old version or of the new one, never between them."""
    server.execute(VERSION_1, database)
    monkeypatch.setattr(migrations, "STEPS", (*STEPS, ("CREATE TABLE oddsmith.more ()", "no statement")))
    code, sentence = refused(lambda: open_store(server.url(database)))

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
            "the store has version 99, and this oddsmith knows 3: use a newer oddsmith",
        ),
    ],
)
def test_a_schema_of_others_is_refused_and_left_alone(
    server: Server, database: str, script: str, code: str, words: str
) -> None:
    """A schema that is not ours, or of a version to come, is not touched."""
    server.execute(script, database)
    said = refused(lambda: open_store(server.url(database)))

    assert (code, True) == (said[0], words in said[1])
    assert [(1,)] == server.execute(
        "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('oddsmith')", database
    )


def test_an_empty_schema_made_for_us_is_taken(
    server: Server, database: str, opening: Callable[[str], Store]
) -> None:
    """Who may not make schemas may be given one."""
    server.execute("CREATE SCHEMA oddsmith", database)

    assert [True] == opening(server.url(database)).append([one_more("m", 0)])


def test_a_database_that_may_not_be_written_is_refused(
    server: Server, database: str, opening: Callable[[str], Store]
) -> None:
    """A database that only reads, and a person who may not write, are said to be so."""
    opening(server.url(database))
    read_only = f"{server.url(database)}&options=-c%20default_transaction_read_only%3Don"
    server.execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
    guest = server.url(database).replace("odds@", "guest@")

    assert ("store_read_only", "the database of the store may not be written: allow it") == refused(
        lambda: open_store(read_only)
    )
    assert (
        "store_read_only",
        "the store may not be written: permission denied for schema oddsmith",
    ) == tuple(part.split(" LINE ")[0] for part in refused(lambda: open_store(guest)))


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
def test_what_the_server_refuses_is_said_and_nothing_harmed(
    server: Server, database: str, opening: Callable[[str], Store], state: str, code: str
) -> None:
    """An append that fails changes nothing; when its cause is gone it is done, without opening the store again."""
    store = opening(server.url(database))
    server.execute(FAILING.format(state=state), database)
    said = refused(lambda: store.append([one_more("m", 0)]))

    assert (code, True) == (said[0], said[1].partition(": ")[2].startswith("as told"))
    assert ((), ()) == (store.entries("m"), store.matches())

    server.execute("DROP TRIGGER failing ON oddsmith.entries", database)

    assert [True] == store.append([one_more("m", 0)])


def test_a_commit_is_on_disk_whatever_the_database_is_used_to(
    server: Server, database: str, opening: Callable[[str], Store]
) -> None:
    """Where commits are not waited for by default, they are here."""
    store = opening(f"{server.url(database)}&options=-c%20synchronous_commit%3Doff")
    assert isinstance(store, SqlStore)

    with store.dialect.read() as session:
        assert [("on",)] == session.rows("SHOW synchronous_commit", {})


@contextmanager
def lent(store: Store, count: int) -> Iterator[None]:
    """Hold connections of a store."""
    assert isinstance(store, SqlStore)
    with ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(store.dialect.read())
        yield


def backends(server: Server, database: str, what: str) -> list[object]:
    """Return something of each connection that stores have to a database."""
    ask = (
        "SELECT {} FROM pg_stat_activity WHERE application_name = 'oddsmith' AND datname = current_database()"
    )
    return [value for (value,) in server.execute(ask.format(what), database)]


def test_connections_that_were_lost_while_idle_are_replaced(
    server: Server, database: str, opening: Callable[[str], Store]
) -> None:
    """A server that has closed every connection is connected to again by whoever asks next."""
    store = opening(server.url(database))
    with lent(store, MOST_CONNECTIONS):
        pass
    ended = backends(server, database, "pg_terminate_backend(pid)")

    assert [True] * MOST_CONNECTIONS == ended
    assert [True] == store.append([one_more("m", 0)])
    assert (OPENED,) == store.entries("m")


def test_no_more_connections_are_made_than_allowed(
    server: Server, database: str, opening: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes when all are lent waits for one of them, however long, and does not connect to ask for a reason."""
    store = opening(server.url(database))
    attempts: list[None] = []
    with ThreadPoolExecutor(4) as threads:
        with lent(store, MOST_CONNECTIONS):
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
    own_server: Server, opening: Callable[[str], Store], caplog: pytest.LogCaptureFixture
) -> None:
    """What a pool would log of every connection is not logged; what fails is raised."""
    caplog.set_level(logging.INFO)
    store = opening(own_server.url())
    store.append([one_more("m", 0)])
    own_server.stop()

    assert "store_away" == refused(lambda: store.entries("m"))[0]
    assert [] == caplog.messages

    own_server.start()


def test_what_others_say_on_our_channel_is_not_heard(
    server: Server, database: str, opening: Callable[[str], Store]
) -> None:
    """Words that are none of ours are passed over."""
    here, there = opening(server.url(database)), opening(server.url(database))
    told: list[tuple[str, int]] = []
    here.watch(lambda match, version: told.append((match, version)))
    server.execute("NOTIFY oddsmith, 'hello'", database)
    there.append([one_more("m", 0)])

    assert {("m", 1)} == told_until(told, {("m", 1)})


def test_a_server_that_goes_away_and_comes_back(
    own_server: Server, opening: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is away that is said; afterwards all goes on, and who watches is told what changed meanwhile."""
    monkeypatch.setattr(postgres, "HEARTBEAT", 0.0)
    here, there = opening(own_server.url()), opening(own_server.url())
    told: list[tuple[str, int]] = []
    connected = postgres._Listener._subscribe
    may_listen = Event()

    def subscribed(listener: postgres._Listener) -> psycopg.Connection[tuple[object, ...]]:
        if not may_listen.wait(10):
            raise psycopg.OperationalError("never allowed")
        return connected(listener)

    here.append([one_more("old", 0)])
    there.append([one_more("m", 0)])
    may_listen.set()
    watch = here.watch(lambda match, version: told.append((match, version)))
    there.append([one_more("m", 1)])

    assert ("m", 2) in told_until(told, {("m", 2)})

    may_listen.clear()
    monkeypatch.setattr(postgres._Listener, "_subscribe", subscribed)
    own_server.stop()

    assert "store_away" == refused(lambda: here.append([one_more("m", 2)]))[0]
    assert "store_away" == refused(lambda: here.entries("m"))[0]
    assert "store_away" == refused(lambda: open_store(own_server.url()))[0]
    assert not here.is_ready()

    own_server.start()

    assert here.is_ready()
    assert [True, True] == there.append([one_more("m", 2), one_more("n", 0)])
    assert 3 == len(here.entries("m"))

    told.clear()
    may_listen.set()
    there_later = {("m", 3), ("n", 1)}

    assert there_later == told_until(told, there_later) - {("m", 2)}

    there.append([one_more("m", 3)])

    assert ("m", 4) in told_until(told, {("m", 4)})
    watch.close()


def test_a_server_that_cannot_be_reached_is_said_to_be_away(own_server: Server) -> None:
    """A database that there is not, and a watch that cannot begin, are told with the server's reason and no URL."""
    store = open_store(own_server.url())
    missing = refused(lambda: open_store(own_server.url("nowhere").replace("odds@", "odds:hush@")))
    own_server.stop()
    watching = refused(lambda: store.watch(lambda *_: None))
    own_server.start()
    store.close()

    assert ("store_away", True) == (missing[0], 'database "nowhere" does not exist' in missing[1])
    assert "hush" not in missing[1]
    assert "store_away" == watching[0]


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("mysql://somewhere/matches", "unknown_store"),
        ("postgresql://odds:hush@/%zz", "bad_store_url"),
        ("postgresql://odds:hush@/a?colour=red", "bad_store_url"),
    ],
)
def test_a_url_that_leads_nowhere_is_refused(where: str, code: str) -> None:
    """What is no URL of a store is said to be none, and no password is repeated."""
    with pytest.raises(InputError) as caught:
        open_store(where)

    assert (code, False) == (caught.value.refusal.code, "hush" in str(caught.value))


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without psycopg it is said what to install."""
    monkeypatch.setitem(sys.modules, "oddsmith.store.postgres", None)
    with pytest.raises(InputError, match=r"install oddsmith\[postgres\]") as caught:
        open_store("postgresql:///matches")

    assert "missing_extra" == caught.value.refusal.code
