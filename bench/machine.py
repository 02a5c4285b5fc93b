"""What a benchmark runs on: processor, Python, load, and the versions of oddsmith's peers."""

import os
import platform
import sqlite3
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import msgspec

PACKAGES: Final = (
    "numpy",
    "numba",
    "icepool",
    "dyce",
    "open_spiel",
    "rlcard",
    "fastapi",
    "pydantic",
    "uvicorn",
    "websockets",
    "playwright",
)
"""Peers, and the packages that floors are made of."""
MOST_LOAD: Final = 0.5
"""The load average above which results are not trusted."""


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """What tells one machine from another: results are compared only if these are equal."""

    processor: str
    cores: int
    system: str


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """The machine, and what may differ between two runs on it."""

    machine: Machine
    python: str
    load: float | None
    """The load average of the last minute at the start; None where the system does not tell."""
    commit: str | None
    versions: dict[str, str | None]
    """By package; None if it is not installed."""

    @property
    def is_loaded(self) -> bool:
        """Whether other work disturbs the measurements."""
        return self.load is not None and self.load > MOST_LOAD


def describe_setting() -> Setting:
    """Return what this run runs on."""
    return Setting(
        machine=Machine(
            processor=processor_model(),
            cores=os.cpu_count() or 1,
            system=f"{platform.system()} {platform.machine()}",
        ),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        load=os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        commit=current_commit(),
        versions={**{name: installed_version(name) for name in PACKAGES}, "SQLite": sqlite3.sqlite_version},
    )


def processor_model(info: Path = Path("/proc/cpuinfo")) -> str:
    """Return the name of the processor, as Linux knows it or else as Python does."""
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            key, _, name = line.partition(":")
            if key.strip() == "model name":
                return name.strip()
    return platform.processor() or platform.machine()


def installed_version(package: str) -> str | None:
    """Return the version of an installed package, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def current_commit() -> str | None:
    """Return the commit that is measured, or None outside a git checkout."""
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty"],  # noqa: S607  git of the PATH
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip() or None


def format_setting(setting: Setting) -> str:
    """Format the machine, the load and the versions, a line each."""
    versions = ", ".join(f"{name} {number or '(not installed)'}" for name, number in setting.versions.items())
    load = "unknown" if setting.load is None else f"{setting.load:.2f}"
    machine = setting.machine
    return "\n".join(
        (
            f"{machine.processor}, {machine.cores} cores, {machine.system}",
            f"{setting.python}; load average {load}; commit {setting.commit or 'unknown'}",
            versions,
        )
    )
