"""Answer the Fate Deck's questions from JSON requests with their own rules, as the HTTP API does."""

from typing import Any, Final

from oddsmith import wire
from oddsmith.chance import Draw, System
from oddsmith.games.fate.questions import QUESTIONS
from oddsmith.games.fate.rules import Rules
from oddsmith.question import Context, read_rules

BY_NAME: Final = {question.name: question for question in QUESTIONS}


def ask(name: str, *, draw: Draw | None = None, **fields: object) -> Any:  # noqa: ANN401  any reply
    """Return the reply to a question."""
    question: Any = BY_NAME[name]
    request = wire.from_json(wire.to_json(fields), question.request)
    return question.answer(
        request, Context(rules=read_rules(Rules, request.rules), draw=draw or System(), is_limited=True)
    )
