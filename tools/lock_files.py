"""Reads what the lock files lock: Python packages in `locks/`, npm packages in `web/package-lock.json`."""

import json
import re
from pathlib import Path
from typing import Final, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[1]
LOCKS: Final = ROOT / "locks"
NPM_LOCK: Final = ROOT / "web/package-lock.json"
DEPTH: Final = "node_modules/"


class NpmPackage(NamedTuple):
    """A locked npm package, with the licence that its author declares."""

    name: str
    version: str
    licence: str


def read_lock(name: str) -> list[Requirement]:
    """Return the requirements of `locks/NAME.txt`; a package may have several, for different platforms."""
    text = (LOCKS / f"{name}.txt").read_text(encoding="utf-8")
    return [Requirement(line) for line in re.findall(r"^[^#\s][^\\\n]*", text, re.MULTILINE)]


def read_versions(name: str) -> dict[str, list[str]]:
    """Return the locked versions of each package in `locks/NAME.txt`, by normalised name."""
    versions: dict[str, list[str]] = {}
    for requirement in read_lock(name):
        (pin,) = requirement.specifier
        versions.setdefault(canonicalize_name(requirement.name), []).append(pin.version)
    return versions


def read_shipped_npm_packages(path: Path = NPM_LOCK) -> list[NpmPackage]:
    """Return the npm packages that the browser client is made from; tools that are only needed to build or test it are left out."""
    packages = json.loads(path.read_text(encoding="utf-8"))["packages"]
    return sorted(
        NpmPackage(place.rpartition(DEPTH)[2], about["version"], about["license"])
        for place, about in packages.items()
        if place and not about.get("dev")
    )
