"""Dice Hands, judged: its figures, and what it shows to the checks."""
