"""`oddsmith new mechanic`: write the files of a mechanic that plays at once."""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import typer

from oddsmith.command_line import AsJson, help_without_a_command

new_app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    invoke_without_command=True,
    callback=help_without_a_command,
    help="Begin something of your own.\n\nExample: oddsmith new mechanic pig --kind dice",
)


@new_app.command("mechanic")
def new_mechanic(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="Its name, as in liars_dice: of the file, of the commands, of records."
        ),
    ],
    *,
    kind: Annotated[
        str,
        typer.Option(
            "--kind", metavar="dice|cards|hidden|simultaneous", help="The game that it starts from."
        ),
    ] = "dice",
    folder: Annotated[
        Path, typer.Option("--folder", metavar="FOLDER", help="Where the files are written.")
    ] = Path(),
    as_json: AsJson = False,
) -> None:
    """Write a game that plays, its test, and its rules as a file.

    Example: oddsmith new mechanic pig --kind dice
    """
    import shlex

    from oddsmith.cli.replies import NewMechanicReply
    from oddsmith.cli.terminal.files import require_free, write_new
    from oddsmith.command_line import print_reply
    from oddsmith.registry import mechanic_names
    from oddsmith.starters import make_files
    from oddsmith.text import escape_markup

    made = make_files(name, kind)
    root: Any = context.find_root()
    _require_free_name(name, commands=root.command.list_commands(root), games=mechanic_names())
    texts = {str(folder / file): text for file, text in made.items()}
    for path in texts:
        _require_new(path)
        require_free(path, force=True)
    for path, text in texts.items():
        write_new(path, text, what="mechanic")
    game, test, _ = texts
    source = shlex.quote(game if folder.is_absolute() else f"./{game}")
    following = (f"oddsmith play {source}", f"oddsmith laws {source}", f"oddsmith serve {source}")
    reply = NewMechanicReply(name=name, kind=kind, files=(*texts,), next=following)
    lines = [
        f"wrote {', '.join(f'[bold]{escape_markup(path)}[/]' for path in texts)}",
        f"next, beside an editor and pytest {escape_markup(shlex.quote(test))}:",
        *(f"  [bold]{escape_markup(command)}[/]" for command in following),
    ]
    print_reply(reply, lines, as_json=as_json)


def _require_new(path: str) -> None:
    from oddsmith.errors import InputError

    if Path(path).exists() or Path(path).is_symlink():
        sentence = f"'{path[:80]}' exists already: choose another name, or another --folder"
        raise InputError("file_exists", sentence, where=path)


def _require_free_name(name: str, *, commands: Collection[str], games: Collection[str]) -> None:
    """Refuse the name of a command, or of a mechanic that is known: commands and records find a mechanic by its name."""
    from oddsmith.errors import InputError

    if name in games:
        sentence = f"there is a mechanic '{name}' already: choose another name"
        raise InputError("name_taken", sentence, where="name")
    if name in commands:
        sentence = f"'{name}' is a command of oddsmith: choose another name"
        raise InputError("name_taken", sentence, where="name")
