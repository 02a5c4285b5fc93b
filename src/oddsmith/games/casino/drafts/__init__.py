"""Drafts of a move: what a player puts together before it moves, and what that can become (§3, §6)."""
