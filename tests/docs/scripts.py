"""Loads scripts of other folders as modules: those that make the compared pages and pictures."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def load_script(*parts: str) -> ModuleType:
    """Return the module of a script, by the parts of its path from the root of the repository."""
    path = ROOT.joinpath(*parts)
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tables_of_findings(text: str) -> list[str]:
    """Return the names of the tables in a page of findings, in its order."""
    return re.findall(r"^<!-- findings: ([a-z-]+) -->$", text, re.MULTILINE)
