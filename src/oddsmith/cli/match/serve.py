"""`oddsmith serve`: matches for everybody who can reach this machine."""

from pathlib import Path
from typing import Annotated

import typer

from oddsmith.errors import MissingExtraError


def serve_matches(
    mechanics: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE.py...",
            help="Mechanics of your own, served with the others; they run with all your rights on this machine.",
        ),
    ] = None,
    *,
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="Where to listen; 127.0.0.1: this machine alone."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="NUMBER", help="The port; 8077, or 0 for any free one."),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="FILE|URL", help="A file, or postgresql://…; oddsmith.db."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="NUMBER", help="The number of processes; 1.")
    ] = None,
    origins: Annotated[
        list[str] | None,
        typer.Option(
            "--origin", metavar="URL", help="The origin of another site whose pages may use it; repeat."
        ),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="These and all other settings, as TOML.")
    ] = None,
    reload: Annotated[
        bool, typer.Option("--reload", help="Load a file again when it is saved; pages follow by themselves.")
    ] = False,
    openapi: Annotated[
        bool, typer.Option("--openapi", help="Only print the description of the interface, as OpenAPI.")
    ] = False,
) -> None:
    """Serve matches to browsers and programs; Ctrl-C stops it.

    A file that cannot be loaded is left out, and said on stderr with the reason.

    Example: oddsmith serve ./pig.py --port 9000 --store matches.db --reload
    """
    try:
        from oddsmith.server.application import make_app
        from oddsmith.server.mechanic_check import add_servable
        from oddsmith.server.reloading import require_reloadable
        from oddsmith.server.run import serve
        from oddsmith.server.settings import Settings
    except ImportError as error:
        raise MissingExtraError(
            "no_server", "a server needs more packages: install oddsmith[serve]"
        ) from error
    settings = Settings.load(
        file=config,
        host=host,
        port=port,
        store=store,
        workers=workers,
        origins=tuple(origins) if origins else None,
    )
    if reload and not openapi:
        require_reloadable(settings, mechanics or ())
        serve(settings, reloaded=mechanics or ())
        return
    for problem in add_servable(mechanics or (), settings.seconds_to_load):
        typer.echo(f"warning: left out: {problem.reason}", err=True)
    if openapi:
        typer.echo(make_app(settings).openapi().decode())
    else:
        serve(settings)
