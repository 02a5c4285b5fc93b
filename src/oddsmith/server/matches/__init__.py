"""The matches of a server process: cache, commands, group commit, time limits, bots and balance metrics.

Requests and sockets use `MatchService`. Every command, of a client, a bot or a clock, is run by `commands.CommandRunner`.
"""

from oddsmith.server.matches.live_matches import LiveMatch, ShownDraft, Subscriber
from oddsmith.server.matches.service import MatchService

__all__ = ["LiveMatch", "MatchService", "ShownDraft", "Subscriber"]
