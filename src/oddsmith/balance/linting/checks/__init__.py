"""The checks, by the exhibits that they judge; importing this package registers them."""

from oddsmith.balance.linting.checks import claims, ladders, play, prices, tables, whole_games

__all__ = ["claims", "ladders", "play", "prices", "tables", "whole_games"]
