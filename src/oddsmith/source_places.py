"""Places in source files, as `pig.py:31`: of a method, of a declared field, and of the line that raised an error."""

import ast
import inspect
import linecache
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

__all__ = ["at_place", "place_of_error", "place_of_field", "place_of_method", "write_place"]


def place_of_method(kind: type, name: str) -> str | None:
    """Return where the method of a class is written; None where it has none, or its source is unknown.

    >>> place_of_method(int, "bit_length") is None
    True
    """
    found = inspect.getattr_static(kind, name, None)
    function = found.__func__ if isinstance(found, classmethod | staticmethod) else found
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    return None if code is None else write_place(code.co_filename, code.co_firstlineno)


def place_of_field(kind: type, name: str) -> str | None:
    """Return where a field of a class, or of one of its bases, is declared; None where the source is unknown."""
    for owner in kind.__mro__:
        if name not in vars(owner).get("__annotations__", {}):
            continue
        for node in _class_body(owner):
            if (
                isinstance(node, ast.AnnAssign)
                and isinstance(node.target, ast.Name)
                and node.target.id == name
            ):
                return write_place(_file_of(owner), node.lineno)
    return None


def place_of_error(error: BaseException, module: str) -> str | None:
    """Return the line of a module, or of its package, that an error comes from; the innermost one, None where there is none."""
    package = module.rpartition(".")[0]
    place = None
    for name, file, line in _frames(error.__traceback__):
        if name == module or (package and name.startswith(f"{package}.")):
            place = write_place(file, line)
    return place


def at_place(place: str | None, sentence: str) -> str:
    """Return a sentence with its place before it, where that is known.

    >>> at_place("pig.py:31", "there is no 1"), at_place(None, "there is no 1")
    ('pig.py:31: there is no 1', 'there is no 1')
    """
    return f"{place}: {sentence}" if place else sentence


def _frames(traceback: TracebackType | None) -> Iterator[tuple[str, str, int]]:
    while traceback is not None:
        frame = traceback.tb_frame
        yield frame.f_globals.get("__name__", ""), frame.f_code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next


def _class_body(owner: type) -> list[ast.stmt]:
    """Return the statements of a class; none where its source cannot be read."""
    file = _file_of(owner)
    linecache.checkcache(file)
    source = "".join(linecache.getlines(file))
    name = owner.__qualname__.rpartition(".")[2]
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return []
    return next((node.body for node in nodes if isinstance(node, ast.ClassDef) and node.name == name), [])


def _file_of(owner: type) -> str:
    module: Any = sys.modules.get(owner.__module__)
    return getattr(module, "__file__", None) or ""


def write_place(file: str, line: int) -> str:
    """Return a place as text.

    >>> write_place("/games/pig.py", 31)
    'pig.py:31'
    """
    return f"{Path(file).name}:{line}"
