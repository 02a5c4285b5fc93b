"""Chunks are read by the workers of a Dask cluster; one that dies costs only the chunks that it was reading."""

import importlib.metadata
import logging
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from oddsmith.balance.sweeping.crew import MOST_DEATHS, Part
from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.balance.sweeping.reading import read_chunk
from oddsmith.errors import InputError, ServerError, WorkLimitError

__all__ = ["by_cluster", "joined_cluster"]

PATIENCE: Final = 8.0
"""So many seconds a cluster has to answer."""


@contextmanager
def joined_cluster(address: str) -> Iterator[Any]:
    """Join a cluster whose workers have the oddsmith of this process, or refuse in words within ten seconds."""
    client = _joined(address)
    try:
        _require_workers(client, address)
        yield client
    finally:
        client.close(timeout=PATIENCE)


def by_cluster(client: Any, sweep: Sweep, chunks: Iterable[int]) -> Generator[Part]:  # noqa: ANN401  Dask's client has no types
    """Read chunks on a cluster, and yield each as soon as it is read; what is not read yet is called off at the end."""
    dask = _dask()
    shared = client.submit(_itself, sweep, key=f"oddsmith-sweep-{sweep.fingerprint}")
    asked = {
        client.submit(read_chunk, shared, number, key=f"oddsmith-chunk-{sweep.fingerprint}-{number}"): number
        for number in chunks
    }
    try:
        for future in dask.as_completed(asked):
            yield Part(asked[future], future.result())
    except dask.KilledWorker as error:
        raise WorkLimitError(
            "workers_died",
            f"{MOST_DEATHS} workers of the cluster died reading one chunk, perhaps for want of memory: other chunks are kept; "
            "a smaller `chunk` may help",
        ) from error
    finally:
        client.cancel([*asked, shared], force=True)


def _itself(sweep: Sweep) -> Sweep:
    """Hold the sweep on the cluster once; where the one who holds it dies, it is sent again."""
    return sweep


def _dask() -> Any:  # noqa: ANN401  as above
    """Load Dask, which takes a second, only when a cluster is asked for."""
    try:
        return import_module("distributed")
    except ImportError as error:
        raise InputError("no_dask", "a cluster needs Dask: install oddsmith[dask]") from error


def _joined(address: str) -> Any:  # noqa: ANN401  as above
    dask = _dask()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        return dask.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError) as error:
        raise ServerError(
            "no_cluster",
            f"no Dask scheduler answers at '{address[:80]}': it should be one such as tcp://10.0.0.5:8786",
        ) from error


def _require_workers(client: Any, address: str) -> None:  # noqa: ANN401  as above
    """Refuse a cluster without workers, and workers that have another oddsmith, or none."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE / 4)
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
