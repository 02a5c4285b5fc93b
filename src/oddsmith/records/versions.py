"""The version of a mechanic in records: the label that names it, and what is said where the mechanic is gone or has changed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import msgspec

from oddsmith.errors import ChangedMechanicError, OddsmithError, UnknownGameError, nearest
from oddsmith.mechanic_source import describe_error
from oddsmith.registry import mechanic_names, mechanic_version

LABEL: Final = "mechanic"
"""The label of a record that has the source of its mechanic and the version; a mechanic of this package has none."""


def version_labels(game: str) -> dict[str, str]:
    """Return the label of a game's mechanic as it is here; none for one of this package.

    >>> version_labels(mechanic_names()[0])
    {}
    """
    version = mechanic_version(game)
    return {} if version is None else {LABEL: version}


def describe_change(game: str, recorded: str | None) -> str | None:
    """Return a sentence about the versions of a mechanic in a record and here; None where they are the same, or not recorded."""
    here = mechanic_version(game)
    if recorded is None or recorded == here:
        return None
    known = f"'{game}' is {here} here" if here is not None else f"'{game}' has no version here"
    return f"it was played with {recorded}, and {known}: take the version of then"


def missing_game_error(game: str, recorded: str | None, *, what: str) -> UnknownGameError:
    """Return the error of a record, or of a match, whose mechanic is not here; `what` names it."""
    if recorded is None:
        known = mechanic_names()
        return UnknownGameError(
            "unknown_game", f"{what}: unknown game '{game[:40]}'{nearest(game[:40], known)}", where="game"
        )
    return UnknownGameError(
        "mechanic_missing",
        f"{what}: the mechanic '{game[:40]}' is not here; it was played with {recorded}: name that file, too",
        where="game",
    )


@contextmanager
def explained_version(game: str, labels: Mapping[str, str]) -> Iterator[None]:
    """Add to the errors of a record that its mechanic has another version than here, where that is so.

    Any other exception of such a mechanic's rules is raised as `ChangedMechanicError`.
    """
    try:
        yield
    except OddsmithError as error:
        change = describe_change(game, labels.get(LABEL))
        if change is None:
            raise
        sentence = f"{error.refusal.sentence}; {change}"
        raise type(error).of(msgspec.structs.replace(error.refusal, sentence=sentence)) from error
    except Exception as error:
        change = describe_change(game, labels.get(LABEL))
        if change is None:
            raise
        raise ChangedMechanicError(
            "mechanic_changed", f"the record does not replay: {describe_error(error)}; {change}"
        ) from error
