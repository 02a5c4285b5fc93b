"""`oddsmith rules GAME`: the rules in force, to read or to edit."""

from typing import Annotated

import typer

from oddsmith.cli.options import AsJson, RulesFile

__all__ = ["rules"]


def rules(
    game: Annotated[str, typer.Argument(help="The name of a game, such as destiny.")],
    *,
    file: RulesFile = "default",
    toml: Annotated[
        bool, typer.Option("--toml", help="Print TOML that --rules reads, ready to edit.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show a game's rules: every number and switch, and the id of the whole.

    Example: `oddsmith rules destiny --toml > house.toml`
    """
    from oddsmith import wire
    from oddsmith.cli.console import console, print_json
    from oddsmith.games import find_game

    kind = find_game(game).rules_type
    ruleset = kind.read(file)
    if as_json:
        print_json({"game": game, "rules_id": ruleset.rules_id, "rules": ruleset})
    elif toml:
        typer.echo(f"# {game}, rules {ruleset.rules_id[:12]}\n{ruleset.to_toml()}", nl=False)
    else:
        out = console()
        out.print(f"[bold]{game}[/]  rules {ruleset.rules_id[:12]}  presets: {', '.join(kind.presets())}")
        for name, value in wire.builtins(ruleset).items():
            out.print(f"[bold]{name}[/] = {_brief(value)}", markup=True)


def _brief(value: object) -> str:
    """Write a value in one line, as TOML would."""
    match value:
        case dict():
            inner = ", ".join(f"{key} = {_brief(part)}" for key, part in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case list() | tuple():
            return f"\\[{', '.join(_brief(part) for part in value)}]"
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
    return str(value)
