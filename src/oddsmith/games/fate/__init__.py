"""The Fate Deck: a small deck that remembers, checks with triggers, and a table of players around it.

Exact odds from what a seat knows live in `oddsmith.games.fate.odds`.
"""
