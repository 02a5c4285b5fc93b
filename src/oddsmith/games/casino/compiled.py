"""The kernel of Casino once more, from the same source, compiled by numba."""

import importlib.util
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from oddsmith.games.casino import kernel

__all__ = ["compiled_kernel"]


@cache
def compiled_kernel() -> ModuleType:
    """Return the kernel with every function compiled when it is first called."""
    from numba import njit  # noqa: PLC0415  an extra, which takes a while to load

    spec = importlib.util.spec_from_file_location(f"{kernel.__name__}_compiled", kernel.__file__)
    again: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(again)
    for name, function in list(vars(again).items()):
        if isinstance(function, FunctionType) and function.__module__ == again.__name__:
            setattr(again, name, njit(function))
    return again
