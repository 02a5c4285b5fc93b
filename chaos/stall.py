"""The stall test: while one client sends the most expensive input that is known, another one is answered as quickly as before."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Self

import msgspec

from chaos.observer import Latencies, Observer, observe
from chaos.servers import ServerProcess, run_server
from chaos.stall_attacks import Load, Sizes, StallAttack
from oddsmith.server.settings import Settings

LEAST_BOUND: Final = 0.05
"""Seconds that the other client may always wait; beyond that, its wait is compared with the quiet one."""
MOST_TIMES_QUIET: Final = 5.0
LIMITS: Final = ("requests_per_second", "burst", "failures_per_minute", "connections_per_address")
MILLISECONDS: Final = 1000


class StallRow(msgspec.Struct, frozen=True, kw_only=True):
    """One attack: the seconds of its input alone, and the other client's latencies without and with it."""

    attack: str
    observed: str
    cost: float
    quiet: Latencies
    attacked: Latencies

    @property
    def bound(self) -> float:
        """The seconds that the other client's 99th percentile may reach."""
        return max(LEAST_BOUND, MOST_TIMES_QUIET * self.quiet.p99)

    @property
    def has_held(self) -> bool:
        """Whether the other client was answered within the bound."""
        return self.attacked.p99 < self.bound

    @property
    def line(self) -> str:
        """The row of a table, in milliseconds."""
        times = (self.cost, self.quiet.p50, self.quiet.p99, self.attacked.p50, self.attacked.p99, self.bound)
        figures = "".join(f"{MILLISECONDS * time:>10.1f}" for time in times)
        return f"{self.attack:<48}{self.observed:<10}{figures}  {'held' if self.has_held else 'BROKEN'}"


HEADING: Final = (
    f"{'attack (milliseconds)':<48}{'other':<10}{'input':>10}{'quiet p50':>10}{'quiet p99':>10}"
    f"{'p50':>10}{'p99':>10}{'bound':>10}"
)


class StallReport(msgspec.Struct, frozen=True, kw_only=True):
    """The attacks, with the best round of each, and a fault for each one that slowed the other client."""

    attacks: int
    slowest: float
    table: tuple[str, ...]
    faults: tuple[str, ...]


class StallRun:
    """Runs attacks on servers with the default limits, in a context.

    The first round of an attack is on a server that several attacks share, unless it lingers; each later one on a new server.
    """

    def __init__(self, folder: Path, *, seconds: float, rounds: int, sizes: Sizes) -> None:
        self._folder = folder
        self._seconds = seconds
        self._rounds = rounds
        self._sizes = sizes
        self._servers = 0
        self._measured = 0
        self._stack = ExitStack()
        self._shared: ServerProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def measure(self, attack: StallAttack) -> StallRow:
        """Return the best round of an attack; the first round that holds is the last."""
        rows: list[StallRow] = []
        while len(rows) < self._rounds and not any(row.has_held for row in rows):
            if attack.lingers or rows:
                with self._server() as server:
                    rows.append(self._measure_on(server, attack))
            else:
                if self._shared is None:
                    self._shared = self._stack.enter_context(self._server())
                rows.append(self._measure_on(self._shared, attack))
        return best_of(rows)

    def _measure_on(self, server: ServerProcess, attack: StallAttack) -> StallRow:
        self._measured += 1
        return measure_attack(attack, server.url, self._measured, self._seconds, self._sizes)

    @contextmanager
    def _server(self) -> Iterator[ServerProcess]:
        """Yield a new server with the limits that a server has by default."""
        self._servers += 1
        name = f"stall{self._servers}"
        with run_server(
            str(self._folder / f"{name}.db"), self._folder / f"{name}.log", **default_limits()
        ) as server:
            yield server


def default_limits() -> dict[str, str]:
    """Return the limits of a server's default settings, as its environment has them."""
    settings = Settings()
    return {f"ODDSMITH_{name.upper()}": str(getattr(settings, name)) for name in LIMITS}


def best_of(rows: Sequence[StallRow]) -> StallRow:
    """Return the row whose 99th percentile is the smallest share of its bound."""
    return min(rows, key=lambda row: row.attacked.p99 / row.bound)


def measure_attack(attack: StallAttack, url: str, number: int, seconds: float, sizes: Sizes) -> StallRow:
    """Run one round: prepare the attack, observe the server while it is quiet, then while it is attacked."""
    return asyncio.run(_measure_attack(attack, url, number, seconds, sizes))


async def _measure_attack(
    attack: StallAttack, url: str, number: int, seconds: float, sizes: Sizes
) -> StallRow:
    with observe(url, attack.observed) as observer:
        async with attack.prepare(url, number, sizes) as load:
            quiet = await _observe_quiet(observer, seconds)
            attacked = await _observe_attack(observer, load, seconds)
    return StallRow(
        attack=attack.name, observed=attack.observed.value, cost=load.cost, quiet=quiet, attacked=attacked
    )


async def _observe_quiet(observer: Observer, seconds: float) -> Latencies:
    await asyncio.to_thread(observer.take)
    await asyncio.sleep(seconds)
    return Latencies.of(await asyncio.to_thread(observer.take))


async def _observe_attack(observer: Observer, load: Load, seconds: float) -> Latencies:
    await load.run(seconds)
    return Latencies.of(await asyncio.to_thread(observer.take))


def stall(
    folder: Path, attacks: Iterable[StallAttack], *, seconds: float, rounds: int, sizes: Sizes
) -> StallReport:
    """Measure attacks on new servers; stores and logs are written into the folder."""
    with StallRun(folder, seconds=seconds, rounds=rounds, sizes=sizes) as run:
        rows = [run.measure(attack) for attack in attacks]
    return StallReport(
        attacks=len(rows),
        slowest=max(row.attacked.p99 for row in rows),
        table=(HEADING, *(row.line for row in rows)),
        faults=tuple(
            f"{row.attack}: the other client's p99 was {MILLISECONDS * row.attacked.p99:.0f} ms, "
            f"at most {MILLISECONDS * row.bound:.0f} ms is allowed"
            for row in rows
            if not row.has_held
        ),
    )
