"""The OpenAPI 3.1 description of the interface, made from its operations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from oddsmith.errors import (
    AccessError,
    BodyTooLargeError,
    ErrorReply,
    HeadTooLargeError,
    InputError,
    MediaTypeError,
    MethodError,
    RateLimitError,
    SlowRequestError,
    TokenError,
)
from oddsmith.registry import find_game, mechanic_names
from oddsmith.server.game_operations import ReadRulesReply
from oddsmith.server.generator_schemas import rewrite_for_generators
from oddsmith.server.http_request import API, Operation
from oddsmith.server.json_schemas import Schema
from oddsmith.server.openapi_games import (
    GAME_NAME,
    describe_frames,
    describe_game_types,
    describe_names,
    describe_open_requests,
    describe_rules,
    game_reference,
    game_types,
    union_members,
)
from oddsmith.server.routing import PARAMETER
from oddsmith.server.schemas import (
    REFERENCE,
    component_schemas,
    merge_components,
    rename_references,
    without_tag,
)

HEADER_OF_STATUS: Final = {
    "401": "WWW-Authenticate",
    "405": "Allow",
    "429": "Retry-After",
    "503": "Retry-After",
}
"""The header that every response of a status has."""
RESPONSE_HEADERS: Final = {
    "Allow": {"description": "The methods of this path.", "schema": {"type": "string"}},
    "Retry-After": {
        "description": "The seconds after which a retry may succeed.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "WWW-Authenticate": {
        "description": "The scheme of the Authorization header.",
        "schema": {"const": "Bearer"},
    },
}


COMMON_ERRORS: Final = (InputError, TokenError, MethodError, RateLimitError, HeadTooLargeError)
"""Errors of every operation."""
BODY_ERRORS: Final = (AccessError, SlowRequestError, BodyTooLargeError, MediaTypeError)
"""Errors of every operation that takes a body."""
PARAMETERS: Final[Mapping[str, Schema]] = {
    "match": {"type": "string", "pattern": "^[0-9a-f]{20}$"},
    "preset": {"type": "string", "minLength": 1},
    "question": {"type": "string", "minLength": 1},
    "game": {"$ref": REFERENCE.format(name=GAME_NAME)},
}
"""The schemas of parameters in paths."""


def description(operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the description of the operations, as client generators read it."""
    operations = [operation for operation in operations if operation.is_described]
    request_schemas, request_components = _describe_requests(operations)
    reply_schemas, components = _describe_replies(operations, request_components)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _describe_operation(
            operation, request_schemas, reply_schemas, components
        )
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "oddsmith",
            "version": "1",
            "description": "Matches with provable luck, durable logs and spectators; and questions about games of chance.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "headers": {name: header | {"required": True} for name, header in RESPONSE_HEADERS.items()},
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer", "bearerFormat": "64 hexadecimal digits"}
            },
        },
    }
    return rewrite_for_generators(whole)


def _describe_requests(
    operations: Sequence[Operation],
) -> tuple[dict[int, Schema], dict[str, Schema]]:
    kinds = [kind for operation in operations for kind in (operation.request, operation.query) if kind]
    kinds += [find_game(name).rules_type for name in mechanic_names()]
    schemas, components = component_schemas(kinds)
    describe_rules(operations, components)
    describe_names(components)
    describe_open_requests(components)
    return {id(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}, components


def _describe_replies(
    operations: Sequence[Operation], request_components: Mapping[str, Schema]
) -> tuple[dict[int, Schema], dict[str, Schema]]:
    """Return the schema of each type of reply by its `id`, and all components, those of requests included."""
    kinds = [ErrorReply, *(kind for operation in operations for kind in _replies(operation))]
    words = [kind for name in mechanic_names() for kind in game_types(name).values()]
    schemas, reply_components = component_schemas([*kinds, *words], is_reply=True)
    known = {id(kind): schema for kind, schema in zip((*kinds, *words), schemas, strict=True)}
    for name in mechanic_names():
        describe_game_types(name, known, reply_components)
    reply_components[ReadRulesReply.__name__]["properties"]["rules"] = {
        "anyOf": [game_reference(name, "Rules") for name in mechanic_names()]
    }
    describe_frames(reply_components)
    components, names = merge_components(request_components, reply_components)
    return {kind: rename_references(schema, names) for kind, schema in known.items()}, components


def _replies(operation: Operation) -> Iterator[Any]:
    yield from union_members(operation.reply)
    yield from operation.other_replies.values()


def _describe_operation(
    operation: Operation,
    request_schemas: Mapping[int, Schema],
    reply_schemas: Mapping[int, Schema],
    components: Mapping[str, Schema],
) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.path.removeprefix(f"{API}/").removeprefix("/").partition("/")[0]],
        "summary": operation.summary,
        "responses": _responses(operation, reply_schemas),
    }
    parameters = [*_path_parameters(operation), *_query_parameters(operation, components)]
    if parameters:
        described["parameters"] = parameters
    if operation.request is not None:
        request = without_tag(operation.request, request_schemas[id(operation.request)], components)
        described["requestBody"] = {"required": True, "content": _content(request)}
    if operation.token is not None:
        described["security"] = [{"seat": []}] if operation.token else [{"seat": []}, {}]
    return described


def _responses(operation: Operation, known: Mapping[int, Any]) -> dict[str, Any]:
    errors = (*COMMON_ERRORS, *(BODY_ERRORS if operation.request is not None else ()), *operation.errors)
    content = _content(known[id(ErrorReply)])
    responses = {
        str(kind.status): {"description": _first_line(kind), "content": content, **_headers(str(kind.status))}
        for kind in errors
    }
    for status, kind in operation.other_replies.items():
        responses[str(status)] = {"description": _first_line(kind), "content": _content(known[id(kind)])}
    replies = [known[id(kind)] for kind in union_members(operation.reply)]
    schema = replies[0] if len(replies) == 1 else {"anyOf": replies}
    responses[str(operation.status)] = {"description": "Done.", "content": _content(schema, *operation.media)}
    return dict(sorted(responses.items()))


def _headers(code: str) -> dict[str, Any]:
    name = HEADER_OF_STATUS.get(code)
    return {} if name is None else {"headers": {name: {"$ref": f"#/components/headers/{name}"}}}


def _content(schema: Schema, *media: str) -> dict[str, Any]:
    return {name: {"schema": schema} for name in media or ("application/json",)}


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").splitlines()[0]


def _path_parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    for name in PARAMETER.findall(operation.path):
        yield {"name": name, "in": "path", "required": True, "schema": PARAMETERS[name]}


def _query_parameters(operation: Operation, components: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if operation.query is None:
        return
    for name, schema in components[operation.query.__name__]["properties"].items():
        yield {"name": name, "in": "query", "required": False, "schema": _without_null(schema)}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a query parameter, without null: a parameter is left out instead."""
    options = [option for option in schema.get("anyOf", ()) if option != {"type": "null"}]
    return options[0] if len(options) == 1 else schema
