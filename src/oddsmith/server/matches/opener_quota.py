"""The limit of matches that an address has open at a time."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from oddsmith.errors import RateLimitError
from oddsmith.server.matches.background import Background
from oddsmith.store.model import Store

MOST_ADDRESSES: Final = 50_000


class _Opener:
    """The matches that an address opened, and the number of those that are being opened now."""

    def __init__(self) -> None:
        self.matches: set[str] = set()
        self.opening = 0

    @property
    def count(self) -> int:
        return len(self.matches) + self.opening


class OpenerQuota:
    """Counts the matches that each address opened at this process and that are not over; with `most` 0 there is no limit.

    The store knows which of them are over; it is asked only when an address has reached the limit. The count begins at 0
    when the process starts.
    """

    def __init__(self, store: Store, background: Background, *, most: int) -> None:
        self._store = store
        self._background = background
        self._most = most
        self._openers: OrderedDict[str, _Opener] = OrderedDict()

    @asynccontextmanager
    async def opening(self, address: str) -> AsyncIterator[Callable[[str], None]]:
        """Lend a function that notes the id of the match which the block opens for an address.

        Raises `RateLimitError` where the address has as many matches as it may; waiting alone does not help then.
        """
        if not self._most:
            yield lambda _: None
            return
        opener = self._openers.setdefault(address, _Opener())
        self._openers.move_to_end(address)
        if len(self._openers) > MOST_ADDRESSES:
            self._openers.popitem(last=False)
        if opener.count >= self._most:
            asked = tuple(opener.matches)
            running = await self._background.read(lambda: self._store.running(asked))
            opener.matches -= {*asked} - {*running}
        if opener.count >= self._most:
            raise _too_many_error(self._most)
        opener.opening += 1
        try:
            yield opener.matches.add
        finally:
            opener.opening -= 1


def _too_many_error(most: int) -> RateLimitError:
    error = RateLimitError(
        "too_many_matches",
        f"{most} matches that were opened from your address are not over: finish or leave one before you open another",
    )
    error.retry_after = None
    return error
