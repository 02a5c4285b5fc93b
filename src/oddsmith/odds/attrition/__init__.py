"""Two pools of points wear each other down in rounds: backward induction finds what every state is worth.

`contest` states the problem and checks it, `rounds` solves it from the last round to the first, `plans` and `frontier`
reduce hands to few options, `kernels` and `frontier_walk` are the compiled loops over them. The method is derived in
[Perfect play](../../../../docs/explanation/perfect-play.md).
"""

from oddsmith.odds.attrition.contest import Contest, Exchange, Hands, Values, solve

__all__ = ["Contest", "Exchange", "Hands", "Values", "solve"]
