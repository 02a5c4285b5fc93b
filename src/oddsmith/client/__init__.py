"""The Python client of a server: `Client` blocks, the methods of `AsyncClient` are coroutines."""

from oddsmith.client.asynchronous import AsyncClient, AsyncWatch
from oddsmith.client.blocking import Client, Watch
from oddsmith.client.calls import GameSummary, JoinReply, MatchPage, OpenMatchReply, new_id, new_join_id
from oddsmith.client.replies import Frame, VersionEvents, read_frame

__all__ = [
    "AsyncClient",
    "AsyncWatch",
    "Client",
    "Frame",
    "GameSummary",
    "JoinReply",
    "MatchPage",
    "OpenMatchReply",
    "VersionEvents",
    "Watch",
    "new_id",
    "new_join_id",
    "read_frame",
]
