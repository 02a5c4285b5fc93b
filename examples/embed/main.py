"""A FastAPI application with a route of its own, and oddsmith below /games.

Run it with `uvicorn --app-dir examples/embed main:site`, and open http://127.0.0.1:8000/games/ in a browser.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from oddsmith import server

games = server.app(store="matches.db")


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    """Play matches while the site runs."""
    async with games:
        yield


site = FastAPI(title="A site with games", lifespan=lifespan)
site.mount("/games", games)


@site.get("/")
def home() -> dict[str, str]:
    """Say where the games are."""
    return {"games": "/games/"}
