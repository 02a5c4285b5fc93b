"""Questions by their paths, and an application without a server."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from oddsmith.chance import BufferedSystem, Draw
from oddsmith.question import Context, read_rules
from oddsmith.question_variants import variants_of
from oddsmith.registry import load_mechanics
from oddsmith.server.http_application import HttpApplication
from oddsmith.server.http_request import API
from oddsmith.server.question_operations import question_operations
from oddsmith.server.slow_questions import SlowQuestions


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The types of a question, and a function that answers a request as a server does."""

    request: Any
    reply: Any
    is_quick: bool
    answer: Callable[[Any, Draw], Any]


def question_paths() -> Mapping[str, Endpoint]:
    """Return every question by its path."""
    return {
        f"{API}/{name}/{variant.name}": _endpoint(mechanic.game.rules_type, variant)
        for name, mechanic in load_mechanics().items()
        for question in mechanic.questions.values()
        for variant in variants_of(question)
    }


def _endpoint(rules_type: Any, question: Any) -> Endpoint:  # noqa: ANN401  types of any mechanic
    def answer(request: Any, draw: Draw) -> Any:  # noqa: ANN401  types of the question
        rules = read_rules(rules_type, request.rules)
        return question.answer(request, Context(rules=rules, draw=draw, is_limited=True))

    return Endpoint(request=question.request, reply=question.reply, is_quick=question.is_quick, answer=answer)


def question_application(draw: Draw | None = None) -> HttpApplication:
    """Return an application that answers questions only."""
    make_draw = BufferedSystem if draw is None else lambda: draw
    return HttpApplication(question_operations(SlowQuestions(), make_draw))
