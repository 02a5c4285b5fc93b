"""Compile the functions of a module over whole numbers with numba where it is installed, or run them as plain Python.

`ODDSMITH_COMPILED=0` in the environment keeps everything in plain Python. Functions take whole numbers, rows of them
(`Row`), rows of rows, and named tuples of these; a module may define such tuples.
"""

import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeGuard, overload

from oddsmith import disk_cache
from oddsmith.odds import borrowing
from oddsmith.odds.borrowing import borrow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VARIABLE: Final = "ODDSMITH_COMPILED"
OFF: Final = "0"
SUFFIX: Final = "__compiled"
OPTIONS: Final[dict[str, Any]] = {
    "nogil": True,  # let other threads run meanwhile
    "error_model": "numpy",  # nothing here divides by nothing
    "no_cfunc_wrapper": True,  # nothing in C calls it, and it takes a sixth of the time to compile
}


OWN_SOURCES: Final = (__file__, str(Path(borrowing.__file__).with_name("arrays.py")))
"""What machine code depends on beside the modules that are compiled."""


class Row(Protocol):
    """Whole numbers by place: an array of `int64` where functions are compiled, a list where they are not."""

    def __len__(self) -> int:
        """Return how many places there are."""
        ...

    def __iter__(self) -> Iterator[int]:
        """Iterate over the numbers."""
        ...

    def __getitem__(self, place: int, /) -> int:
        """Return the number at a place."""
        ...

    def __setitem__(self, place: int, number: int, /) -> None:
        """Put a number at a place."""
        ...


class Rows(Protocol):
    """Rows by place: an array of two dimensions, or a list of lists."""

    def __getitem__(self, place: int, /) -> Row:
        """Return the row at a place."""
        ...


class Core(NamedTuple):
    """The functions of a module as they are to be called, and how rows for them are made."""

    functions: Any
    is_compiled: bool

    def row(self, numbers: Iterable[int]) -> Row:
        """Return a row of whole numbers that the functions read and write."""
        return _array(numbers) if self.is_compiled else list(numbers)

    @overload
    def room(self, size: int, /) -> Row: ...

    @overload
    def room(self, rows: int, size: int, /) -> Rows: ...

    def room(self, *sizes: int) -> Row | Rows:
        """Return a row of zeros, or rows of them, for the functions to fill."""
        if self.is_compiled:
            import numpy as np  # noqa: PLC0415  loaded where it is used

            return np.zeros(sizes, dtype=np.int64)
        *rows, size = sizes
        return [[0] * size for _ in range(rows[0])] if rows else [0] * size


def _array(numbers: Iterable[int]) -> "NDArray[np.int64]":
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
    compiled code reads without a question; so an index into them must be in range. Its named tuples are those of the
    module itself: numba tells tuples apart by their class. A function that is called from Python returns numbers, no rows.
    """
    source = getattr(module, "__file__", None)
    spec = importlib.util.spec_from_file_location(module.__name__ + SUFFIX, source)
    if spec is None or spec.loader is None:
        raise ImportError(f"the source of {module.__name__} cannot be found")
    twin = importlib.util.module_from_spec(spec)
    sys.modules[twin.__name__] = twin
    spec.loader.exec_module(twin)
    import oddsmith.odds.borrowing.arrays  # noqa: F401, PLC0415  an extra; so that the compiler knows `borrow`

    _teach_bits()
    kept = _kept(_digest(module))
    for name, table in _tables(twin).items():
        setattr(twin, name, _array(table))
    for name, kind in _named_tuples(module).items():
        setattr(twin, name, kind)
    for name, function in _functions(twin).items():
        own = function.__module__ == twin.__name__
        setattr(twin, name, _compiled(function, kept) if own else _twin_function(function))
    return twin


def _functions(module: ModuleType) -> dict[str, FunctionType]:
    """Return the functions of a module, its own and imported ones.

    Left out are `typing.NamedTuple`, which is one too, and `borrow`, which the compiler knows.
    """
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ != "typing" and value is not borrow
    }


def _named_tuples(module: ModuleType) -> dict[str, type]:
    return {name: value for name, value in vars(module).items() if _is_named_tuple(value)}


def _is_named_tuple(value: object) -> TypeGuard[type]:
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")


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

    private = function.__name__.startswith(
        "_"
    )  # only compiled code calls it: what Python needs is not compiled
    options = OPTIONS | {"no_cpython_wrapper": private}
    if kept is None:
        return njit(**options)(function)
    settings: Any = config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(kept)
    try:
        return njit(**options, cache=True)(function)
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
    written = [Path(source).read_bytes() for source in sorted(_sources(module) | {*OWN_SOURCES})]
    numbers = {name: value for name, value in vars(module).items() if isinstance(value, int)}
    return hashlib.sha256(b"".join(written) + repr((numbers, _tables(module))).encode()).hexdigest()[:16]


def _sources(module: ModuleType) -> set[str]:
    parts = (*_functions(module).values(), *_named_tuples(module).values())
    others = {part.__module__ for part in parts} - {module.__name__}
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
