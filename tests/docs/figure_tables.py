"""Generates the page about figures between `<!-- figures of GAME -->` and `<!-- end -->`."""

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
from oddsmith.balance.figures import PLAY_FIGURES, figures_of
from oddsmith.figure import Figure
from tests.docs.json_page import schemas

PLACE: Final = re.compile(
    r"^<!-- figures of (?P<game>[a-z]+) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE
)
PLAY: Final = "play"
"""In place of a game: the figures of play, which every game has."""
REQUIRED: Final = "required"
ALIAS: Final = re.compile(r'^(\w+): TypeAlias = .*\n"""(.*)"""$', re.MULTILINE)
WORDS: Final = {
    "Character": "a [character](rules-files.md#character)",
    "Points": "points",
    "Card": "card",
    "Fraction": "number",
}


def fill_tables(text: str) -> str:
    """Return the page with the figures of every game generated again."""
    return PLACE.sub(
        lambda found: (
            f"<!-- figures of {found['game']} -->\n\n{_figure_tables(found['game'])}\n\n<!-- end -->"
        ),
        text,
    )


def games_in(text: str) -> list[str]:
    """Return the games in a page, in its order."""
    return [found["game"] for found in PLACE.finditer(text) if found["game"] != PLAY]


class _Argument(NamedTuple):
    """An argument of figures: what is expected, its default, and the description of its type."""

    name: str
    expected: str
    default: str
    about: str


def _figure_tables(game: str) -> str:
    kinds = PLAY_FIGURES if game == PLAY else figures_of(game)
    arguments = {name: [*_arguments(kind)] for name, kind in kinds.items()}
    figures = [
        (f"`{name}`", str(kind.unit), _argument_names(arguments[name]), describe_type(kind))
        for name, kind in kinds.items()
    ]
    return "\n\n".join(
        (
            make_table(("figure", "is a", "arguments", "what it is"), figures),
            make_table(("argument", "expected", "default", "about"), _argument_rows(arguments)),
            "\n".join(_shared_lines(kinds.values())),
        )
    )


def make_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table of text."""
    titles = list(heads)
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


def _argument_names(arguments: Iterable[_Argument]) -> str:
    """Return the names of arguments, required ones first."""
    ordered = sorted(arguments, key=lambda one: one.default != REQUIRED)
    return ", ".join(f"`{one.name}`" if one.default == REQUIRED else f"[`{one.name}`]" for one in ordered)


def _argument_rows(arguments: Mapping[str, Sequence[_Argument]]) -> Iterator[tuple[str, ...]]:
    """Yield each argument once, with its figures where others have a different one of the same name."""
    owners: dict[_Argument, list[str]] = {}
    for figure, own in arguments.items():
        for one in own:
            owners.setdefault(one, []).append(figure)
    names = Counter(one.name for one in owners)
    for one, figures in owners.items():
        of = f" of {', '.join(f'`{figure}`' for figure in figures)}" if names[one.name] > 1 else ""
        yield f"`{one.name}`{of}", one.expected, one.default, one.about


def describe_type(kind: type) -> str:
    """Return the docstring of a type in one line."""
    return " ".join((kind.__doc__ or "").partition(">>>")[0].split())


def _arguments(kind: type[Figure]) -> Iterator[_Argument]:
    known = schemas([kind])
    properties = known[kind.__name__]["properties"]
    for field in msgspec.structs.fields(kind):
        yield _Argument(
            name=field.name,
            expected=expected_words(properties[field.name], known),
            default=REQUIRED if field.required else format_default(wire.to_builtins(field.default)),
            about=_describe_argument(kind, field.name),
        )


def _describe_argument(kind: type[Figure], argument: str) -> str:
    """Return the description of an argument's type alias, if it has one."""
    wanted = next(
        found[argument] for one in kind.__mro__ if argument in (found := inspect.get_annotations(one))
    )
    return next(
        (sentence for alias, sentence in _aliases(kind.__module__) if wanted in (alias, alias | None)), ""
    )


@cache
def _aliases(module_name: str) -> list[tuple[Any, str]]:
    """Return the described type aliases of a module and of the questions of its game."""
    questions = module_name.replace(".figures", ".asking")
    return [
        (getattr(module, found[1]), found[2])
        for module in map(import_module, filter(find_spec, (module_name, questions)))
        for found in ALIAS.finditer(inspect.getsource(module))
    ]


def _shared_lines(kinds: Iterable[type[Figure]]) -> Iterator[str]:
    """Yield the descriptions of arguments that several figures share."""
    homes = dict.fromkeys(one for kind in kinds for one in kind.__mro__ if one.__name__.startswith("_"))
    for home in homes:
        own = [argument for argument in inspect.get_annotations(home) if argument != "unit"]
        if own:
            yield f"- {', '.join(f'`{argument}`' for argument in own)}: {describe_type(home)}"


def format_default(value: object) -> str:
    """Write a default as in a file."""
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


def expected_words(schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:  # noqa: PLR0911  one return for each kind of value
    """Describe what a schema expects."""
    match schema:
        case {"$ref": reference}:
            name = str(reference).rpartition("/")[2]
            return WORDS[name] if name in WORDS else _type_words(name, known)
        case {"enum": values}:
            return " or ".join(f"`{value}`" for value in values)
        case {"anyOf": options}:
            parts = (expected_words(option, known) for option in options if option != {"type": "null"})
            return " or ".join(dict.fromkeys(parts))
        case {"type": "integer"}:
            return f"whole number{_bounds_words(schema)}"
        case {"type": "number"}:
            return "number"
        case {"type": "boolean"}:
            return "`true` or `false`"
        case {"type": "array", "items": items}:
            return f"list{_length_words(schema)}: {expected_words(items, known)}"
        case {"type": "object", "additionalProperties": inner}:
            return f"table: {expected_words(inner, known)}"
    return "text"


def _type_words(name: str, known: Mapping[str, Any]) -> str:
    """Describe a named type: its values, or its name where it is a table."""
    return f"`{name}`" if "properties" in known[name] else expected_words(known[name], known)


def _bounds_words(schema: Mapping[str, Any]) -> str:
    least = schema.get("minimum")
    most = schema["exclusiveMaximum"] - 1 if "exclusiveMaximum" in schema else schema.get("maximum")
    if least is None:
        return ""
    return f", {least:,} to {most:,}" if most is not None else f", {least:,} or more"


def _length_words(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minItems"), schema.get("maxItems")
    return "" if most is None else f" of {most:,}" if least == most else f" of up to {most:,}"
