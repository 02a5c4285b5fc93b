"""The terminal text of a mechanic: lines for events, state and choices of a game, reading of answers, lines of replies."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import msgspec

from oddsmith import wire
from oddsmith.game import Event
from oddsmith.question import Progress, no_progress
from oddsmith.text import columns, escape_markup

__all__ = [
    "PROGRESS",
    "ActionSequence",
    "AnswerLines",
    "Reply",
    "Terminal",
    "TerminalPlay",
    "numbered_lines",
    "read_number",
    "reply_lines",
    "show_progress",
]

A = TypeVar("A")
V_contra = TypeVar("V_contra", contravariant=True)

MOST_NUMBERED: Final = 99
PROGRESS: Final[ContextVar[Progress]] = ContextVar("PROGRESS", default=no_progress)
"""The function that reports the progress of long work; the command line sets its progress bar."""


def show_progress(what: str) -> AbstractContextManager[Callable[[float], None]]:
    """Return a context manager for the long work that `what` names; it yields a function that takes the share that is done.

    >>> with show_progress("counting") as report:
    ...     report(0.5)
    """
    return PROGRESS.get()(what)


class Reply(msgspec.Struct, frozen=True):
    """Lines that are shown to a person before the next answer is read: advice, or which answers are possible."""

    lines: tuple[str, ...]


class ActionSequence(msgspec.Struct, frozen=True):
    """One answer that means several actions: at least one, each allowed after those before it."""

    actions: tuple[Any, ...]


class TerminalPlay(Protocol[V_contra, A]):
    """The text of a game that is played in a terminal, and the reading of answers; lines are in rich's markup.

    `V_contra` is the type of the game's views, `A` that of its actions. Text from another source, such as an answer, goes
    into a line through `oddsmith.text.escape_markup`.
    """

    def event_lines(self, events: Iterable[Event], view: V_contra) -> Iterator[str]:
        """Yield the lines that describe events to a viewer with this view."""
        ...

    def state_lines(self, view: V_contra) -> Iterator[str]:
        """Yield the lines that describe the state of the game to a viewer."""
        ...

    def choice_lines(self, view: V_contra, actions: Sequence[A]) -> Iterator[str]:
        """Yield the lines that list the possible actions; `numbered_lines` makes a numbered list."""
        ...

    def read_answer(self, answer: str, view: V_contra, actions: Sequence[A]) -> A | ActionSequence | Reply:
        """Return the action that an answer means, or a reply; `read_number` reads the answer to a numbered list.

        One answer may also stand for an `ActionSequence`, of which the first is one of these actions.
        The answer is what was typed: one line, maybe empty, in lower case, without spaces around it, cut at
        200 characters. `q`, `quit` and the end of input leave the game and never come here. Long work runs
        inside `show_progress`. The sentence of an `OddsmithError` is shown, and the question is asked again.
        """
        ...


AnswerLines: TypeAlias = Callable[..., Iterator[str]]
"""Yields the lines of a reply from the request, the reply, the rules and the terminal flags of the command."""


class Terminal(msgspec.Struct, frozen=True, kw_only=True):
    """The terminal text of a mechanic: its play, and the lines of the reply to each question by its name."""

    play: TerminalPlay[Any, Any] | None = None
    answer_lines: Mapping[str, AnswerLines] = {}


def reply_lines(request: object, reply: object, rules: object) -> Iterator[str]:  # noqa: ARG001  the shape of `AnswerLines`
    """Yield the fields of a reply; the default where a mechanic has no lines for it."""
    yield from _value_lines(wire.to_builtins(reply), "")


def _value_lines(value: Mapping[str, Any] | Sequence[Any], indent: str) -> Iterator[str]:
    """Yield a line for each number or text; those of mappings and lists are indented below their names."""
    rows = value.items() if isinstance(value, Mapping) else enumerate(value, 1)
    for name, inner in rows:
        if inner and (isinstance(inner, dict) or (_is_collection(inner) and any(map(_is_collection, inner)))):
            yield f"{indent}{escape_markup(str(name))}:"
            yield from _value_lines(inner, f"{indent}  ")
        else:
            yield f"{indent}{escape_markup(str(name))}: {escape_markup(_format_value(inner))}"


def _is_collection(value: object) -> bool:
    return isinstance(value, dict | list | tuple)


def _format_value(value: object) -> str:
    """Return plain data in one line: `none` where empty, `yes` or `no`, commas between the items of a list."""
    if value is None or value in ((), [], {}):
        return "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_format_value, value))
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def numbered_lines(actions: Sequence[A], cells: Callable[[A], Sequence[str]]) -> Iterator[str]:
    r"""Yield a numbered list of actions; `cells` returns the columns of an action, its name first.

    >>> print("\n".join(numbered_lines(["rest", "whiskey"], lambda name: (name, f"{len(name)} letters"))))
      [bold] 1[/]  rest     4 letters
      [bold] 2[/]  whiskey  7 letters
    """
    first = actions[:MOST_NUMBERED]
    for number, line in enumerate(columns([cells(action) for action in first]), 1):
        yield f"  [bold]{number:>2}[/]  {line}"
    if len(actions) > len(first):
        yield f"  [dim] …  and so on, up to {len(actions):,}[/]"


def read_number(answer: str, actions: Sequence[A]) -> A | Reply:
    """Return the action of a number in the list, or a reply that says which numbers are possible.

    >>> read_number("2", ["rest", "whiskey"]), read_number("3", ["rest", "whiskey"])
    ('whiskey', Reply(lines=('[red]type a number from 1 to 2, or q to leave[/]',)))
    """
    if answer.isdecimal() and len(answer) <= len(str(len(actions))) and 1 <= int(answer) <= len(actions):
        return actions[int(answer) - 1]
    return Reply((f"[red]type a number from 1 to {len(actions)}, or q to leave[/]",))
