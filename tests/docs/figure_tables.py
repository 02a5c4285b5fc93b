"""The page about figures is made from the figures: between `<!-- figures of GAME -->` and `<!-- end -->`."""

import inspect
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

import msgspec

from oddsmith import wire
from oddsmith.balance.figures import figures_of
from oddsmith.figure import Figure
from tests.docs.json_page import schemas

PLACE: Final = re.compile(
    r"^<!-- figures of (?P<game>[a-z]+) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE
)
REQUIRED: Final = "required"
ALIAS: Final = re.compile(r'^(\w+): TypeAlias = .*\n"""(.*)"""$', re.MULTILINE)
WORDS: Final = {
    "Character": "a [character](rules-files.md#character)",
    "Points": "points",
    "Card": "card",
    "Fraction": "number",
}


def filled(text: str) -> str:
    """Return the page with the figures of every game written anew."""
    return PLACE.sub(
        lambda found: f"<!-- figures of {found['game']} -->\n\n{_figures(found['game'])}\n\n<!-- end -->",
        text,
    )


def games_shown(text: str) -> list[str]:
    """Return the games that a page has a place for, in its order."""
    return [found["game"] for found in PLACE.finditer(text)]


class _Argument(NamedTuple):
    """An argument as figures have it: what is expected, its default, and what is said of its type."""

    name: str
    expected: str
    default: str
    about: str


def _figures(game: str) -> str:
    kinds = figures_of(game)
    arguments = {name: [*_arguments(kind)] for name, kind in kinds.items()}
    figures = [
        (f"`{name}`", str(kind.unit), _told(arguments[name]), said(kind)) for name, kind in kinds.items()
    ]
    return "\n\n".join(
        (
            table(("figure", "is a", "arguments", "what it is"), figures),
            table(("argument", "expected", "default", "about"), _rows(arguments)),
            "\n".join(_shared(kinds.values())),
        )
    )


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table, with whatever stands in its cells."""
    titles = list(heads)
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


def _told(arguments: Iterable[_Argument]) -> str:
    """Name arguments, those first that must be given."""
    ordered = sorted(arguments, key=lambda one: one.default != REQUIRED)
    return ", ".join(f"`{one.name}`" if one.default == REQUIRED else f"[`{one.name}`]" for one in ordered)


def _rows(arguments: Mapping[str, Sequence[_Argument]]) -> Iterator[tuple[str, ...]]:
    """Yield each argument once, and of which figures it is where others have one of the same name that is not the same."""
    owners: dict[_Argument, list[str]] = {}
    for figure, own in arguments.items():
        for one in own:
            owners.setdefault(one, []).append(figure)
    names = Counter(one.name for one in owners)
    for one, figures in owners.items():
        of = f" of {', '.join(f'`{figure}`' for figure in figures)}" if names[one.name] > 1 else ""
        yield f"`{one.name}`{of}", one.expected, one.default, one.about


def said(kind: type) -> str:
    """Return what a type says of itself, in one line."""
    return " ".join((kind.__doc__ or "").partition(">>>")[0].split())


def _arguments(kind: type[Figure]) -> Iterator[_Argument]:
    known = schemas([kind])
    properties = known[kind.__name__]["properties"]
    for field in msgspec.structs.fields(kind):
        yield _Argument(
            name=field.name,
            expected=expected(properties[field.name], known),
            default=REQUIRED if field.required else default(wire.to_builtins(field.default)),
            about=_about(kind, field.name),
        )


def _about(kind: type[Figure], argument: str) -> str:
    """Return what is said of the type that an argument has, if that has a name and a sentence of its own."""
    wanted = next(
        found[argument] for one in kind.__mro__ if argument in (found := inspect.get_annotations(one))
    )
    return next((said for alias, said in _aliases(kind.__module__) if wanted in (alias, alias | None)), "")


@cache
def _aliases(room: str) -> list[tuple[Any, str]]:
    """Return the types that have a name and a sentence below it, in a room and among what questions to its game are made of."""
    questions = room.replace(".balance.", ".games.").replace(".figures", ".asking")
    return [
        (getattr(module, found[1]), found[2])
        for module in map(import_module, filter(find_spec, (room, questions)))
        for found in ALIAS.finditer(inspect.getsource(module))
    ]


def _shared(kinds: Iterable[type[Figure]]) -> Iterator[str]:
    """Yield what is said of arguments that several figures have in common."""
    homes = dict.fromkeys(one for kind in kinds for one in kind.__mro__ if one.__name__.startswith("_"))
    for home in homes:
        own = [argument for argument in inspect.get_annotations(home) if argument != "unit"]
        if own:
            yield f"- {', '.join(f'`{argument}`' for argument in own)}: {said(home)}"


def default(value: object) -> str:
    """Write a default as files write it."""
    match value:
        case None | "" | [] | ():
            return "none"
        case bool():
            return f"`{str(value).lower()}`"
        case str():
            return f'`"{value}"`'
        case Mapping():
            return "`{}`" if not value else "nothing of it"
    return f"`{value}`"


def expected(schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:  # noqa: PLR0911  one answer for each kind of value
    """Say what a schema expects, in words."""
    match schema:
        case {"$ref": reference}:
            name = str(reference).rpartition("/")[2]
            return WORDS[name] if name in WORDS else _inside(name, known)
        case {"enum": values}:
            return " or ".join(f"`{value}`" for value in values)
        case {"anyOf": options}:
            told = (expected(option, known) for option in options if option != {"type": "null"})
            return " or ".join(dict.fromkeys(told))
        case {"type": "integer"}:
            return f"whole number{_between(schema)}"
        case {"type": "number"}:
            return "number"
        case {"type": "boolean"}:
            return "`true` or `false`"
        case {"type": "array", "items": items}:
            return f"list{_many(schema)}: {expected(items, known)}"
        case {"type": "object", "additionalProperties": inner}:
            return f"table: {expected(inner, known)}"
    return "text"


def _inside(name: str, known: Mapping[str, Any]) -> str:
    """Say what a type of its own is: what it may be, or its name where it is a table."""
    return f"`{name}`" if "properties" in known[name] else expected(known[name], known)


def _between(schema: Mapping[str, Any]) -> str:
    least = schema.get("minimum")
    most = schema["exclusiveMaximum"] - 1 if "exclusiveMaximum" in schema else schema.get("maximum")
    if least is None:
        return ""
    return f", {least:,} to {most:,}" if most is not None else f", {least:,} or more"


def _many(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minItems"), schema.get("maxItems")
    return "" if most is None else f" of {most:,}" if least == most else f" of up to {most:,}"
