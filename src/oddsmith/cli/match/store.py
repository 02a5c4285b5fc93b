"""`oddsmith store check`: the matches of a store that cannot be continued, and what to do with them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from oddsmith.command_line import AsJson, help_without_a_command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oddsmith.cli.replies import DamagedMatch, StoreCheckReply
    from oddsmith.server.matches.store_check import Finding
    from oddsmith.store.sql import SqlStore
    from oddsmith.store.stored_rows import RowEditor

FOUND: Final = 1
"""The exit status where damaged matches are left."""

store_app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    invoke_without_command=True,
    callback=help_without_a_command,
    help="Look after the store of a server.\n\nExample: oddsmith store check matches.db",
)


@store_app.command("check")
def check_store(
    store: Annotated[str, typer.Argument(metavar="STORE", help="A file, or postgresql://…")],
    *,
    finished: Annotated[
        bool, typer.Option("--finished", help="Also check matches that are over, which takes longer.")
    ] = False,
    mend: Annotated[
        bool, typer.Option("--mend", help="Make rows of lists again from the logs of their matches.")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export", metavar="FOLDER", help="Write all rows of each damaged match to a file there."
        ),
    ] = None,
    archive: Annotated[
        Path | None,
        typer.Option(
            "--archive", metavar="FOLDER", help="Like --export, then remove these matches from the store."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find matches that cannot be continued, with the reason.

    The exit status is 1 if one is left. Files that are written have the seeds and keys of their matches. For mechanics of
    your own their files are named, too: ./pig.py.

    Example: oddsmith store check matches.db --mend
    """
    from contextlib import closing

    from oddsmith.command_line import print_reply
    from oddsmith.errors import InputError
    from oddsmith.store import open_store

    if "://" not in store and not Path(store).is_file():
        raise InputError("no_store", f"there is no store '{store[:80]}'", where="store")
    if export is not None and archive is not None:
        raise InputError("two_folders", "--archive exports, too: name one folder", where="archive")
    folder = archive or export
    if folder is not None:
        _make_folder(folder)
    with closing(open_store(store)) as opened:
        reply = _check(opened, finished=finished, mend=mend, folder=folder, removes=archive is not None)
    print_reply(reply, _lines(reply), as_json=as_json)
    if reply.damaged:
        raise typer.Exit(FOUND)


def _check(
    store: "SqlStore", *, finished: bool, mend: bool, folder: Path | None, removes: bool
) -> "StoreCheckReply":
    """Check each match; mend, export or remove those that are damaged."""
    from oddsmith.cli.replies import StoreCheckReply
    from oddsmith.errors import MissingExtraError

    try:
        from oddsmith.server.matches import store_check
        from oddsmith.store.stored_rows import RowEditor
    except ImportError as error:
        raise MissingExtraError(
            "no_server", "a server needs more packages: install oddsmith[serve]"
        ) from error
    checked, mended, archived, left = 0, [], [], []
    editor = RowEditor(store)
    for finding in store_check.check_store(store, editor, finished=finished):
        checked += 1
        if finding is None:
            continue
        if mend and finding.mendable and _mend(store, editor, finding):
            mended.append(finding.match)
            continue
        can_remove = editor.can_remove(finding.match)
        if folder is not None and can_remove:
            _write_rows(folder, editor, finding.match)
        if removes and can_remove:
            editor.remove(finding.match)
            archived.append(finding.match)
        else:
            left.append(_damaged(finding))
    return StoreCheckReply(
        checked=checked, damaged=tuple(left), mended=tuple(mended), archived=tuple(archived)
    )


def _damaged(finding: "Finding") -> "DamagedMatch":
    from oddsmith.cli.replies import DamagedMatch

    return DamagedMatch(
        match=_escape(finding.match),
        game=finding.game and _escape(finding.game),
        problem=finding.problem.value,
        sentence=_escape(finding.sentence),
        mendable=finding.mendable,
    )


def _escape(text: str) -> str:
    """Return a text with the bytes that are not UTF-8 escaped."""
    return text.encode(errors="backslashreplace").decode()


def _mend(store: "SqlStore", editor: "RowEditor", finding: "Finding") -> bool:
    """Mend a match; return whether nothing else is wrong with it."""
    from oddsmith.server.matches.store_check import check_match, mend_match

    mend_match(store, editor, finding)
    rest = check_match(store, editor, finding.match)
    if rest is not None and rest.mendable:
        mend_match(store, editor, rest)
        rest = check_match(store, editor, finding.match)
    return rest is None


def _make_folder(folder: Path) -> None:
    from oddsmith.errors import InputError
    from oddsmith.text import error_reason

    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        sentence = f"the folder '{str(folder)[:80]}' cannot be made: {error_reason(error)}"
        raise InputError("not_written", sentence, where="folder") from error


def _write_rows(folder: Path, editor: "RowEditor", match: str) -> None:
    """Write all rows of a match as JSON to a new file that only its owner can read; it is on disk when this returns."""
    import json
    import os

    from oddsmith import wire
    from oddsmith.errors import InputError
    from oddsmith.text import error_reason

    text = json.dumps(wire.to_builtins(editor.read(match)))
    name = "".join(sign for sign in match if sign.isalnum())[:40] or "unnamed"
    path = folder / f"{name}.json"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="utf-8") as file:  # noqa: PTH123  a descriptor
            file.write(text)
            file.flush()
            os.fsync(handle)
    except OSError as error:
        sentence = f"'{str(path)[:120]}' cannot be written: {error_reason(error)}"
        raise InputError("not_written", sentence, where="folder") from error


def _lines(reply: "StoreCheckReply") -> "Iterator[str]":
    from oddsmith.text import columns, escape_markup

    rows = [("match", "game", "problem", "reason")]
    rows += [(one.match, one.game or "?", one.problem, escape_markup(one.sentence)) for one in reply.damaged]
    if reply.damaged:
        for number, line in enumerate(columns(rows, names=4)):
            yield line if number else f"[bold]{line}[/]"
    for word, matches in (("mended", reply.mended), ("archived", reply.archived)):
        yield from (f"{word}  {match}" for match in matches)
    count = len(reply.damaged)
    state = "none is damaged" if not count else f"{count:,} cannot be continued or listed"
    yield f"[dim]{reply.checked:,} matches were checked: {state}[/]"
