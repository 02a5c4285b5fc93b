"""Duels in bulk: what is counted is exact, what is concluded from it has an error."""
