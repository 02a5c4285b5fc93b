"""Solver for contests in which two pools of points wear each other down in rounds, by backward induction.

`contest` has the problem, its checks and its solution. `rounds` solves it from the last round to the first. `plans`
and `frontier` reduce hands to classes with few options. `kernels` and `frontier_kernels` have the compiled loops
over them. The method is derived in [Perfect play](../../../../docs/explanation/perfect-play.md).
"""

from oddsmith.odds.attrition.contest import Contest, Exchange, Hands, Values, solve

__all__ = ["Contest", "Exchange", "Hands", "Values", "solve"]
