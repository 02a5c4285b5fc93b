"""A mechanic with a command of its own, and with a question whose text is read from a file."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from oddsmith.command_line import AsJson, print_reply
from oddsmith.errors import InputError
from oddsmith.mechanic import AddCommands, Lazy, Mechanic
from oddsmith.question import Context, FileFlag, Question, Request, option
from oddsmith.terminal import Terminal
from tests.laws.toy import Rules, Vie


def read_letter(path: str | None, others: Mapping[str, Any]) -> str:
    """Return the text of a file, `own.txt` by default; refuse it together with another letter or rules."""
    if "sent" in others or "rules" in others:
        raise InputError("two_letters", "one letter, under no rules")
    return Path(path or "own.txt").read_text(encoding="utf-8")


class LetterRequest(Request, frozen=True, kw_only=True):
    """A letter: the text of a file, or one that is sent."""

    letter: Annotated[
        str | None,
        option(
            "The letter.",
            metavar="FILE",
            from_file=read_letter,
            file_flag=FileFlag(name="mine", help="Your own.", code="two_files", sentence="one of the two"),
        ),
    ] = None
    sent: Annotated[str, option("Words.")] = ""


class LetterReply(msgspec.Struct, frozen=True, kw_only=True):
    """What was read."""

    read: str


def read_aloud(request: LetterRequest, context: Context[Rules]) -> LetterReply:  # noqa: ARG001  the answer does not depend on the rules
    """Read a letter aloud."""
    text = request.sent if request.letter is None else request.letter
    if "?" in text:
        error = InputError("bad_letter", "no questions", where=str(text.index("?") + 1))
        error.text = text
        raise error
    return LetterReply(read=text)


class CopyRequest(Request, frozen=True, kw_only=True):
    """Words to copy."""

    sent: Annotated[str, option("Words.")] = "dear"


def copy_words(request: CopyRequest, context: Context[Rules]) -> LetterReply:
    """Copy words."""
    context.note("copied [by] hand")
    return LetterReply(read=request.sent)


def _copy_lines(request: CopyRequest, reply: LetterReply, rules: Rules, *, out: str | None) -> Iterator[str]:  # noqa: ARG001  the signature of an answer's lines
    yield reply.read if out is None else f"{out} has it"


def write(*, as_json: AsJson = False) -> None:
    """Write a letter."""
    print_reply(LetterReply(read="dear"), ["[bold]dear[/]"], as_json=as_json)


def add_commands(app: typer.Typer) -> None:
    """Add a command and a group."""
    app.command()(write)
    box = typer.Typer(help="Boxes.")
    box.command()(write)
    app.add_typer(box, name="box")


def _commands() -> AddCommands:
    return add_commands


class Letters(Vie):
    """The toy under another name."""

    name = "letters"


MECHANIC: Final = Mechanic(
    Letters(),
    name="letters",
    summary="Read and write.",
    questions=(
        Question(name="read", request=LetterRequest, reply=LetterReply, answer=read_aloud, example="…"),
        Question(
            name="copy",
            request=CopyRequest,
            reply=LetterReply,
            answer=copy_words,
            example="…",
            new_file="read",
            command_values={"rules": "default"},
        ),
    ),
    terminal=Terminal(answer_lines={"copy": _copy_lines}),
    commands=Lazy(_commands),
)
