"""Faults of decoded values as sentences in plain words, with the path of the field and what would be right there."""

import enum
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from msgspec import inspect

from oddsmith.errors import nearest

FORM: Final = "form"
"""The key of `Meta.extra` under which a type with a pattern says in words which texts it takes."""

NAME_FORM: Final = "a name of 1 to 40 lower-case letters, digits and _, a letter first"
"""The form of the names that games give to parts of their rules."""

JSON_NAMES: Final[Mapping[str, str]] = {
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "str": "text",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
TOML_NAMES: Final[Mapping[str, str]] = {
    **JSON_NAMES,
    "Decimal": "a number",
    "object": "a table",
    "null": "nothing",
}
UNKNOWN: Final = "this value cannot be read"
TOO_DEEP: Final = "the value is nested too deep"
NOT_TEXT: Final = "the text is not UTF-8"

_DECIMALS: Final = dict.fromkeys(("float", "decimal", "Decimal"), "a number with decimals")
"""The names of numbers that were given; whole ones are `int`."""
_LONGEST_VALUE: Final = 40
_PATH: Final = re.compile(r" - at (`key` in )?`\$([^`]*)`$")
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[([0-9]+|\.\.\.)\]")
_LIMITS: Final = {">=": "of at least", "<=": "of at most", ">": "greater than", "<": "less than"}
_LENGTHS: Final = {
    ">=": "at least ",
    "<=": "at most ",
    "at least length": "at least ",
    "at most length": "at most ",
}


class Fault(NamedTuple):
    """What is wrong with a value, and the path of the field that has it; None for the whole value."""

    sentence: str
    where: str | None

    @property
    def placed(self) -> str:
        """The sentence after the path, unless it names the field itself."""
        is_named = self.where is None or self.sentence.startswith(("there is no field", "the field"))
        return self.sentence if is_named else f"{self.where}: {self.sentence}"


class _Place(NamedTuple):
    """The types that a value may have where the fault is, and the names of kinds of values."""

    kinds: tuple[inspect.Type, ...]
    names: Mapping[str, str]


_Write = Callable[[re.Match[str], _Place], str]


def describe_fault(message: str, kind: object = Any, names: Mapping[str, str] = JSON_NAMES) -> Fault:
    """Return the fault that a message of the decoder reports about a value of type `kind`.

    >>> describe_fault("Expected `int` >= 1 - at `$.hp[0]`").placed
    'hp[0]: expected a whole number of at least 1'
    """
    found = _PATH.search(message)
    text = message[: found.start()] if found else message
    steps = tuple(match[1] or match[2] for match in _STEP.finditer(found[2])) if found else ()
    place = _Place(_kinds_at(kind, steps, is_key=bool(found and found[1])), names)
    where = found[2].partition("[...]")[0].lstrip(".") if found else ""
    for pattern, write in _SENTENCES:
        match = pattern.fullmatch(text)
        if match is not None:
            field = match.groupdict().get("field")
            return Fault(write(match, place), ".".join(filter(None, (where, field))) or None)
    return Fault(UNKNOWN, where or None)


def describe_toml_fault(message: str) -> Fault:
    """Return the fault that a message of the TOML parser reports; its place is a line and a column.

    >>> describe_toml_fault("Unclosed array (at line 3, column 9)").placed
    'line 3, column 9: a list is not closed with ]'
    """
    found = _TOML_PLACE.search(message)
    text = message[: found.start()] if found else message
    sentence = next((ours for start, ours in _TOML_SENTENCES.items() if text.startswith(start)), UNKNOWN)
    return Fault(sentence, found[1] if found else None)


_TOML_PLACE: Final = re.compile(r" \(at (line \d+, column \d+|end of document)\)$")
_TOML_SENTENCES: Final = {
    "Expected '='": "a key needs = and a value after it",
    "Expected ']]'": "the heading of an array of tables is not closed with ]]",
    "Expected ']'": "the heading of a table is not closed with ]",
    "Expected newline": "a line has more than one statement",
    "Expected \"'": "a text is not closed with its quotation mark",
    "Expected": "something is missing here",
    "Cannot overwrite": "the key is given twice",
    "Duplicate inline": "the key is given twice",
    "Cannot declare": "the table is given twice",
    "Cannot mutate": "a table that is complete gets another key",
    "Cannot redefine": "a table that is complete gets another key",
    "Unclosed array": "a list is not closed with ]",
    "Unclosed inline": "a table is not closed with }",
    "Unterminated string": "a text is not closed with its quotation mark",
    "Unescaped": "a backslash in a text begins no known sequence",
    "Escaped character": "a text has a sequence for a character that does not exist",
    "Invalid hex": "a text has a sequence for a character that is no hexadecimal number",
    "Invalid date": "there is no such date or time",
    "Invalid initial character": "a key begins with a letter, a digit, _, - or a quotation mark",
    "Invalid statement": "a line begins with a key or with the heading of a table",
    "Invalid value": "there is no value: write text in quotation marks, a number, true, false, a list or a table",
    "Found invalid character": "there is a character that cannot be in a line",
    "Illegal character": "there is a character that cannot be in a line",
}
"""By how the message begins."""


def _describe_limit(found: re.Match[str], place: _Place) -> str:
    return (
        f"expected {place.names.get(found[1], 'a value')} {_LIMITS[found[2]]} {found[3].removesuffix('.0')}"
    )


def _describe_length(found: re.Match[str], place: _Place) -> str:
    limit, number = found["limit"], found["number"]
    noun = "character" if found[1] == "str" else "entry"
    nouns = noun if number == "1" else {"character": "characters", "entry": "entries"}[noun]
    got = f", not {found['got']}" if found["got"] else ""
    return f"expected {place.names.get(found[1], 'a value')} of {_LENGTHS[limit] if limit else ''}{number} {nouns}{got}"


def _describe_form(_: re.Match[str], place: _Place) -> str:
    extras = [kind.extra or {} for kind in place.kinds if isinstance(kind, inspect.Metadata)]
    forms = [extra[FORM] for extra in extras if FORM in extra]
    return f"expected {forms[0]}" if forms else "expected text of another form"


def _describe_kind(found: re.Match[str], place: _Place) -> str:
    got = f", not {_list_kinds(found[2], {**place.names, **_DECIMALS})}" if found[2] else ""
    return f"expected {_list_kinds(found[1], place.names)}{got}"


def _describe_value(found: re.Match[str], place: _Place) -> str:
    known = list(dict.fromkeys(_possible_values(place.kinds)))
    value = (found[1] or found[2] or found[3] or "")[:_LONGEST_VALUE]
    return f"'{value}' is unknown{nearest(value, known)}" if known else f"'{value}' is no possible value"


def _describe_unknown_field(found: re.Match[str], place: _Place) -> str:
    field = found["field"][:_LONGEST_VALUE]
    known = list(dict.fromkeys(name for kind in place.kinds for name in _field_names(kind)))
    return f"there is no field '{field}'{nearest(field, known) if known else ''}"


_SENTENCES: Final[tuple[tuple[re.Pattern[str], _Write], ...]] = (
    (re.compile(r"Expected `(\w+)` (>=|<=|>|<) (-?[\d.e+-]+)"), _describe_limit),
    (
        re.compile(
            r"Expected `(str|array|object)` of (?:length )?(?:(?P<limit>>=|<=|at least length|at most length) )?"
            r"(?P<number>\d+)(?:, got (?P<got>\d+))?"
        ),
        _describe_length,
    ),
    (re.compile(r"Expected `str` matching regex .*", re.DOTALL), _describe_form),
    (re.compile(r"Expected `([^`]+)`(?:, got `([^`]+)`)?"), _describe_kind),
    (
        re.compile(r"Invalid (?:enum )?value (?:'(.*)'|\"(.*)\"|(-?\d+))", re.DOTALL),
        _describe_value,
    ),
    (
        re.compile(r"Object contains unknown field `(?P<field>.*)`", re.DOTALL),
        _describe_unknown_field,
    ),
    (
        re.compile(r"Object missing required field `(?P<field>.*)`", re.DOTALL),
        lambda found, _: f"the field '{found['field']}' is missing",
    ),
    (
        re.compile(r"JSON is malformed: .*\(byte (\d+)\)", re.DOTALL),
        lambda found, _: f"this is not JSON: byte {found[1]} cannot be there",
    ),
    (re.compile(r"Input data was truncated"), lambda *_: "this is not JSON: it ends too early"),
    (re.compile(r"Invalid decimal string"), lambda *_: "expected a number"),
    (re.compile(r"(?:Integer value|Number) out of range"), lambda *_: "the number is beyond all bounds"),
)


def _list_kinds(given: str, names: Mapping[str, str]) -> str:
    """Return the names of kinds in plain words: "text, a list or null"."""
    *most, last = dict.fromkeys(names.get(name, "another value") for name in given.split(" | "))
    return f"{', '.join(most)} or {last}" if most else last


# --- types at a path -------------------------------------------------------------------------------------------------


@cache
def _type_info(kind: Any) -> inspect.Type:  # noqa: ANN401  an annotation
    return inspect.type_info(kind)


def _kinds_at(kind: object, steps: Iterable[str], *, is_key: bool) -> tuple[inspect.Type, ...]:
    """Return the types that a value at a path may have, the members of unions one by one."""
    kinds = (*_members(_type_info(kind)),)
    for step in steps:
        kinds = tuple(inner for outer in kinds for inner in _inner_kinds(outer, step))
    if not is_key:
        return kinds
    return tuple(
        key for outer in kinds if isinstance(outer, inspect.DictType) for key in _members(outer.key_type)
    )


def _members(kind: inspect.Type) -> Iterator[inspect.Type]:
    """Yield a type, with its metadata where it has some; for a union, those of each member."""
    if isinstance(kind, inspect.Metadata):
        yield kind
        yield from _members(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for member in kind.types:
            yield from _members(member)
    else:
        yield kind


def _inner_kinds(kind: inspect.Type, step: str) -> Iterator[inspect.Type]:
    match kind:
        case inspect.StructType():
            for field in kind.fields:
                if field.encode_name == step:
                    yield from _members(field.type)
            if step == kind.tag_field:
                yield kind
        case inspect.TupleType() if step.isdecimal():
            yield from _members(kind.item_types[int(step)])
        case inspect.DictType():
            yield from _members(kind.value_type)
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            yield from _members(kind.item_type)


def _possible_values(kinds: Iterable[inspect.Type]) -> Iterator[str]:
    """Yield the names that enumerations, literals and tags of structs among the types have, then what else is possible."""
    kinds = sorted(kinds, key=lambda kind: isinstance(kind, inspect.IntType | inspect.FloatType))
    for kind in kinds:
        match kind:
            case inspect.EnumType():
                yield from (str(_value_of(member)) for member in kind.cls)
            case inspect.LiteralType():
                yield from map(str, kind.values)
            case inspect.StructType() if kind.tag is not None:
                yield str(kind.tag)
            case inspect.IntType():
                yield JSON_NAMES["int"]
            case inspect.FloatType():
                yield JSON_NAMES["float"]


def _value_of(member: enum.Enum) -> object:
    return member.value


def _field_names(kind: inspect.Type) -> tuple[str, ...]:
    """Return the names of a struct's fields; nothing for any other type."""
    return tuple(field.encode_name for field in kind.fields) if isinstance(kind, inspect.StructType) else ()
