"""The operations of questions, made from their declarations; they need no match, token or store.

A quick question is answered on the event loop, any other in a thread of the slow pool.
"""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from oddsmith import wire
from oddsmith.chance import BufferedSystem, Draw
from oddsmith.decoding_faults import describe_fault
from oddsmith.errors import InputError, NotFoundError, UnavailableError
from oddsmith.mechanic import AnyQuestion, Mechanic
from oddsmith.question import Context, read_rules
from oddsmith.question import Request as QuestionRequest
from oddsmith.question_variants import variants_of
from oddsmith.registry import load_mechanics
from oddsmith.rules import read_value
from oddsmith.server.http_request import API, Handler, Operation, Request, Response, bytes_response
from oddsmith.server.slow_questions import SlowQuestions

ERRORS: Final = (NotFoundError, UnavailableError)


def question_operations(
    slow: SlowQuestions, make_draw: Callable[[], Draw] = BufferedSystem
) -> Iterator[Operation]:
    """Yield the operation of every question of every mechanic, of its batch and of its curve.

    `make_draw` returns the source of randomness of one request.

    >>> paths = {operation.path for operation in question_operations(SlowQuestions())}
    >>> "/api/v1/destiny/odds/curve" in paths
    True
    """
    for name, mechanic in load_mechanics().items():
        for question in mechanic.questions.values():
            for variant in variants_of(question):
                yield Operation(
                    method="POST",
                    path=f"{API}/{name}/{variant.name}",
                    name=f"{name}_{variant.name}".replace("/", "_"),
                    route=question.name,
                    summary=variant.summary,
                    handler=_handler(mechanic, variant, slow, make_draw),
                    request=variant.request,
                    reply=variant.reply,
                    errors=ERRORS,
                    is_on_loop=variant.is_quick,
                )


def _handler(
    mechanic: Mechanic, question: AnyQuestion, slow: SlowQuestions, make_draw: Callable[[], Draw]
) -> Handler:
    rules_type = mechanic.rules_type
    read = _reader(question.request)

    def answer(given: QuestionRequest) -> bytes:
        rules = read_rules(rules_type, given.rules)
        context = Context(rules=rules, draw=make_draw(), is_limited=True)
        return wire.to_json(question.answer(given, context))

    async def handle_quick(request: Request) -> Response:
        return bytes_response(answer(read(await request.body())))

    async def handle_slow(request: Request) -> Response:
        given = read(await request.body())
        return bytes_response(await slow.run(lambda: answer(given)))

    return handle_quick if question.is_quick else handle_slow


def _reader(kind: type[QuestionRequest]) -> Callable[[bytes], QuestionRequest]:
    """Return a function that decodes requests; its `InputError` has the path of the field in `where`."""
    decode: Callable[[bytes], QuestionRequest] = wire.make_decoder(kind)

    def read(body: bytes) -> QuestionRequest:
        try:
            return decode(body)
        except InputError as error:
            raise _explain(error, body, kind) from error

    return read


def _explain(error: InputError, body: bytes, kind: type[QuestionRequest]) -> InputError:
    """Return the error of a request with the path of the field, in plain words."""
    refusal = error.refusal
    if refusal.code == "bad_json":
        fault = describe_fault(refusal.sentence)
        return InputError(refusal.code, fault.sentence, where=fault.where)
    try:
        read_value(msgspec.json.decode(body), kind)
    except InputError as found:
        return InputError(refusal.code, refusal.sentence, where=refusal.where or found.refusal.where)
    return error
