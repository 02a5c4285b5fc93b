"""`oddsmith rules GAME`: print the rules in force as text, JSON or TOML."""

from collections.abc import Iterator, Mapping
from textwrap import fill
from typing import Annotated

import typer

from oddsmith.command_line import AsJson, GameName, RulesFile, Settings


def rules(
    game: GameName,
    *,
    file: RulesFile = "default",
    settings: Settings = None,
    toml: Annotated[
        bool, typer.Option("--toml", help="Print TOML that --rules reads, ready to edit.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show a game's rules, every number and switch.

    Example: oddsmith rules destiny --toml > house.toml
    """
    from oddsmith import wire
    from oddsmith.cli.replies import RulesReply
    from oddsmith.command_line import console, print_json
    from oddsmith.registry import find_mechanic
    from oddsmith.text import escape_markup

    kind = find_mechanic(game).rules_type
    ruleset = kind.read(file).with_settings(settings or ())
    if as_json:
        print_json(RulesReply(game=game, rules_id=ruleset.rules_id, rules=ruleset))
    elif toml:
        typer.echo(f'# rules {ruleset.rules_id[:12]}\ngame = "{game}"\n{ruleset.to_toml()}', nl=False)
    else:
        out = console()
        out.print(f"[bold]{game}[/]  rules {ruleset.rules_id[:12]}  presets: {', '.join(kind.presets())}\n")
        for line in _lines(wire.to_builtins(ruleset), out.width):
            out.print(escape_markup(line))


def _lines(values: Mapping[str, object], width: int) -> Iterator[str]:
    """Yield numbers and switches first, then one paragraph for each table."""
    flat = {name: value for name, value in values.items() if not isinstance(value, dict)}
    yield from _paragraph(flat, width)
    for name, value in values.items():
        if isinstance(value, dict):
            yield from ("", name, *_paragraph(value, width, indent="  "))


def _paragraph(values: Mapping[str, object], width: int, *, indent: str = "") -> Iterator[str]:
    longest = max(map(len, values), default=0)
    hanging = " " * (len(indent) + longest + 2)
    for name, value in values.items():
        line = f"{indent}{name:<{longest}}  {_brief(value)}"
        yield from fill(line, width, subsequent_indent=hanging, break_on_hyphens=False).splitlines()


def _brief(value: object) -> str:
    """Write a value in one line, without what is empty.

    >>> _brief({"flat": 15, "suits": {"spades": 5}, "ranks": {}}), _brief([[1, 0], [5, 3]]), _brief(True)
    ('flat 15, suits (spades 5)', '1:0, 5:3', 'yes')
    """
    match value:
        case dict():
            return ", ".join(
                f"{key} {_inner(part)}" for key, part in value.items() if part not in ({}, [], (), None, "")
            )
        case list() | tuple():
            return ", ".join(_brief(part).replace(", ", ":") for part in value)
        case bool():
            return "yes" if value else "no"
    return str(value)


def _inner(value: object) -> str:
    return f"({_brief(value)})" if isinstance(value, dict) else _brief(value)
