"""Lint: a game shows facts about its rules as exhibits, and every check judges the exhibits of its kind."""
