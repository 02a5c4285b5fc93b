"""A design is swept: its figures are read at every point of a grid, or of a sample, and kept in one table."""

from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.balance.sweeping.runner import SweepPlan, SweepResult, plan_sweep, write_sweep
from oddsmith.balance.sweeping.sweep_files import parse_sweep, read_sweep

__all__ = ["Sweep", "SweepPlan", "SweepResult", "parse_sweep", "plan_sweep", "read_sweep", "write_sweep"]
