"""The request of a question's example command, with which other interfaces fill in their forms."""

import shlex
from collections.abc import Sequence
from typing import Any, Final

from oddsmith import wire
from oddsmith.mechanic import AnyQuestion
from oddsmith.question import RequestField, fields_of, read_field

COMMAND_WORDS: Final = 3
"""The number of words before the options of an example: program, mechanic and question."""
RULES: Final = "rules"


def example_request(question: AnyQuestion) -> dict[str, Any] | None:
    """Return the plain data of the request of a question's example, without rules.

    None where the question has no example, or its example reads a file.
    """
    if not question.example:
        return None
    request: Any = question.request
    fields = {field.path: field for field in fields_of(request)}
    texts = _texts_by_path(question, [*fields.values()], shlex.split(question.example)[COMMAND_WORDS:])
    if any(fields[path].hint.from_file is not None for path in texts):
        return None
    data: dict[str, Any] = {**question.command_defaults}
    for path, given in texts.items():
        _put(data, path, _read(fields[path], given))
    data |= question.command_values
    request_data: dict[str, Any] = wire.to_builtins(
        {name: value for name, value in data.items() if name != RULES}
    )
    return request_data


def _texts_by_path(
    question: AnyQuestion, fields: Sequence[RequestField], words: Sequence[str]
) -> dict[tuple[str, ...], list[str]]:
    """Return the texts of each field in the words of a command, by path; options that are no fields are left out."""
    options = {name: field for field in fields if field.hint.place == "option" for name in _names(field)}
    arguments = [field for field in fields if field.hint.place == "argument"]
    texts: dict[tuple[str, ...], list[str]] = {}
    rest = iter(words)
    for word in rest:
        field = options.get(word)
        if field is not None:
            is_on = str(word == _names(field)[0])
            texts.setdefault(field.path, []).append(is_on if field.is_flag else next(rest))
        elif not word.startswith("--"):
            place = next(one for one in arguments if one.item_kind is not None or one.path not in texts)
            texts.setdefault(place.path, []).append(word)
        elif word[2:].replace("-", "_") not in question.terminal_flags:
            next(rest)
    return texts


def _names(field: RequestField) -> Sequence[str]:
    """Return the names of an option; the second of a flag turns it off."""
    names = field.hint.names or (f"--{field.name.replace('_', '-')}",)
    return [name for joined in names for name in joined.split("/")]


def _read(field: RequestField, texts: Sequence[str]) -> object:
    if field.item_kind is not None or field.pair_kinds is not None:
        return read_field(field, texts)
    text = texts[-1]
    if field.is_flag:
        return text == str(True)
    return field.kind(text) if field.kind in (int, float) else read_field(field, text)


def _put(data: dict[str, Any], path: Sequence[str], value: object) -> None:
    for name in path[:-1]:
        data = data.setdefault(name, {})
    data[path[-1]] = value
