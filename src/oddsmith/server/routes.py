"""The routes of `/api/v1`: what comes in is decoded into commands, what goes out is what tables show."""

from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, get, post
from msgspec import Meta

from oddsmith import wire
from oddsmith.bots import bot_names
from oddsmith.errors import InputError
from oddsmith.game import Seat
from oddsmith.games import NAMES, find_game
from oddsmith.rules import Ruleset
from oddsmith.server.hub import Hub
from oddsmith.store.model import Status
from oddsmith.table.fairness import commitment
from oddsmith.table.model import (
    Act,
    Answer,
    Applied,
    Clock,
    CommandId,
    Duplicate,
    Illegal,
    Join,
    Leave,
    Open,
    Stale,
    Version,
)
from oddsmith.table.recording import record_of

__all__ = ["ROUTES", "Acting", "Leaving", "Opening"]

API: Final = "/api/v1"
MOST_LISTED: Final = 100
JSON: Final = "application/json"


class Opening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a match is opened with: rules are a preset's name or a table of changes to the default."""

    game: str
    seats: Annotated[tuple[str | None, ...], Meta(min_length=1, max_length=10)]
    rules: Annotated[str, Meta(max_length=60)] | dict[str, Any] = "default"
    clock: Clock | None = None


class Acting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A choice: for which version, under which id, and what: a line of notation, or the data of an action."""

    id: CommandId
    version: Version
    act: Any


class Leaving(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat gives a match up."""

    id: CommandId


def reply(value: object, status: int = 200) -> Response[bytes]:
    """Return a value as JSON."""
    return Response(wire.to_json(value), media_type=JSON, status_code=status)


def answered(answer: Answer) -> Response[bytes]:
    """Return an answer; its status says the same for those who look no further."""
    match answer:
        case Applied() | Duplicate():
            return reply(answer)
        case Stale():
            return reply(answer, 409)
        case Illegal():
            return reply(answer, 422)


def token_of(request: Request[Any, Any, Any]) -> str | None:
    """Return the token of a request; it comes in a header, never in the address."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token else None


def required_token(request: Request[Any, Any, Any]) -> str:
    """Return the token of a request that needs one."""
    token = token_of(request)
    if token is None:
        raise InputError("no_token", "send the seat's token as 'Authorization: Bearer …'")
    return token


def hub_of(request: Request[Any, Any, Any]) -> Hub:
    """Return the hub that the server runs."""
    hub: Hub = request.app.state.hub
    return hub


@get(f"{API}/games")
async def games() -> Response[bytes]:
    """List the games: who may play, which bots there are, and which rules have names."""
    listed = []
    for name in NAMES:
        game = find_game(name)
        seats = game.seats(game.rules_type())
        listed.append(
            {
                "game": name,
                "seats": {"fewest": seats.start, "most": seats.stop - 1},
                "bots": bot_names(name),
                "presets": tuple(game.rules_type.presets()),
            }
        )
    return reply(listed)


@get(f"{API}/games/{{game:str}}/rules/{{preset:str}}")
async def rules(game: str, preset: str) -> Response[bytes]:
    """Return rules that have a name, in full."""
    return reply(find_game(game).rules_type.preset(preset))


@post(f"{API}/matches")
async def open_match(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Open a match; the commitment is shown before anybody can have joined."""
    opening = wire.from_json(await request.body(), Opening)
    match = await hub_of(request).open(Open(rules=_rules(opening), bots=opening.seats, clock=opening.clock))
    said = {"match": match.id, "version": match.version, "commitment": commitment(match.secret)}
    return reply(said, 201)


def _rules(opening: Opening) -> Ruleset:
    kind = find_game(opening.game).rules_type
    rules: Ruleset = (
        kind.preset(opening.rules) if isinstance(opening.rules, str) else kind.from_data(opening.rules)
    )
    return rules


@get(f"{API}/matches")
async def matches(
    request: Request[Any, Any, Any],
    game: str | None = None,
    status: str | None = None,
    before: int | None = None,
    limit: int = 50,
) -> Response[bytes]:
    """List matches, those changed last first."""
    wanted = None if status is None else _status(status)
    if not 1 <= limit <= MOST_LISTED:
        raise InputError("bad_limit", f"a list has 1 to {MOST_LISTED} matches, not {limit}", where="limit")
    return reply(await hub_of(request).matches(game=game, status=wanted, before=before, limit=limit))


def _status(text: str) -> Status:
    try:
        return Status(text)
    except ValueError as error:
        known = ", ".join(Status)
        raise InputError(
            "bad_status", f"a status is one of {known}, not '{text[:40]}'", where="status"
        ) from error


@post(f"{API}/matches/{{match:str}}/join")
async def join(match: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Take a seat; the answer has its token."""
    return answered(await hub_of(request).command(match, wire.from_json(await request.body(), Join)))


@post(f"{API}/matches/{{match:str}}/act")
async def act(match: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Make a choice."""
    token, acting = required_token(request), wire.from_json(await request.body(), Acting)
    command = Act(token=token, id=acting.id, version=acting.version, action=acting.act)
    return answered(await hub_of(request).command(match, command))


@post(f"{API}/matches/{{match:str}}/leave")
async def leave(match: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Give a match up."""
    token, leaving = required_token(request), wire.from_json(await request.body(), Leaving)
    return answered(await hub_of(request).command(match, Leave(token=token, id=leaving.id)))


@get(f"{API}/matches/{{match:str}}")
async def view(match: str, request: Request[Any, Any, Any], since: int | None = None) -> Response[bytes]:
    """Show a match to the seat that the token proves, or to a spectator; with `since`, what was heard after it."""
    hub, token = hub_of(request), token_of(request)
    viewer: Seat | None = None if token is None else await hub.seat(match, token)
    room = await hub.room(match)
    return Response(room.frames.frame(viewer, since), media_type=JSON)


@get(f"{API}/matches/{{match:str}}/rules")
async def match_rules(match: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the rules of a match in full."""
    return reply((await hub_of(request).room(match)).match.rules)


@get(f"{API}/matches/{{match:str}}/record")
async def record(match: str, request: Request[Any, Any, Any]) -> Response[str]:
    """Return the record of a match that is over, with every seed that it was played with."""
    found = (await hub_of(request).room(match)).match
    if not found.is_over:
        raise InputError("match_running", "a record shows every card: it is given out when the match is over")
    return Response(record_of(found).to_toml(), media_type="application/toml")


ROUTES: Final = (games, rules, open_match, matches, join, act, leave, view, match_rules, record)
