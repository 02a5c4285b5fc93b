"""Finds matches of a store that cannot be continued, with the reason, and corrects what can be made from the log."""

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from oddsmith.errors import (
    ChangedMechanicError,
    DamagedStoreError,
    NotFoundError,
    OddsmithError,
    UnknownGameError,
)
from oddsmith.match.model import Match
from oddsmith.mechanic_source import describe_error
from oddsmith.registry import find_mechanic
from oddsmith.server.matches.commands import summarize
from oddsmith.server.matches.quarantine import is_transient
from oddsmith.server.matches.stored_matches import read_whole_match
from oddsmith.store.model import Summary
from oddsmith.store.sql import SqlStore
from oddsmith.store.stored_rows import RowEditor


class Problem(StrEnum):
    """What is wrong with a match: its log, its mechanic, a bot that must choose, its row in lists, or its snapshot."""

    LOG = "log"
    MECHANIC = "mechanic"
    BOT = "bot"
    ROW = "row"
    SNAPSHOT = "snapshot"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A match that cannot be continued, or listed, with the reason; `mendable` where its log has all that is needed."""

    match: str
    game: str | None
    problem: Problem
    sentence: str
    mendable: bool = False


def check_store(store: SqlStore, editor: RowEditor, *, finished: bool) -> Iterator[Finding | None]:
    """Yield for each match what is wrong with it, None where nothing is; with `finished` also of matches that are over.

    Raise `StoreError` where the store cannot be reached.
    """
    for match in editor.matches(finished=finished):
        yield check_match(store, editor, match)


def check_match(store: SqlStore, editor: RowEditor, match: str) -> Finding | None:
    """Return what is wrong with a match, the gravest first; None where nothing is."""
    try:
        found = read_whole_match(store, match)
    except Exception as error:
        if is_transient(error):
            raise
        game = str((editor.read(match).summary or {}).get("game", "")) or None
        return Finding(match=match, game=game, problem=_problem_of(error), sentence=_describe(error))
    for problem, sentence, mendable in (
        (Problem.BOT, _fault_of_bots(found), False),
        (Problem.ROW, _fault_of_row(editor, found), True),
        (Problem.SNAPSHOT, _fault_of_snapshot(store, match), True),
    ):
        if sentence is not None:
            return Finding(
                match=match, game=found.game, problem=problem, sentence=sentence, mendable=mendable
            )
    return None


def mend_match(store: SqlStore, editor: RowEditor, finding: Finding) -> None:
    """Write the row of a match from its log, and remove a snapshot that cannot be read."""
    if finding.problem is Problem.SNAPSHOT:
        editor.remove_snapshot(finding.match)
    elif finding.problem is Problem.ROW:
        editor.write_summary(summarize(read_whole_match(store, finding.match)))


def _problem_of(error: Exception) -> Problem:
    is_missing = isinstance(error, ChangedMechanicError | UnknownGameError)
    return Problem.MECHANIC if is_missing else Problem.LOG


def _describe(error: Exception) -> str:
    if isinstance(error, NotFoundError):
        return "it is listed, and has no log"
    return error.refusal.sentence if isinstance(error, OddsmithError) else describe_error(error)


def _fault_of_bots(match: Match) -> str | None:
    for seat in match.waiting_bots:
        name = match.chairs[seat].bot or ""
        try:
            find_mechanic(match.game).find_bot(name)
        except Exception as error:  # noqa: BLE001  a bot of any mechanic may fail
            return f"the bot of seat {seat} must choose, and cannot: {_describe(error)}"
    return None


def _fault_of_row(editor: RowEditor, match: Match) -> str | None:
    try:
        listed = editor.read_summary(match.id)
    except DamagedStoreError as error:
        return error.refusal.sentence
    if listed is None:
        return "it is in no list: it has a log, and no row"
    wanted = _without_times(summarize(match))
    given = _without_times(listed)
    wrong = [name for name in Summary.__struct_fields__ if getattr(given, name) != getattr(wanted, name)]
    if wrong:
        return f"its row in lists differs from its log: {', '.join(wrong)}"
    return None


def _without_times(summary: Summary) -> Summary:
    """Return a summary without what need not be that of the log: an outage moves time limits."""
    return msgspec.structs.replace(summary, changed_at=0, due_at=0 if summary.due_at else None, rules_id="")


def _fault_of_snapshot(store: SqlStore, match: str) -> str | None:
    try:
        store.snapshot(match)
    except DamagedStoreError as error:
        return error.refusal.sentence
    return None
