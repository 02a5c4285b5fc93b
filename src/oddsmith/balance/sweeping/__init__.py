"""A design is swept: its figures are read at every point of a grid, or of a sample, and kept in one table."""

from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.balance.sweeping.runner import Planned, Swept, plan_sweep, write_sweep
from oddsmith.balance.sweeping.sweep_files import read_sweep, sweep_from

__all__ = ["Planned", "Sweep", "Swept", "plan_sweep", "read_sweep", "sweep_from", "write_sweep"]
