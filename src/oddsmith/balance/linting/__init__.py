"""Lint: checks that judge exhibits, which are facts that a mechanic computes from its rules."""
