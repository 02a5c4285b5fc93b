"""Casino: capture cards from the table by value, build sums, sweep the table."""
