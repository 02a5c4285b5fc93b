"""Questions derived from another one: a batch of requests, and a curve over one number of a request."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from time import monotonic
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from oddsmith import wire
from oddsmith.errors import DecodingError, InputError, OddsmithError, WorkLimitError
from oddsmith.question import Context, Question, Request, read_rules
from oddsmith.reply_figures import value_at
from oddsmith.rules import Ruleset

Q = TypeVar("Q", bound=Request)
R = TypeVar("R", bound=Ruleset)
A = TypeVar("A")

MOST_REQUESTS: Final = 10_000
MOST_BYTES: Final = 32 * 2**20
"""The most bytes of JSON of all replies of a batch or a curve."""
MOST_SECONDS: Final = 20.0
"""The most seconds that a batch or a curve may take."""
MOST_POINTS: Final = 101
MOST_PATHS: Final = 20

PathText: TypeAlias = Annotated[str, Meta(max_length=100)]


# --- batches ---------------------------------------------------------------------------------------------------------


class BatchRequest(Request, frozen=True, kw_only=True):
    """Many requests of one question: `same` has the common fields, `each` has a column of values for every other field."""

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
    """Return the question for many requests of another one.

    A refusal of one request, with its place, refuses the whole batch. So do replies that take too long or are too large.
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

    def spend(self, reply: object) -> None:
        """Count one more reply; raise `WorkLimitError` for too many bytes or seconds."""
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
        request = wire.from_builtins(data, question.request, code="bad_json")
        own = context if "rules" not in data else _with_rules(context, request.rules)
        return question.answer(request, own)
    except OddsmithError as error:
        refusal = error.refusal
        raise type(error)(
            refusal.code, f"question {row}: {refusal.sentence}", where=f"[{row}]", paragraph=refusal.paragraph
        ) from error


def _with_rules(context: Context[R], given: str | Mapping[str, Any]) -> Context[R]:
    return msgspec.structs.replace(context, rules=read_rules(type(context.rules), given))


# --- curves ----------------------------------------------------------------------------------------------------------


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True):
    """A value of the varied number, and the reply there: whole, or its value at each requested path."""

    at: float | None
    reply: Any


class CurveReply(msgspec.Struct, frozen=True, kw_only=True):
    """The points of a curve, in the order of the requested values."""

    over: str
    points: tuple[CurvePoint, ...]


class CurveRequest(Request, frozen=True, kw_only=True):
    """A request that is repeated for each value of one of its numbers.

    `over` is the path of that number in the request, such as `character.skills.stealth`; a value of null leaves it out.
    `read` are the paths of the reply that are returned; the whole reply where there are none.
    """

    ask: dict[str, Any]
    over: PathText
    values: Annotated[tuple[float | None, ...], Meta(min_length=1, max_length=MOST_POINTS)]
    read: Annotated[tuple[PathText, ...], Meta(max_length=MOST_PATHS)] = ()


@cache
def curve_of(question: Question[Q, R, A]) -> Question[CurveRequest, R, CurveReply]:
    """Return the question that repeats another one for each value of one number of its request."""

    def answer(curve: CurveRequest, context: Context[R]) -> CurveReply:
        requests = _curve_requests(question, curve, context.rules)
        budget = _Budget(len(requests), where="values")
        points = []
        for value, reply in zip(
            curve.values, _read_replies(question, requests, curve.read, context), strict=True
        ):
            points.append(CurvePoint(at=value, reply=reply))
            budget.spend(reply)
        return CurveReply(over=curve.over, points=tuple(points))

    answer.__doc__ = f"{question.summary} At each value of one number of the request."
    return Question(name=f"{question.name}/curve", request=CurveRequest, reply=CurveReply, answer=answer)


def _curve_requests(question: Question[Q, R, A], curve: CurveRequest, rules: R) -> list[Q]:
    """Return the request for each value; a text on the path is parsed into a table first."""
    data = dict(curve.ask)
    first, _, rest = curve.over.partition(".")
    if rest and isinstance(data.get(first), str) and first in question.text_fields:
        data[first] = wire.to_builtins(question.text_fields[first](data[first], rules))
    requests = []
    for place, value in enumerate(curve.values):
        number = int(value) if value is not None and value == int(value) else value
        try:
            asked = replace_at(data, curve.over, number)
            requests.append(wire.from_builtins(asked, question.request, code="bad_json"))
        except DecodingError as error:
            raise InputError(
                "bad_json", f"at {value}: {error.refusal.sentence}", where=f"[{place}]"
            ) from error
    return requests


def _read_replies(
    question: Question[Q, R, A], requests: Sequence[Q], paths: Sequence[str], context: Context[R]
) -> Iterator[Any]:
    """Yield the reply to each request, or its values at the paths; by shortcuts where all paths have one."""
    if paths and all(path in question.shortcuts for path in paths):
        columns = [question.shortcuts[path](requests, context) for path in paths]
        yield from (dict(zip(paths, row, strict=True)) for row in zip(*columns, strict=True))
        return
    for request in requests:
        reply = question.answer(request, context)
        yield {path: value_at(reply, path) for path in paths} if paths else reply


def replace_at(data: Mapping[str, Any], path: str, value: float | None) -> dict[str, Any]:
    """Return plain data with the number at a path replaced, or removed where the value is None.

    Missing tables on the path are added. Raise `InputError` where a value on the path is no table.

    >>> replace_at({"target": 5, "who": {"skills": {}}}, "who.skills.stealth", 40)
    {'target': 5, 'who': {'skills': {'stealth': 40}}}
    """
    first, _, rest = path.partition(".")
    if not rest:
        others = {name: inner for name, inner in data.items() if name != first}
        return others if value is None else {**others, first: value}
    inner = data.get(first, {})
    if not isinstance(inner, Mapping):
        raise InputError(
            "bad_path", f"'{first[:40]}' is no table in this request: nothing in it can change", where="over"
        )
    return {**data, first: replace_at(inner, rest, value)}


def variants_of(question: Question[Any, Any, Any]) -> Sequence[Question[Any, Any, Any]]:
    """Return a question, its batch and its curve."""
    return question, batch_of(question), curve_of(question)
