"""The services that handlers of operations use."""

from oddsmith.server.matches import MatchService
from oddsmith.server.rule_calls import RuleCalls
from oddsmith.server.slow_questions import SlowQuestions


class Services:
    """The matches of a server, its thread pool for slow work, and its calls of rules; `matches` is set while the server runs."""

    matches: MatchService

    def __init__(self, rules: RuleCalls | None = None) -> None:
        self.slow = SlowQuestions()
        self.rules = rules or RuleCalls()
