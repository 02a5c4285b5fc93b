"""Faults of decoded values as sentences in plain words, with the path of the field."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

_PATH: Final = re.compile(r" - at `(?:key in )?\$\.?([^`]*)`$")
_LONGEST_VALUE: Final = 40
_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "str": "text",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_LIMITS: Final = {">=": "of at least", "<=": "of at most", ">": "greater than", "<": "less than"}
_SENTENCES: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]] = (
    (
        re.compile(r"Expected `(\w+)` (>=|<=|>|<) (-?[\d.]+)"),
        lambda found: f"expected {_KINDS.get(found[1], 'a value')} {_LIMITS[found[2]]} {found[3]}",
    ),
    (
        re.compile(r"Expected `(str|array|object)` of length (?:(>=|<=) )?(\d+)"),
        lambda found: f"expected {_KINDS[found[1]]} {_length(found[1], found[2], found[3])}",
    ),
    (re.compile(r"Expected `str` matching regex .*"), lambda _: "expected text of another form"),
    (
        re.compile(r"Expected `([^`]+)`, got `([^`]+)`"),
        lambda found: f"expected {_list_kinds(found[1])}, not {_list_kinds(found[2])}",
    ),
    (
        re.compile(r"Invalid (?:enum )?value (?:'(.*)'|(.+))", re.DOTALL),
        lambda found: f"'{(found[1] or found[2] or '')[:_LONGEST_VALUE]}' is no possible value",
    ),
    (
        re.compile(r"Object contains unknown field `([^`]*)`"),
        lambda found: f"there is no field '{found[1][:_LONGEST_VALUE]}'",
    ),
    (
        re.compile(r"Object missing required field `([^`]*)`"),
        lambda found: f"the field '{found[1]}' is missing",
    ),
    (re.compile(r"JSON is malformed: (.*)"), lambda found: f"the request is no JSON: {found[1]}"),
    (re.compile(r"Input data was truncated"), lambda _: "the request is no JSON: it ends too early"),
)
_FIELD: Final = re.compile(r"(?:missing required|contains unknown) field `([^`]+)`")
UNKNOWN: Final = "this value cannot be read"


class Fault(NamedTuple):
    """What is wrong with a value, and the path of the field that has it; None for the whole value."""

    sentence: str
    where: str | None


def describe_fault(message: str) -> Fault:
    """Return the fault that a message of the JSON decoder reports.

    >>> describe_fault("Expected `int` >= 1 - at `$.hp[0]`")
    Fault(sentence='hp[0]: expected a whole number of at least 1', where='hp[0]')
    """
    found = _PATH.search(message)
    path = found[1].partition("[...]")[0] if found else ""
    text = message[: found.start()] if found else message
    field = _FIELD.search(text)
    where = ".".join(filter(None, (path, field[1] if field else ""))) or None
    sentence = next(
        (write(match) for pattern, write in _SENTENCES if (match := pattern.fullmatch(text))), UNKNOWN
    )
    return Fault(sentence if field or not path else f"{path}: {sentence}", where)


def _length(kind: str, limit: str | None, number: str) -> str:
    noun = "characters" if kind == "str" else "entries"
    return f"of {f'{_LIMITS[limit][3:]} ' if limit else ''}{number} {noun}"


def _list_kinds(names: str) -> str:
    """Return the names of kinds in plain words: "text, a list or null"."""
    *most, last = [_KINDS.get(name, "another value") for name in names.split(" | ")]
    return f"{', '.join(most)} or {last}" if most else last
