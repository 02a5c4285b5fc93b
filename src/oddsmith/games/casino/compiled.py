"""A module of whole-number functions once more, from the same source, compiled by numba where that is installed.

`ODDSMITH_COMPILED=0` in the environment keeps everything in plain Python.
"""

import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from oddsmith import shelf

__all__ = ["Core", "compiled_twin", "fastest"]

VARIABLE: Final = "ODDSMITH_COMPILED"
OFF: Final = "0"
SUFFIX: Final = "__compiled"
OPTIONS: Final[dict[str, Any]] = {
    "nogil": True,  # let other threads run meanwhile
    "error_model": "numpy",  # nothing here divides by nothing
}


class Core(NamedTuple):
    """The functions of a module as they are to be called, and how rows for them are made."""

    functions: Any
    is_compiled: bool

    def row(self, numbers: Iterable[int]) -> Any:  # noqa: ANN401  a list or an array
        """Return a row of whole numbers that the functions read and write."""
        if not self.is_compiled:
            return list(numbers)
        import numpy as np  # noqa: PLC0415  loaded where it is used

        return np.array(list(numbers), dtype=np.int64)

    def room(self, *sizes: int) -> Any:  # noqa: ANN401  a list or an array
        """Return a row of nothing, or rows of it, for the functions to fill."""
        if self.is_compiled:
            import numpy as np  # noqa: PLC0415  loaded where it is used

            return np.zeros(sizes, dtype=np.int64)
        if len(sizes) == 1:
            return [0] * sizes[0]
        return [self.room(*sizes[1:]) for _ in range(sizes[0])]


def fastest(module: ModuleType) -> Core:
    """Return a module compiled, or as it is where numba is not installed or not wanted."""
    if os.environ.get(VARIABLE) == OFF or importlib.util.find_spec("numba") is None:
        return Core(module, is_compiled=False)
    return Core(compiled_twin(module), is_compiled=True)


@cache
def compiled_twin(module: ModuleType) -> ModuleType:
    """Return a module like this one, with each of its functions compiled when it is first called.

    Functions that it takes from other modules are compiled ones, too.
    """
    spec = importlib.util.spec_from_file_location(module.__name__ + SUFFIX, module.__file__)
    if spec is None or spec.loader is None:
        raise ImportError(f"the source of {module.__name__} cannot be found")
    twin = importlib.util.module_from_spec(spec)
    sys.modules[twin.__name__] = twin
    spec.loader.exec_module(twin)
    digest = _digest(module)
    for name, function in _functions(twin).items():
        own = function.__module__ == twin.__name__
        setattr(twin, name, _compiled(function, digest) if own else _twin_function(function))
    return twin


def _functions(module: ModuleType) -> dict[str, FunctionType]:
    return {name: value for name, value in vars(module).items() if isinstance(value, FunctionType)}


def _twin_function(function: FunctionType) -> Any:  # noqa: ANN401  numba's dispatchers are not typed
    return getattr(compiled_twin(sys.modules[function.__module__]), function.__name__)


def _compiled(function: FunctionType, digest: str) -> Any:  # noqa: ANN401  as above
    """Compile a function; its machine code is kept beside solved tables, under the name of its sources."""
    from numba import config, njit  # noqa: PLC0415  an extra, which takes a while to load

    kept = shelf.folder()
    if kept is None:
        return njit(**OPTIONS)(function)
    settings: Any = config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(kept / "compiled" / digest)
    try:
        return njit(**OPTIONS, cache=True)(function)
    finally:
        settings.CACHE_DIR = before


def _digest(module: ModuleType) -> str:
    """Return a name for the sources of a module: machine code that was made from others is not taken for its own."""
    sources = b"".join(Path(source).read_bytes() for source in sorted(_sources(module)))
    return hashlib.sha256(sources).hexdigest()[:16]


def _sources(module: ModuleType) -> set[str]:
    others = {function.__module__ for function in _functions(module).values()} - {module.__name__}
    own = {module.__file__} if module.__file__ else set()
    return own.union(*(_sources(sys.modules[name]) for name in others))
