"""The description of the interface, OpenAPI 3.1, made from the types that requests are read with."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, Final

import msgspec

from oddsmith.match.model import Applied, Duplicate, Illegal
from oddsmith.registry import find_game, mechanic_names
from oddsmith.server.question_endpoints import Endpoint
from oddsmith.server.question_forms import QuestionForm, QuestionListed
from oddsmith.server.refusals import Refused
from oddsmith.server.requests import (
    Acting,
    GameListed,
    Joining,
    Leaving,
    Looking,
    Matches,
    MatchOpened,
    Opening,
    RecordVerified,
    Replaying,
    Rewatching,
    Said,
    StaleAnswer,
    Verifying,
    Wanted,
)
from oddsmith.server.rulebooks import ReadRules, RulesRead
from oddsmith.server.schemas import Schema, of_types, renamed, together, without_tag
from oddsmith.server.vocabulary import (
    Frame,
    Replay,
    ReplayFrame,
    describe_frames,
    describe_openings,
    describe_rules,
    describe_words,
    of_game,
    one_of,
    words_of,
)

__all__ = ["Frame", "Replay", "ReplayFrame", "description"]

API: Final = "/api/v1"
MATCH: Final = {
    "name": "match",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[0-9a-f]{20}$"},
}
GAME: Final = {"name": "game", "in": "path", "required": True, "schema": {"enum": [*mechanic_names()]}}
WHY: Final = {
    "400": "It cannot be read, or is not possible.",
    "401": "A token is needed.",
    "403": "The token proves no seat of this match, or the page may not speak to this server.",
    "404": "There is none.",
    "405": "This address does other things.",
    "408": "It came too slowly.",
    "409": "Not now.",
    "413": "It is too large.",
    "415": "It is not JSON.",
    "429": "Too many: `Retry-After` says when.",
    "431": "The headers are too large.",
    "503": "The store is away, or the server busy: `Retry-After` says when.",
}


HEADERS: Final = {"401": "WWW-Authenticate", "405": "Allow", "429": "Retry-After", "503": "Retry-After"}
"""What else an answer of a status says, always."""
SAID: Final = {
    "Allow": {"description": "Which methods the address knows.", "schema": {"type": "string"}},
    "Retry-After": {
        "description": "After how many seconds it is worth asking again.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "WWW-Authenticate": {"description": "How a token is sent.", "schema": {"const": "Bearer"}},
}


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """What one method of one address takes and gives."""

    path: str
    method: str
    name: str
    about: str
    reply: Any = None
    status: str = "200"
    request: Any = None
    query: Any = None
    others: Mapping[str, Any] = {}
    refusals: tuple[str, ...] = ()
    parameters: tuple[dict[str, Any], ...] = ()
    needs_token: bool = False
    takes_token: bool = False
    media: str = "application/json"


_ANSWERS: Final = {"409": StaleAnswer, "422": Illegal}
_OF_A_MATCH: Final = ("404", "503")
_ALWAYS: Final = ("400", "401", "405", "429", "431")
_OF_A_BODY: Final = (*_ALWAYS, "403", "408", "413", "415")


def _operations() -> Iterator[Operation]:
    yield Operation(
        path=f"{API}/games", method="get", name="games", about="List the games.", reply=tuple[GameListed, ...]
    )
    yield Operation(
        path=f"{API}/games/{{game}}/rules/{{preset}}",
        method="get",
        name="rules",
        about="Show rules that have a name, in full.",
        reply=_any_rules(),
        refusals=("404",),
        parameters=(
            GAME,
            {"name": "preset", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}},
        ),
    )
    yield Operation(
        path=f"{API}/games/{{game}}/rules",
        method="post",
        name="read_rules",
        about="Read rules, and show them in full; what is wrong with them is refused with the path of the key.",
        request=ReadRules,
        reply=RulesRead,
        refusals=("404",),
        parameters=(GAME,),
    )
    yield Operation(
        path=f"{API}/games/{{game}}/schema",
        method="get",
        name="rules_schema",
        about="Show the JSON schema of a game's rules.",
        reply=dict[str, Any],
        refusals=("404",),
        parameters=(GAME,),
    )
    yield Operation(
        path=f"{API}/games/{{game}}/questions",
        method="get",
        name="questions",
        about="List the questions of a game.",
        reply=tuple[QuestionListed, ...],
        refusals=("404",),
        parameters=(GAME,),
    )
    yield Operation(
        path=f"{API}/games/{{game}}/questions/{{question}}",
        method="get",
        name="question",
        about="Show the JSON schemas of a question's request and reply, and an example.",
        reply=QuestionForm,
        refusals=("404",),
        parameters=(
            GAME,
            {
                "name": "question",
                "in": "path",
                "required": True,
                "schema": {"type": "string", "minLength": 1},
            },
        ),
    )
    yield Operation(
        path=f"{API}/matches",
        method="get",
        name="matches",
        about="List matches, those changed last first.",
        reply=Matches,
        query=Wanted,
        refusals=("503",),
    )
    yield Operation(
        path=f"{API}/matches",
        method="post",
        name="open",
        about="Open a match.",
        request=Opening,
        reply=MatchOpened,
        status="201",
        refusals=("404", "503"),
    )
    yield from _match_operations()
    yield from _record_operations()
    for path, about in (
        ("/healthz", "Say that the process answers."),
        ("/readyz", "Say whether it can play."),
    ):
        others = {"503": Said} if path == "/readyz" else {}
        yield Operation(path=path, method="get", name=path[1:-1], about=about, reply=Said, others=others)


def _match_operations() -> Iterator[Operation]:
    place = f"{API}/matches/{{match}}"
    yield Operation(
        path=place,
        method="get",
        name="view",
        about="Show a match to a seat, or without a token to a spectator.",
        reply=Frame,
        query=Looking,
        refusals=("401", "403", *_OF_A_MATCH),
        parameters=(MATCH,),
        takes_token=True,
    )
    for verb, about, asked, needs in (
        ("join", "Take a seat; the answer has its token.", Joining, False),
        ("act", "Make a choice.", Acting, True),
        ("leave", "Give the match up, or before it has begun the seat.", Leaving, True),
    ):
        yield Operation(
            path=f"{place}/{verb}",
            method="post",
            name=verb,
            about=about,
            request=asked,
            reply=Applied | Duplicate,
            others=_ANSWERS,
            refusals=(*(("401", "403") if needs else ()), *_OF_A_MATCH),
            parameters=(MATCH,),
            needs_token=needs,
        )
    yield Operation(
        path=f"{place}/rules",
        method="get",
        name="match_rules",
        about="Show the rules of a match in full.",
        reply=_any_rules(),
        refusals=_OF_A_MATCH,
        parameters=(MATCH,),
    )
    yield Operation(
        path=f"{place}/record",
        method="get",
        name="record",
        about="Show the record of a match that is over.",
        reply=str,
        refusals=("409", *_OF_A_MATCH),
        parameters=(MATCH,),
        media="application/toml",
    )
    yield Operation(
        path=f"{place}/replay",
        method="get",
        name="match_replay",
        about="Show a match that is over again, ply by ply.",
        reply=Replay,
        query=Rewatching,
        refusals=("409", *_OF_A_MATCH),
        parameters=(MATCH,),
    )


def _record_operations() -> Iterator[Operation]:
    for verb, about, asked, reply in (
        ("replay", "Show a record ply by ply, as somebody saw it.", Replaying, Replay),
        ("verify", "Verify a record to its last move, card and die.", Verifying, RecordVerified),
    ):
        yield Operation(
            path=f"{API}/records/{verb}",
            method="post",
            name=f"{verb}_record",
            about=about,
            request=asked,
            reply=reply,
            refusals=("404", "503"),
        )


def _any_rules() -> Any:  # noqa: ANN401  a union of types
    return reduce(or_, (find_game(name).rules_type for name in mechanic_names()))


def _question_operations(questions: Mapping[str, Endpoint]) -> Iterator[Operation]:
    for path, question in questions.items():
        yield Operation(
            path=path,
            method="post",
            name=path.removeprefix(f"{API}/").replace("/", "_"),
            about=question.summary,
            request=question.request,
            reply=question.reply,
            refusals=("404", "503"),
        )


def description(questions: Mapping[str, Endpoint]) -> dict[str, Any]:
    """Return the description of every address, with questions at theirs."""
    operations = [*_operations(), *_question_operations(questions)]
    asked, taken = _described_requests(operations, questions)
    told, components = _described_replies(operations, taken)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method] = _described(
            operation, asked, told, components
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "oddsmith",
            "version": "1",
            "description": "Matches that are fair, durable and watched; and questions about games of chance.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "headers": {name: header | {"required": True} for name, header in SAID.items()},
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer", "bearerFormat": "64 hexadecimal digits"}
            },
        },
    }


def _described_requests(
    operations: Sequence[Operation], questions: Mapping[str, Endpoint]
) -> tuple[dict[int, Schema], dict[str, Schema]]:
    kinds = [kind for operation in operations for kind in (operation.request, operation.query) if kind]
    kinds += [find_game(name).rules_type for name in mechanic_names()]
    schemas, components = of_types(kinds)
    describe_rules(questions, components)
    describe_openings(components)
    return {id(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}, components


def _described_replies(
    operations: Sequence[Operation], taken: Mapping[str, Schema]
) -> tuple[dict[int, Schema], dict[str, Schema]]:
    """Return how each type of reply is described, and all that is described by name, what is taken included."""
    kinds = [Refused, *(kind for operation in operations for kind in _replies(operation))]
    words = [kind for name in mechanic_names() for kind in words_of(name).values()]
    schemas, sent = of_types([*kinds, *words], sent=True)
    known = {id(kind): schema for kind, schema in zip((*kinds, *words), schemas, strict=True)}
    for name in mechanic_names():
        describe_words(name, known, sent)
    sent[RulesRead.__name__]["properties"]["rules"] = {
        "anyOf": [of_game(name, "Rules") for name in mechanic_names()]
    }
    describe_frames(sent)
    components, names = together(taken, sent)
    return {kind: renamed(schema, names) for kind, schema in known.items()}, components


def _replies(operation: Operation) -> Iterator[Any]:
    yield from one_of(operation.reply)
    yield from operation.others.values()


def _described(
    operation: Operation,
    asked: Mapping[int, Schema],
    told: Mapping[int, Schema],
    components: Mapping[str, Schema],
) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.about,
        "responses": _responses(operation, told),
    }
    parameters = [*operation.parameters, *_query_parameters(operation, components)]
    if parameters:
        described["parameters"] = parameters
    if operation.request is not None:
        request = without_tag(operation.request, asked[id(operation.request)], components)
        described["requestBody"] = {"required": True, "content": _content(request)}
    if operation.needs_token:
        described["security"] = [{"seat": []}]
    elif operation.takes_token:
        described["security"] = [{"seat": []}, {}]
    return described


def _responses(operation: Operation, known: Mapping[int, Any]) -> dict[str, Any]:
    always = _OF_A_BODY if operation.request is not None else _ALWAYS
    refused = _content(known[id(Refused)])
    responses = {
        code: {"description": WHY[code], "content": refused, **_headers(code)}
        for code in (*always, *operation.refusals)
    }
    for code, kind in operation.others.items():
        responses[code] = {"description": _first_line(kind), "content": _content(known[id(kind)])}
    replies = [known[id(kind)] for kind in one_of(operation.reply)]
    schema = replies[0] if len(replies) == 1 else {"anyOf": replies}
    responses[operation.status] = {"description": "Done.", "content": _content(schema, operation.media)}
    return dict(sorted(responses.items()))


def _headers(code: str) -> dict[str, Any]:
    name = HEADERS.get(code)
    return {} if name is None else {"headers": {name: {"$ref": f"#/components/headers/{name}"}}}


def _content(schema: Any, media: str = "application/json") -> dict[str, Any]:  # noqa: ANN401  a JSON schema
    return {media: {"schema": schema}}


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").splitlines()[0]


def _query_parameters(operation: Operation, components: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if operation.query is None:
        return
    for name, schema in components[operation.query.__name__]["properties"].items():
        yield {"name": name, "in": "query", "required": False, "schema": _said(schema)}


def _said(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter: what is not said cannot be said as null."""
    options = [option for option in schema.get("anyOf", ()) if option != {"type": "null"}]
    return options[0] if len(options) == 1 else schema
