"""Work that may take long, in threads: fair between clients, with a bounded number of places and a time limit."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from oddsmith.errors import RateLimitError, UnavailableError, WorkLimitError
from oddsmith.server.charging import charged
from oddsmith.server.fair_threads import FairThreads, QueueFullError
from oddsmith.thread_limit import LimitError, run_with_limit

SECONDS_TO_ANSWER: Final = 20
MOST_AT_ONCE: Final = 3
MOST_WAITING: Final = 32
SECONDS_TO_END: Final = 1.0
"""After this time beyond its limit, the thread of a piece of work is given up, and another takes its place."""


class SlowQuestions:
    """Three threads for the work of all clients, with `waiting` places and a time limit in `seconds`, waiting included.

    Clients take turns (`FairQueue`); one has two of the threads at most. A client may have all places while nobody else
    wants one; where all are taken, the client with the most loses the last one to a client with fewer.

    Work that reaches the limit is ended by an exception in its thread, as `thread_limit` describes. What cannot be ended is
    a call that does not return to the interpreter, such as compiled code or a power of huge numbers, and compilation itself.
    Its thread is given up, and ends with that call; of these there are at most `fair_threads.MOST_LOST` at a time.
    """

    def __init__(self, seconds: float = SECONDS_TO_ANSWER, waiting: int = MOST_WAITING) -> None:
        self._threads = FairThreads(MOST_AT_ONCE, name="oddsmith-questions", places=waiting)
        self._seconds = seconds

    async def run(self, work: Callable[[], bytes], *, client: str) -> bytes:
        """Return the result of a client's work.

        Raises `RateLimitError` where all places are taken, and no client has more of them than this one, `UnavailableError`
        where this client has none or the work was not begun in time, and `WorkLimitError` after the time limit.
        """
        due_at = time.monotonic() + self._seconds
        try:
            piece = self._threads.submit(
                charged(lambda: run_with_limit(work, max(0.0, due_at - time.monotonic()))), owner=client
            )
        except QueueFullError as error:
            raise _full_error(error) from None
        try:
            return await asyncio.wait_for(asyncio.wrap_future(piece.future), self._seconds)
        except QueueFullError as error:
            raise _full_error(error) from None
        except (TimeoutError, LimitError):
            if piece.future.cancelled():
                raise _full_error(QueueFullError(is_own=False)) from None
            asyncio.get_running_loop().call_later(SECONDS_TO_END, self._threads.give_up, piece)
            raise WorkLimitError(
                "too_slow", f"no answer after {self._seconds:g} seconds: ask for less"
            ) from None


def _full_error(error: QueueFullError) -> UnavailableError:
    """Return the error of a client without a place: it has too many itself, or others have all."""
    if error.is_own:
        return RateLimitError(
            "too_many_questions",
            "too many questions from your address wait for an answer: ask again in a moment",
        )
    return UnavailableError("busy", "too many questions wait for an answer: try again in a moment")
