"""Matches over HTTP and WebSocket; a server meets games only through tables, never through their models."""
