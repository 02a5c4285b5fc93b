"""The mechanics that are installed, or named on the command line; each is loaded alone, when it is used.

A mechanic is found by an entry point of the group `oddsmith.mechanics`, or by a source: the path of a Python file that
has a `MECHANIC`, or `module:NAME`. Sources are kept in the environment, so that worker processes find the same ones.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import msgspec

from oddsmith.errors import InputError, NotFoundError, nearest
from oddsmith.mechanic import AnyGame, Mechanic

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "oddsmith.mechanics"
VARIABLE: Final = "ODDSMITH_MECHANICS"
"""The environment variable that holds sources, with a semicolon between two."""
SEPARATOR: Final = ";"
NAME: Final = "MECHANIC"


class Problem(msgspec.Struct, frozen=True):
    """A mechanic that could not be loaded: where it was looked for, and why it is left out."""

    source: str
    reason: str


def mechanic_names() -> tuple[str, ...]:
    """Return the names of all mechanics; those that are installed are not loaded for it."""
    return (*_entry_points(), *(name for name in _from_sources() if name not in _entry_points()))


def find_mechanic(name: str) -> Mechanic:
    """Return the mechanic of that name.

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
    return _from_sources()[name]


def require_mechanic(name: str) -> None:
    """Refuse a name that no mechanic has, without loading any that is installed."""
    if _own_mechanic(name) is not None:
        return
    known = mechanic_names()
    if name not in known:
        raise NotFoundError("unknown_game", f"unknown game '{name[:40]}'{nearest(name[:40], known)}")


def find_game(name: str) -> AnyGame:
    """Return the game of that name.

    >>> name, *_ = mechanic_names()
    >>> find_game(name).name == name
    True
    """
    return find_mechanic(name).game


def load_mechanics() -> Mapping[str, Mechanic]:
    """Return every mechanic that can be loaded, by name; `problems` says why others cannot."""
    found = {}
    for name in mechanic_names():
        try:
            found[name] = find_mechanic(name)
        except InputError:
            continue
    return MappingProxyType(found)


def problems() -> tuple[Problem, ...]:
    """Return the mechanics that cannot be loaded."""
    load_mechanics()
    return tuple(_PROBLEMS.values())


def add_sources(sources: Iterable[str]) -> tuple[str, ...]:
    """Make more mechanics known, here and in worker processes; return their names.

    A source that has no mechanic, or one whose name is taken, is refused.
    """
    given = [_absolute(source) for source in sources]
    names = tuple(_load_source(source).name for source in given)
    for name, source in zip(names, given, strict=True):
        _require_free(name, source)
    known = [source for source in _sources() if source not in given]
    os.environ[VARIABLE] = SEPARATOR.join([*known, *given])
    return names


_PROBLEMS: Final[dict[str, Problem]] = {}


@cache
def _own_mechanic(name: str) -> Mechanic | None:
    """Return the mechanic of a folder of this package; reading the entry points of all packages takes longer."""
    module = f"oddsmith.games.{name}.mechanic"
    if not name.isidentifier() or find_spec(f"oddsmith.games.{name}") is None or find_spec(module) is None:
        return None
    return _require_named(_loaded(f"{module}:{NAME}"), name, module)


# --- entry points ----------------------------------------------------------------------------------------------------


@cache
def _entry_points() -> Mapping[str, "EntryPoint"]:
    """Return the entry points of mechanics by name; of two with one name, none is known."""
    from importlib.metadata import entry_points  # noqa: PLC0415  it takes longer than most of what is loaded here

    found: dict[str, EntryPoint] = {}
    twice: dict[str, list[str]] = {}
    for point in entry_points(group=GROUP):
        if point.name in found and found[point.name].value != point.value:
            twice.setdefault(point.name, [found[point.name].value]).append(point.value)
        found[point.name] = point
    for name, places in twice.items():
        del found[name]
        _PROBLEMS[name] = Problem(name, f"two mechanics have the name '{name}': {' and '.join(places)}")
    return MappingProxyType(found)


@cache
def _load_entry_point(name: str) -> Mechanic:
    point = _entry_points()[name]
    try:
        return _require_named(_loaded(point.value), name, point.value)
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


def _from_sources() -> Mapping[str, Mechanic]:
    sources = _sources()
    return _loaded_sources(sources) if sources else {}


@cache
def _loaded_sources(sources: tuple[str, ...]) -> Mapping[str, Mechanic]:
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
    """Return a path in full, so that processes in other folders find it; `module:NAME` as it is."""
    return str(Path(source).resolve()) if source.endswith(".py") else source


@cache
def _load_source(source: str) -> Mechanic:
    return _loaded_file(Path(source)) if source.endswith(".py") else _loaded(source)


def _require_free(name: str, source: str) -> None:
    if name in _entry_points():
        raise InputError(
            "name_taken",
            f"'{source}' has the name '{name}', which {_entry_points()[name].value} has already",
        )


def _loaded_file(path: Path) -> Mechanic:
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
        raise _broken(path.name, error) from error
    return _mechanic_in(module, NAME, path.name)


def _loaded(source: str) -> Mechanic:
    module_name, _, name = source.partition(":")
    try:
        module = import_module(module_name)
    except (Exception, SystemExit) as error:
        raise _broken(source, error) from error
    return _mechanic_in(module, name or NAME, source)


def _mechanic_in(module: Any, name: str, source: str) -> Mechanic:  # noqa: ANN401  a module
    mechanic = getattr(module, name, None)
    if not isinstance(mechanic, Mechanic):
        raise InputError("no_mechanic", f"'{source}' has no {name}: a mechanic is a value of Mechanic")
    return mechanic


def _broken(source: str, error: BaseException) -> InputError:
    return InputError("broken_mechanic", f"'{source}' cannot be loaded: {type(error).__name__}: {error}")
