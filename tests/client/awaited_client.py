"""The asynchronous client with the methods of the blocking one, so that one test covers both."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, Self

from oddsmith.client import AsyncClient, AsyncWatch, Frame


class AwaitedClient:
    """An `AsyncClient` whose calls run to completion in an event loop of its own."""

    def __init__(self, url: str, **options: float) -> None:
        self._runner = asyncio.Runner()
        self._client = AsyncClient(url, **options)
        self.url = self._client.url

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._client, name)
        return lambda *given, **named: self._runner.run(method(*given, **named))

    def watch(self, match: str, **options: Any) -> "AwaitedWatch":  # noqa: ANN401  options of the client's `watch`
        return AwaitedWatch(self._runner, self._client.watch(match, **options))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._client.close())
        self._runner.close()


class AwaitedWatch:
    """An `AsyncWatch` whose frames are awaited one by one in the client's event loop."""

    def __init__(self, runner: asyncio.Runner, watch: AsyncWatch) -> None:
        self._runner = runner
        self._watch = watch

    def __iter__(self) -> Iterator[Frame]:
        frames = aiter(self._watch)

        async def next_frame() -> Frame | None:
            return await anext(frames, None)

        while (frame := self._runner.run(next_frame())) is not None:
            yield frame

    def __getattr__(self, name: str) -> bool:
        value: bool = getattr(self._watch, name)
        return value

    def close(self) -> None:
        self._runner.run(self._watch.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
