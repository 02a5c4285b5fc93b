"""`python -m chaos`: run all reliability tests or the named parts; print a report of each, and exit with 1 if one fails."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from chaos.clock_jumps import jump_clocks, run_shifted_server
from chaos.crowds import crowd, mixed_load
from chaos.fuzz import fuzz_server
from chaos.kills import play_through_kills
from chaos.outages import damage_rows, fill_store, hang_postgres, remove_store, restart_postgres
from chaos.races import race
from chaos.servers import ServerProcess, run_server, temporary_folder
from chaos.stall import stall
from chaos.stall_attacks import Sizes, attacks_by_bot, attacks_by_name, attacks_by_route

if TYPE_CHECKING:
    from tests.store.postgres_server import Server

PARTS: Final = ("kills", "races", "fuzz", "stall", "outages", "clocks", "crowd", "load")
LONGEST: Final = 20
STALL_ROUNDS: Final = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named parts and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="chaos", description="Kill, race, fuzz, stall and load real servers."
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; by default all")
    parser.add_argument("--kills", type=int, default=200, help="how often a server is killed")
    parser.add_argument(
        "--actions", type=int, default=20_000, help="how many choices are acknowledged at least"
    )
    parser.add_argument("--rounds", type=int, default=500, help="how often connections race")
    parser.add_argument("--connections", type=int, default=64, help="how many connections race")
    parser.add_argument("--requests", type=int, default=8_000, help="how many fuzzed requests are sent")
    parser.add_argument("--frames", type=int, default=16_000, help="how many fuzzed frames are sent")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each attack is observed")
    parser.add_argument(
        "--attacks", default="", help="a part of the names of the attacks that are run; by default all"
    )
    parser.add_argument("--damaged", type=int, default=120, help="how many matches have damaged rows")
    parser.add_argument(
        "--clocks", type=int, default=100, help="how many matches have clocks when wall time jumps"
    )
    parser.add_argument("--matches", type=int, default=20_000, help="how many matches a crowd opens")
    parser.add_argument("--sockets", type=int, default=2_000, help="how many sockets watch one match")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long the mixed load takes")
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
    with postgresql_server() as server:
        yield server.url()


@contextmanager
def postgresql_server() -> Iterator["Server"]:
    """Yield a new PostgreSQL server that is started, which is removed afterwards."""
    from tests.store.postgres_server import Server  # noqa: PLC0415  tests are not installed where only other parts run

    server = Server.create()
    try:
        server.start()
        try:
            yield server
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


def _stall(given: argparse.Namespace) -> Iterator[msgspec.Struct]:
    attacks = (attacks_by_name() | attacks_by_bot() | attacks_by_route()).values()
    chosen = [attack for attack in attacks if given.attacks in attack.name]
    with temporary_folder(in_memory=not given.disk) as folder:
        yield stall(folder, chosen, seconds=given.seconds, rounds=STALL_ROUNDS, sizes=Sizes())


def _outages(given: argparse.Namespace) -> Iterator[msgspec.Struct]:
    for cause in (fill_store, remove_store, partial(damage_rows, matches=given.damaged)):
        with (
            temporary_folder(in_memory=not given.disk) as folder,
            run_server(str(folder / "matches.db"), folder / "log") as server,
        ):
            yield cause(server)
    with temporary_folder() as folder, postgresql_server() as database:
        with run_server(database.url(), folder / "hung") as server:
            yield hang_postgres(server, database.folder)
        with run_server(database.url(), folder / "restarted") as server:
            yield restart_postgres(server, database.stop, database.start)


def _clocks(given: argparse.Namespace) -> Iterator[msgspec.Struct]:
    with (
        temporary_folder(in_memory=not given.disk) as folder,
        run_shifted_server(str(folder / "matches.db"), folder) as server,
    ):
        yield jump_clocks(server, matches=given.clocks)


def _crowd(given: argparse.Namespace) -> Iterator[msgspec.Struct]:
    with (
        temporary_folder(in_memory=not given.disk) as folder,
        run_server(str(folder / "matches.db"), folder / "log") as server,
    ):
        yield crowd(server, matches=given.matches, sockets=given.sockets)


def _load(given: argparse.Namespace) -> Iterator[msgspec.Struct]:
    with (
        temporary_folder(in_memory=not given.disk) as folder,
        run_server(str(folder / "matches.db"), folder / "log") as server,
    ):
        yield mixed_load(server, seconds=60 * given.minutes)


RUNS: Final = {
    "kills": _kills,
    "races": _races,
    "fuzz": _fuzz,
    "stall": _stall,
    "outages": _outages,
    "clocks": _clocks,
    "crowd": _crowd,
    "load": _load,
}


def _print_report(part: str, report: Any) -> int:  # noqa: ANN401  one of the reports
    """Print a report and return the number of faults."""
    data = msgspec.to_builtins(report)
    broken = [*data.pop("faults"), *data.pop("misdescribed", ())]
    table = data.pop("table", ())
    summary = ", ".join(f"{name} {_figure(value)}" for name, value in data.items())
    sys.stdout.write(f"{part}: {'held' if not broken else 'BROKEN'}: {summary}\n")
    for line in table:
        sys.stdout.write(f"  {line}\n")
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
