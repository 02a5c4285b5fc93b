"""Charges the processor time of work to the client that caused it, wherever the work runs.

A request opens an account in its context. Tasks that are created for it inherit the context, so that the work of a command
or of a frame is charged to the client whose request or socket started it. Work of the server itself has no account.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from contextlib import suppress
from contextvars import ContextVar
from types import coroutine
from typing import Any, Final, NamedTuple, ParamSpec, Protocol, TypeVar

T = TypeVar("T")
P = ParamSpec("P")

SECONDS_FREE: Final = 0.001
"""Work that takes less is included in the cost of its request."""
THREAD_DISCOUNT: Final = 5
"""A second in a thread costs as much as a fifth of a second on the event loop, which delays everyone."""


class Cause(Protocol):
    """A request, as the cause of work."""

    @property
    def client(self) -> str:
        """The key that an address is counted by."""

    @property
    def method(self) -> str:
        """The method."""

    @property
    def path(self) -> str:
        """The path, without the query."""

    @property
    def route(self) -> str:
        """The label of metrics and logs."""


class Account(NamedTuple):
    """The client that work is charged to: the request that it sent, and its seat as the digest of a token.

    `charge` takes seconds on the event loop; it is called in the thread of the event loop only.
    """

    request: Cause
    seat: str | None
    charge: "Callable[[Account, float], None]"


_ACCOUNT: Final[ContextVar[Account | None]] = ContextVar("oddsmith_account", default=None)


def open_account(account: Account) -> None:
    """Charge the work of this context, and of tasks that are created in it, to an account."""
    _ACCOUNT.set(account)


def current_account() -> Account | None:
    """Return the account that work of this context is charged to; None for work of the server itself."""
    return _ACCOUNT.get()


def charged(work: Callable[P, T]) -> Callable[P, T]:
    """Return work for a thread that charges the current account for the processor time of that thread.

    The charge is made when the work ends, also where nobody waits for its result any more.
    """
    account = _ACCOUNT.get()
    if account is None:
        return work
    loop = asyncio.get_running_loop()

    def run(*arguments: P.args, **named: P.kwargs) -> T:
        began = time.thread_time()
        try:
            return work(*arguments, **named)
        finally:
            seconds = time.thread_time() - began
            if seconds >= SECONDS_FREE:
                with suppress(RuntimeError):  # the event loop is closed
                    loop.call_soon_threadsafe(account.charge, account, seconds / THREAD_DISCOUNT)

    return run


@coroutine
def metered(work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """Run a coroutine, and charge each of its steps on the event loop to the account that is open then; it is awaited.

    The processor time at the end of a step is read only where the step took long: that is a system call.
    """
    error: BaseException | None = None
    while True:
        began, used = time.perf_counter(), time.thread_time()
        try:
            waits_for = work.send(None) if error is None else work.throw(error)
        except StopIteration as done:
            result: T = done.value
            return result
        finally:
            if time.perf_counter() - began >= SECONDS_FREE:
                _charge(time.thread_time() - used)
        try:
            yield waits_for
            error = None
        except BaseException as raised:  # noqa: BLE001  passed to the coroutine
            error = raised


def start_metered(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start a task that is charged as `metered` says, and has the name of its coroutine."""

    async def run() -> T:
        return await metered(work)

    return asyncio.create_task(run(), name=getattr(work, "__qualname__", None))


def _charge(seconds: float) -> None:
    account = _ACCOUNT.get()
    if account is not None and seconds >= SECONDS_FREE:
        account.charge(account, seconds)
