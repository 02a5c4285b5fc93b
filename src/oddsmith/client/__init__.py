"""The Python client of a server: `Client` blocks, `AsyncClient` is awaited."""

from oddsmith.client.asynchronous import AsyncClient, AsyncWatch
from oddsmith.client.blocking import Client, Watch
from oddsmith.client.calls import Joined, Listed, MatchPage, Opening, new_id, new_join_id
from oddsmith.client.replies import Frame, Heard, read_frame

__all__ = [
    "AsyncClient",
    "AsyncWatch",
    "Client",
    "Frame",
    "Heard",
    "Joined",
    "Listed",
    "MatchPage",
    "Opening",
    "Watch",
    "new_id",
    "new_join_id",
    "read_frame",
]
