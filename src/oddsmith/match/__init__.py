"""Matches of any game as a pure state machine: seats, versions, clocks, provable luck. No input or output."""
