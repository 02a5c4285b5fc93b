"""Logs of matches, kept so that what was acknowledged is never lost."""
