"""Checks of mechanics before they are served, so that one that is broken is left out, and the others are served.

A source, which is a file or `module:NAME`, is first loaded in a process of its own: `python -m oddsmith.server.mechanic_check`.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

import msgspec
import structlog

from oddsmith import wire
from oddsmith.errors import InputError, OddsmithError
from oddsmith.mechanic import Mechanic
from oddsmith.mechanic_source import describe_error, exit_error, find_line, loop_error, source_name
from oddsmith.registry import (
    SECONDS_VARIABLE,
    VARIABLE,
    Problem,
    absolute_source,
    add_sources,
    find_mechanic,
    leave_out,
    load_seconds,
    mechanic_names,
)
from oddsmith.server.game_operations import game_summary
from oddsmith.server.openapi_games import game_types
from oddsmith.server.schemas import component_schemas, self_contained_schema
from oddsmith.thread_limit import LimitError, run_with_limit

SECONDS_TO_START: Final = 20.0
"""How long a process may take beyond the time limit of an import: it ends an endless loop of Python by itself."""


class _Found(msgspec.Struct, frozen=True):
    """The reply of a checking process: what is wrong, None where nothing is."""

    problem: Problem | None


def add_servable(sources: Iterable[str], seconds: float) -> tuple[Problem, ...]:
    """Add the mechanics of those sources that can be served, and return what is wrong with the others.

    Each source is imported in a process of its own first: it is killed where that takes longer than `seconds`.
    """
    os.environ[SECONDS_VARIABLE] = f"{seconds:g}"
    given = list(dict.fromkeys(map(absolute_source, sources)))
    found = check_sources(given, seconds)
    problems = [problem for problem in found if problem is not None]
    for source, problem in zip(given, found, strict=True):
        if problem is None:
            try:
                add_sources([source])
            except InputError as error:
                problems.append(Problem.of(source, error))
    return tuple(problems)


def check_sources(sources: Sequence[str], seconds: float) -> tuple[Problem | None, ...]:
    """Return what is wrong with each source, which is loaded in a process of its own; None where it can be served."""
    running = [_start_check(source, seconds) for source in sources]
    try:
        return tuple(
            _finish_check(process, source, seconds) for process, source in zip(running, sources, strict=True)
        )
    finally:
        for process in running:
            if process.poll() is None:
                process.kill()
                process.communicate()


def _start_check(source: str, seconds: float) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, VARIABLE: "", SECONDS_VARIABLE: f"{seconds:g}"}
    command = [sys.executable, "-m", __name__, source]
    return subprocess.Popen(  # noqa: S603  this interpreter and this module
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C ends it by its parent, which kills it
    )


def _finish_check(process: "subprocess.Popen[bytes]", source: str, seconds: float) -> Problem | None:
    name = source_name(source)
    try:
        output, _ = process.communicate(timeout=seconds + SECONDS_TO_START)
    except subprocess.TimeoutExpired:
        return Problem.of(source, loop_error(name, None, seconds))
    with suppress(OddsmithError):
        return wire.from_json(output, _Found).problem
    return Problem.of(source, exit_error(name, None, f"status {process.returncode}"))


# --- in the process of a check ---------------------------------------------------------------------------------------


def main(source: str) -> None:
    """Load a source, and write what is wrong with it as JSON to standard output, to which the source cannot write."""
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        output.write(wire.to_json(_Found(_find_problem(source))))
    os._exit(0)  # threads that the source has started must not keep the process alive


def _find_problem(source: str) -> Problem | None:
    leave_out_broken()  # loads the installed mechanics, which is not to count as time of the source
    try:
        [name] = add_sources([source])
        require_servable(find_mechanic(name), source=source)
    except InputError as error:
        return Problem.of(source, error)
    return None


def require_servable(mechanic: Mechanic, *, source: str | None = None) -> None:
    """Raise `InputError` for a mechanic that cannot be listed, or, where its source is named, whose types cannot be described.

    That of a source must not take longer than its import may.
    """
    try:
        if source is None:
            game_summary(mechanic)
        else:
            run_with_limit(lambda: _describe(mechanic), load_seconds())
    except LimitError as error:
        raise loop_error(
            _place(mechanic, source), find_line(error.__cause__ or error, source), error.seconds
        ) from error
    except OddsmithError as error:
        raise _part_error(mechanic, source, error, error.refusal.sentence) from error
    except Exception as error:
        raise _part_error(mechanic, source, error, describe_error(error)) from error


def _describe(mechanic: Mechanic) -> None:
    """Use all parts of a mechanic that a server needs, and make the schemas of its types."""
    game_summary(mechanic)
    _ = mechanic.figures, mechanic.metrics
    for question in mechanic.questions.values():
        component_schemas([question.request])
        component_schemas([question.reply], is_reply=True)
    self_contained_schema(mechanic.rules_type, game=mechanic.name)
    component_schemas([*game_types(mechanic.name).values()], is_reply=True)


def _place(mechanic: Mechanic, source: str | None) -> str:
    return source_name(source) if source else mechanic.name


def _part_error(mechanic: Mechanic, source: str | None, error: Exception, what: str) -> InputError:
    name, line = _place(mechanic, source), find_line(error, source)
    place = f"'{name}'" if line is None else f"'{name}', line {line},"
    where = name if line is None else f"{name}:{line}"
    return InputError("broken_mechanic", f"{place} cannot be served: {what}", where=where)


def leave_out_broken() -> None:
    """Leave out all mechanics of this process that cannot be loaded and listed; a line of the log has the reason."""
    for name in mechanic_names():
        try:
            require_servable(find_mechanic(name))
        except InputError as error:
            leave_out(name, error.refusal.sentence)
            structlog.get_logger().warning("mechanic left out", game=name, sentence=error.refusal.sentence)


if __name__ == "__main__":
    main(*sys.argv[1:])
