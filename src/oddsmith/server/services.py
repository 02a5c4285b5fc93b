"""The services that handlers of operations use."""

from oddsmith.server.matches import MatchService
from oddsmith.server.slow_questions import SlowQuestions


class Services:
    """The matches of a server, and its thread pool for slow work; `matches` is set while the server runs."""

    matches: MatchService

    def __init__(self) -> None:
        self.slow = SlowQuestions()
