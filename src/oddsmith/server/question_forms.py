"""Questions as clients build forms from them: summaries, and the schemas of a question's request and reply."""

from typing import Any

import msgspec

from oddsmith.errors import NotFoundError, nearest
from oddsmith.mechanic import AnyQuestion
from oddsmith.question_examples import example_request
from oddsmith.registry import find_mechanic
from oddsmith.server.json_schemas import Schema
from oddsmith.server.schemas import self_contained_schema


class QuestionSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A question: its name in paths and commands, and a sentence about its answer."""

    name: str
    summary: str

    @classmethod
    def of(cls, question: AnyQuestion) -> "QuestionSummary":
        """Return the summary of a question."""
        return cls(name=question.name, summary=question.summary)


class QuestionForm(QuestionSummary, frozen=True, kw_only=True):
    """A question with the JSON schemas of its request and its reply, each with the schemas it refers to under `$defs`.

    `description` is longer than the summary. `example` is a request without rules, null where there is none. `text_fields`
    are the text fields of the request in which a curve can vary a number. `draws` is true where the reply is random.
    """

    description: str
    request: dict[str, Any]
    reply: dict[str, Any]
    example: dict[str, Any] | None
    text_fields: tuple[str, ...]
    draws: bool


def question_form(game: str, name: str) -> QuestionForm:
    """Return the form of a question; raises `NotFoundError` for an unknown one.

    >>> from oddsmith.registry import mechanic_names
    >>> question_form(mechanic_names()[0], "odds").request["type"]
    'object'
    """
    questions = find_mechanic(game).questions
    question = questions.get(name)
    if question is None:
        shown = name[:40]
        raise NotFoundError("unknown_question", f"unknown question '{shown}'{nearest(shown, questions)}")
    return QuestionForm(
        name=question.name,
        summary=question.summary,
        description=question.description,
        request=_without_tag(question.request, self_contained_schema(question.request)),
        reply=self_contained_schema(question.reply, is_reply=True),
        example=example_request(question),
        text_fields=tuple(question.text_fields),
        draws=question.draws,
    )


def _without_tag(kind: type[msgspec.Struct], schema: Schema) -> Schema:
    """Return the schema of a request without its tag, which is not needed at the question's own path."""
    tag = kind.__struct_config__.tag_field
    if tag is None:
        return schema
    properties = {name: inner for name, inner in schema["properties"].items() if name != tag}
    return schema | {
        "properties": properties,
        "required": [name for name in schema["required"] if name != tag],
    }
