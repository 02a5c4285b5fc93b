"""The routes of `/api/v1`: what comes in is decoded into commands, what goes out is what tables show."""

from collections.abc import Iterable
from typing import Any, Final, TypeVar, cast

from litestar import HttpMethod, Request, Response, get, post, route
from litestar.handlers import HTTPRouteHandler

from oddsmith import wire
from oddsmith.errors import InputError
from oddsmith.match.bots import seat_bots
from oddsmith.match.model import Act, Answer, Applied, Duplicate, Leave, Open, Stale
from oddsmith.match.proofs import match_commitment
from oddsmith.match.recording import record_of
from oddsmith.question import read_rules
from oddsmith.registry import find_game, find_mechanic, mechanic_names
from oddsmith.server.bench import Bench
from oddsmith.server.door import Scope, visit_of
from oddsmith.server.hub import Hub
from oddsmith.server.replays import replay_of, replay_of_text, verified
from oddsmith.server.requests import (
    Acting,
    GameListed,
    Joining,
    Leaving,
    Looking,
    Matches,
    MatchOpened,
    Opening,
    Replaying,
    Rewatching,
    SeatCount,
    Verifying,
    Wanted,
    read_query,
    refuse_strangers,
    require_shallow,
    said,
)

API: Final = "/api/v1"
JSON: Final = "application/json"
TOML: Final = "application/toml"

T = TypeVar("T")
Asked = Request[Any, Any, Any]


def reply(value: object, status: int = 200) -> Response[bytes]:
    """Return a value as JSON."""
    return Response(wire.to_json(value), media_type=JSON, status_code=status)


def answered(answer: Answer) -> Response[bytes]:
    """Return an answer; its status says the same for those who look no further."""
    match answer:
        case Applied() | Duplicate():
            status = 200
        case Stale():
            status = 409
        case _:
            status = 422
    return reply(said(answer), status)


def hub_of(request: Asked) -> Hub:
    """Return the hub that the server runs."""
    hub: Hub = request.app.state.hub
    return hub


def bench_of(request: Asked) -> Bench:
    """Return where work waits that may take long."""
    bench: Bench = request.app.state.bench
    return bench


def token_of(request: Asked) -> str | None:
    """Return the token that a request came with."""
    return visit_of(cast("Scope", request.scope)).token()


def required_token(request: Asked) -> str:
    """Return the token of a request that needs one."""
    token = token_of(request)
    if token is None:
        raise InputError("no_token", "send the seat's token as 'Authorization: Bearer …'")
    return token


def match_of(request: Asked) -> str:
    """Return the match that a request is about."""
    match: str = request.path_params["match"]
    return match


def query_of(request: Asked, kind: type[T]) -> T:
    """Return what the parameters of an address say."""
    return read_query({name: request.query_params.getall(name) for name in request.query_params}, kind)


@get(f"{API}/games")
async def games() -> Response[bytes]:
    """List the games: who may play, which bots there are, and which rules have names."""
    return reply([_listed(name) for name in mechanic_names()])


def _listed(name: str) -> GameListed:
    mechanic = find_mechanic(name)
    game = mechanic.game
    return GameListed(
        game=name,
        title=mechanic.title,
        summary=mechanic.summary,
        seats=SeatCount.of(game.seats(game.rules_type())),
        bots=seat_bots(name),
        default_bot=mechanic.default_bot,
        roles=mechanic.roles,
        presets=tuple(game.rules_type.presets()),
    )


@get(f"{API}/games/{{game:str}}/rules/{{preset:str}}")
async def rules(request: Asked) -> Response[bytes]:
    """Return rules that have a name, in full."""
    game, preset = request.path_params["game"], request.path_params["preset"]
    return reply(find_game(game).rules_type.preset(preset[:60]))


@post(f"{API}/matches")
async def open_match(request: Asked) -> Response[bytes]:
    """Open a match; the commitment is shown before anybody can have joined."""
    opening = wire.from_json(await request.body(), Opening)
    require_shallow(opening.rules)
    given = read_rules(find_game(opening.game).rules_type, opening.rules)
    command = Open(
        rules=given,
        bots=opening.seats,
        clock=opening.clock,
        practice=opening.practice,
        private=opening.private,
    )
    match = await hub_of(request).open(command)
    opened = MatchOpened(
        match=match.id,
        version=match.version,
        commitment=match_commitment(match),
        practice=match.practice,
        private=match.private,
    )
    return reply(opened, 201)


@get(f"{API}/matches")
async def matches(request: Asked) -> Response[bytes]:
    """List matches, those changed last first."""
    wanted = query_of(request, Wanted)
    changed_at, _, match = (wanted.before or "").partition(".")
    found = await hub_of(request).matches(
        game=wanted.game,
        status=wanted.status,
        before=(int(changed_at), match) if wanted.before else None,
        limit=wanted.limit,
    )
    more = f"{found[-1].changed_at}.{found[-1].match}" if len(found) == wanted.limit else None
    return reply(Matches(matches=found, before=more))


@post(f"{API}/matches/{{match:str}}/join", status_code=200)
async def join(request: Asked) -> Response[bytes]:
    """Take a seat; the answer has its token."""
    joining = wire.from_json(await request.body(), Joining)
    return answered(await hub_of(request).command(match_of(request), joining.command()))


@post(f"{API}/matches/{{match:str}}/act", status_code=200)
async def act(request: Asked) -> Response[bytes]:
    """Make a choice."""
    token, acting = required_token(request), wire.from_json(await request.body(), Acting)
    require_shallow(acting.act)
    command = Act(token=token, id=acting.id, version=acting.version, action=acting.act)
    return answered(refuse_strangers(await hub_of(request).command(match_of(request), command)))


@post(f"{API}/matches/{{match:str}}/leave", status_code=200)
async def leave(request: Asked) -> Response[bytes]:
    """Give a match up."""
    token, leaving = required_token(request), wire.from_json(await request.body(), Leaving)
    command = Leave(token=token, id=leaving.id)
    return answered(refuse_strangers(await hub_of(request).command(match_of(request), command)))


@get(f"{API}/matches/{{match:str}}")
async def view(request: Asked) -> Response[bytes]:
    """Show a match to the seat that the token proves, or to a spectator; with `since`, what was heard after it."""
    hub, token, looking = hub_of(request), token_of(request), query_of(request, Looking)
    match = match_of(request)
    room = await hub.room(match, at_least=looking.since or 0)
    viewer = None if token is None else await hub.seat(match, token)
    return Response(room.frames.frame(viewer, looking.since).encode(), media_type=JSON)


@get(f"{API}/matches/{{match:str}}/rules")
async def match_rules(request: Asked) -> Response[bytes]:
    """Return the rules of a match in full."""
    return reply((await hub_of(request).room(match_of(request))).match.rules)


@get(f"{API}/matches/{{match:str}}/record")
async def record(request: Asked) -> Response[bytes]:
    """Return the record of a match that is over, with every seed that it was played with."""
    found = await hub_of(request).whole_match(match_of(request))
    return Response(record_of(found).to_toml().encode(), media_type=TOML)


@get(f"{API}/matches/{{match:str}}/replay")
async def match_replay(request: Asked) -> Response[bytes]:
    """Show a match that is over again, ply by ply, as somebody saw it."""
    asked = query_of(request, Rewatching)
    found = record_of(await hub_of(request).whole_match(match_of(request)))
    return Response(await bench_of(request).run(lambda: replay_of(found, asked)), media_type=JSON)


@post(f"{API}/records/replay", status_code=200)
async def replay(request: Asked) -> Response[bytes]:
    """Show a record ply by ply, as somebody saw it."""
    asked = wire.from_json(await request.body(), Replaying)
    return Response(await bench_of(request).run(lambda: replay_of_text(asked)), media_type=JSON)


@post(f"{API}/records/verify", status_code=200)
async def verify(request: Asked) -> Response[bytes]:
    """Verify a record: every move is made again, and all luck that seeds prove is drawn again."""
    asked = wire.from_json(await request.body(), Verifying)
    return Response(await bench_of(request).run(lambda: verified(asked)), media_type=JSON)


ROUTES: Final = (
    games,
    rules,
    open_match,
    matches,
    join,
    act,
    leave,
    view,
    match_rules,
    record,
    match_replay,
    replay,
    verify,
)


def offered(routes: Iterable[HTTPRouteHandler], questions: Iterable[str]) -> list[HTTPRouteHandler]:
    """Return what answers OPTIONS at every address, with all methods that are known there; to be registered before them."""
    methods = {path: {"POST"} for path in questions}
    for handler in routes:
        for path in handler.paths:
            methods.setdefault(path, set()).update(handler.http_methods)
    return [_offering(path, ", ".join(sorted({*known, "OPTIONS"}))) for path, known in methods.items()]


def _offering(path: str, allow: str) -> HTTPRouteHandler:
    @route(path, http_method=[HttpMethod.OPTIONS], status_code=204)
    async def options() -> Response[None]:
        return Response(None, headers={"allow": allow}, status_code=204)

    return options
