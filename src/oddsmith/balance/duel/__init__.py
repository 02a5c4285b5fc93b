"""The Combat Duel, judged: its figures, and what it shows to the checks."""
