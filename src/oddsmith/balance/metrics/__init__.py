"""Metrics of played games beside exact values, with tests of the difference."""
