"""Places in source files, as `pig.py:31`: of a method, of a declared field, and of the line that raised an error."""

import ast
import inspect
import linecache
import sys
from pathlib import Path
from types import FrameType
from typing import Any


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
        declaring = _class_node(owner)
        for node in declaring.body if declaring else ():
            if (
                isinstance(node, ast.AnnAssign)
                and isinstance(node.target, ast.Name)
                and node.target.id == name
            ):
                return write_place(_file_of(owner), node.lineno)
    return None


def place_of_class(kind: type) -> str | None:
    """Return where a class is written; None where its source is unknown."""
    body = _class_node(kind)
    return None if body is None else write_place(_file_of(kind), body.lineno)


def place_of_error(error: BaseException, module: str) -> str | None:
    """Return the line of a module, or of its package, that an error comes from; the innermost one, None where there is none."""
    place = None
    traceback = error.__traceback__
    while traceback is not None:
        if _belongs_to(traceback.tb_frame, module):
            place = write_place(traceback.tb_frame.f_code.co_filename, traceback.tb_lineno)
        traceback = traceback.tb_next
    return place


def place_of_frame(frame: FrameType | None, module: str) -> str | None:
    """Return the line of a module, or of its package, that is run in a frame; the innermost one, None where there is none."""
    while frame is not None and not _belongs_to(frame, module):
        frame = frame.f_back
    return None if frame is None else write_place(frame.f_code.co_filename, frame.f_lineno)


def at_place(place: str | None, sentence: str) -> str:
    """Return a sentence with its place before it, where that is known.

    >>> at_place("pig.py:31", "there is no 1"), at_place(None, "there is no 1")
    ('pig.py:31: there is no 1', 'there is no 1')
    """
    return f"{place}: {sentence}" if place else sentence


def _belongs_to(frame: FrameType, module: str) -> bool:
    name, package = frame.f_globals.get("__name__", ""), module.rpartition(".")[0]
    return bool(name == module or (package and name.startswith(f"{package}.")))


def _class_node(owner: type) -> ast.ClassDef | None:
    """Return the syntax of a class; None where its source cannot be read."""
    file = _file_of(owner)
    linecache.checkcache(file)
    name = owner.__qualname__.rpartition(".")[2]
    try:
        nodes = ast.walk(ast.parse("".join(linecache.getlines(file))))
    except SyntaxError:
        return None
    return next((node for node in nodes if isinstance(node, ast.ClassDef) and node.name == name), None)


def _file_of(owner: type) -> str:
    module: Any = sys.modules.get(owner.__module__)
    return getattr(module, "__file__", None) or ""


def write_place(file: str, line: int) -> str:
    """Return a place as text.

    >>> write_place("/games/pig.py", 31)
    'pig.py:31'
    """
    return f"{Path(file).name}:{line}"
