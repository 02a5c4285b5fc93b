"""The laws that every game keeps, and the kit that holds them against any game.

>>> from oddsmith.laws import LAWS
>>> LAWS["conservation"]
'No card is lost or made.'
"""

from oddsmith.laws.kit import LAWS, Held, Report, check_game

__all__ = ["LAWS", "Held", "Report", "check_game"]
