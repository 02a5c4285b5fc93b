"""Each dependency in pyproject.toml has its reason next to it, and so has each upper bound."""

import re
import tomllib
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement

from lock_files import ROOT

ARRAYS = re.compile(r"^(?:dependencies|[a-z]+) = \[(?P<about>.*)\n(?P<lines>(?:  .*\n)*)\]", re.MULTILINE)
LINE = re.compile(r'  "(?P<requirement>[^"]+)",\s*(?:# (?P<reason>.+))?')
EXACT = "exact versions: "


class Dependency(NamedTuple):
    """A line of pyproject.toml, with the comment of the array that it is in."""

    requirement: Requirement
    reason: str
    about: str


def read_dependencies(text: str) -> list[Dependency]:
    """Return the dependencies of a package, of its extras and of its groups."""
    start, end = text.index("\ndependencies = ["), text.index("[project.scripts]")
    arrays = ARRAYS.finditer(text, start + 1, end)
    return [
        Dependency(Requirement(line["requirement"]), line["reason"] or "", array["about"])
        for array in arrays
        for line in map(LINE.fullmatch, array["lines"].splitlines())
        if line
    ]


def lacks_reason(dependency: Dependency) -> bool:
    """Return whether a reason is missing: of the dependency, of its exact version, or of an upper bound, which the reason must name."""
    bounds = [
        part.version for part in dependency.requirement.specifier if part.operator in ("<", "<=", "~=", "!=")
    ]
    is_exact = any(part.operator in ("==", "===") for part in dependency.requirement.specifier)
    return (
        not dependency.reason
        or (is_exact and EXACT not in dependency.about)
        or not all(
            re.search(rf"(?<![\d.]){re.escape(bound)}(?![\d.])", dependency.reason) for bound in bounds
        )
    )


def test_each_dependency_and_each_bound_has_a_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = read_dependencies(text)
    content = tomllib.loads(text)
    extras, groups = content["project"]["optional-dependencies"], content["dependency-groups"]
    declared = [content["project"]["dependencies"], *extras.values(), *groups.values()]

    assert sum(map(len, declared)) == len(found)
    assert [] == [str(dependency.requirement) for dependency in found if lacks_reason(dependency)]


@pytest.mark.parametrize(
    ("line", "lacking"),
    [
        ('"numpy>=2",', True),
        ('"numpy>=2", # arrays', False),
        ('"numpy>=2,<3", # arrays', True),
        ('"numpy>=2,<3", # arrays; 3 has other integers', False),
        ('"numpy==2.1", # arrays; 2.1', True),
    ],
)
def test_a_missing_reason_is_found(line: str, *, lacking: bool) -> None:
    (found,) = read_dependencies(f"[project]\ndependencies = [\n  {line}\n]\n[project.scripts]")

    assert lacking == lacks_reason(found)
