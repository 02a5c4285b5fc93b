"""Commands that play, serve, watch, replay and verify matches."""

from collections.abc import Callable


def find_command(name: str) -> Callable[..., None]:
    """Return the function of a command."""
    commands: dict[str, Callable[..., None]]
    if name == "play":
        from oddsmith.cli.match.play import play_game

        commands = {"play": play_game}
    elif name == "serve":
        from oddsmith.cli.match.serve import serve_matches

        commands = {"serve": serve_matches}
    elif name in ("matches", "open"):
        from oddsmith.cli.match.matches import list_matches, open_match

        commands = {"matches": list_matches, "open": open_match}
    elif name in ("join", "watch"):
        from oddsmith.cli.match.join import join_match, watch_match

        commands = {"join": join_match, "watch": watch_match}
    else:
        from oddsmith.cli.match.records import get_record, replay_record, verify_record

        commands = {"replay": replay_record, "verify": verify_record, "record": get_record}
    return commands[name]
