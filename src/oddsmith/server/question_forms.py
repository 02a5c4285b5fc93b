"""What a form for any question is made from: the questions of a game, and the schemas of each one's request and reply."""

from typing import Any

import msgspec

from oddsmith.errors import NotFoundError, nearest
from oddsmith.mechanic import AnyQuestion
from oddsmith.question_examples import example_request
from oddsmith.registry import find_mechanic
from oddsmith.server.json_schemas import Schema
from oddsmith.server.schemas import self_contained_schema


class QuestionSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A question: its name in addresses and commands, and what it answers in a sentence."""

    name: str
    summary: str

    @classmethod
    def of(cls, question: AnyQuestion) -> "QuestionSummary":
        """Return how a question is listed."""
        return cls(name=question.name, summary=question.summary)


class QuestionForm(QuestionSummary, frozen=True, kw_only=True):
    """A question with the JSON schemas of its request and its reply; each has what it refers to under `$defs`.

    `description` says more than the summary. `example` is a request without rules, null where there is none.
    `text_fields` are the fields of the request whose text a curve can change numbers in. `draws` is true where luck
    decides the reply.
    """

    description: str
    request: dict[str, Any]
    reply: dict[str, Any]
    example: dict[str, Any] | None
    text_fields: tuple[str, ...]
    draws: bool


def question_form(game: str, name: str) -> QuestionForm:
    """Return what a form for a question is made from.

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
        reply=self_contained_schema(question.reply, sent=True),
        example=example_request(question),
        text_fields=tuple(question.text_fields),
        draws=question.draws,
    )


def _without_tag(kind: Any, schema: Schema) -> Schema:  # noqa: ANN401  a type
    """Return the schema of a request without its tag: nothing has to tell it apart at its own address."""
    tag = kind.__struct_config__.tag_field
    if tag is None:
        return schema
    properties = {name: inner for name, inner in schema["properties"].items() if name != tag}
    return schema | {
        "properties": properties,
        "required": [name for name in schema["required"] if name != tag],
    }
