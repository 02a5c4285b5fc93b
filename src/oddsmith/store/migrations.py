"""The schema of a store as numbered steps: version N of it is what the first N steps make of an empty database."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from oddsmith.errors import NotAStoreError

Database: TypeAlias = Literal["sqlite", "postgresql"]


class Variants(NamedTuple):
    """One statement in the syntax of each database."""

    sqlite: str
    postgresql: str


Step: TypeAlias = tuple[str | Variants, ...]
"""The statements that lead from one version to the next; a text is for both databases, `{schema}` precedes a name."""

STEPS: Final[tuple[Step, ...]] = (
    (
        Variants(
            sqlite="""
            CREATE TABLE entries (
                match TEXT NOT NULL, version INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (match, version)
            ) STRICT, WITHOUT ROWID
            """,
            postgresql="""
            CREATE TABLE {schema}entries (
                match text NOT NULL, version integer NOT NULL, entry text NOT NULL, PRIMARY KEY (match, version)
            )
            """,
        ),
        Variants(
            sqlite="""
            CREATE TABLE matches (
                match TEXT PRIMARY KEY, game TEXT NOT NULL, rules_id TEXT NOT NULL, status TEXT NOT NULL,
                version INTEGER NOT NULL, names TEXT NOT NULL, bots TEXT NOT NULL,
                opened_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, due_at INTEGER,
                change INTEGER NOT NULL, writer TEXT NOT NULL
            ) STRICT
            """,
            postgresql="""
            CREATE TABLE {schema}matches (
                match text COLLATE "C" PRIMARY KEY, game text NOT NULL, rules_id text NOT NULL, status text NOT NULL,
                version integer NOT NULL, names text NOT NULL, bots text NOT NULL,
                opened_at bigint NOT NULL, changed_at bigint NOT NULL, due_at bigint,
                change xid8 NOT NULL DEFAULT pg_current_xact_id(), writer text NOT NULL
            )
            """,
        ),
        "CREATE INDEX matches_changed ON {schema}matches (changed_at, match)",
        "CREATE INDEX matches_of_status ON {schema}matches (status, changed_at, match)",
        "CREATE INDEX matches_change ON {schema}matches (change)",
    ),
    (
        Variants(
            sqlite="CREATE TABLE snapshots (match TEXT PRIMARY KEY, version INTEGER NOT NULL, data TEXT NOT NULL) STRICT",
            postgresql="CREATE TABLE {schema}snapshots (match text PRIMARY KEY, version integer NOT NULL, data text NOT NULL)",
        ),
        "CREATE INDEX matches_due ON {schema}matches (due_at) WHERE due_at IS NOT NULL",
    ),
    (
        Variants(
            sqlite="ALTER TABLE matches ADD COLUMN practice INTEGER NOT NULL DEFAULT 0",
            postgresql="ALTER TABLE {schema}matches ADD COLUMN practice boolean NOT NULL DEFAULT false",
        ),
        Variants(
            sqlite="ALTER TABLE matches ADD COLUMN private INTEGER NOT NULL DEFAULT 0",
            postgresql="ALTER TABLE {schema}matches ADD COLUMN private boolean NOT NULL DEFAULT false",
        ),
        "DROP INDEX {schema}matches_changed",
        "DROP INDEX {schema}matches_of_status",
        "CREATE INDEX matches_changed ON {schema}matches (private, changed_at, match)",
        "CREATE INDEX matches_of_status ON {schema}matches (private, status, changed_at, match)",
    ),
    (
        Variants(
            sqlite="CREATE TABLE heartbeat (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT",
            postgresql="CREATE TABLE {schema}heartbeat (id integer PRIMARY KEY CHECK (id = 1), at bigint NOT NULL)",
        ),
        Variants(
            sqlite="CREATE TABLE outages (began INTEGER NOT NULL, ended INTEGER PRIMARY KEY) STRICT",
            postgresql="CREATE TABLE {schema}outages (began bigint NOT NULL, ended bigint PRIMARY KEY)",
        ),
    ),
    ("CREATE INDEX matches_of_game ON {schema}matches (private, game, status, changed_at, match)",),
)
"""A released step is never edited: a further step corrects it.

`matches.change` orders the transactions that wrote a match. `writer` identifies the open store that wrote it.
"""


def latest_version() -> int:
    """Return the version that a store has after all steps."""
    return len(STEPS)


def migration(database: Database, *, schema: str, version: int) -> Iterator[str]:
    """Yield the statements that bring a database from a version to the latest, for one transaction."""
    for step in STEPS[version:]:
        for statement in step:
            yield _select_statement(statement, database).format(schema=schema)


def _select_statement(statement: str | Variants, database: Database) -> str:
    if isinstance(statement, str):
        return statement
    return statement.sqlite if database == "sqlite" else statement.postgresql


def require_known(version: int, subject: str) -> None:
    """Raise `NotAStoreError` for a version that no step leads to; `subject` begins the sentence."""
    if version > latest_version():
        raise NotAStoreError(
            "newer_store",
            f"{subject} has version {version}, and this oddsmith knows {latest_version()}: use a newer oddsmith",
        )
