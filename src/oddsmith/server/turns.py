"""One at a time, in the order of their coming; who finds nobody inside goes in at once."""

import asyncio
from collections import deque


class Turn:
    """A lock that can also be taken without waiting, where it is free.

    >>> turn = Turn()
    >>> turn.enter_at_once(), turn.enter_at_once(), turn.is_taken
    (True, False, True)
    >>> turn.leave()
    >>> turn.is_taken
    False
    """

    def __init__(self) -> None:
        self.is_taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def enter_at_once(self) -> bool:
        """Go in if nobody is inside."""
        is_free = not self.is_taken
        self.is_taken = True
        return is_free

    async def enter(self) -> None:
        """Go in when all who came before have left."""
        if self.enter_at_once():
            return
        called = asyncio.get_running_loop().create_future()
        self._waiting.append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        """Let in who came next, or nobody."""
        while self._waiting:
            called = self._waiting.popleft()
            if not called.done():
                called.set_result(None)
                return
        self.is_taken = False

    async def __aenter__(self) -> None:
        await self.enter()

    async def __aexit__(self, *_: object) -> None:
        self.leave()
