"""Play as a source of figures for any game: who wins, how long it takes, what is chosen, and what luck decides."""
