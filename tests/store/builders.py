"""Appends and summaries of matches, with placeholder entries."""

from typing import Any

import msgspec

from oddsmith.match.model import Made, Opened
from oddsmith.store import Append, Status, Summary

OPENED = Opened(
    at=1_000, match="m", game="duel", rules="", bots=(None, "greedy"), secret="5e" * 32, key="c4" * 32
)


def summary(match: str, version: int, **other: Any) -> Summary:  # noqa: ANN401  fields of a summary
    """Return a summary of a match."""
    default = Summary(
        match=match,
        game="duel",
        rules_id="r1",
        status=Status.PLAYING,
        version=version,
        names=("Ann", None),
        bots=(None, "greedy"),
        opened_at=1_000,
        changed_at=1_000 + version,
    )
    return msgspec.structs.replace(default, **other)


def next_append(match: str, version: int, *, line: str = "0 pass", **other: Any) -> Append:  # noqa: ANN401  fields of a summary
    """Return the append of one entry to a log that has `version` entries."""
    opened = msgspec.structs.replace(OPENED, match=match)
    entry = opened if version == 0 else Made(at=1_000 + version, line=line, seat=0)
    return Append(version=version, entries=(entry,), summary=summary(match, version + 1, **other))
