"""The operations of matches and records: requests are decoded into commands, and replies are what a viewer may see."""

from collections.abc import Iterator
from typing import Any, Final

from oddsmith import wire
from oddsmith.errors import (
    AccessError,
    NotFoundError,
    StoreError,
    TokenError,
    UnavailableError,
    UnfinishedMatchError,
)
from oddsmith.match.model import Act, Answer, Applied, Duplicate, Illegal, Leave, Open, Stale
from oddsmith.match.recording import record_of
from oddsmith.question import read_rules
from oddsmith.registry import find_game
from oddsmith.server.api_types import (
    ActRequest,
    JoinRequest,
    LeaveRequest,
    MatchListQuery,
    MatchPage,
    OpenMatchReply,
    OpenMatchRequest,
    ReplayQuery,
    ReplayRequest,
    StaleAnswer,
    VerifyReply,
    VerifyRequest,
    ViewQuery,
    command_reply,
    require_shallow,
    require_valid_token,
)
from oddsmith.server.http_request import API, Operation, Request, Response, bytes_response, json_response
from oddsmith.server.openapi_games import Frame, Replay, any_rules
from oddsmith.server.replays import encode_replay, encode_replay_of_text, verify_text
from oddsmith.server.services import Services

MATCHES: Final = f"{API}/matches"
MATCH: Final = f"{MATCHES}/{{match}}"
RECORD_MEDIA: Final = {"application/toml": b"application/toml", "text/plain": b"text/plain; charset=utf-8"}
"""The media types of a record, with their headers."""
COST_OF_OPENING: Final = 10.0
"""What it costs to open a match, in requests: each stays in the store."""
LARGEST_RECORD: Final = 512 * 1024
"""How many bytes a request with a record may have: the longest matches have records of some hundred KiB."""
ANSWERS: Final[dict[str, Any]] = {
    "reply": Applied | Duplicate,
    "other_replies": {409: StaleAnswer, 422: Illegal},
}
NO_MATCH: Final = (NotFoundError, StoreError)
NO_SEAT: Final = (TokenError, AccessError, *NO_MATCH)
NO_RECORD: Final = (UnfinishedMatchError, *NO_MATCH)


class MatchOperations:
    """Handlers of matches and records."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def operations(self) -> Iterator[Operation]:
        """Yield the operations."""
        yield Operation(
            method="GET",
            path=MATCHES,
            name="matches",
            summary="List matches, those changed last first.",
            handler=self.list_matches,
            query=MatchListQuery,
            reply=MatchPage,
            errors=(StoreError,),
        )
        yield Operation(
            method="POST",
            path=MATCHES,
            name="open",
            route="matches",
            summary="Open a match.",
            handler=self.open_match,
            request=OpenMatchRequest,
            reply=OpenMatchReply,
            status=201,
            errors=NO_MATCH,
            cost=COST_OF_OPENING,
        )
        yield Operation(
            method="GET",
            path=MATCH,
            name="view",
            route="match",
            summary="Show a match to a seat, or without a token to a spectator.",
            handler=self.view,
            query=ViewQuery,
            reply=Frame,
            errors=NO_SEAT,
            token=False,
        )
        yield Operation(
            method="POST",
            path=f"{MATCH}/join",
            name="join",
            summary="Take a seat; the answer has its token.",
            handler=self.join,
            request=JoinRequest,
            errors=NO_MATCH,
            **ANSWERS,
        )
        yield Operation(
            method="POST",
            path=f"{MATCH}/act",
            name="act",
            summary="Make a choice.",
            handler=self.act,
            request=ActRequest,
            errors=NO_SEAT,
            token=True,
            **ANSWERS,
        )
        yield Operation(
            method="POST",
            path=f"{MATCH}/leave",
            name="leave",
            summary="Give the match up, or before it has begun the seat.",
            handler=self.leave,
            request=LeaveRequest,
            errors=NO_SEAT,
            token=True,
            **ANSWERS,
        )
        yield Operation(
            method="GET",
            path=f"{MATCH}/rules",
            name="match_rules",
            route="rules",
            summary="Show the rules of a match in full.",
            handler=self.rules,
            reply=any_rules(),
            errors=NO_MATCH,
        )
        yield Operation(
            method="GET",
            path=f"{MATCH}/record",
            name="record",
            summary="Show the record of a match that is over.",
            handler=self.record,
            reply=str,
            media=tuple(RECORD_MEDIA),
            errors=NO_RECORD,
        )
        yield Operation(
            method="GET",
            path=f"{MATCH}/replay",
            name="match_replay",
            route="replay",
            summary="Show a match that is over again, ply by ply.",
            handler=self.replay,
            query=ReplayQuery,
            reply=Replay,
            errors=NO_RECORD,
        )
        yield from self._record_operations()

    def _record_operations(self) -> Iterator[Operation]:
        yield Operation(
            method="POST",
            path=f"{API}/records/replay",
            name="replay_record",
            route="records",
            summary="Show a record ply by ply, as somebody saw it.",
            handler=self.replay_record,
            request=ReplayRequest,
            reply=Replay,
            errors=(NotFoundError, UnavailableError),
            largest_body=LARGEST_RECORD,
        )
        yield Operation(
            method="POST",
            path=f"{API}/records/verify",
            name="verify_record",
            route="records",
            summary="Verify a record to its last move, card and die.",
            handler=self.verify_record,
            request=VerifyRequest,
            reply=VerifyReply,
            errors=(NotFoundError, UnavailableError),
            largest_body=LARGEST_RECORD,
        )

    async def list_matches(self, request: Request) -> Response:
        """List matches."""
        wanted = request.query(MatchListQuery)
        changed_at, _, match = (wanted.before or "").partition(".")
        found = await self._services.matches.list_matches(
            game=wanted.game,
            status=wanted.status,
            before=(int(changed_at), match) if wanted.before else None,
            limit=wanted.limit,
        )
        more = f"{found[-1].changed_at}.{found[-1].match}" if len(found) == wanted.limit else None
        return json_response(MatchPage(matches=found, before=more))

    async def open_match(self, request: Request) -> Response:
        """Open a match; the commitment is shown before anybody can have joined."""
        opening = wire.from_json(await request.body(), OpenMatchRequest)
        require_shallow(opening.rules)
        command = Open(
            rules=read_rules(find_game(opening.game).rules_type, opening.rules),
            bots=opening.seats,
            clock=opening.clock,
            practice=opening.practice,
            private=opening.private,
        )
        match = await self._services.matches.open(command)
        opened = OpenMatchReply(
            match=match.id,
            version=match.version,
            commitment=match.commitment,
            practice=match.practice,
            private=match.private,
        )
        return json_response(opened, 201)

    async def view(self, request: Request) -> Response:
        """Show a match; with `since`, what was heard after it."""
        matches, token, looking = self._services.matches, request.token(), request.query(ViewQuery)
        match = request.parameters["match"]
        live = await matches.find(match, at_least=looking.since or 0)
        viewer = None if token is None else await matches.find_seat(match, token)
        return bytes_response(live.frames.frame(viewer, looking.since).encode())

    async def join(self, request: Request) -> Response:
        """Take a seat."""
        command = wire.from_json(await request.body(), JoinRequest).command()
        return _answer(await self._services.matches.run(request.parameters["match"], command))

    async def act(self, request: Request) -> Response:
        """Make a choice."""
        token, acting = request.require_token(), wire.from_json(await request.body(), ActRequest)
        require_shallow(acting.act)
        command = Act(token=token, id=acting.id, version=acting.version, action=acting.act)
        answer = await self._services.matches.run(request.parameters["match"], command)
        return _answer(require_valid_token(answer))

    async def leave(self, request: Request) -> Response:
        """Give a match up."""
        token, leaving = request.require_token(), wire.from_json(await request.body(), LeaveRequest)
        command = Leave(token=token, id=leaving.id)
        answer = await self._services.matches.run(request.parameters["match"], command)
        return _answer(require_valid_token(answer))

    async def rules(self, request: Request) -> Response:
        """Show the rules of a match."""
        return json_response((await self._services.matches.find(request.parameters["match"])).match.rules)

    async def record(self, request: Request) -> Response:
        """Show the record of a match that is over, with every seed that it was played with."""
        found = await self._services.matches.find_whole(request.parameters["match"])
        media = RECORD_MEDIA[request.preferred_media(RECORD_MEDIA)]
        shown = bytes_response(record_of(found).to_toml().encode(), media=media)
        return shown._replace(headers=[*shown.headers, (b"vary", b"accept")])

    async def replay(self, request: Request) -> Response:
        """Show a match that is over again."""
        asked = request.query(ReplayQuery)
        found = record_of(await self._services.matches.find_whole(request.parameters["match"]))
        return bytes_response(await self._services.slow.run(lambda: encode_replay(found, asked)))

    async def replay_record(self, request: Request) -> Response:
        """Show a record ply by ply."""
        asked = wire.from_json(await request.body(), ReplayRequest)
        return bytes_response(await self._services.slow.run(lambda: encode_replay_of_text(asked)))

    async def verify_record(self, request: Request) -> Response:
        """Verify a record: every move is made again, and all luck that seeds prove is drawn again."""
        asked = wire.from_json(await request.body(), VerifyRequest)
        return bytes_response(await self._services.slow.run(lambda: verify_text(asked)))


def _answer(answer: Answer) -> Response:
    """Return an answer to a command; its status says the same for those who look no further."""
    match answer:
        case Applied() | Duplicate():
            status = 200
        case Stale():
            status = 409
        case _:
            status = 422
    return json_response(command_reply(answer), status)
