"""No private name of another package is used: a leading underscore may disappear in any release."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = sorted(
    path for folder in ("src", "bench", "chaos", "docs", "tools") for path in (ROOT / folder).rglob("*.py")
)
OURS: Final = ("bench", "chaos", "oddsmith", "tests")
PRIVATE: Final = re.compile(r"_[A-Za-z]\w*")
PUBLIC: Final = {"_asdict", "_exit", "_fields", "_make", "_replace"}
"""The documented names of named tuples, and of `os._exit`."""


def private_names(source: str) -> Iterator[str]:
    """Yield the private names in a module that are neither its own nor imported from this project.

    A name is the module's own where it is defined: as a variable, function, class, parameter or attribute of `self`.
    """
    nodes = [*ast.walk(ast.parse(source))]
    own = PUBLIC.union(*map(_own_names, nodes))
    for node in nodes:
        yield from (name for name in _names_in(node) if PRIVATE.fullmatch(name) and name not in own)


def _own_names(node: ast.AST) -> set[str]:
    match node:
        case (
            ast.FunctionDef(name=name)
            | ast.AsyncFunctionDef(name=name)
            | ast.ClassDef(name=name)
            | ast.arg(arg=name)
        ):
            return {name}
        case ast.Name(id=name, ctx=ast.Store()):
            return {name}
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
            return {name}
        case ast.ImportFrom(module=module) if _is_ours(module, node.level):
            return {alias.name for alias in node.names}
    return set()


def _names_in(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import():
            yield from (part for alias in node.names for part in alias.name.split("."))
        case ast.ImportFrom(module=module) if not _is_ours(module, node.level):
            yield from (
                part
                for name in (module or "", *(alias.name for alias in node.names))
                for part in name.split(".")
            )
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) | ast.Constant(value=str(name)):
            yield name


def _is_ours(module: str | None, level: int) -> bool:
    return level > 0 or (module or "").partition(".")[0] in OURS


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_private_name_of_another_package_is_used(path: Path) -> None:
    assert [] == [*private_names(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import typer._click.core", ["_click"]),
        ("from rich._export_format import SVG", ["_export_format"]),
        ("from numba.core import _options", ["_options"]),
        ("server._started", ["_started"]),
        ("self._protocol._reader\nself._protocol = 1", ["_reader"]),
        ("njit(_nrt=False)", ["_nrt"]),
        ("OPTIONS = {'_nrt': False}", ["_nrt"]),
        ("getattr(point, '_private')", ["_private"]),
        ("from oddsmith.cli import _command\n_command()", []),
        ("pair._replace(first=1)", []),
        ("class Own:\n  def __init__(self): self._own = 1\n  def __eq__(self, other): return other._own", []),
    ],
)
def test_private_names_are_found(source: str, found: list[str]) -> None:
    assert found == [*private_names(source)]
