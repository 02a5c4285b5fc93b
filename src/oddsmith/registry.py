"""Registry of mechanics: those that are installed, and those named on the command line; each is loaded on first use.

A mechanic is found by an entry point of the group `oddsmith.mechanics`, or by a source: the path of a Python file that
has a `MECHANIC`, or `module:NAME`. Sources are in an environment variable, which worker processes inherit.
"""

import os
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import msgspec

from oddsmith.errors import InputError, NotFoundError, nearest
from oddsmith.mechanic import AnyGame, Mechanic
from oddsmith.mechanic_source import NAME, is_file_source, load_source, source_version

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "oddsmith.mechanics"
VARIABLE: Final = "ODDSMITH_MECHANICS"
"""The environment variable of the sources, separated by semicolons."""
SEPARATOR: Final = ";"
SECONDS_VARIABLE: Final = "ODDSMITH_SECONDS_TO_LOAD"
"""The environment variable of the time limit of an import; `Settings.seconds_to_load` of a server."""
SECONDS_TO_LOAD: Final = 10.0


class Problem(msgspec.Struct, frozen=True):
    """A mechanic that could not be loaded: its source, the reason, and the file, with the line where it is known."""

    source: str
    reason: str
    where: str | None = None

    @classmethod
    def of(cls, source: str, error: InputError) -> "Problem":
        """Return the problem of a source that an error describes."""
        return cls(source, error.refusal.sentence, error.refusal.where)


def mechanic_names() -> tuple[str, ...]:
    """Return the names of all mechanics, without loading those that are installed."""
    names = (*_entry_points(), *_source_mechanics())
    return tuple(name for name in names if name not in _LEFT_OUT) if _LEFT_OUT else names


def find_mechanic(name: str) -> Mechanic:
    """Return the mechanic of that name; raise `NotFoundError` where there is none, `InputError` where it cannot be loaded.

    >>> name, *_ = mechanic_names()
    >>> find_mechanic(name).name == name
    True
    """
    own = _own_mechanic(name)
    if own is not None:
        return own
    if name in _entry_points() and name not in _LEFT_OUT:
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

    Raise `InputError` for a source that has no mechanic, and for one whose name is taken. Nothing is added then.
    """
    given = [absolute_source(source) for source in sources]
    known = [source for source in _sources() if source not in given]
    places = {mechanic.name: source for source, mechanic in _loaded_sources(tuple(known)).items()}
    names = []
    for source in given:
        mechanic = _load_source(source)
        _require_free_name(mechanic.name, source, places)
        places[mechanic.name] = source
        names.append(mechanic.name)
    os.environ[VARIABLE] = SEPARATOR.join([*known, *given])
    return tuple(names)


def leave_out(name: str, reason: str) -> None:
    """Leave a mechanic out in this process, as one that cannot be loaded; `problems` has the reason."""
    _LEFT_OUT.add(name)
    _PROBLEMS.setdefault(name, Problem(find_source(name) or name, reason))


def find_source(name: str) -> str | None:
    """Return the source of a mechanic that was named by a file, or by `module:NAME`; None for any other.

    >>> find_source(mechanic_names()[0]) is None
    True
    """
    for source, mechanic in _loaded_sources(_sources()).items():
        if mechanic.name == name:
            return source
    return None


def source_names() -> tuple[str, ...]:
    """Return the names of the mechanics that have a `find_source`."""
    return tuple(_source_mechanics())


def mechanic_version(name: str) -> str | None:
    """Return the source of a mechanic and the version of its text; None for one of this package, whose version is its own.

    Of an installed mechanic these are the distribution and its version.
    """
    source = find_source(name)
    if source is not None:
        return _loaded_version(source)
    point = None if _own_mechanic(name) is not None else _entry_points().get(name)
    if point is None:
        return None
    return point.value if point.dist is None else f"{point.dist.name} {point.dist.version}"


_PROBLEMS: Final[dict[str, Problem]] = {}
_LEFT_OUT: Final[set[str]] = set()


@cache
def _own_mechanic(name: str) -> Mechanic | None:
    """Return the mechanic of a folder of this package, which is faster than reading entry points; None where there is none."""
    module = f"oddsmith.games.{name}.mechanic"
    if not name.isidentifier() or find_spec(f"oddsmith.games.{name}") is None or find_spec(module) is None:
        return None
    return _require_named(load_source(f"{module}:{NAME}"), name, module)


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
        return _require_named(load_source(point.value), name, point.value)
    except InputError as error:
        _PROBLEMS[name] = Problem.of(point.value, error)
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
    return _mechanics_by_name(sources) if sources else {}


@cache
def _mechanics_by_name(sources: tuple[str, ...]) -> Mapping[str, Mechanic]:
    return MappingProxyType({mechanic.name: mechanic for mechanic in _loaded_sources(sources).values()})


@cache
def _loaded_sources(sources: tuple[str, ...]) -> Mapping[str, Mechanic]:
    """Load sources, and return the mechanics of those that could be loaded and have a name of their own."""
    found: dict[str, Mechanic] = {}
    places: dict[str, str] = {}
    for source in sources:
        try:
            mechanic = _load_source(source)
            _require_free_name(mechanic.name, source, places)
        except InputError as error:
            _PROBLEMS[source] = Problem.of(source, error)
        else:
            found[source] = mechanic
            places[mechanic.name] = source
    return MappingProxyType(found)


def absolute_source(source: str) -> str:
    """Return the absolute path of a file, and `module:NAME` as it is."""
    return os.path.realpath(source) if is_file_source(source) else source


def load_seconds() -> float:
    """Return how long a source may take to be imported."""
    try:
        return float(os.environ.get(SECONDS_VARIABLE, SECONDS_TO_LOAD))
    except ValueError:
        return SECONDS_TO_LOAD


@cache
def _load_source(source: str) -> Mechanic:
    if SEPARATOR in source:
        raise InputError(
            "no_mechanic", f"the path of a mechanic has no '{SEPARATOR}': rename '{source}'", where=source
        )
    mechanic = load_source(source, load_seconds())
    _loaded_version(source)
    return mechanic


@cache
def _loaded_version(source: str) -> str:
    """Return the version of a source as it was when it was loaded."""
    return source_version(source)


def _require_free_name(name: str, source: str, places: Mapping[str, str]) -> None:
    place = _entry_points()[name].value if name in _entry_points() else places.get(name)
    if place is not None and place != source:
        raise InputError(
            "name_taken",
            f"'{source}' has the name '{name}', which {place} has already: give it another name",
            where=source,
        )
