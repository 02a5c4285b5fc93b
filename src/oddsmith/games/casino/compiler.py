"""Compilation of modules of integer functions with numba where it is installed; plain Python otherwise.

`ODDSMITH_COMPILED=0` in the environment turns compilation off. Functions take integers, rows of them (`Row`), rows of
rows, and named tuples of these; a module may define such tuples.
"""

import hashlib
import importlib.util
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryFile
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeGuard, overload

from oddsmith import disk_cache
from oddsmith.odds import borrowing
from oddsmith.odds.borrowing import borrow
from oddsmith.thread_limit import hold_limit, release_limit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VARIABLE: Final = "ODDSMITH_COMPILED"
OFF: Final = "0"
SUFFIX: Final = "__compiled"
OPTIONS: Final[dict[str, Any]] = {
    "nogil": True,  # other threads run meanwhile
    "error_model": "numpy",  # no division by zero occurs
    "no_cfunc_wrapper": True,  # no C code calls it, and it takes a sixth of the time to compile
}
OWN_SOURCES: Final = (__file__, str(Path(borrowing.__file__).with_name("arrays.py")))
"""Sources that machine code depends on beside those of the modules that are compiled."""


class Row(Protocol):
    """A mutable sequence of integers of fixed length: an `int64` array for compiled functions, a list for plain ones."""

    def __len__(self) -> int:
        """Return the length."""
        ...

    def __iter__(self) -> Iterator[int]:
        """Iterate over the numbers."""
        ...

    def __getitem__(self, place: int, /) -> int:
        """Return the number at an index."""
        ...

    def __setitem__(self, place: int, number: int, /) -> None:
        """Set the number at an index."""
        ...


class Rows(Protocol):
    """A sequence of rows: a two-dimensional array, or a list of lists."""

    def __getitem__(self, place: int, /) -> Row:
        """Return the row at an index."""
        ...


class Core(NamedTuple):
    """The functions of a module, compiled or plain, with constructors of rows for them."""

    functions: Any
    is_compiled: bool

    def row(self, numbers: Iterable[int]) -> Row:
        """Return a row of these numbers."""
        return _array(numbers) if self.is_compiled else list(numbers)

    @overload
    def zeros(self, size: int, /) -> Row: ...

    @overload
    def zeros(self, rows: int, size: int, /) -> Rows: ...

    def zeros(self, *sizes: int) -> Row | Rows:
        """Return a row of zeros of one size, or rows of them of two sizes."""
        if self.is_compiled:
            import numpy as np

            return np.zeros(sizes, dtype=np.int64)
        *rows, size = sizes
        return [[0] * size for _ in range(rows[0])] if rows else [0] * size


def _array(numbers: Iterable[int]) -> "NDArray[np.int64]":
    import numpy as np

    return np.array(list(numbers), dtype=np.int64)


def fastest_core(module: ModuleType) -> Core:
    """Return the compiled functions of a module, or the plain ones where there is no compiler or it is turned off."""
    if os.environ.get(VARIABLE) == OFF or not _has_compiler():
        return Core(module, is_compiled=False)
    return Core(compile_module(module), is_compiled=True)


def is_cached(module: ModuleType) -> bool:
    """Return whether `mark_cached` was called for a module as it is now, on this machine; true where nothing is compiled."""
    if os.environ.get(VARIABLE) == OFF or importlib.util.find_spec("numba") is None:
        return True
    folder = _cache_folder(_digest(module))
    return folder is not None and (folder / _mark()).is_file()


def mark_cached(module: ModuleType) -> None:
    """Note that the cache has the machine code of all functions of a module that are called from Python."""
    folder = _cache_folder(_digest(module))
    if folder is not None:
        with suppress(OSError):
            (folder / _mark()).touch()


def _mark() -> str:
    """Return the name of the file that marks a folder: it names what numba's cache depends on, and the machine."""
    parts = sys.implementation.cache_tag or "", version("numba"), platform.machine(), platform.node()
    return "complete-" + hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _has_compiler() -> bool:
    """Return whether numba can be imported and is not turned off by `NUMBA_DISABLE_JIT`."""
    try:
        from numba import config
    except ImportError:
        return False
    settings: Any = config
    return not settings.DISABLE_JIT


@cache
def compile_module(module: ModuleType) -> ModuleType:
    """Return a copy of a module in which each function is compiled at its first call.

    Functions that it imports from other modules are compiled, too. Its tuples of integers become arrays, which compiled
    code reads without bounds checks. Its named tuples are the classes of the module itself, because numba distinguishes
    tuples by class. A function that is called from Python returns numbers, not rows. Raises `ImportError` where the
    module has no source file.
    """
    source = getattr(module, "__file__", None)
    spec = importlib.util.spec_from_file_location(module.__name__ + SUFFIX, source)
    if spec is None or spec.loader is None:
        raise ImportError(f"the source of {module.__name__} cannot be found")
    copy = importlib.util.module_from_spec(spec)
    sys.modules[copy.__name__] = copy
    spec.loader.exec_module(copy)
    import oddsmith.odds.borrowing.arrays  # noqa: F401  an optional dependency; numba knows `borrow` by it

    _hold_limits_while_compiling()
    _register_bit_methods()
    folder = _cache_folder(_digest(module))
    for name, numbers in _integer_tuples(copy).items():
        setattr(copy, name, _array(numbers))
    for name, kind in _named_tuples(module).items():
        setattr(copy, name, kind)
    for name, function in _functions(copy).items():
        own = function.__module__ == copy.__name__
        setattr(copy, name, _compile_function(function, folder) if own else _compiled_function(function))
    return copy


def _functions(module: ModuleType) -> dict[str, FunctionType]:
    """Return the functions of a module, its own and imported ones, except those of `typing` and `borrow`."""
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ != "typing" and value is not borrow
    }


def _named_tuples(module: ModuleType) -> dict[str, type]:
    return {name: value for name, value in vars(module).items() if _is_named_tuple(value)}


def _is_named_tuple(value: object) -> TypeGuard[type]:
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")


def _integer_tuples(module: ModuleType) -> dict[str, tuple[int, ...]]:
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, tuple) and all(isinstance(number, int) for number in value)
    }


def _compiled_function(function: FunctionType) -> Any:
    return getattr(compile_module(sys.modules[function.__module__]), function.__name__)


def _compile_function(function: FunctionType, folder: Path | None) -> Any:
    """Return the function compiled; its machine code is cached in a folder, if there is one."""
    from numba import config, njit

    private = function.__name__.startswith(
        "_"
    )  # only compiled code calls it: what Python needs is not compiled
    options = OPTIONS | {"no_cpython_wrapper": private}
    if folder is None:
        return njit(**options)(function)
    settings: Any = config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder)
    try:
        return njit(**options, cache=True)(function)
    finally:
        settings.CACHE_DIR = before


def _cache_folder(digest: str) -> Path | None:
    """Return the folder for cached machine code of a digest, created if needed; None where none can be written."""
    folder = disk_cache.folder()
    if folder is None:
        return None
    cache = folder / "compiled" / digest
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=cache):
            return cache
    except OSError:
        return None


def _digest(module: ModuleType) -> str:
    """Return a digest of the sources and constants of a module, of those it imports, and of this module."""
    sources = [Path(source).read_bytes() for source in sorted(_sources(module) | {*OWN_SOURCES})]
    numbers = {name: value for name, value in vars(module).items() if isinstance(value, int)}
    return hashlib.sha256(b"".join(sources) + repr((numbers, _integer_tuples(module))).encode()).hexdigest()[
        :16
    ]


def _sources(module: ModuleType) -> set[str]:
    parts = (*_functions(module).values(), *_named_tuples(module).values())
    others = {part.__module__ for part in parts} - {module.__name__}
    own = {module.__file__} if module.__file__ else set()
    return own.union(*(_sources(sys.modules[name]) for name in others))


@cache
def _hold_limits_while_compiling() -> None:
    """Hold the time limit of a thread while it has the lock of the compiler, which all threads need."""
    from numba.core import event

    class Holder(event.Listener):
        def on_start(self, event: object) -> None:  # noqa: ARG002  the signature of a listener
            hold_limit()

        def on_end(self, event: object) -> None:  # noqa: ARG002  the signature of a listener
            release_limit()

    event.register("numba:compiler_lock", Holder())  # type: ignore[no-untyped-call]  # numba is not typed


@cache
def _register_bit_methods() -> None:
    """Register `int.bit_length` and `int.bit_count` of non-negative integers with numba, one instruction each."""
    from numba import types
    from numba.extending import intrinsic, overload_method

    for method, emit in (("bit_length", _emit_length), ("bit_count", _emit_count)):
        overload_method(types.Integer, method)(_wrap_intrinsic(intrinsic(_number_to_number(emit))))


def _wrap_intrinsic(instruction: Any) -> Callable[..., Any]:
    return lambda number: lambda number: instruction(number)  # noqa: ARG005, PLW0108  numba needs functions with this signature


def _number_to_number(emit: Callable[..., Any]) -> Callable[..., Any]:
    return lambda typing, number: (number(number), emit)  # noqa: ARG005  numba passes the typing context


def _emit_length(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    from numba import types

    number = arguments[0]
    zeros = builder.ctlz(number, context.get_constant(types.boolean, False))
    return builder.sub(context.get_constant(signature.return_type, number.type.width), zeros)


def _emit_count(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  llvmlite is not typed; numba gives the signature
    return builder.ctpop(arguments[0])
