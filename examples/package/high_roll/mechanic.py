"""The mechanic that the entry point of this package names."""

from high_roll.position import HighRoll
from oddsmith.position import Mechanic

MECHANIC = Mechanic(HighRoll, title="High Roll", summary="Roll a die, and once more if you like.")
