"""Types and files that pages mention exist."""

import re
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from oddsmith.registry import mechanic_names

ROOT: Final = Path(__file__).parents[2]
GLOSSARY: Final = (ROOT / "docs" / "explanation" / "glossary.md").read_text()
MAP: Final = (ROOT / "CONTRIBUTING.md").read_text().partition("## Run and test")[0]
NAME: Final = re.compile(r"`(oddsmith(?:\.\w+)+)`")
PATH: Final = re.compile(r"`((?:[\w<>.-]+/)+[\w.-]*)`")
FOLDERS: Final = ("", "src/oddsmith")


@pytest.mark.parametrize("name", sorted({*NAME.findall(GLOSSARY)}))
def test_a_type_of_the_glossary_exists(name: str) -> None:
    module, _, last = name.rpartition(".")
    found = getattr(import_module(module), last, None)

    assert found is not None or import_module(name).__name__ == name


@pytest.mark.parametrize("path", sorted({*PATH.findall(MAP)}))
def test_a_path_of_the_map_exists(path: str) -> None:
    """Each path of the map exists, for every mechanic where it has `<name>`."""
    places = [path.replace("<name>", name) for name in mechanic_names()] if "<name>" in path else [path]
    missing = [place for place in places if not any((ROOT / folder / place).exists() for folder in FOLDERS)]

    assert [] == missing
