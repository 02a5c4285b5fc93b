"""What designers write is plain data: keys that are known, tables under keys, exact numbers; a refusal says where."""

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any

from oddsmith.errors import InputError, nearest
from oddsmith.points import exact_decimal

__all__ = ["number_at", "require_keys", "tables_under"]


def require_keys(given: Mapping[str, Any], known: Collection[str], where: str = "") -> None:
    """Refuse a key that is not known, and name a near one.

    >>> try:
    ...     require_keys({"claim": []}, ("game", "claims"))
    ... except InputError as error:
    ...     print(error)
    unknown key 'claim' — did you mean 'claims'? Known: game, claims
    """
    unknown = next((key[:40] for key in given if key not in known), None)
    if unknown is not None:
        place = f"{where}: " if where else ""
        raise InputError(
            "unknown_key",
            f"{place}unknown key '{unknown}'{nearest(unknown, known)}",
            where=f"{where}.{unknown}" if where else unknown,
        )


def tables_under(data: Mapping[str, Any], key: str, *, most: int) -> Sequence[Mapping[str, Any]]:
    """Return the tables that stand under a key, and at most so many; none where it is not there.

    >>> tables_under({"claims": [{"is": 3}]}, "claims", most=10)
    [{'is': 3}]
    """
    given = data.get(key, [])
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        raise InputError("bad_value", f"{key}: expected tables, each under [[{key}]]", where=key)
    if len(given) > most:
        raise InputError("too_many_tables", f"{key}: at most {most:,} are read", where=key)
    return given


def number_at(given: object, where: str) -> Decimal:
    """Return a number exactly as it is written at a place, or refuse it there.

    >>> number_at("27.28", "change[0].least")
    Decimal('27.28')
    """
    try:
        return exact_decimal(given, what=where or "number")
    except InputError as error:
        raise InputError(error.refusal.code, error.refusal.sentence, where=where or None) from error
