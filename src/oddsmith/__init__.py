"""The workbench for games of chance."""
