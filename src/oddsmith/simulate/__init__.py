"""Games in bulk: what is counted is exact, what is concluded from it has an error."""

from oddsmith.estimate import Estimate, Proportion
from oddsmith.simulate.duels import play_duels
from oddsmith.simulate.perfect import perfect_prospects
from oddsmith.simulate.runs import play_runs
from oddsmith.simulate.runs_report import RunEnd, RunsReport
from oddsmith.simulate.tally import Tally

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
