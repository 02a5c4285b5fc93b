"""What handlers work with."""

from oddsmith.server.hub import Hub
from oddsmith.server.slow_questions import SlowQuestions


class Services:
    """The matches of a server, and its thread pool for slow work; `hub` is set while the server runs."""

    hub: Hub

    def __init__(self) -> None:
        self.slow = SlowQuestions()
