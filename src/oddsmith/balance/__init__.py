"""A design is judged: its figures, its flaws, what would meet its targets, and what was really played."""
