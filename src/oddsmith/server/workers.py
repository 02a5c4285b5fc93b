"""Worker processes that share one listening socket and one store; a worker that dies is replaced."""

import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Final

from prometheus_client.multiprocess import mark_process_dead

from oddsmith.errors import InputError, OddsmithError, Refusal
from oddsmith.server import logs
from oddsmith.server.application import make_app
from oddsmith.server.metrics import SHARED_FOLDER
from oddsmith.server.settings import Settings
from oddsmith.server.uvicorn_server import SIGNALS, UvicornServer

POLL_SECONDS: Final = 0.2
SECONDS_TO_STOP: Final = 20.0
SECONDS_TO_LIVE: Final = 5.0
"""A worker that ends sooner has failed; after `MOST_FAILURES` in a row the server stops."""
MOST_FAILURES: Final = 5


class Worker:
    """A worker process; `receiver` gets 'ready', or the refusal that kept it from starting."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        context = multiprocessing.get_context("spawn")
        self.receiver, sender = context.Pipe(duplex=False)
        self.process = context.Process(
            target=run_worker, args=(settings, listener, sender), name="oddsmith-worker"
        )
        self.started_at = time.monotonic()
        self.process.start()
        sender.close()

    def is_ready(self) -> bool:
        """Return whether the process serves; raises `InputError` where it failed to start."""
        if not self.receiver.poll():
            return False
        try:
            message = self.receiver.recv()
        except EOFError:
            raise InputError("worker_failed", "a worker ended before it answered: the log says why") from None
        if isinstance(message, Refusal):
            raise InputError.of(message)
        return True


def serve_with_workers(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve with the number of workers in the settings until a signal; calls `ready` once all workers serve."""
    stopping = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopping.set()

    before = {number: signal.signal(number, stop) for number in SIGNALS}
    workers: list[Worker] = []
    with tempfile.TemporaryDirectory(prefix="oddsmith-metrics-", ignore_cleanup_errors=True) as folder:
        os.environ[SHARED_FOLDER] = folder
        try:
            workers += (Worker(settings, listener) for _ in range(settings.workers))
            _wait_until_ready(workers, stopping)
            if not stopping.is_set():
                ready()
            _replace_dead_workers(workers, settings, listener, stopping)
        finally:
            _stop_workers(workers)
            del os.environ[SHARED_FOLDER]
            for number, handler in before.items():
                signal.signal(number, handler)


def _wait_until_ready(workers: list[Worker], stopping: threading.Event) -> None:
    for worker in workers:
        while not stopping.is_set() and not worker.is_ready():
            wait([worker.receiver], timeout=POLL_SECONDS)


def _replace_dead_workers(
    workers: list[Worker], settings: Settings, listener: socket.socket, stopping: threading.Event
) -> None:
    """Replace workers that end, until stopped; raises `InputError` after `MOST_FAILURES` failures in a row."""
    failures = 0
    while not stopping.is_set():
        wait([worker.process.sentinel for worker in workers], timeout=POLL_SECONDS)
        for place, worker in enumerate(workers):
            if worker.process.is_alive() or stopping.is_set():
                continue
            failures = failures + 1 if time.monotonic() - worker.started_at < SECONDS_TO_LIVE else 0
            if failures >= MOST_FAILURES:
                raise InputError("worker_failed", "workers fail when they start: the log says why")
            _clean_up(worker)
            workers[place] = Worker(settings, listener)


def _clean_up(worker: Worker) -> None:
    mark_process_dead(worker.process.pid)  # type: ignore[no-untyped-call]  # the package has no types here
    worker.process.join()
    worker.receiver.close()


def _stop_workers(workers: list[Worker]) -> None:
    for worker in workers:
        if worker.process.is_alive():
            worker.process.terminate()
    until = time.monotonic() + SECONDS_TO_STOP
    for worker in workers:
        worker.process.join(max(0.0, until - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.receiver.close()


def run_worker(settings: Settings, listener: socket.socket, sender: "Connection[object, object]") -> None:
    """Serve in a worker process until a signal, or until the parent process ends."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    logs.configure(settings.log)
    try:
        UvicornServer(make_app(settings), settings, lambda: sender.send("ready")).run(sockets=[listener])
    except OddsmithError as error:
        sender.send(error.refusal)
        sys.exit(1)


def end_with_parent() -> None:
    """Stop this process when its parent has ended; runs in a thread."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
