"""The games, each in a house of its own with the same rooms."""
