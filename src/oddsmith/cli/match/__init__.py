"""Commands that play, serve, watch, replay and verify matches."""
