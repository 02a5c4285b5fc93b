"""The matches of a server process: loaded, cached, commanded, clocked and played by bots.

`MatchService` is what requests and sockets use. A command takes one path, whoever sends it: `commands.CommandRunner`.
"""

from oddsmith.server.matches.live_match import LiveMatch, Subscriber
from oddsmith.server.matches.service import MatchService

__all__ = ["LiveMatch", "MatchService", "Subscriber"]
