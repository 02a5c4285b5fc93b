"""The browser client, in a real browser on a real server."""
