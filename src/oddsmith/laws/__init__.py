"""The conformance kit: laws that every game keeps, and `check_game`, which checks them in random games.

>>> from oddsmith.laws import LAWS
>>> LAWS["conservation"]
'No card is lost or added.'
"""

from oddsmith.laws.runner import LAWS, LawResult, Report, check_game

__all__ = ["LAWS", "LawResult", "Report", "check_game"]
