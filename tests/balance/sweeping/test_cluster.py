"""A sweep on a real Dask cluster of two workers gives the table of one process; errors are in words."""

import importlib.metadata
import os
import signal
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any
from unittest import mock

import distributed
import pytest

from oddsmith.balance.sweeping import cluster, write_sweep
from oddsmith.balance.sweeping.rows import read_chunk
from oddsmith.errors import OddsmithError
from tests.balance.sweeping.sweeps import fate_sweep, heist_sweep


@contextmanager
def two_workers() -> Iterator[Any]:
    """Start a scheduler and two workers, each in its own process, and stop them."""
    with distributed.LocalCluster(  # type: ignore[no-untyped-call]  # Dask has no types
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as started:
        yield started


def refusal_text(address: str, out: Path) -> str:
    """Return the code and the sentence with which a cluster is refused."""
    with pytest.raises(OddsmithError) as error:
        write_sweep(fate_sweep(), out, cluster=address)
    return f"{error.value.refusal.code}: {error.value.refusal.sentence}"


def kill_one(address: str) -> None:
    """Kill a worker of a cluster as the system would."""
    with distributed.Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]  # Dask has no types
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)


class Futures(list[Any]):
    """Futures in the order of submission."""

    add = list.append


class StubClient:
    """A Dask client whose workers return given values."""

    def __init__(self, **found: object) -> None:
        self.found = found

    def wait_for_workers(self, number: int, timeout: float) -> None:
        if len(self.found) < number:
            raise TimeoutError(timeout)

    def run(self, *_: object, on_error: str) -> dict[str, object]:
        assert "return" == on_error

        return self.found


def test_a_cluster_writes_what_one_process_writes_also_when_a_worker_is_killed(tmp_path: Path) -> None:
    """The same bytes, with both workers alive and with one of them killed in the middle."""
    killed: list[int] = []

    def kill(rows: int) -> None:
        if rows > 2 and not killed:
            killed.append(rows)
            kill_one(address)

    write_sweep(heist_sweep(), tmp_path / "alone.parquet", workers=1)
    with two_workers() as cluster_of_two:
        address = cluster_of_two.scheduler_address
        write_sweep(heist_sweep(), tmp_path / "together.parquet", cluster=address)
        write_sweep(heist_sweep(), tmp_path / "killed.parquet", cluster=address, progress=kill)

    assert 1 == len(killed)
    assert (tmp_path / "alone.parquet").read_bytes() == (tmp_path / "together.parquet").read_bytes()
    assert (tmp_path / "alone.parquet").read_bytes() == (tmp_path / "killed.parquet").read_bytes()


@pytest.mark.parametrize(
    ("ended", "sentence"),
    [
        (
            distributed.KilledWorker("chunk", mock.MagicMock(), 3),
            "several workers of the cluster died reading one chunk",
        ),
        (
            CancelledError("scheduler-connection-lost"),
            "the connection to the cluster was lost: finished chunks are kept",
        ),
    ],
)
def test_a_lost_cluster_is_reported_in_words(ended: Exception, sentence: str) -> None:
    """Where a chunk kills its workers, or the scheduler is gone; pending chunks are cancelled."""
    client = mock.MagicMock(spec=distributed.Client)
    client.loop = None
    client.nthreads.return_value = {"one": 1}
    client.submit.return_value.result.side_effect = ended
    with (
        mock.patch("distributed.as_completed", mock.MagicMock(return_value=Futures())),
        pytest.raises(OddsmithError, match=sentence),
    ):
        list(cluster.read_on_cluster(client, fate_sweep(), [0]))

    assert 1 == client.cancel.call_count


def test_an_address_that_does_not_answer_is_refused_and_no_file_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No port, a closed port, a port of another server: within seconds, in one sentence."""
    monkeypatch.setattr(cluster, "TIMEOUT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        addresses = ("nonsense", f"tcp://127.0.0.1:{mute.getsockname()[1]}")
        refusals = [refusal_text(address, tmp_path / "draws.csv") for address in addresses]

    assert [f"no_cluster: no Dask scheduler answers at '{address}'" for address in addresses] == [
        refusal.partition(":")[0] + ":" + refusal.partition(":")[2].rpartition(": it should")[0]
        for refusal in refusals
    ]
    assert [] == list(tmp_path.iterdir())


def test_a_cluster_without_workers_or_with_another_oddsmith_is_refused() -> None:
    """The sentence says which worker has what, and what to do."""
    here = importlib.metadata.version("oddsmith")
    sentences = []
    for found in ({}, {"one": here, "two": "0.0.1"}, {"one": PackageNotFoundError("oddsmith")}):
        with pytest.raises(OddsmithError) as error:
            cluster._require_workers(StubClient(**found), "tcp://10.0.0.5:8786")
        sentences.append(str(error.value))
    cluster._require_workers(StubClient(one=here), "tcp://10.0.0.5:8786")

    assert [
        "the cluster at 'tcp://10.0.0.5:8786' has no workers: start one with dask worker",
        f"the worker two has oddsmith 0.0.1, and here is {here}: install the same on both",
        f"the worker one has no oddsmith, and here is {here}: install the same on both",
    ] == sentences


def test_the_address_must_be_a_scheduler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A worker's own address is refused."""

    async def worker(address: str) -> str:  # noqa: ARG001  the signature of the replaced function
        return "Worker"

    monkeypatch.setattr(cluster, "_server_kind", worker)

    assert refusal_text("tcp://10.0.0.5:8787", tmp_path / "draws.csv").startswith("no_cluster: ")


def test_a_missing_extra_is_refused_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Dask is needed only for clusters."""
    monkeypatch.setitem(sys.modules, "distributed", None)

    assert "no_dask: a cluster needs Dask: install oddsmith[dask]" == refusal_text(
        "tcp://10.0.0.5:8786", tmp_path / "draws.csv"
    )


def test_the_sweep_is_sent_to_the_cluster_once() -> None:
    """All chunks use it."""
    assert read_chunk(fate_sweep(), 0) == read_chunk(cluster._return_sweep(fate_sweep()), 0)
