"""A match as a pure machine over any game: seats, versions, clocks, fairness; no input, no output."""
