"""Questions over HTTP are answered in front of all routes: they need no match, no token and no store.

What is quick is answered at once. What may take long waits its turn in a thread, and is given up after a while.
Bodies are bounded and refusals answered at the door, as those of every request.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from typing import Any, Final, TypeAlias

import msgspec

from oddsmith import wire
from oddsmith.chance import Draw, System
from oddsmith.errors import InputError
from oddsmith.mechanic import AnyQuestion, Mechanic
from oddsmith.question import Context, Request, read_rules
from oddsmith.question_variants import variants_of
from oddsmith.registry import loaded_mechanics
from oddsmith.server.bench import MOST_WAITING, SECONDS_TO_ANSWER, Bench

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

API: Final = "/api/v1"

JSON: Final = (b"content-type", b"application/json")
_PATH: Final = re.compile(r"`\$\.?([^`]*)`$")
_FIELD: Final = re.compile(r"(?:missing required|contains unknown) field `([^`]+)`")


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A question at its address: the types of its request and reply, and the function from one and luck to the other."""

    request: Any
    reply: Any
    summary: str
    answer: Callable[[Any, Draw], Any]
    is_quick: bool = False


def question_paths() -> dict[str, Endpoint]:
    """Return every address at which a question is answered.

    >>> "/api/v1/destiny/odds/curve" in question_paths()
    True
    """
    return {
        f"{API}/{name}/{address}": endpoint
        for name, mechanic in loaded_mechanics().items()
        for address, endpoint in _endpoints_of(mechanic)
    }


def _endpoints_of(mechanic: Mechanic) -> Iterator[tuple[str, Endpoint]]:
    for question in mechanic.questions.values():
        for variant in variants_of(question):
            yield variant.name, _endpoint(mechanic, variant)


def _endpoint(mechanic: Mechanic, question: AnyQuestion) -> Endpoint:
    rules_type = mechanic.game.rules_type

    def answer(request: Request, draw: Draw) -> Any:  # noqa: ANN401  a reply
        rules = read_rules(rules_type, request.rules)
        return question.answer(request, Context(rules=rules, draw=draw, is_limited=True))

    return Endpoint(
        request=question.request,
        reply=question.reply,
        summary=question.summary,
        answer=answer,
        is_quick=question.is_quick,
    )


def with_questions(
    app: Any,  # noqa: ANN401  an ASGI application, whatever types its framework has
    *,
    draw: Draw | None = None,
    paths: Mapping[str, Endpoint] | None = None,
    seconds: float = SECONDS_TO_ANSWER,
    waiting: int = MOST_WAITING,
) -> Application:
    """Return the application with questions answered in front of it; all other requests go through.

    What is refused is raised, for whoever lets requests in to answer.
    At most `waiting` questions that may take long are answered or wait at a time, each for so many seconds.
    """
    luck, bench = draw or System(), Bench(seconds, waiting)
    asked = question_paths() if paths is None else paths
    doors = {path: _Door(question, luck, bench) for path, question in asked.items()}

    async def answering(scope: Scope, receive: Receive, send: Send) -> None:
        door = doors.get(scope["path"]) if scope["type"] == "http" else None
        if door is None or scope["method"] == "OPTIONS":
            await app(scope, receive, send)
        else:
            await door.answer(scope, receive, send)

    return answering


def quick_answers(draw: Draw | None = None) -> dict[str, Callable[[bytes], bytes]]:
    """Return, for every address of a question that is answered at once, what answers it; a refusal is raised.

    >>> asked = b'{"character": "greenhorn", "target": "train_heist"}'
    >>> quick_answers()["/api/v1/destiny/check"](asked)[:10]
    b'{"target":'
    """
    luck, bench = draw or System(), Bench()
    return {
        path: _Door(question, luck, bench).answered
        for path, question in question_paths().items()
        if question.is_quick
    }


class _Door:
    """One question at its address; what decodes it is made once."""

    def __init__(self, question: Endpoint, draw: Draw, bench: Bench) -> None:
        self._read = wire.decoder(question.request)
        self._answer = question.answer
        self._quick = question.is_quick
        self._draw = draw
        self._bench = bench

    def _decode(self, body: bytes) -> Any:  # noqa: ANN401  a request
        """Return the request; what msgspec refuses says which field it means."""
        try:
            return self._read(body)
        except InputError as error:
            refusal = error.refusal
            raise InputError(refusal.code, refusal.sentence, where=_place_in(refusal.sentence)) from error

    def answered(self, body: bytes) -> bytes:
        """Return the answer to a question; a refusal is raised."""
        return wire.to_json(self._answer(self._decode(body), self._draw))

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the question, and send the answer; a refusal is raised."""
        if scope["method"] != "POST":
            raise InputError("method_not_allowed", "a question is a POST request")
        message = await receive()
        body: bytes = message["body"]
        while message.get("more_body", False):
            message = await receive()
            body += message["body"]
        if self._quick:
            reply = self.answered(body)
        else:
            asked = self._decode(body)
            reply = await self._bench.run(lambda: wire.to_json(self._answer(asked, self._draw)))
        headers = [JSON, (b"content-length", b"%d" % len(reply))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": reply})


def _place_in(sentence: str) -> str | None:
    """Return the path of the field that msgspec names in its sentence; None where it names none.

    >>> _place_in("Object missing required field `hand` - at `$.fighters[0]`")
    'fighters[0].hand'
    """
    path, field = _PATH.search(sentence), _FIELD.search(sentence)
    parts = (path[1].partition("[...]")[0] if path else "", field[1] if field else "")
    return ".".join(filter(None, parts)) or None
