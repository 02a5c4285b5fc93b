"""Duels are solved while a bar shows how far that is."""

from oddsmith.cli.terminal.console import progress_bar
from oddsmith.games.duel.odds import Objective, Solved, solve, solve_reply
from oddsmith.games.duel.rules import Rules

__all__ = ["solved_duel", "solved_reply"]


def solved_duel(rules: Rules, objective: Objective) -> Solved:
    """Solve the duel with the house, or take it from the disk cache, while a bar shows how far that is."""
    with progress_bar("solving every position of the duel") as progress:
        return solve(rules, objective, progress=progress)


def solved_reply(rules: Rules, seat: int) -> Solved:
    """Solve the best reply to a rival who splits at random, likewise."""
    with progress_bar("solving every position against a random rival") as progress:
        return solve_reply(rules, seat, progress=progress)
