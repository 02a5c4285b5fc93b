"""Registry of mechanics: those that are installed, and those named on the command line; each is loaded on first use.

A mechanic is found by an entry point of the group `oddsmith.mechanics`, or by a source: the path of a Python file that
has a `MECHANIC`, or `module:NAME`. Sources are in an environment variable, which worker processes inherit.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Final

import msgspec

from oddsmith.errors import InputError, NotFoundError, nearest
from oddsmith.mechanic import AnyGame, Mechanic

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "oddsmith.mechanics"
VARIABLE: Final = "ODDSMITH_MECHANICS"
"""The environment variable of the sources, separated by semicolons."""
SEPARATOR: Final = ";"
NAME: Final = "MECHANIC"


class Problem(msgspec.Struct, frozen=True):
    """A mechanic that could not be loaded: its source, and the reason."""

    source: str
    reason: str


def mechanic_names() -> tuple[str, ...]:
    """Return the names of all mechanics, without loading those that are installed."""
    return (*_entry_points(), *(name for name in _source_mechanics() if name not in _entry_points()))


def find_mechanic(name: str) -> Mechanic:
    """Return the mechanic of that name; raise `NotFoundError` where there is none, `InputError` where it cannot be loaded.

    >>> name, *_ = mechanic_names()
    >>> find_mechanic(name).name == name
    True
    """
    own = _own_mechanic(name)
    if own is not None:
        return own
    if name in _entry_points():
        return _load_entry_point(name)
    require_mechanic(name)
    return _source_mechanics()[name]


def require_mechanic(name: str) -> None:
    """Raise `NotFoundError` for a name that no mechanic has, without loading those that are installed."""
    if _own_mechanic(name) is not None:
        return
    known = mechanic_names()
    if name not in known:
        raise NotFoundError("unknown_game", f"unknown game '{name[:40]}'{nearest(name[:40], known)}")


def find_game(name: str) -> AnyGame:
    """Return the game of that name; raise as `find_mechanic` does.

    >>> name, *_ = mechanic_names()
    >>> find_game(name).name == name
    True
    """
    return find_mechanic(name).game


def load_mechanics() -> Mapping[str, Mechanic]:
    """Load all mechanics, and return those that could be loaded by name; `problems` has the others."""
    found = {}
    for name in mechanic_names():
        try:
            found[name] = find_mechanic(name)
        except InputError:
            continue
    return MappingProxyType(found)


def problems() -> tuple[Problem, ...]:
    """Load all mechanics, and return those that could not be loaded, with the reasons."""
    load_mechanics()
    return tuple(_PROBLEMS.values())


def add_sources(sources: Iterable[str]) -> tuple[str, ...]:
    """Add the mechanics of these sources, here and in worker processes; return their names.

    Raise `InputError` for a source that has no mechanic, and for one whose name is taken.
    """
    given = [_absolute(source) for source in sources]
    names = tuple(_load_source(source).name for source in given)
    for name, source in zip(names, given, strict=True):
        _require_free_name(name, source)
    known = [source for source in _sources() if source not in given]
    os.environ[VARIABLE] = SEPARATOR.join([*known, *given])
    return names


def source_of(name: str) -> str | None:
    """Return the source that the mechanic of that name was given by; None for one that is installed, and an unknown one."""
    return next((source for source in _sources() if _is_source_of(name, source)), None)


def _is_source_of(name: str, source: str) -> bool:
    try:
        return _load_source(source).name == name
    except InputError:
        return False


_PROBLEMS: Final[dict[str, Problem]] = {}


@cache
def _own_mechanic(name: str) -> Mechanic | None:
    """Return the mechanic of a folder of this package, which is faster than reading entry points; None where there is none."""
    module = f"oddsmith.games.{name}.mechanic"
    if not name.isidentifier() or find_spec(f"oddsmith.games.{name}") is None or find_spec(module) is None:
        return None
    return _require_named(_load_reference(f"{module}:{NAME}"), name, module)


# --- entry points ----------------------------------------------------------------------------------------------------


@cache
def _entry_points() -> Mapping[str, "EntryPoint"]:
    """Return the entry points of mechanics by name; a name that two packages have is left out, with a problem."""
    from importlib.metadata import entry_points  # noqa: PLC0415  slow to load, and needed only where entry points are read

    found: dict[str, EntryPoint] = {}
    duplicates: dict[str, list[str]] = {}
    for point in entry_points(group=GROUP):
        if point.name in found and found[point.name].value != point.value:
            duplicates.setdefault(point.name, [found[point.name].value]).append(point.value)
        found[point.name] = point
    for name, places in duplicates.items():
        del found[name]
        _PROBLEMS[name] = Problem(name, f"two mechanics have the name '{name}': {' and '.join(places)}")
    return MappingProxyType(found)


@cache
def _load_entry_point(name: str) -> Mechanic:
    point = _entry_points()[name]
    try:
        return _require_named(_load_reference(point.value), name, point.value)
    except InputError as error:
        _PROBLEMS[name] = Problem(point.value, str(error))
        raise


def _require_named(mechanic: Mechanic, name: str, source: str) -> Mechanic:
    if mechanic.name != name:
        raise InputError(
            "bad_mechanic", f"{source} is installed as '{name}', and calls itself '{mechanic.name}'"
        )
    return mechanic


# --- sources ---------------------------------------------------------------------------------------------------------


def _sources() -> tuple[str, ...]:
    return tuple(source for source in os.environ.get(VARIABLE, "").split(SEPARATOR) if source)


def _source_mechanics() -> Mapping[str, Mechanic]:
    sources = _sources()
    return _load_sources(sources) if sources else {}


@cache
def _load_sources(sources: tuple[str, ...]) -> Mapping[str, Mechanic]:
    found: dict[str, Mechanic] = {}
    for source in sources:
        try:
            mechanic = _load_source(source)
        except InputError as error:
            _PROBLEMS[source] = Problem(source, str(error))
        else:
            found[mechanic.name] = mechanic
    return MappingProxyType(found)


def _absolute(source: str) -> str:
    """Return the absolute path of a file, and `module:NAME` as it is."""
    return str(Path(source).resolve()) if source.endswith(".py") else source


@cache
def _load_source(source: str) -> Mechanic:
    return _load_file(Path(source)) if source.endswith(".py") else _load_reference(source)


def _require_free_name(name: str, source: str) -> None:
    if name in _entry_points():
        raise InputError(
            "name_taken",
            f"'{source}' has the name '{name}', which {_entry_points()[name].value} has already",
        )


def _load_file(path: Path) -> Mechanic:
    from importlib.util import module_from_spec, spec_from_file_location  # noqa: PLC0415  only for files

    module_name = f"oddsmith_mechanic_{path.stem}"
    spec = spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise InputError("no_mechanic", f"there is no Python file '{path.name}'")
    module = module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[module_name]
        raise _load_error(path.name, error) from error
    return _get_mechanic(module, NAME, path.name)


def _load_reference(source: str) -> Mechanic:
    module_name, _, name = source.partition(":")
    try:
        module = import_module(module_name)
    except (Exception, SystemExit) as error:
        raise _load_error(source, error) from error
    return _get_mechanic(module, name or NAME, source)


def _get_mechanic(module: ModuleType, name: str, source: str) -> Mechanic:
    mechanic = getattr(module, name, None)
    if not isinstance(mechanic, Mechanic):
        raise InputError("no_mechanic", f"'{source}' has no {name}: a mechanic is a value of Mechanic")
    return mechanic


def _load_error(source: str, error: BaseException) -> InputError:
    return InputError("broken_mechanic", f"'{source}' cannot be loaded: {type(error).__name__}: {error}")
