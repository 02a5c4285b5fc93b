"""Commands made when they are first asked for: groups of them, and the commands of a mechanic from its questions.

Options come from the fields of a request, lines from the reply.
"""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, ClassVar, Final, NamedTuple

import typer
from msgspec.structs import replace
from typer.core import TyperGroup

from oddsmith.command_line import (
    AsJson,
    FixedSeed,
    NewFile,
    Plot,
    RulesFile,
    Seed,
    Settings,
    help_without_a_command,
)
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.mechanic import AnyQuestion, Mechanic
from oddsmith.points import Points
from oddsmith.question import RequestField, fields_of, read_field, read_request, without_spreads


class LazyCommands(TyperGroup):
    """A group that knows the names of its commands, and makes one when it is asked for."""

    names: ClassVar[Callable[[], Sequence[str]]]
    make: ClassVar[Callable[[str], Any]]

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  typer does not publish click's types
        """Return the names of the commands, in the order of the help."""
        return list(type(self).names())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  as above
        """Return the command of that name; None where there is none."""
        if cmd_name not in self.commands:
            made = type(self).make(cmd_name)
            if made is None:
                return None
            self.commands[cmd_name] = made
        return self.commands[cmd_name]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the words begin with; where there is none, those of nearly that name are suggested."""
        if args and self.get_command(ctx, args[0]) is None:
            close = get_close_matches(args[0], self.list_commands(ctx))
            if close:
                ctx.fail(f"No such command {args[0]!r}. Did you mean {', '.join(map(repr, close))}?")
        return super().resolve_command(ctx, args)


def lazy_group(
    names: Callable[[], Sequence[str]],
    make: Callable[[str], Any],
    **settings: Any,
) -> typer.Typer:
    """Return a group whose commands `make` makes by name, None where there is none of it.

    Without a command, the group shows its help.
    """
    kind = type("Commands", (LazyCommands,), {"names": staticmethod(names), "make": staticmethod(make)})
    return typer.Typer(
        **{
            "cls": kind,
            "add_completion": False,
            "rich_markup_mode": None,
            "invoke_without_command": True,
            "callback": help_without_a_command,
            **settings,
        }
    )


def make_command(name: str, function: Callable[..., None], **settings: Any) -> Any:
    """Return the command that typer makes from a function."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name=name, **settings)(function)
    return typer.main.get_command(app)


REQUIRED: Final = inspect.Parameter.empty
RULES, SETTINGS, AS_JSON, SEED, PLOT, OUT = "rules_", "settings_", "as_json_", "seed_", "plot_", "out_"
"""Names of the parameters that are no fields; none of them is the name of a request's field."""
RULES_FIELD: Final = "rules"


def mechanic_commands(mechanic: Mechanic) -> typer.Typer:
    """Return the group of commands of a mechanic; none of its parts is loaded for that."""

    @cache
    def own() -> Mapping[str, Any]:
        return _own_commands(mechanic)

    def names() -> list[str]:
        questions = [question.name for question in mechanic.questions.values() if question.is_command]
        groups = [name for name, command in own().items() if hasattr(command, "commands")]
        return [*(name for name in own() if name not in groups), *questions, *groups]

    def make(name: str) -> Any:
        question = mechanic.questions.get(name)
        if question is None or not question.is_command:
            return own().get(name)
        return make_command(name, question_command(mechanic, question))

    example = f"\n\nExample: {mechanic.example}" if mechanic.example else ""
    return lazy_group(names, make, name=mechanic.name, help=f"{mechanic.command_help}{example}")


def _own_commands(mechanic: Mechanic) -> Mapping[str, Any]:
    """Return the commands of a mechanic that are no questions, by name."""
    if mechanic.add_commands is None:
        return {}
    app = typer.Typer(add_completion=False, rich_markup_mode=None, callback=help_without_a_command)
    mechanic.add_commands(app)
    return typer.main.get_group(app).commands


def question_command(mechanic: Mechanic, question: AnyQuestion) -> Callable[..., None]:
    """Return the function that typer makes the command of a question from."""
    request: Any = question.request
    fields = {
        "_".join(field.path): _command_field(question, field)
        for field in fields_of(request)
        if field.name not in question.command_values
    }

    def command(**given: Any) -> None:
        _run(mechanic, question, fields, given)

    parameters = [*_field_parameters(fields), *_shared_parameters(question)]
    command.__name__ = question.name
    example = f"\n\nExample: {question.example}" if question.example else ""
    command.__doc__ = f"{question.description}{example}"
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(command)["__signature__"] = inspect.Signature(parameters)
    return command


# --- options ---------------------------------------------------------------------------------------------------------


class _CommandField(NamedTuple):
    """A field of a request as its command takes it: the type that typer reads it with, and what typer gives where it is left out."""

    field: RequestField
    kind: Any
    default: Any


def _command_field(question: AnyQuestion, field: RequestField) -> _CommandField:
    default = question.command_defaults.get(field.name, field.default)
    if field.item_kind is not None or field.pair_kinds is not None:
        if field.is_required:
            return _CommandField(field, list[str], REQUIRED)
        return _CommandField(field, list[str] | None, None)
    kind = field.kind if field.kind in (int, float, bool) else str
    if field.is_required:
        return _CommandField(field, kind, REQUIRED)
    if default is None:
        return _CommandField(field, kind | None, None)
    return _CommandField(field, kind, str(default) if isinstance(default, Points) else default)


def _field_parameters(fields: Mapping[str, _CommandField]) -> Iterator[inspect.Parameter]:
    for name, (field, kind, default) in fields.items():
        annotated: Any = Annotated
        yield inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=annotated[kind, _typer_info(field)],
        )
        flag = field.hint.file_flag
        if flag is not None:
            yield inspect.Parameter(
                flag.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=False,
                annotation=Annotated[bool, typer.Option(f"--{flag.name}", help=flag.help)],
            )


def _typer_info(field: RequestField) -> Any:
    hint = field.hint
    is_bounded = field.kind in (int, float) and hint.shows_bounds and hint.code is None
    bounds: dict[str, Any] = {"min": field.ge, "max": field.le} if is_bounded else {}
    if hint.place == "argument":
        return typer.Argument(metavar=hint.metavar, help=hint.help, show_default=False, **bounds)
    names = hint.names or (f"--{field.name.replace('_', '-')}",)
    metavar = None if field.kind is bool else hint.metavar or "|".join(field.choices) or None
    return typer.Option(*names, metavar=metavar, help=hint.help, show_default=hint.shows_default, **bounds)


def _shared_parameters(question: AnyQuestion) -> Iterator[inspect.Parameter]:
    """Yield the options that are no fields: flags for show, luck, charts, a new file, rules, JSON."""
    shared: list[tuple[str, Any, Any]] = [
        (flag, Annotated[bool, typer.Option(f"--{flag.replace('_', '-')}", help=text)], False)
        for flag, text in question.terminal_flags.items()
    ]
    if question.draws:
        option = Seed if question.default_seed is None else FixedSeed
        shared.append((SEED, option, question.default_seed))
    if question.chart is not None:
        shared.append((PLOT, Plot, None))
    if question.new_file:
        shared.append((OUT, NewFile, None))
    if RULES_FIELD not in question.command_values:
        shared += [(RULES, RulesFile, "default"), (SETTINGS, Settings, None)]
    shared.append((AS_JSON, AsJson, False))
    for name, annotation, default in shared:
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


# --- answers ---------------------------------------------------------------------------------------------------------


def _run(
    mechanic: Mechanic, question: AnyQuestion, fields: Mapping[str, _CommandField], given: Mapping[str, Any]
) -> None:
    """Ask a question as the options say, and show its answer."""
    from oddsmith import wire
    from oddsmith.chance import Seeded, System
    from oddsmith.cli.terminal.console import progress_bar
    from oddsmith.command_line import console, print_json
    from oddsmith.question import Context
    from oddsmith.text import escape_markup

    as_json, plot, seed, out = given[AS_JSON], given.get(PLOT), given.get(SEED), given.get(OUT)
    if plot is not None:
        from oddsmith.cli.terminal.charts import require_chart

        require_chart(plot)
    source, settings = given.get(RULES, "default"), given.get(SETTINGS) or ()
    rules = mechanic.rules_type.read(source).with_settings(settings)
    data = _request_data(question, fields, given)
    if source != "default" or settings:
        data[RULES_FIELD] = wire.to_builtins(rules)
    _read_files(data, fields, given)
    request = _read_request(question, data)
    notes: list[str] = []
    context = Context(
        rules=rules,
        draw=System() if seed is None else Seeded(seed),
        seed=seed,
        progress=progress_bar,
        note=notes.append,
    )
    try:
        reply = question.answer(request, context)
    except WorkLimitError as error:
        if question.estimate is None or plot is not None:
            raise
        question = question.estimate
        reply = question.answer(request, replace(context, why_estimated=str(error)))
    if plot is not None and question.chart is not None:
        from oddsmith.cli.terminal.charts import draw_chart

        shown = request if not as_json else replace(request, **question.values_to_show)
        drawn = reply if shown == request else question.answer(shown, context)
        draw_chart(question.chart(shown, drawn, rules), plot)
    if out is not None:
        from oddsmith.cli.terminal.files import write_new

        write_new(out, getattr(reply, question.new_file), what=question.name)
    if as_json:
        print_json(reply)
    else:
        flags = {flag: given[flag] for flag in question.terminal_flags}
        if question.new_file:
            flags["out"] = out
        console().print("\n".join(_lines(mechanic, question)(request, reply, rules, **flags)))
    if notes and sys.stderr.isatty():
        console(stderr=True).print("\n".join(f"[dim]{escape_markup(note)}[/]" for note in notes))


def _read_request(question: AnyQuestion, data: Mapping[str, Any]) -> Any:
    try:
        return read_request(question.request, data)
    except InputError as error:
        raise InputError.of(without_spreads(question.request, error.refusal)) from error


def _request_data(
    question: AnyQuestion, fields: Mapping[str, _CommandField], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the plain data of the request without texts of files; what was not given keeps its default."""
    data: dict[str, Any] = {**question.command_defaults}
    for name, (field, _, default) in fields.items():
        if field.hint.from_file is not None:
            continue
        value = given[name]
        if value is None or (value == default and not field.is_required):
            continue
        if field.hint.json_only and not given[AS_JSON]:
            raise InputError(field.hint.code or "bad_value", field.hint.sentence or "")
        _put(data, field.path, read_field(field, value))
    data |= question.command_values
    if given.get(SEED) is not None:
        data |= question.seed_implies
    if not given[AS_JSON]:
        data |= question.values_to_show
    return data


def _read_files(data: dict[str, Any], fields: Mapping[str, _CommandField], given: Mapping[str, Any]) -> None:
    """Put the text of each field that is read from a file, where its path or its flag is given, into the data."""
    for name, (field, _, _) in fields.items():
        read, flag, path = field.hint.from_file, field.hint.file_flag, given[name]
        if read is None:
            continue
        is_flagged = False
        if flag is not None and given[flag.name]:
            if path is not None:
                raise InputError(flag.code, flag.sentence)
            is_flagged = True
        if is_flagged or path is not None:
            _put(data, field.path, read(path, data))


def _put(data: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for name in path[:-1]:
        data = data.setdefault(name, {})
    data[path[-1]] = value


def _lines(mechanic: Mechanic, question: AnyQuestion) -> Callable[..., Iterator[str]]:
    """Return what shows the replies of a question in a terminal."""
    from oddsmith.terminal import reply_lines

    own = {} if mechanic.terminal is None else mechanic.terminal.answer_lines
    return own.get(question.name) or question.lines or reply_lines
