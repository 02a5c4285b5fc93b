"""Exact distributions, comparison, convolution, class tables, backward induction: nothing here knows a game."""
