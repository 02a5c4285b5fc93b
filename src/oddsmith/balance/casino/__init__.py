"""Casino, judged: its figures, and what it shows to the checks."""
