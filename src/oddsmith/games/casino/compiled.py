"""A module of whole-number functions once more, from the same source, compiled by numba where that is installed.

`ODDSMITH_COMPILED=0` in the environment keeps everything in plain Python.
"""

import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from oddsmith import disk_cache

__all__ = ["Core", "compiled_twin", "fastest"]

VARIABLE: Final = "ODDSMITH_COMPILED"
OFF: Final = "0"
SUFFIX: Final = "__compiled"
OPTIONS: Final[dict[str, Any]] = {
    "nogil": True,  # let other threads run meanwhile
    "error_model": "numpy",  # nothing here divides by nothing
    "no_cfunc_wrapper": True,  # nothing in C calls it, and it takes a sixth of the time to compile
}


class Core(NamedTuple):
    """The functions of a module as they are to be called, and how rows for them are made."""

    functions: Any
    is_compiled: bool

    def row(self, numbers: Iterable[int]) -> Any:  # noqa: ANN401  a list or an array
        """Return a row of whole numbers that the functions read and write."""
        return _array(numbers) if self.is_compiled else list(numbers)

    def room(self, *sizes: int) -> Any:  # noqa: ANN401  a list or an array
        """Return a row of nothing, or rows of it, for the functions to fill."""
        if self.is_compiled:
            import numpy as np  # noqa: PLC0415  loaded where it is used

            return np.zeros(sizes, dtype=np.int64)
        if len(sizes) == 1:
            return [0] * sizes[0]
        return [self.room(*sizes[1:]) for _ in range(sizes[0])]


def _array(numbers: Iterable[int]) -> Any:  # noqa: ANN401  numpy's arrays say more than is needed
    import numpy as np  # noqa: PLC0415  loaded where it is used

    return np.array(list(numbers), dtype=np.int64)


def fastest(module: ModuleType) -> Core:
    """Return a module compiled, or as it is where there is no compiler or none is wanted."""
    if os.environ.get(VARIABLE) == OFF or not _has_compiler():
        return Core(module, is_compiled=False)
    return Core(compiled_twin(module), is_compiled=True)


def _has_compiler() -> bool:
    """Say whether numba is installed, works, and has not been told to do nothing (`NUMBA_DISABLE_JIT`)."""
    try:
        from numba import config  # noqa: PLC0415  an extra, which takes a while to load
    except ImportError:
        return False
    settings: Any = config
    return not settings.DISABLE_JIT


@cache
def compiled_twin(module: ModuleType) -> ModuleType:
    """Return a module like this one, with each of its functions compiled when it is first called.

    Functions that it takes from other modules are compiled ones, too. Its tuples of whole numbers become arrays, which
    compiled code reads without a question; so an index into them must be in range.
    """
    source = getattr(module, "__file__", None)
    spec = importlib.util.spec_from_file_location(module.__name__ + SUFFIX, source)
    if spec is None or spec.loader is None:
        raise ImportError(f"the source of {module.__name__} cannot be found")
    twin = importlib.util.module_from_spec(spec)
    sys.modules[twin.__name__] = twin
    spec.loader.exec_module(twin)
    _teach_bits()
    kept = _kept(_digest(module))
    for name, table in _tables(twin).items():
        setattr(twin, name, _array(table))
    for name, function in _functions(twin).items():
        own = function.__module__ == twin.__name__
        setattr(twin, name, _compiled(function, kept) if own else _twin_function(function))
    return twin


def _functions(module: ModuleType) -> dict[str, FunctionType]:
    return {name: value for name, value in vars(module).items() if isinstance(value, FunctionType)}


def _tables(module: ModuleType) -> dict[str, tuple[int, ...]]:
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, tuple) and all(isinstance(number, int) for number in value)
    }


def _twin_function(function: FunctionType) -> Any:  # noqa: ANN401  numba's dispatchers are not typed
    return getattr(compiled_twin(sys.modules[function.__module__]), function.__name__)


def _compiled(function: FunctionType, kept: Path | None) -> Any:  # noqa: ANN401  as above
    """Compile a function; its machine code is kept in a folder, if there is one."""
    from numba import config, njit  # noqa: PLC0415  an extra, which takes a while to load

    if kept is None:
        return njit(**OPTIONS)(function)
    settings: Any = config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(kept)
    try:
        return njit(**OPTIONS, cache=True)(function)
    finally:
        settings.CACHE_DIR = before


def _kept(digest: str) -> Path | None:
    """Return where machine code is kept: beside solved tables, under the name of its sources; None where it cannot be."""
    folder = disk_cache.folder()
    if folder is None:
        return None
    kept = folder / "compiled" / digest
    try:
        kept.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=kept):
            return kept
    except OSError:
        return None


def _digest(module: ModuleType) -> str:
    """Return a name for all that machine code is made from: what was made from anything else is not taken for it."""
    written = [Path(source).read_bytes() for source in sorted(_sources(module) | {__file__})]
    numbers = {name: value for name, value in vars(module).items() if isinstance(value, int)}
    return hashlib.sha256(b"".join(written) + repr((numbers, _tables(module))).encode()).hexdigest()[:16]


def _sources(module: ModuleType) -> set[str]:
    others = {function.__module__ for function in _functions(module).values()} - {module.__name__}
    own = {module.__file__} if module.__file__ else set()
    return own.union(*(_sources(sys.modules[name]) for name in others))


@cache
def _teach_bits() -> None:
    """Teach the compiler two methods of whole numbers from 0, each of which is one instruction."""
    from numba import types  # noqa: PLC0415  an extra, which takes a while to load
    from numba.extending import intrinsic, overload_method  # noqa: PLC0415  as above

    for method, emit in (("bit_length", _emit_length), ("bit_count", _emit_count)):
        overload_method(types.Integer, method)(_asks(intrinsic(_number_to_number(emit))))


def _asks(instruction: Any) -> Callable[..., Any]:  # noqa: ANN401  numba's intrinsics are not typed
    return lambda number: lambda number: instruction(number)  # noqa: ARG005, PLW0108  numba wants functions


def _number_to_number(emit: Callable[..., Any]) -> Callable[..., Any]:
    return lambda typing, number: (number(number), emit)  # noqa: ARG005  numba names the types


def _emit_length(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401  llvmlite's
    from numba import types  # noqa: PLC0415  as above

    number = arguments[0]
    zeros = builder.ctlz(number, context.get_constant(types.boolean, False))
    return builder.sub(context.get_constant(signature.return_type, number.type.width), zeros)


def _emit_count(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001  as above
    return builder.ctpop(arguments[0])
