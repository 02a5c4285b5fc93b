"""Duels in bulk: what is counted is exact, what is concluded from it has an error."""

from oddsmith.sim.duels import play_duels
from oddsmith.sim.estimates import Estimate, Proportion
from oddsmith.sim.perfect import perfect_prospects
from oddsmith.sim.tally import Tally

__all__ = ["Estimate", "Proportion", "Tally", "perfect_prospects", "play_duels"]
