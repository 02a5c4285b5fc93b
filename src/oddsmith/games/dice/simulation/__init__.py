"""Simulated games in bulk: counts are exact, conclusions have an error."""
