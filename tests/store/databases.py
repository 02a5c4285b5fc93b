"""Reads and writes the database of a store without the store."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import psycopg

_SQLITE_SCHEMA: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
_POSTGRES_SCHEMA: Final = (
    """
    SELECT table_name, ordinal_position, column_name, data_type, collation_name, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'oddsmith' ORDER BY table_name, ordinal_position
    """,
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'oddsmith' ORDER BY indexname",
    """
    SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = to_regnamespace('oddsmith') ORDER BY conname
    """,
)

Rows = list[tuple[Any, ...]]


def execute(location: str, statement: str) -> Rows:
    """Execute a statement and return its rows; `{schema}` in it is replaced by the prefix of table names."""
    if _is_file(location):
        with closing(sqlite3.connect(location)) as connection, connection:
            return connection.execute(statement.format(schema="")).fetchall()
    with psycopg.connect(location) as session:
        cursor = session.execute(statement.format(schema="oddsmith.").encode())
        return cursor.fetchall() if cursor.description else []


def version_of(location: str) -> int:
    """Return the version of the schema."""
    statement = "PRAGMA user_version" if _is_file(location) else "SELECT version FROM oddsmith.store"
    return int(execute(location, statement)[0][0])


def schema_of(location: str) -> list[Rows]:
    """Return all tables, columns, indexes and constraints, without their formatting."""
    if _is_file(location):
        return [
            [
                tuple(" ".join(part.split()) if part else part for part in row)
                for row in execute(location, _SQLITE_SCHEMA)
            ]
        ]
    return [execute(location, statement) for statement in _POSTGRES_SCHEMA]


def rows_of(location: str, *tables: str) -> list[Rows]:
    """Return all rows of all tables."""
    ask = "SELECT * FROM {{schema}}{table} ORDER BY match"
    return [execute(location, ask.format(table=table)) for table in tables]


def wipe(location: str) -> None:
    """Remove everything, so that the next store is created from nothing."""
    if not _is_file(location):
        execute(location, "DROP SCHEMA IF EXISTS oddsmith CASCADE")
        return
    for path in Path(location).parent.glob(f"{Path(location).name}*"):
        path.unlink()


def _is_file(location: str) -> bool:
    return "://" not in location
