"""Exact distributions, convolution, class tables and backward induction, independent of any game."""
