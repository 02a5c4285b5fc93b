"""One command per verb; nothing heavy is loaded before a command runs."""

import os
import re
import sys
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Final

import typer

from oddsmith.cli.commands import lazy_group, make_command, mechanic_commands
from oddsmith.cli.terminal.console import progress_bar
from oddsmith.command_line import help_without_a_command
from oddsmith.errors import ErrorReply, InputError, NotFoundError, OddsmithError, Refusal
from oddsmith.registry import add_sources, find_mechanic, load_mechanics, problems
from oddsmith.terminal import PROGRESS
from oddsmith.text import error_reason, escape_unprintable

__all__ = ["app", "main"]

SOURCE: Final = re.compile(r"[^-].*\.py|[A-Za-z_][\w.]*:[A-Z][A-Z0-9_]*")
"""A word that names a mechanic by its file, or by a module and a constant of it."""
OWN_SOURCES: Final = (["serve"],)
"""The commands that load sources themselves: they leave out those that cannot be loaded."""
WITHOUT_A_NAME: Final = ("join", "record", "replay", "store", "verify", "watch")
"""The commands whose record, match or store names the mechanic."""
REFUSED: Final = 2
INTERRUPTED: Final = 130
NO_COLOR: Final = "--no-color"
LONGEST_SENTENCE: Final = 600
WIDEST_MARKED: Final = 76
"""Characters of a text that is shown with a mark below it; a longer one would not fit in a line."""

BAD_NUMBER: Final = re.compile(
    r"Invalid value for '(?P<option>[^']+)'(?: / '[^']+')*: (?P<value>.*) is not "
    r"(?:a valid (?:int|float|integer)\b.*|in the range .*)",
    re.DOTALL,
)
"""The message of Click about a number; the range is said in words instead."""
EXTRA_ARGUMENTS: Final = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", re.DOTALL)

MATCH_COMMANDS: Final = (
    "play", "replay", "verify", "serve", "matches", "open", "join", "watch", "record",
)  # fmt: skip
NEW_COMMAND: Final = "new"
STORE_COMMAND: Final = "store"
DESIGN_COMMANDS: Final = ("laws", "playthrough", "lint", "tune", "sensitivity", "sweep", "metrics", "report")
RULES_COMMAND: Final = "rules"
COMMANDS: Final = (NEW_COMMAND, RULES_COMMAND, *MATCH_COMMANDS, STORE_COMMAND, *DESIGN_COMMANDS)


def _names() -> list[str]:
    """Return the names of all commands: those of mechanics last."""
    for problem in problems():
        typer.echo(f"warning: {problem.source} is left out: {problem.reason}", err=True)
    return [*COMMANDS, *load_mechanics()]


def _make(name: str) -> Any:
    """Return the command, or the group of a mechanic's commands, of that name; None where there is none."""
    if name in MATCH_COMMANDS:
        from oddsmith.cli import match

        return make_command(name, match.find_command(name))
    if name == NEW_COMMAND:
        from oddsmith.cli.design.new import new_app

        return typer.main.get_command(new_app)
    if name == STORE_COMMAND:
        from oddsmith.cli.match.store import store_app

        return typer.main.get_command(store_app)
    if name in COMMANDS:
        from oddsmith.cli import design

        return make_command(name, design.find_command(name))
    try:
        mechanic = find_mechanic(name)
    except NotFoundError:
        return None
    return typer.main.get_command(mechanic_commands(mechanic))


app = lazy_group(
    _names,
    _make,
    name="oddsmith",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Play games of chance, and prove their odds exactly.\n\n"
    "Example: oddsmith destiny odds bank_robbery --skill lockpicking=50",
)


def _version(asked: bool) -> None:  # noqa: FBT001  typer calls it with the flag
    if asked:
        from importlib.metadata import version

        typer.echo(f"oddsmith {version('oddsmith')}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    *,
    no_color: Annotated[  # noqa: ARG001  read by main, at any position
        bool, typer.Option(NO_COLOR, help="Plain text, as with NO_COLOR=1.")
    ] = False,
    version: Annotated[  # noqa: ARG001  handled by its callback
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Set what holds for every command."""
    help_without_a_command(context)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a refusal is one sentence on stderr and exit status 2."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        _never_fail_on_symbols(stream)
    if NO_COLOR in given:
        os.environ["NO_COLOR"] = "1"
    PROGRESS.set(progress_bar)
    status = _run([text for text in given if text != NO_COLOR], as_json="--json" in given)
    if status:
        raise SystemExit(status)


@cache
def _command() -> Any:
    """Build the commands once, however often a process runs them."""
    return typer.main.get_command(app)


def _run(given: list[str], *, as_json: bool) -> int:
    """Run one command and return its exit status."""
    try:
        _require_text(given)
        words = _with_names_of_sources(given)
        status: int | None = _command().main(args=words, prog_name="oddsmith", standalone_mode=False)
    except OddsmithError as error:
        if not as_json:
            _mark_column(error)
        return _refuse(error.refusal, error.retry_after, as_json=as_json)
    except typer.TyperException as error:
        return _refuse(_usage(error), as_json=as_json)
    except OSError as error:
        return _refuse(
            Refusal("not_written", f"the answer cannot be written: {error_reason(error)}"), as_json=as_json
        )
    return status or 0


def _with_names_of_sources(given: Sequence[str]) -> list[str]:
    """Return the words with the name of a mechanic in place of its file, or of `module:NAME`; it is known from now on.

    The words of a command of `OWN_SOURCES` stay as they are. Those of `WITHOUT_A_NAME` take no name: the word is left out.
    """
    words: list[str | None] = list(given)
    if given[:1] in OWN_SOURCES:
        return list(given)
    for place, word in enumerate(given):
        is_value = place > 0 and given[place - 1].startswith("-")
        if not is_value and SOURCE.fullmatch(word):
            [name] = add_sources([word])
            words[place] = None if given[0] in WITHOUT_A_NAME else name
    return [word for word in words if word is not None]


def _never_fail_on_symbols(stream: Any) -> None:
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")


def _require_text(given: Sequence[str]) -> None:
    """Refuse bytes that are no text: they could neither be shown nor be kept in a record."""
    for text in given:
        if not text.isprintable() and any(
            character == "\0" or "\ud800" <= character <= "\udfff" for character in text
        ):
            raise InputError("not_text", f"'{text[:40]}' is not UTF-8 text")


def _usage(error: typer.TyperException) -> Refusal:
    """Return the refusal of a wrong option or argument."""
    message = error.format_message().strip().removesuffix(".")
    command = getattr(getattr(error, "ctx", None), "command_path", "oddsmith")
    number = BAD_NUMBER.fullmatch(message)
    extra = EXTRA_ARGUMENTS.fullmatch(message)
    if number is not None:
        kind = getattr(getattr(error, "param", None), "type", None)
        sentence = f"{number['option']}: expected {_describe_number(kind)}, not {number['value']}"
    elif extra is not None:
        sentence = f"there is nothing to do with '{extra[1]}'"
    else:
        sentence = f"{message[:1].lower()}{message[1:]}"
    return Refusal("usage", f"{sentence}: see {command} --help", where=number and number["option"])


def _describe_number(kind: object) -> str:
    """Return in words which numbers an option takes, from its type and its bounds."""
    noun = "a number" if "float" in getattr(kind, "name", "") else "a whole number"
    least, most = (getattr(kind, bound, None) for bound in ("min", "max"))
    if least is None or most is None:
        limits = "" if least is None else f" of at least {least:,}"
        return f"{noun}{limits if most is None else f' of at most {most:,}'}"
    return f"{noun} from {least:,} to {most:,}"


def _shortened(sentence: str) -> str:
    """Return a sentence without the middle of what somebody gave too much of."""
    half = LONGEST_SENTENCE // 2
    return sentence if len(sentence) <= LONGEST_SENTENCE else f"{sentence[:half]} … {sentence[-half:]}"


def _mark_column(error: OddsmithError) -> None:
    """Show a text that could not be read with a mark below the column where it is wrong; only in a terminal."""
    text, column = error.text, error.refusal.where
    if text is None or column is None or not sys.stderr.isatty():
        return
    if text.isprintable() and len(text) < WIDEST_MARKED:
        typer.echo(f"  {text}\n  {' ' * (int(column) - 1)}^", err=True)


def _refuse(refusal: Refusal, retry_after: float | None = None, *, as_json: bool) -> int:
    """Say on stderr why nothing was done."""
    sentence = _shortened(escape_unprintable(refusal.sentence))
    if as_json:
        from oddsmith.wire import to_json

        shown = Refusal(
            refusal.code, sentence, refusal.where and escape_unprintable(refusal.where), refusal.paragraph
        )
        typer.echo(to_json(ErrorReply(error=shown, retry_after=retry_after)).decode(), err=True)
    else:
        word = "error:" if os.environ.get("NO_COLOR") else typer.style("error:", fg="red", bold=True)
        place = f" (§{refusal.paragraph})" if refusal.paragraph else ""
        typer.echo(f"{word} {sentence}{place}", err=True)
    return REFUSED
