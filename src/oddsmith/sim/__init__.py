"""Games in bulk: what is counted is exact, what is concluded from it has an error."""

from oddsmith.sim.duels import play_duels
from oddsmith.sim.estimates import Estimate, Proportion
from oddsmith.sim.perfect import perfect_prospects
from oddsmith.sim.runs import play_runs
from oddsmith.sim.runs_report import RunEnd, RunsReport
from oddsmith.sim.tally import Tally

__all__ = [
    "Estimate",
    "Proportion",
    "RunEnd",
    "RunsReport",
    "Tally",
    "perfect_prospects",
    "play_duels",
    "play_runs",
]
