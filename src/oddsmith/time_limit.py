"""A limit of processor time, so that a rule which never returns is found, with its line."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from oddsmith.source_places import place_of_frame


@contextmanager
def limit_time(
    seconds: float, module: str, make_error: Callable[[str | None], Exception]
) -> Iterator[Callable[[], None]]:
    """Raise an error where the block uses more processor time; yield a function that starts the time again.

    `make_error` is called with the line of the module that runs then. The time of this process is counted, not that of the
    clock, so that other work on the machine changes nothing. Where the system has no such timer, where another limit runs, and
    outside of the main thread, there is no limit.
    """
    if not _has_free_timer():
        yield lambda: None
        return

    def stop(_: int, frame: FrameType | None) -> None:
        raise make_error(place_of_frame(frame, module))

    def restart() -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)

    before = signal.signal(signal.SIGVTALRM, stop)
    restart()
    try:
        yield restart
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _has_free_timer() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    )
