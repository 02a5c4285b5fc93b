"""Sweeps: the figures of a design at every point of a grid or a sample, written as one table."""

from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.balance.sweeping.runner import SweepPlan, SweepResult, plan_sweep, write_sweep
from oddsmith.balance.sweeping.sweep_files import parse_sweep, read_sweep

__all__ = ["Sweep", "SweepPlan", "SweepResult", "parse_sweep", "plan_sweep", "read_sweep", "write_sweep"]
