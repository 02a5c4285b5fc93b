"""The description of the interface, OpenAPI 3.1, made from the types that requests are read with."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from types import UnionType
from typing import Any, Final, get_args

import msgspec

from oddsmith.game import Seat
from oddsmith.games import NAMES, find_game
from oddsmith.questions import Question
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
    ReplayHead,
    Replaying,
    Rewatching,
    Said,
    StaleAnswer,
    Verifying,
    Wanted,
)
from oddsmith.server.rulebooks import ReadRules, RulesRead
from oddsmith.server.schemas import REFERENCE, Schema, name_of, of_types, renamed, together, without_tag
from oddsmith.table.bots import seat_bots
from oddsmith.table.model import Applied, Duplicate, Illegal
from oddsmith.table.views import MatchView

__all__ = ["Frame", "Replay", "ReplayFrame", "description"]

API: Final = "/api/v1"
MATCH: Final = {
    "name": "match",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[0-9a-f]{20}$"},
}
GAME: Final = {"name": "game", "in": "path", "required": True, "schema": {"enum": [*NAMES]}}
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


class Heard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a viewer heard when a match came to a version; each game has events of its own, told apart by `event`.

    `by_clock` is there, and true, where a clock chose what led to it.
    """

    version: int
    events: tuple[dict[str, Any], ...]
    by_clock: bool = False


class Frame(MatchView, frozen=True, kw_only=True):
    """A match as one viewer sees it now; `view` is the game's own, without the rules, which never change.

    `events` are those after `since`, null where they are no longer known.
    """

    events: tuple[Heard, ...] | None


class ReplayFrame(Frame, frozen=True, kw_only=True):
    """A match as one viewer saw it after a ply, whose number is the `version`; no clock is kept, and nothing to do.

    `events` are those of that ply alone. `line` is the move that led here, null before the first; `by` is the seat that
    made it, null where luck did.
    """

    line: str | None
    by: Seat | None


class Replay(ReplayHead, frozen=True, kw_only=True):
    """A record ply by ply: `frames` begin at the ply `first`, and are fewer than asked for where they are large."""

    frames: tuple[ReplayFrame, ...]


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
    return reduce(or_, (find_game(name).rules_type for name in NAMES))


def _question_operations(questions: Mapping[str, Question]) -> Iterator[Operation]:
    for path, question in questions.items():
        yield Operation(
            path=path,
            method="post",
            name=path.removeprefix(f"{API}/").replace("/", "_"),
            about=f"{(question.answer.__doc__ or 'Answer a question.').strip().splitlines()[0]}",
            request=question.request,
            reply=question.reply,
            refusals=("404", "503"),
        )


def description(questions: Mapping[str, Question]) -> dict[str, Any]:
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
    operations: Sequence[Operation], questions: Mapping[str, Question]
) -> tuple[dict[int, Schema], dict[str, Schema]]:
    kinds = [kind for operation in operations for kind in (operation.request, operation.query) if kind]
    kinds += [find_game(name).rules_type for name in NAMES]
    schemas, components = of_types(kinds)
    _describe_rules(questions, components)
    _describe_openings(components)
    return {id(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}, components


def _described_replies(
    operations: Sequence[Operation], taken: Mapping[str, Schema]
) -> tuple[dict[int, Schema], dict[str, Schema]]:
    """Return how each type of reply is described, and all that is described by name, what is taken included."""
    kinds = [Refused, *(kind for operation in operations for kind in _replies(operation))]
    words = [kind for name in NAMES for kind in _words(name).values()]
    schemas, sent = of_types([*kinds, *words], sent=True)
    known = {id(kind): schema for kind, schema in zip((*kinds, *words), schemas, strict=True)}
    for name in NAMES:
        _describe_words(name, known, sent)
    sent[RulesRead.__name__]["properties"]["rules"] = {"anyOf": [_of_game(name, "Rules") for name in NAMES]}
    _describe_frames(sent)
    components, names = together(taken, sent)
    return {kind: renamed(schema, names) for kind, schema in known.items()}, components


def _describe_rules(questions: Mapping[str, Question], components: dict[str, Schema]) -> None:
    """Say which rules may be given: those of the game that is asked about."""
    for path, question in questions.items():
        game = path.removeprefix(f"{API}/").partition("/")[0]
        for kind in _one_of(question.request):
            properties = components[name_of(kind)]["properties"]
            if "rules" in properties:
                properties["rules"] = _given_rules(game)


def _given_rules(game: str) -> Schema:
    presets = [*find_game(game).rules_type.presets()]
    return {"anyOf": [{"enum": presets}, _of_game(game, "Rules")], "default": "default"}


def _describe_openings(components: dict[str, Schema]) -> None:
    """Say for each game with which bots and rules it is opened."""
    opening = components[Opening.__name__]
    for game in NAMES:
        seats = opening["properties"]["seats"] | {"items": {"enum": [None, *seat_bots(game)]}}
        given = {"game": {"const": game}, "seats": seats, "rules": _given_rules(game)}
        components[f"{game}.Opening"] = opening | {"properties": opening["properties"] | given}
    components[Opening.__name__] = _by_game("Opening")


def _words(game: str) -> dict[str, Any]:
    """Return the types of what a game shows, what it tells, and what may be done in it."""
    found = find_game(game)
    return {"AnyView": found.view_type, "AnyEvent": found.event_type, "AnyAction": found.action_type}


def _describe_words(game: str, known: Mapping[int, Schema], components: dict[str, Schema]) -> None:
    """Give names to whatever a game shows, tells and takes; a view is sent without the rules, which never change."""
    words = _words(game)
    components.update({f"{game}.{name}": known[id(kind)] for name, kind in words.items()})
    for kind in _one_of(words["AnyView"]):
        view = components[name_of(kind)]
        components[name_of(kind)] = view | {
            "properties": {name: said for name, said in view["properties"].items() if name != "rules"},
            "required": [name for name in view["required"] if name != "rules"],
        }


def _describe_frames(components: dict[str, Schema]) -> None:
    """Say for each game what its frames show, tell and allow, those of replays too."""
    heard = components[Heard.__name__]
    kinds = {name: components[name] for name in (Frame.__name__, ReplayFrame.__name__)}
    replay = components[Replay.__name__]
    for game in NAMES:
        events = {"type": "array", "items": _of_game(game, "AnyEvent")}
        components[f"{game}.Heard"] = heard | {"properties": heard["properties"] | {"events": events}}
        shown = {
            "game": {"const": game},
            "view": {"anyOf": [_of_game(game, "AnyView"), {"type": "null"}]},
            "actions": {"type": "array", "items": _of_game(game, "AnyAction")},
            "events": {"anyOf": [{"type": "array", "items": _of_game(game, "Heard")}, {"type": "null"}]},
        }
        for name, frame in kinds.items():
            components[f"{game}.{name}"] = frame | {"properties": frame["properties"] | shown}
        again = {
            "game": {"const": game},
            "rules": _of_game(game, "Rules"),
            "frames": {"type": "array", "items": _of_game(game, ReplayFrame.__name__)},
        }
        components[f"{game}.Replay"] = replay | {"properties": replay["properties"] | again}
    for name in (*kinds, Replay.__name__):
        components[name] = _by_game(name)
    del components[Heard.__name__]


def _by_game(name: str) -> Schema:
    """Return the schema of what each game has one of, told apart by `game`."""
    places = {game: REFERENCE.format(name=f"{game}.{name}") for game in NAMES}
    return {
        "anyOf": [{"$ref": place} for place in places.values()],
        "discriminator": {"propertyName": "game", "mapping": places},
    }


def _of_game(game: str, name: str) -> Schema:
    return {"$ref": REFERENCE.format(name=f"{game}.{name}")}


def _replies(operation: Operation) -> Iterator[Any]:
    yield from _one_of(operation.reply)
    yield from operation.others.values()


def _one_of(kind: Any) -> tuple[Any, ...]:  # noqa: ANN401  a type
    """Return the types that a reply may have: what is only written need not be told apart."""
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


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
    replies = [known[id(kind)] for kind in _one_of(operation.reply)]
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
