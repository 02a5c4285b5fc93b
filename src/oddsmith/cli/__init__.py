"""One command per verb; nothing heavy is loaded before a command runs."""

import os
import sys
from typing import Annotated, Any

import typer

from oddsmith.cli import destiny, laws, play, replay, rules
from oddsmith.errors import OddsmithError

__all__ = ["app", "main"]

REFUSED = 2
INTERRUPTED = 130

app = typer.Typer(
    name="oddsmith",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Play games of chance, and prove their odds exactly.\n\n"
    "Example: `oddsmith destiny odds bank_robbery --skill lockpicking=50 --skill stealth=40`",
)
app.add_typer(destiny.app, name="destiny")
app.command(name="rules")(rules.rules)
app.command(name="play")(play.play_game)
app.command(name="replay")(replay.replay_record)
app.command(name="laws")(laws.check_laws)


def _version(asked: bool) -> None:  # noqa: FBT001  typer calls it with the flag
    if asked:
        from importlib.metadata import version

        typer.echo(f"oddsmith {version('oddsmith')}")
        raise typer.Exit


@app.callback()
def options(
    *,
    no_color: Annotated[bool, typer.Option("--no-color", help="Plain text, as with NO_COLOR=1.")] = False,
    version: Annotated[  # noqa: ARG001  handled by its callback
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Set what holds for every command."""
    if no_color:
        os.environ["NO_COLOR"] = "1"


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a refusal is one sentence on stderr and exit status 2."""
    given = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdout, sys.stderr):
        _never_fail_on_symbols(stream)
    try:
        app(args=given, prog_name="oddsmith")
    except OddsmithError as error:
        _refuse(error, as_json="--json" in given)
        raise SystemExit(REFUSED) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(REFUSED) from None


def _never_fail_on_symbols(stream: Any) -> None:  # noqa: ANN401  a text stream, or what a test put in its place
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")


def _refuse(error: OddsmithError, *, as_json: bool) -> None:
    if as_json:
        from oddsmith.wire import to_json

        typer.echo(to_json({"error": error.refusal}).decode(), err=True)
    else:
        place = f" (§{error.refusal.paragraph})" if error.refusal.paragraph else ""
        typer.echo(f"error: {error.refusal.sentence}{place}", err=True)
