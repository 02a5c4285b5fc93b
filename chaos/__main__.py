"""`python -m chaos`: run all reliability tests or the named parts; print a report of each, and exit with 1 if one fails."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import msgspec

from chaos.fuzz import fuzz_server
from chaos.kills import play_through_kills
from chaos.races import race
from chaos.servers import ServerProcess, run_server, temporary_folder

PARTS: Final = ("kills", "races", "fuzz")
LONGEST: Final = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named parts and return the exit status."""
    parser = argparse.ArgumentParser(prog="chaos", description="Kill, race and fuzz real servers.")
    parser.add_argument("parts", nargs="*", metavar="PART", help="kills, races or fuzz; by default all")
    parser.add_argument("--kills", type=int, default=200, help="how often a server is killed")
    parser.add_argument(
        "--actions", type=int, default=20_000, help="how many choices are acknowledged at least"
    )
    parser.add_argument("--rounds", type=int, default=500, help="how often connections race")
    parser.add_argument("--connections", type=int, default=64, help="how many connections race")
    parser.add_argument("--requests", type=int, default=8_000, help="how many fuzzed requests are sent")
    parser.add_argument("--frames", type=int, default=16_000, help="how many fuzzed frames are sent")
    parser.add_argument("--disk", action="store_true", help="keep matches on a disk, not in memory")
    given = parser.parse_args(arguments)
    unknown = {*given.parts} - {*PARTS}
    if unknown:
        parser.error(f"unknown part '{min(unknown)}'; known: {', '.join(PARTS)}")
    broken = 0
    for part in given.parts or PARTS:
        for report in RUNS[part](given):
            broken += _print_report(part, report)
    return int(broken > 0)


def _kills(given: argparse.Namespace) -> Iterator[msgspec.Struct]:
    with temporary_folder(in_memory=not given.disk) as folder:
        server = ServerProcess(str(folder / "matches.db"), folder / "log")
        try:
            server.start()
            yield play_through_kills(server, kills=given.kills, actions=given.actions)
        finally:
            server.close()


def _races(given: argparse.Namespace) -> Iterator[msgspec.Struct]:
    with temporary_folder(in_memory=not given.disk) as folder:
        with run_server(str(folder / "matches.db"), folder / "log") as server:
            yield race([server.url], server.store, connections=given.connections, rounds=given.rounds)
        with ExitStack() as stack:
            store = stack.enter_context(postgresql())
            servers = [stack.enter_context(run_server(store, folder / f"log{number}")) for number in range(2)]
            urls = [server.url for server in servers]
            yield race(urls, store, connections=given.connections, rounds=given.rounds)


@contextmanager
def postgresql() -> Iterator[str]:
    """Yield the URL of a new PostgreSQL server, which is removed afterwards."""
    from tests.store.postgres_server import Server  # noqa: PLC0415  tests are not installed where only other parts run

    server = Server.create()
    try:
        server.start()
        try:
            yield server.url()
        finally:
            server.stop()
    finally:
        server.remove()


def _fuzz(given: argparse.Namespace) -> Iterator[msgspec.Struct]:
    with (
        temporary_folder(in_memory=not given.disk) as folder,
        run_server(str(folder / "matches.db"), folder / "log") as server,
    ):
        yield fuzz_server(server, requests=given.requests, frames=given.frames)


RUNS: Final = {"kills": _kills, "races": _races, "fuzz": _fuzz}


def _print_report(part: str, report: Any) -> int:  # noqa: ANN401  one of the reports
    """Print a report and return the number of faults."""
    data = msgspec.to_builtins(report)
    broken = [*data.pop("faults"), *data.pop("misdescribed", ())]
    summary = ", ".join(f"{name} {_figure(value)}" for name, value in data.items())
    sys.stdout.write(f"{part}: {'held' if not broken else 'BROKEN'}: {summary}\n")
    for fault in broken[:LONGEST]:
        sys.stdout.write(f"  {fault}\n")
    sys.stdout.flush()
    return len(broken)


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {count:,}" for name, count in value.items()) + "}"
    return f"{value:,}" if isinstance(value, int) else str(value)


if __name__ == "__main__":
    sys.exit(main())
