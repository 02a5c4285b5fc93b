"""What is in the database of a store, read and written without the store."""

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


def execute(where: str, statement: str) -> Rows:
    """Run a statement, and return its rows; `{schema}` in it precedes the names of tables."""
    if _is_file(where):
        with closing(sqlite3.connect(where)) as connection, connection:
            return connection.execute(statement.format(schema="")).fetchall()
    with psycopg.connect(where) as session:
        cursor = session.execute(statement.format(schema="oddsmith.").encode())
        return cursor.fetchall() if cursor.description else []


def version_of(where: str) -> int:
    """Return the version of the schema."""
    statement = "PRAGMA user_version" if _is_file(where) else "SELECT version FROM oddsmith.store"
    return int(execute(where, statement)[0][0])


def schema_of(where: str) -> list[Rows]:
    """Return all tables, columns, indexes and constraints; how a statement was laid out does not matter."""
    if _is_file(where):
        return [
            [
                tuple(" ".join(part.split()) if part else part for part in row)
                for row in execute(where, _SQLITE_SCHEMA)
            ]
        ]
    return [execute(where, statement) for statement in _POSTGRES_SCHEMA]


def rows_of(where: str, *tables: str) -> list[Rows]:
    """Return all rows of tables."""
    ask = "SELECT * FROM {{schema}}{table} ORDER BY match"
    return [execute(where, ask.format(table=table)) for table in tables]


def wipe(where: str) -> None:
    """Remove everything, so that the next to open a store makes a new one."""
    if not _is_file(where):
        execute(where, "DROP SCHEMA IF EXISTS oddsmith CASCADE")
        return
    for path in Path(where).parent.glob(f"{Path(where).name}*"):
        path.unlink()


def _is_file(where: str) -> bool:
    return "://" not in where
