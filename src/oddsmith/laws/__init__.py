"""The laws that every game keeps, and the kit that holds them against any game.

>>> from oddsmith.laws import LAWS
>>> LAWS["conservation"]
'No card is lost or made.'
"""

from oddsmith.laws.runner import LAWS, LawResult, Report, check_game

__all__ = ["LAWS", "LawResult", "Report", "check_game"]
