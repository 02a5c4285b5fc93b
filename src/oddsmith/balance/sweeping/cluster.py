"""Chunks of a sweep read by the workers of a Dask cluster; chunks of a worker that dies are read again by others."""

import asyncio
import importlib.metadata
import logging
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import islice
from typing import Any, Final, TypeAlias

from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.balance.sweeping.rows import ChunkResult, read_chunk
from oddsmith.errors import MissingExtraError, ServerError, WorkLimitError

Distributed: TypeAlias = Any
"""The package `distributed`, which is optional and has no types."""
Client: TypeAlias = Any
"""A `distributed.Client`."""

TIMEOUT_SECONDS: Final = 4.0
"""The time limit for an answer of the cluster."""
LOGS: Final = ("distributed", "distributed.client")
CHUNKS_PER_THREAD: Final = 4
"""The number of chunks that are submitted ahead for each thread of the cluster."""


@contextmanager
def connect_cluster(address: str) -> Iterator[Client]:
    """Yield a client of a cluster whose workers have the same version of oddsmith as this process.

    An address without a scheduler, a cluster without workers, and another version raise a `ServerError` within ten
    seconds.
    """
    dask = _import_dask()
    with _silence_dask_log():
        _require_scheduler(address)
        client = dask.Client(address, timeout=TIMEOUT_SECONDS, set_as_default=False)
        try:
            _require_workers(client, address)
            yield client
        finally:
            with suppress(TimeoutError):
                client.close(timeout=TIMEOUT_SECONDS)


def read_on_cluster(client: Client, sweep: Sweep, chunks: Iterable[int]) -> Generator[ChunkResult]:
    """Yield each chunk as soon as a worker has read it; chunks that are not read are cancelled at the end."""
    dask = _import_dask()
    shared = client.submit(_return_sweep, sweep, pure=False)
    remaining, pending, completed = iter(chunks), {}, dask.as_completed(loop=client.loop)

    def submit(count: int) -> None:
        for number in islice(remaining, count):
            future = client.submit(read_chunk, shared, number, pure=False)
            pending[future] = number
            completed.add(future)

    submit(CHUNKS_PER_THREAD * max(1, sum(client.nthreads().values())))
    try:
        for future in completed:
            number, part = pending.pop(future), future.result()
            submit(1)
            yield number, part
    except dask.KilledWorker as error:
        raise WorkLimitError(
            "workers_died",
            "several workers of the cluster died reading one chunk, perhaps for lack of memory: "
            "other chunks are kept; a smaller `chunk` may help",
        ) from error
    except (CancelledError, OSError) as error:
        raise ServerError(
            "cluster_lost",
            "the connection to the cluster was lost: finished chunks are kept; run the same command again to resume",
        ) from error
    finally:
        with suppress(CancelledError, OSError):
            client.cancel([*pending, shared], force=True)


def _return_sweep(sweep: Sweep) -> Sweep:
    """Return the sweep; submitted once, so that it is sent to the cluster once and again only if its worker dies."""
    return sweep


def _import_dask() -> Distributed:
    """Import Dask, which takes a second; a missing Dask is refused with `no_dask`."""
    try:
        return import_module("distributed")
    except ImportError as error:
        raise MissingExtraError("no_dask", "a cluster needs Dask: install oddsmith[dask]") from error


@contextmanager
def _silence_dask_log() -> Iterator[None]:
    """Silence Dask's own log meanwhile: errors are raised with a sentence."""
    before = {log: log.level for log in map(logging.getLogger, LOGS)}
    for log in before:
        log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for log, level in before.items():
            log.setLevel(level)


def _require_scheduler(address: str) -> None:
    """Refuse an address at which no scheduler answers. A thread has the event loop, as the caller may have its own."""
    try:
        with ThreadPoolExecutor(1) as thread:
            kind = thread.submit(asyncio.run, _server_kind(address)).result()
    except Exception as error:  # another program may answer with anything
        raise _no_cluster(address) from error
    if kind != "Scheduler":
        raise _no_cluster(address)


async def _server_kind(address: str) -> str:
    async with (
        asyncio.timeout(TIMEOUT_SECONDS),
        _import_dask().rpc(address, timeout=TIMEOUT_SECONDS) as remote,
    ):
        identity: dict[str, Any] = await remote.identity()
    return str(identity["type"])


def _no_cluster(address: str) -> ServerError:
    return ServerError(
        "no_cluster",
        f"no Dask scheduler answers at '{address[:80]}': it should be one such as tcp://10.0.0.5:8786",
    )


def _require_workers(client: Client, address: str) -> None:
    """Refuse a cluster without workers, and workers with another version of oddsmith or none."""
    try:
        client.wait_for_workers(1, timeout=TIMEOUT_SECONDS / 2)
    except TimeoutError as error:
        raise ServerError(
            "no_workers", f"the cluster at '{address[:80]}' has no workers: start one with dask worker"
        ) from error
    here = importlib.metadata.version("oddsmith")
    found: dict[str, Any] = client.run(importlib.metadata.version, "oddsmith", on_error="return")
    for worker, there in sorted(found.items()):
        if there != here:
            has = f"has oddsmith {there}" if isinstance(there, str) else "has no oddsmith"
            raise ServerError(
                "other_version",
                f"the worker {worker[:80]} {has}, and here is {here}: install the same on both",
            )
