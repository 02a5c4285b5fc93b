"""Logs of matches, kept so that what was acknowledged is never lost."""

from oddsmith.errors import InputError, MissingExtraError
from oddsmith.store.model import Append, Snapshot, Status, Store, Summary, Watch
from oddsmith.store.sql import SqlStore

__all__ = ["Append", "Snapshot", "Status", "Store", "Summary", "Watch", "open_store"]


def open_store(where: str) -> Store:
    """Open the store in a file, or the one that a `postgresql://` URL leads to; either is made where there is none.

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
        from oddsmith.store.postgres import PostgresDialect  # noqa: PLC0415  as above
    except ImportError as error:
        raise MissingExtraError(
            "missing_extra", "a store in PostgreSQL needs psycopg: install oddsmith[postgres]"
        ) from error
    return SqlStore(PostgresDialect(where))
