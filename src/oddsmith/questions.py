"""A question is answered from the rules alone: no match, no memory, and all luck comes from a source that is given."""

from collections.abc import Callable
from time import monotonic
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta

from oddsmith import wire
from oddsmith.chance import Draw
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.question import GivenRules, Share, read_rules
from oddsmith.rules import Ruleset

__all__ = ["Answers", "Batch", "GivenRules", "Question", "Questions", "Share", "in_batches", "rules_of"]

R = TypeVar("R", bound=Ruleset)

MOST_ASKED: Final = 10_000
MOST_ANSWERED: Final = 32 * 2**20
"""How many bytes of JSON the answers to a batch may have."""
SECONDS_TO_ANSWER: Final = 20.0
"""How long the answers to a batch may take."""
LAST_READ: Final = 64
"""Of how many rules it is remembered what they were read from."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What may be asked, what is replied, and the pure function from one and some luck to the other.

    A `quick` one never takes longer than a few milliseconds.
    """

    request: Any
    reply: Any
    answer: Callable[[Any, Draw], Any]
    quick: bool = False


class Questions(msgspec.Struct, frozen=True, kw_only=True):
    """What a house answers without a match: how one thing turns out, how many do, and which odds they had."""

    resolve: Question
    batch: Question
    odds: Question


class Batch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many questions of one shape: `same` are the fields that all share, `each` has a column for every other one."""

    count: Annotated[int, Meta(ge=1, le=MOST_ASKED)]
    same: Annotated[dict[str, Any], Meta(max_length=40)] = {}
    each: Annotated[dict[str, Annotated[list[Any], Meta(max_length=MOST_ASKED)]], Meta(max_length=40)] = {}


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """The answers to a batch, in its order."""

    answers: tuple[Any, ...]


def in_batches(question: Question) -> Question:
    """Return the question that asks another one many times; one refusal, with its place, refuses them all.

    So does an answer that comes too late, or that makes all of them together too long.
    """

    def answer(batch: Batch, draw: Draw) -> Answers:
        _require_columns(batch)
        answers, size, until = [], 0, monotonic() + SECONDS_TO_ANSWER
        for row in range(batch.count):
            answers.append(_answered(question, batch, row, draw))
            size += len(wire.to_json(answers[-1]))
            if size > MOST_ANSWERED or monotonic() > until:
                raise _batch_too_large(batch.count, row + 1)
        return Answers(answers=tuple(answers))

    return Question(request=Batch, reply=Answers, answer=answer)


def _batch_too_large(count: int, answered: int) -> WorkLimitError:
    return WorkLimitError(
        "batch_too_large",
        f"{answered:,} of {count:,} answers have more than {MOST_ANSWERED:,} bytes, or took longer than "
        f"{SECONDS_TO_ANSWER:g} seconds: ask for fewer at once",
        where="count",
    )


def _require_columns(batch: Batch) -> None:
    for name, column in batch.each.items():
        if len(column) != batch.count:
            raise InputError(
                "bad_column",
                f"each column has a value for each of {batch.count} questions, not {len(column)}: {name[:40]}",
                where=f"each.{name[:40]}",
            )


def _answered(question: Question, batch: Batch, row: int, draw: Draw) -> Any:  # noqa: ANN401  a reply
    asked = {**batch.same, **{name: column[row] for name, column in batch.each.items()}}
    try:
        return question.answer(wire.from_builtins(asked, question.request), draw)
    except msgspec.ValidationError as error:
        raise InputError("bad_json", f"question {row}: {error}", where=f"[{row}]") from error
    except OddsmithError as error:
        told = error.refusal
        raise type(error)(
            told.code, f"question {row}: {told.sentence}", where=f"[{row}]", paragraph=told.paragraph
        ) from error


rules_of = read_rules
