"""Mechanics loaded from a Python file or a module; what is wrong with one is said in a sentence with file and line."""

import ast
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final, NamedTuple

from oddsmith.errors import InputError, OddsmithError
from oddsmith.mechanic import Mechanic
from oddsmith.thread_limit import LimitError, run_with_limit

NAME: Final = "MECHANIC"
SUFFIX: Final = ".py"
DIGITS: Final = 12
"""The number of hexadecimal digits of a file's digest that name its version."""
LONGEST_MESSAGE: Final = 300


def is_file_source(source: str) -> bool:
    """Return whether a source names a file: anything but `module:NAME`.

    >>> is_file_source("./pig.py"), is_file_source("games.pig:MECHANIC")
    (True, False)
    """
    module, colon, name = source.rpartition(":")
    return not (colon and name.isidentifier() and all(part.isidentifier() for part in module.split(".")))


def source_name(source: str) -> str:
    """Return the name of a source for people: of a file without its folder.

    >>> source_name("/home/ann/pig.py"), source_name("games.pig:MECHANIC")
    ('pig.py', 'games.pig:MECHANIC')
    """
    return Path(source).name or source if is_file_source(source) else source


def load_source(source: str, seconds: float | None = None) -> Mechanic:
    """Return the mechanic of a file, or of `module:NAME`.

    Raise `InputError`, with the line in the sentence and `FILE:LINE` in `where`, for a source that has no mechanic, has
    several, fails when it is imported, or takes longer than that many seconds; None is no limit.
    """
    return _load_file(Path(source), seconds) if is_file_source(source) else _load_reference(source, seconds)


def source_version(source: str) -> str:
    """Return the name of a source, of a file without its folder, and the version of its text.

    Of `module:NAME` the version is that of the module's file. It does not change with modules that are imported there.
    """
    if is_file_source(source):
        path = Path(source)
        return f"{path.name} {_digest(path)}"
    module = sys.modules.get(source.partition(":")[0])
    file = getattr(module, "__file__", None)
    return f"{source} {_digest(Path(file))}" if file else source


def _digest(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()[:DIGITS]
    except OSError:
        return "unknown"


# --- files -----------------------------------------------------------------------------------------------------------


def _load_file(path: Path, seconds: float | None) -> Mechanic:
    text = _read_file(path)
    module = ModuleType(f"oddsmith_mechanic_{path.stem}_{sha256(str(path).encode()).hexdigest()[:8]}")
    module.__file__ = str(path)

    def run() -> None:
        exec(_compile(text, path), vars(module))  # noqa: S102  a mechanic is Python code, which its user has named

    sys.modules[module.__name__] = module  # types of a module that is not known there cannot be resolved
    try:
        _run_import(run, seconds, name=path.name, file=str(path))
        return _find_mechanic(module, text, path)
    except BaseException:
        del sys.modules[module.__name__]
        raise


def _read_file(path: Path) -> bytes:
    """Return the text of a Python file; raise `InputError` where it cannot be one."""
    name = path.name or str(path)
    try:
        text = path.read_bytes()
    except FileNotFoundError as error:
        raise _no_file(
            name, f"there is no Python file '{name}' in {path.absolute().parent}: check the path"
        ) from error
    except IsADirectoryError as error:
        raise _no_file(name, f"'{name}' is a folder: name a Python file in it") from error
    except OSError as error:
        raise _no_file(name, f"'{name}' cannot be read: {(error.strerror or str(error)).lower()}") from error
    if path.suffix != SUFFIX:
        raise _no_file(name, f"'{name}' is no Python file: a mechanic is a file NAME.py, or module:{NAME}")
    if b"\0" in text:
        raise _no_file(name, f"'{name}' is no Python file: it has bytes that are no text")
    return text


def _no_file(name: str, sentence: str) -> InputError:
    return InputError("no_mechanic", sentence, where=name)


def _compile(text: bytes, path: Path) -> CodeType:
    return compile(text, str(path), "exec", dont_inherit=True)


def _find_mechanic(module: ModuleType, text: bytes, path: Path) -> Mechanic:
    """Return the one mechanic of a file; values that it imports do not count."""
    mechanic = getattr(module, NAME, None)
    if isinstance(mechanic, Sequence) and any(isinstance(value, Mechanic) for value in mechanic):
        sentence = (
            f"'{path.name}' has a list of mechanics: {NAME} is one, and each other has a file of its own"
        )
        raise InputError("two_mechanics", sentence, where=path.name)
    own: dict[int, str] = {}
    for name in (NAME, *_assigned_names(text)):
        value = getattr(module, name, None)
        if isinstance(value, Mechanic):
            own.setdefault(id(value), name)
    names = [*own.values()]
    if len(names) > 1:
        sentence = (
            f"'{path.name}' has {len(names)} mechanics, {', '.join(names)}: a file has one, named {NAME}"
        )
        raise InputError("two_mechanics", sentence, where=path.name)
    if isinstance(mechanic, Mechanic):
        return mechanic
    raise _no_mechanic_error(path.name, NAME, mechanic, names)


def _assigned_names(text: bytes) -> Sequence[str]:
    """Return the names that statements at the top level assign to, in their order."""
    targets: list[ast.expr] = []
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign):
            targets += statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets.append(statement.target)
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _no_mechanic_error(source: str, name: str, value: object, others: Sequence[str]) -> InputError:
    if others:
        sentence = f"'{source}' has no {name}: rename {others[0]} to {name}"
    elif value is None:
        sentence = f"'{source}' has no {name}: a file of a mechanic ends with {name} = Mechanic(…)"
    else:
        sentence = f"{name} of '{source}' is a value of {type(value).__name__}, not of Mechanic: write {name} = Mechanic(…)"
    return InputError("no_mechanic", sentence, where=source)


# --- modules ---------------------------------------------------------------------------------------------------------


def _load_reference(source: str, seconds: float | None) -> Mechanic:
    module_name, _, name = source.partition(":")
    _run_import(lambda: import_module(module_name), seconds, name=source, file=None)
    value = getattr(sys.modules[module_name], name or NAME, None)
    if isinstance(value, Mechanic):
        return value
    raise _no_mechanic_error(source, name or NAME, value, ())


# --- what is wrong ---------------------------------------------------------------------------------------------------


def _run_import(run: Callable[[], object], seconds: float | None, *, name: str, file: str | None) -> None:
    """Run code that is imported; raise `InputError` for whatever it raises, with the line of the file."""
    try:
        if seconds is None:
            run()
        else:
            run_with_limit(run, seconds)
    except LimitError as error:
        raise loop_error(name, find_line(error.__cause__ or error, file), error.seconds) from error
    except SystemExit as error:
        raise exit_error(name, find_line(error, file), f"SystemExit: {error.code}") from error
    except Exception as error:
        raise _import_error(name, error, file) from error


def loop_error(name: str, line: int | None, seconds: float) -> InputError:
    """Return the error of a file that does not end."""
    return _broken(
        name,
        line,
        f"is still being imported after {seconds:g} seconds: a mechanic only declares, it computes when it is asked",
    )


def exit_error(name: str, line: int | None, status: str) -> InputError:
    """Return the error of a file that ends the process which imports it."""
    return _broken(name, line, f"ends the program when it is imported ({status}): remove that call")


def _import_error(name: str, error: Exception, file: str | None) -> InputError:
    line = find_line(error, file)
    if isinstance(error, SyntaxError):
        is_own = file is not None and error.filename == file
        if "codec can't decode" in str(error):
            return _broken(name, None, "is not UTF-8 text: save it as UTF-8")
        message = error.msg if is_own else str(error)
        return _broken(
            name, error.lineno if is_own else line, f"cannot be read as Python: SyntaxError: {message}"
        )
    if isinstance(error, OddsmithError):
        sentence, where = error.refusal.sentence, error.refusal.where
        if sentence.startswith(f"{name}:"):  # it has its place already
            return InputError("broken_mechanic", sentence, where=where or name)
        return _broken(name, line, f"is refused: {sentence}")
    return _broken(name, line, f"cannot be imported: {describe_error(error)}")


def _broken(name: str, line: int | None, what: str) -> InputError:
    place = f"'{name}'" if line is None else f"'{name}', line {line},"
    where = name if line is None else f"{name}:{line}"
    return InputError("broken_mechanic", f"{place} {what}", where=where)


def describe_error(error: BaseException) -> str:
    r"""Return the type and the message of an error in one line.

    >>> describe_error(ValueError("no\nsuch face"))
    'ValueError: no such face'
    """
    message = " ".join(str(error).split())[:LONGEST_MESSAGE]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


class Place(NamedTuple):
    """A line of a file, and the function that it is in."""

    line: int
    function: str


def find_place(error: BaseException, file: str | None) -> Place | None:
    """Return where in a file an error was raised, or the call was made that raised it; None where it was elsewhere."""
    place, entry = None, error.__traceback__
    while entry is not None:
        if entry.tb_frame.f_code.co_filename == file:
            place = Place(entry.tb_lineno, entry.tb_frame.f_code.co_name)
        entry = entry.tb_next
    return place


def find_line(error: BaseException, file: str | None) -> int | None:
    """Return the line of `find_place`."""
    place = find_place(error, file)
    return None if place is None else place.line
