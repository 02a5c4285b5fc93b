"""A design is swept: its figures are read at every point of a grid, or of a sample, and kept in one table."""
