"""The lock files of Python packages work with any package index, and satisfy pyproject.toml."""

import re
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from hatch_build import NODE_WHEEL
from lock_files import LOCKS, ROOT, read_versions

NAMES = sorted(path.stem for path in LOCKS.glob("*.txt"))
CONTENT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = CONTENT["project"]["optional-dependencies"]
GROUPS: dict[str, list[str]] = CONTENT["dependency-groups"]
RUNTIME = CONTENT["project"]["dependencies"] + [line for lines in EXTRAS.values() for line in lines]
DIRECT = {
    "runtime": RUNTIME,
    "serve": CONTENT["project"]["dependencies"] + EXTRAS["client"] + EXTRAS["postgres"] + EXTRAS["serve"],
    "test": RUNTIME + GROUPS["test"] + GROUPS["docs"],
    "oldest": RUNTIME + GROUPS["test"] + GROUPS["docs"],
} | {name: lines for name, lines in GROUPS.items() if name != "test"}
"""The requirements that each lock file was made from."""


def lowest(requirement: Requirement) -> Version:
    """Return the version of a lower bound."""
    (bound,) = (part.version for part in requirement.specifier if part.operator == ">=")
    return Version(bound)


def test_there_is_a_lock_for_each_set_of_requirements() -> None:
    assert sorted(DIRECT) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_lock_has_hashes_and_names_neither_an_index_nor_a_folder(name: str) -> None:
    text = (LOCKS / f"{name}.txt").read_text(encoding="utf-8")
    packages = re.split(r"^(?=[^#\s])", text, flags=re.MULTILINE)[1:]

    assert [] == [package for package in packages if "--hash=sha256:" not in package]
    assert [] == re.findall(r"://|^\s*-[^-].*|--(?!hash).*|[ =]/.*", text, re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_a_lock_satisfies_its_requirements(name: str) -> None:
    """Without network access; 'make lock' makes it so."""
    locked = read_versions(name)
    wanted = [Requirement(line) for line in DIRECT[name]]

    assert [] == [
        str(requirement)
        for requirement in wanted
        if not all(
            map(requirement.specifier.contains, locked.get(canonicalize_name(requirement.name), ["none"]))
        )
    ]


@pytest.mark.parametrize("name", ["docs", "runtime", "serve"])
def test_what_is_installed_elsewhere_is_what_is_tested(name: str) -> None:
    tested = read_versions("test")

    assert {} == {
        package: versions
        for package, versions in read_versions(name).items()
        if not set(versions) <= set(tested.get(package, ()))
    }


def test_the_oldest_versions_are_the_lower_bounds() -> None:
    """A lower bound that is no release, or that another package forbids, is not true."""
    locked = read_versions("oldest")
    bounds = {canonicalize_name(wanted.name): lowest(wanted) for wanted in map(Requirement, RUNTIME)}

    assert bounds == {name: min(map(Version, locked[name])) for name in bounds}


def test_the_node_of_the_build_hook_is_locked() -> None:
    assert [NODE_WHEEL] == GROUPS["node"]
