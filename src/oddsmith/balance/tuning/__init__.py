"""Tuning: numbers of the rules changed within bounds until figures meet their targets."""
