"""What a game says to play it in a terminal: lines for events, state and choices, and how an answer is read."""

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

MOST_NUMBERED: Final = 99
PROGRESS: Final[ContextVar[Progress]] = ContextVar("PROGRESS", default=no_progress)
"""What shows the progress of long work; the command line sets its progress bar."""


def show_progress(what: str) -> AbstractContextManager[Callable[[float], None]]:
    """Return a context manager for long work of a play that `what` names; it yields what takes the share that is done.

    >>> with show_progress("counting") as report:
    ...     report(0.5)
    """
    return PROGRESS.get()(what)


class Reply(msgspec.Struct, frozen=True):
    """What a person is told before being asked again: advice, or which answers are right."""

    lines: tuple[str, ...]


class ActionSequence(msgspec.Struct, frozen=True):
    """What a person means by one answer where it is more than one action: they are made one after another.

    There is at least one, and each is allowed once those before it are made.
    """

    actions: tuple[Any, ...]


class TerminalPlay(Protocol):
    """How a game looks while it is played, and how a person says what to do; lines are in rich's markup.

    Text that somebody else wrote, an answer above all, goes into a line through `oddsmith.text.plain`.
    """

    def event_lines(self, events: Iterable[Event], view: Any) -> Iterator[str]:  # noqa: ANN401  whatever the game's views are
        """Tell what happened, to someone who knows this much."""
        ...

    def state_lines(self, view: Any) -> Iterator[str]:  # noqa: ANN401  as above
        """Tell what a viewer knows of the game."""
        ...

    def choice_lines(self, view: Any, actions: Sequence[Any]) -> Iterator[str]:  # noqa: ANN401  as above
        """Tell what may be done, and how to say it; a numbered list is `numbered`."""
        ...

    def read_answer(self, answer: str, view: Any, actions: Sequence[Any]) -> Any | ActionSequence | Reply:  # noqa: ANN401  as above
        """Return the one of the actions that is meant, or a reply; the answer to a numbered list is `read_number`.

        One answer may also mean `Several` actions, of which the first is one of these.
        The answer is what was typed: one line, maybe empty, in small letters, without spaces around it, cut at
        200 characters. `q`, `quit` and the end of input leave the table and never come here. What takes long runs
        inside `show_progress`. An `OddsmithError` is told as its sentence, and asked again.
        """
        ...


class DefaultPlay:
    """How a game is played in a terminal whose mechanic does not say it: fields with their values, actions by number."""

    def event_lines(self, events: Iterable[Event], view: Any) -> Iterator[str]:  # noqa: ANN401, ARG002  of any game
        """Tell what happened: the name of each event, and its fields."""
        for event in events:
            fields = {name: value for name, value in wire.to_builtins(event).items() if name != "audience"}
            yield escape_markup(", ".join(f"{name} {_shown(value)}" for name, value in fields.items()))

    def state_lines(self, view: Any) -> Iterator[str]:  # noqa: ANN401  as above
        """Tell what a viewer knows, field by field, without the rules."""
        data = wire.to_builtins(view)
        return _value_lines({name: value for name, value in data.items() if name != "rules"}, "")

    def choice_lines(self, view: Any, actions: Sequence[Any]) -> Iterator[str]:  # noqa: ANN401, ARG002  as above
        """List the actions by number."""
        return numbered_lines(actions, lambda action: (escape_markup(_words(action)),))

    def read_answer(self, answer: str, view: Any, actions: Sequence[Any]) -> Any | ActionSequence | Reply:  # noqa: ANN401, ARG002  as above
        """Return the action of that number."""
        return read_number(answer, actions)


def _words(action: Any) -> str:  # noqa: ANN401  an action of any game
    data = wire.to_builtins(action)
    if not isinstance(data, dict):
        return str(data)
    return " ".join(
        _shown(value) if name == "type" else f"{name} {_shown(value)}" for name, value in data.items()
    )


AnswerLines: TypeAlias = Callable[..., Iterator[str]]
"""Yields the lines of an answer from the request, the reply and the rules, and the flags that a command has for show."""


class Terminal(msgspec.Struct, frozen=True, kw_only=True):
    """How a mechanic is shown in a terminal: while it is played, and the answer to each question by its name."""

    play: TerminalPlay | None = None
    answer_lines: Mapping[str, AnswerLines] = {}


def reply_lines(request: Any, reply: Any, rules: Any) -> Iterator[str]:  # noqa: ANN401, ARG001  of any mechanic
    """Show a reply whose mechanic says nothing about it: field by field."""
    yield from _value_lines(wire.to_builtins(reply), "")


def _value_lines(value: Any, indent: str) -> Iterator[str]:  # noqa: ANN401  plain data
    """Show plain data: a line for each number or text, tables and lists below their names."""
    rows = value.items() if isinstance(value, dict) else enumerate(value, 1)
    for name, inner in rows:
        if inner and (isinstance(inner, dict) or (_is_table(inner) and any(map(_is_table, inner)))):
            yield f"{indent}{escape_markup(str(name))}:"
            yield from _value_lines(inner, f"{indent}  ")
        else:
            yield f"{indent}{escape_markup(str(name))}: {escape_markup(_shown(inner))}"


def _is_table(value: Any) -> bool:  # noqa: ANN401  plain data
    return isinstance(value, dict | list | tuple)


def _shown(value: Any) -> str:  # noqa: ANN401  plain data
    """Return a value in one line: `none` for nothing, words for truth, commas between the items of a list."""
    if value is None or value in ((), [], {}):
        return "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def numbered_lines(actions: Sequence[A], cells: Callable[[A], Sequence[str]]) -> Iterator[str]:
    r"""List choices by number, each in a few cells: what, then what it asks and gives.

    >>> print("\n".join(numbered(["rest", "whiskey"], lambda name: (name, f"{len(name)} letters"))))
      [bold] 1[/]  rest     4 letters
      [bold] 2[/]  whiskey  7 letters
    """
    shown = actions[:MOST_NUMBERED]
    for number, line in enumerate(columns([cells(action) for action in shown]), 1):
        yield f"  [bold]{number:>2}[/]  {line}"
    if len(actions) > len(shown):
        yield f"  [dim] …  and so on, up to {len(actions):,}[/]"


def read_number(answer: str, actions: Sequence[A]) -> A | Reply:
    """Return the choice of that number in the list, or say which numbers there are.

    >>> read_number("2", ["rest", "whiskey"]), read_number("3", ["rest", "whiskey"])
    ('whiskey', Reply(lines=('[red]type a number from 1 to 2, or q to leave[/]',)))
    """
    if answer.isdecimal() and len(answer) <= len(str(len(actions))) and 1 <= int(answer) <= len(actions):
        return actions[int(answer) - 1]
    return Reply((f"[red]type a number from 1 to {len(actions)}, or q to leave[/]",))
