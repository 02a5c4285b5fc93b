"""Several processes listen at one address and share one store; one that dies is followed by another."""

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

from oddsmith.errors import InputError, OddsmithError, Refusal
from oddsmith.server import logs
from oddsmith.server.application import make_app
from oddsmith.server.metrics import SHARED_FOLDER
from oddsmith.server.settings import Settings
from oddsmith.server.uvicorn_server import SIGNALS, UvicornServer

PAUSE: Final = 0.2
SECONDS_TO_STOP: Final = 20.0
SECONDS_TO_LIVE: Final = 5.0
"""One that lives shorter has failed; after several such in a row all stop."""
MOST_FAILURES: Final = 5


class Worker:
    """One process that serves."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        context = multiprocessing.get_context("spawn")
        self.heard, said = context.Pipe(duplex=False)
        self.process = context.Process(target=work, args=(settings, listener, said), name="oddsmith-worker")
        self.began = time.monotonic()
        self.process.start()
        said.close()

    def is_ready(self) -> bool:
        """Say whether the process answers; why it never will is raised."""
        if not self.heard.poll():
            return False
        try:
            said = self.heard.recv()
        except EOFError:
            raise InputError("worker_failed", "a worker ended before it answered: the log says why") from None
        if isinstance(said, Refusal):
            raise InputError.of(said)
        return True


def serve_together(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve with as many processes as the settings say, until told to stop."""
    stopping = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopping.set()

    before = {number: signal.signal(number, stop) for number in SIGNALS}
    workers: list[Worker] = []
    with tempfile.TemporaryDirectory(prefix="oddsmith-metrics-", ignore_cleanup_errors=True) as folder:
        os.environ[SHARED_FOLDER] = folder
        try:
            workers += (Worker(settings, listener) for _ in range(settings.workers))
            _wait_for(workers, stopping)
            if not stopping.is_set():
                ready()
            _tend(workers, settings, listener, stopping)
        finally:
            _stop(workers)
            del os.environ[SHARED_FOLDER]
            for number, handler in before.items():
                signal.signal(number, handler)


def _wait_for(workers: list[Worker], stopping: threading.Event) -> None:
    for worker in workers:
        while not stopping.is_set() and not worker.is_ready():
            wait([worker.heard], timeout=PAUSE)


def _tend(
    workers: list[Worker], settings: Settings, listener: socket.socket, stopping: threading.Event
) -> None:
    """Replace workers that end; where they do so again and again, give up."""
    failures = 0
    while not stopping.is_set():
        wait([worker.process.sentinel for worker in workers], timeout=PAUSE)
        for place, worker in enumerate(workers):
            if worker.process.is_alive() or stopping.is_set():
                continue
            failures = failures + 1 if time.monotonic() - worker.began < SECONDS_TO_LIVE else 0
            if failures >= MOST_FAILURES:
                raise InputError("worker_failed", "workers end as soon as they begin: the log says why")
            _forget(worker)
            workers[place] = Worker(settings, listener)


def _forget(worker: Worker) -> None:
    from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415  the folder must be known first

    mark_process_dead(worker.process.pid)  # type: ignore[no-untyped-call]  # the package has no types here
    worker.process.join()
    worker.heard.close()


def _stop(workers: list[Worker]) -> None:
    for worker in workers:
        if worker.process.is_alive():
            worker.process.terminate()
    until = time.monotonic() + SECONDS_TO_STOP
    for worker in workers:
        worker.process.join(max(0.0, until - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.heard.close()


def work(settings: Settings, listener: socket.socket, said: "Connection[object, object]") -> None:
    """Be a worker: serve until told to stop, or until nobody is left who could tell."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    logs.configure(settings.log)
    try:
        UvicornServer(make_app(settings), settings, lambda: said.send("ready")).run(sockets=[listener])
    except OddsmithError as error:
        said.send(error.refusal)
        sys.exit(1)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
