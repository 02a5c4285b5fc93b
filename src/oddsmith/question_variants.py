"""Questions made from another one: many of them at once, and one of them along a curve."""

from collections.abc import Mapping, Sequence
from functools import cache
from time import monotonic
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from oddsmith import wire
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.question import Context, Question, Request, read_rules
from oddsmith.reply_paths import value_at
from oddsmith.rules import Ruleset

Q = TypeVar("Q", bound=Request)
R = TypeVar("R", bound=Ruleset)
A = TypeVar("A")

MOST_REQUESTS: Final = 10_000
MOST_BYTES: Final = 32 * 2**20
"""Bytes of JSON that the replies of a batch or of a curve may have."""
MOST_SECONDS: Final = 20.0
"""Seconds that the answers of a batch or of a curve may take."""
MOST_POINTS: Final = 101
MOST_PATHS: Final = 20

PathText: TypeAlias = Annotated[str, Meta(max_length=100)]


# --- batches ---------------------------------------------------------------------------------------------------------


class BatchRequest(Request, frozen=True, kw_only=True):
    """Many requests of one question: `same` are the fields that all share, `each` has a column for every other one."""

    count: Annotated[int, Meta(ge=1, le=MOST_REQUESTS)]
    same: Annotated[dict[str, Any], Meta(max_length=40)] = msgspec.field(default_factory=dict)
    each: Annotated[dict[str, Annotated[list[Any], Meta(max_length=MOST_REQUESTS)]], Meta(max_length=40)] = (
        msgspec.field(default_factory=dict)
    )


class BatchReply(msgspec.Struct, frozen=True, kw_only=True):
    """The replies to a batch, in the order of its requests."""

    answers: tuple[Any, ...]


@cache
def batch_of(question: Question[Q, R, A]) -> Question[BatchRequest, R, BatchReply]:
    """Return the question that asks another one many times.

    One refusal, with its place, refuses the whole batch; so do replies that take too long or are too large.
    """

    def answer(batch: BatchRequest, context: Context[R]) -> BatchReply:
        _require_columns(batch)
        budget = _Budget(batch.count, where="count")
        answers = []
        for row in range(batch.count):
            answers.append(_answer_row(question, batch, row, context))
            budget.spend(answers[-1])
        return BatchReply(answers=tuple(answers))

    answer.__doc__ = f"{question.summary} For many requests at once."
    return Question(name=f"{question.name}/batch", request=BatchRequest, reply=BatchReply, answer=answer)


class _Budget:
    """The bytes and seconds that the replies of one request may take."""

    def __init__(self, count: int, *, where: str) -> None:
        self._count, self._where, self._done, self._size = count, where, 0, 0
        self._until = monotonic() + MOST_SECONDS

    def spend(self, reply: Any) -> None:  # noqa: ANN401  a reply
        """Count one more reply; refuse it where there are too many bytes, or it is too late."""
        self._done += 1
        self._size += len(wire.to_json(reply))
        if self._size > MOST_BYTES or monotonic() > self._until:
            raise WorkLimitError(
                "batch_too_large",
                f"{self._done:,} of {self._count:,} answers have more than {MOST_BYTES:,} bytes, or took longer than "
                f"{MOST_SECONDS:g} seconds: ask for fewer at once",
                where=self._where,
            )


def _require_columns(batch: BatchRequest) -> None:
    for name, column in batch.each.items():
        if len(column) != batch.count:
            raise InputError(
                "bad_column",
                f"each column has a value for each of {batch.count} questions, not {len(column)}: {name[:40]}",
                where=f"each.{name[:40]}",
            )


def _answer_row(question: Question[Q, R, A], batch: BatchRequest, row: int, context: Context[R]) -> A:
    data = {**batch.same, **{name: column[row] for name, column in batch.each.items()}}
    try:
        request = wire.from_builtins(data, question.request)
        own = context if "rules" not in data else _with_rules(context, request.rules)
        return question.answer(request, own)
    except msgspec.ValidationError as error:
        raise InputError("bad_json", f"question {row}: {error}", where=f"[{row}]") from error
    except OddsmithError as error:
        refusal = error.refusal
        raise type(error)(
            refusal.code, f"question {row}: {refusal.sentence}", where=f"[{row}]", paragraph=refusal.paragraph
        ) from error


def _with_rules(context: Context[R], given: str | Mapping[str, Any]) -> Context[R]:
    return msgspec.structs.replace(context, rules=read_rules(type(context.rules), given))


# --- curves ----------------------------------------------------------------------------------------------------------


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True):
    """A value of the field that changes, and the reply there: whole, or what stands at each path that was asked for."""

    at: float
    reply: Any


class CurveReply(msgspec.Struct, frozen=True, kw_only=True):
    """The points of a curve, in the order of the values that were asked for."""

    over: str
    points: tuple[CurvePoint, ...]


class CurveRequest(Request, frozen=True, kw_only=True):
    """A request, asked again at each value of one of its numbers.

    `over` is the path of that number in the request, such as `character.skills.stealth`; `read` are the paths of the
    reply that are wanted, the whole reply where there are none.
    """

    ask: dict[str, Any]
    over: PathText
    values: Annotated[tuple[float, ...], Meta(min_length=1, max_length=MOST_POINTS)]
    read: Annotated[tuple[PathText, ...], Meta(max_length=MOST_PATHS)] = ()


@cache
def curve_of(question: Question[Q, R, A]) -> Question[CurveRequest, R, CurveReply]:
    """Return the question that asks another one at each value of one number of its request."""

    def answer(curve: CurveRequest, context: Context[R]) -> CurveReply:
        budget = _Budget(len(curve.values), where="values")
        points = []
        for value in curve.values:
            data = replace_at(curve.ask, curve.over, int(value) if value == int(value) else value)
            try:
                reply = question.answer(wire.from_builtins(data, question.request), context)
            except msgspec.ValidationError as error:
                raise InputError("bad_json", f"at {value:g}: {error}", where=curve.over) from error
            shown = {path: value_at(reply, path) for path in curve.read} if curve.read else reply
            points.append(CurvePoint(at=value, reply=shown))
            budget.spend(shown)
        return CurveReply(over=curve.over, points=tuple(points))

    answer.__doc__ = f"{question.summary} At each value of one number of the request."
    return Question(name=f"{question.name}/curve", request=CurveRequest, reply=CurveReply, answer=answer)


def replace_at(data: Mapping[str, Any], path: str, value: float) -> dict[str, Any]:
    """Return plain data with the number at a path replaced; tables on the way are made where they are missing.

    >>> replace_at({"target": 5, "who": {"skills": {}}}, "who.skills.stealth", 40)
    {'target': 5, 'who': {'skills': {'stealth': 40}}}
    """
    first, _, rest = path.partition(".")
    if not rest:
        return {**data, first: value}
    inner = data.get(first, {})
    if not isinstance(inner, Mapping):
        raise InputError(
            "bad_path", f"'{first[:40]}' is no table in this request: nothing in it can change", where="over"
        )
    return {**data, first: replace_at(inner, rest, value)}


def variants_of(question: Question[Any, Any, Any]) -> Sequence[Question[Any, Any, Any]]:
    """Return a question with its batch and its curve."""
    return question, batch_of(question), curve_of(question)
