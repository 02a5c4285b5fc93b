"""The checks, by what they judge; loading this makes them known."""

from oddsmith.balance.checks import claims, supplies

__all__ = ["claims", "supplies"]
