"""Observed play beside exact values: metrics of records and logs, and how unlikely they are under the rules."""
