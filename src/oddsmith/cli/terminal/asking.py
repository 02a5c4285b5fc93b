"""A person is asked until the answer is a choice."""

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from rich.console import Console

from oddsmith.errors import OddsmithError
from oddsmith.terminal import Reply, Several, TerminalPlay
from oddsmith.text import plain

LONGEST_ANSWER: Final = 200


class Leave(Exception):  # noqa: N818  it is a wish, not an error
    """The person wants to go."""


def answer_line(out: Console) -> str:
    """Read one line; what no terminal has shown is written down, so that a transcript reads well.

    The end of input leaves the table.
    """
    try:
        answer = out.input("> ").strip().lower()
    except EOFError:
        out.print()
        raise Leave from None
    if not sys.stdin.isatty():
        out.print(plain(answer))
    return answer


def ask(
    out: Console,
    shown: TerminalPlay,
    view: Any,  # noqa: ANN401  whatever the game's views are
    actions: Sequence[Any],
    answered: Callable[[Console], str] | None = None,
) -> tuple[Any, ...]:
    """Ask until the answer is a choice, or several in a row; `q` leaves the table.

    `answered` reads a line in another way than from standard input alone.
    """
    for line in shown.choice_lines(view, actions):
        out.print(line)
    while True:
        answer = (answered or answer_line)(out)
        if answer in ("q", "quit"):
            raise Leave
        try:
            found = shown.read_answer(answer[:LONGEST_ANSWER], view, actions)
        except OddsmithError as error:
            found = Reply((f"[red]{plain(str(error))}[/]",))
        if isinstance(found, Several):
            return found.actions
        if not isinstance(found, Reply):
            return (found,)
        for line in found.lines:
            out.print(line)
