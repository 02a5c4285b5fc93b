"""Durable logs of matches, in SQLite or PostgreSQL: an append is on disk when it returns."""

from oddsmith.errors import InputError, MissingExtraError
from oddsmith.store.model import (
    Append,
    Outage,
    Pulse,
    Snapshot,
    Status,
    Store,
    StoreUsage,
    Subscription,
    Summary,
)
from oddsmith.store.sql import SqlStore

__all__ = [
    "Append",
    "Outage",
    "Pulse",
    "Snapshot",
    "Status",
    "Store",
    "StoreUsage",
    "Subscription",
    "Summary",
    "open_store",
]


def open_store(where: str) -> SqlStore:
    """Open the store in a file, or in the database of a `postgresql://` URL; create or migrate its tables as needed.

    Raises `InputError` for another scheme, `MissingExtraError` without the driver of PostgreSQL, and `StoreError` where
    the store cannot be opened.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = open_store(f"{folder}/matches.db")
    ...     store.is_ready()
    ...     store.close()
    True
    """
    scheme, separator, _ = where.partition("://")
    if not separator:
        from oddsmith.store.sqlite import SqliteDialect  # noqa: PLC0415  only the dialect that is needed is loaded

        return SqlStore(SqliteDialect(where))
    if scheme not in ("postgresql", "postgres"):
        raise InputError(
            "unknown_store", f"a store is a file or postgresql://…, not '{scheme[:40]}://…'", where="store"
        )
    try:
        from oddsmith.store.postgres import PostgresDialect  # noqa: PLC0415  its driver is an extra
    except ImportError as error:
        raise MissingExtraError(
            "missing_extra", "a store in PostgreSQL needs psycopg: install oddsmith[postgres]"
        ) from error
    return SqlStore(PostgresDialect(where))
