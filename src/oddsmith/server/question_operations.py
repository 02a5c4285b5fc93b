"""The operations of questions, made from their declarations; they need no match, token or store.

A quick question is answered on the event loop, or where it has large rules in a thread, any other in a thread of the slow
pool.
"""

from collections.abc import Callable, Iterator
from typing import Final

from oddsmith import wire
from oddsmith.chance import BufferedSystem, Draw
from oddsmith.errors import NotFoundError, UnavailableError
from oddsmith.mechanic import AnyQuestion, Mechanic
from oddsmith.question import Context, read_rules
from oddsmith.question import Request as QuestionRequest
from oddsmith.question_variants import variants_of
from oddsmith.registry import load_mechanics
from oddsmith.server.http_request import API, Handler, Operation, Request, Response, bytes_response
from oddsmith.server.long_work import LARGEST_ON_LOOP
from oddsmith.server.rule_calls import SECONDS_TO_REPLAY, RuleCalls
from oddsmith.server.slow_questions import SlowQuestions

ERRORS: Final = (NotFoundError, UnavailableError)


def question_operations(
    slow: SlowQuestions, make_draw: Callable[[], Draw] = BufferedSystem, *, rules: RuleCalls | None = None
) -> Iterator[Operation]:
    """Yield the operation of every question of every mechanic, of its batch and of its curve.

    `make_draw` returns the source of randomness of one request. `rules` limits mechanics that were named by files.

    >>> paths = {operation.path for operation in question_operations(SlowQuestions())}
    >>> "/api/v1/destiny/odds/curve" in paths
    True
    """
    calls = rules or RuleCalls()
    for name, mechanic in load_mechanics().items():
        for question in mechanic.questions.values():
            for variant in variants_of(question):
                yield Operation(
                    method="POST",
                    path=f"{API}/{name}/{variant.name}",
                    name=f"{name}_{variant.name}".replace("/", "_"),
                    route=question.name,
                    summary=variant.summary,
                    handler=_handler(mechanic, variant, slow, make_draw, calls),
                    request=variant.request,
                    reply=variant.reply,
                    errors=ERRORS,
                )


def _handler(
    mechanic: Mechanic,
    question: AnyQuestion,
    slow: SlowQuestions,
    make_draw: Callable[[], Draw],
    calls: RuleCalls,
) -> Handler:
    rules_type = mechanic.rules_type
    read: Callable[[bytes], QuestionRequest] = wire.make_decoder(question.request)

    def answer(given: QuestionRequest) -> bytes:
        rules = read_rules(rules_type, given.rules)
        context = Context(rules=rules, draw=make_draw(), is_limited=True)
        return wire.to_json(question.answer(given, context))

    async def handle_quick(request: Request) -> Response:
        body = await request.body()
        if len(body) <= LARGEST_ON_LOOP:
            return bytes_response(answer(read(body)))
        return bytes_response(await calls.run(mechanic.name, lambda: answer(read(body))))

    async def handle_slow(request: Request) -> Response:
        given = read(await request.body())
        return bytes_response(await slow.run(lambda: answer(given), client=request.client))

    async def handle_limited(request: Request) -> Response:
        given, name = read(await request.body()), mechanic.name
        return bytes_response(
            await slow.run(
                lambda: calls.run_here(name, lambda: answer(given), SECONDS_TO_REPLAY), client=request.client
            )
        )

    if calls.is_limited(mechanic.name):
        return handle_limited
    return handle_quick if question.is_quick else handle_slow
