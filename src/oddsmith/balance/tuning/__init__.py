"""Tuning: numbers of the rules are changed until figures meet their targets."""
