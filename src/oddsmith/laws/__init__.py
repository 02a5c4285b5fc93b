"""The conformance kit: laws that every game keeps, and `check_game`, which checks them in random games.

>>> from oddsmith.laws import LAWS
>>> LAWS["conservation"]
'No card is lost or added.'
"""

from oddsmith.laws.random_rulesets import check_random_rules, random_rules
from oddsmith.laws.runner import LAWS, LawResult, RandomRulesResult, Report, check_game

__all__ = [
    "LAWS",
    "LawResult",
    "RandomRulesResult",
    "Report",
    "check_game",
    "check_random_rules",
    "random_rules",
]
