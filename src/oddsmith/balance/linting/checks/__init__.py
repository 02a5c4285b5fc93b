"""The checks, by what they judge; loading this makes them known."""

from oddsmith.balance.linting.checks import claims, ladders, play, prices, tables

__all__ = ["claims", "ladders", "play", "prices", "tables"]
