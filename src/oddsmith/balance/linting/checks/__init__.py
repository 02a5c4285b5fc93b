"""The checks, by what they judge; loading this makes them known."""

from oddsmith.balance.linting.checks import claims, ladders, matches, play, prices, supplies, tables

__all__ = ["claims", "ladders", "matches", "play", "prices", "supplies", "tables"]
