"""Commands that play, serve, watch, replay and verify matches."""

from collections.abc import Callable


def find_command(name: str) -> Callable[..., None]:
    """Return the function of a command."""
    from oddsmith.cli.match import join, matches, play, record, replay, serve, verify, watch

    commands: dict[str, Callable[..., None]] = {
        "play": play.play_game,
        "replay": replay.replay_record,
        "verify": verify.verify_record,
        "serve": serve.serve_matches,
        "matches": matches.list_matches,
        "open": matches.open_match,
        "join": join.join_match,
        "watch": watch.watch_match,
        "record": record.get_record,
    }
    return commands[name]
