"""The page that goes through the source documents has a place for every line of each, and every place exists."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from oddsmith.mechanic import Mechanic
from oddsmith.registry import find_mechanic, mechanic_names
from oddsmith.rules import Ruleset

RULES = Path(__file__).parents[2] / "docs" / "rules"
PAGE = (RULES / "documents.md").read_text(encoding="utf-8")
ERRATA = (RULES / "errata.md").read_text(encoding="utf-8")
CLI = (RULES.parent / "reference" / "cli.md").read_text(encoding="utf-8")
NOTHING = "nothing about the game"
ROW = re.compile(r"^\| (\d+)–(\d+) \| ([^|]+) \| ([^|]*) \| (.*) \|$", re.MULTILINE)
PLACES = {
    "paragraphs": re.compile(r"\d+\.\d+(?:, \d+\.\d+)*"),
    "errata": re.compile(r'errata "((?:[^"\\]|\\.)+)"'),
    "rules": re.compile(r"`[a-z_.]+`(?:, `[a-z_.]+`)*"),
    "command": re.compile(r"`oddsmith ([a-z ]+)`"),
}


class Row(NamedTuple):
    """A row of a document's table."""

    first: int
    last: int
    section: str
    places: tuple[str, ...]


def section_of(page: str, mechanic: Mechanic) -> str:
    """Return the text below the heading with the mechanic's title."""
    found = re.search(rf"^## {mechanic.title}\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    assert found is not None, mechanic.title
    return found[1]


def rows_of(mechanic: Mechanic) -> list[Row]:
    return [
        Row(int(first), int(last), section, tuple(here.split("; ")))
        for first, last, section, _, here in ROW.findall(section_of(PAGE, mechanic))
    ]


def rule_names(rules: object, prefix: str = "") -> Iterator[str]:
    """Yield the dotted names of all rules, those of structs and mappings included."""
    fields: Mapping[str, object] = {}
    if isinstance(rules, msgspec.Struct):
        fields = {name: getattr(rules, name) for name in rules.__struct_fields__}
    elif isinstance(rules, Mapping):
        fields = {str(name): value for name, value in rules.items()}
    for name, value in fields.items():
        yield f"{prefix}{name}"
        yield from rule_names(value, f"{prefix}{name}.")


def problem_with(place: str, mechanic: Mechanic, default: Ruleset) -> str | None:
    """Return what is wrong with a place, or None."""
    kind = next((kind for kind, pattern in PLACES.items() if pattern.fullmatch(place)), None)
    match kind:
        case "paragraphs":
            page = (RULES / f"{mechanic.name}.md").read_text(encoding="utf-8")
            missing = [number for number in place.split(", ") if f"**{number}** " not in page]
        case "errata":
            text = PLACES["errata"].fullmatch(place)
            assert text is not None
            quote = text[1].replace('\\"', '"')
            missing = [] if f"\n| {quote}" in section_of(ERRATA, mechanic) else [quote]
        case "rules":
            known = {*rule_names(default)}
            missing = [name for name in re.findall(r"`([a-z_.]+)`", place) if name not in known]
        case "command":
            _, command, *_ = place.strip("`").split()
            missing = [] if f"## {command}" in CLI else [place]
        case _:
            return None if place == NOTHING else f"'{place}' is no place"
    return f"there is no {kind} {', '.join(missing)}" if missing else None


@pytest.mark.parametrize("name", mechanic_names())
def test_every_line_of_a_document_is_in_one_row(name: str) -> None:
    """From the first line to the last, without a gap."""
    mechanic = find_mechanic(name)
    rows = rows_of(mechanic)
    size = re.search(r"The document has ([\d,]+) lines", section_of(PAGE, mechanic))

    assert size is not None
    assert 1 == rows[0].first
    assert int(size[1].replace(",", "")) == rows[-1].last
    assert [] == [
        later for row, later in pairwise(rows) if later.first != row.last + 1 or later.first > later.last
    ]


@pytest.mark.parametrize("name", mechanic_names())
def test_every_row_has_a_place_that_exists(name: str) -> None:
    """A paragraph of the rules page, a rule, a command, or a row of the errata; or it says nothing about the game."""
    mechanic = find_mechanic(name)
    default = mechanic.rules_type.preset("default")
    problems = [
        f"{row.first}–{row.last} {row.section}: {problem}"
        for row in rows_of(mechanic)
        for place in row.places
        if (problem := problem_with(place, mechanic, default)) is not None
    ]

    assert [] == problems


def test_no_row_says_that_something_is_missing() -> None:
    """What a document says is here, or the errata say why it is otherwise."""
    assert [] == re.findall(r"\bnot (?:yet )?(?:built|implemented|supported|done)\b", PAGE)


def test_a_place_that_does_not_exist_is_found() -> None:
    """A paragraph, a rule, a row of the errata, a command, and text that is none of them."""
    mechanic = find_mechanic(mechanic_names()[0])
    default = mechanic.rules_type.preset("default")
    wrong = ["99.9", "`no_such_rule`", 'errata "No such row"', "`oddsmith nothing here`", "somewhere"]

    assert all(problem_with(place, mechanic, default) for place in wrong)
