"""The operations of matches and records: requests become commands of a match, replies are views, records and replays."""

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
    read_command,
    require_shallow,
    require_valid_token,
)
from oddsmith.server.http_request import API, Operation, Request, Response, bytes_response, json_response
from oddsmith.server.long_work import LARGEST_ON_LOOP, WorkTime
from oddsmith.server.openapi_games import Frame, Replay, any_rules
from oddsmith.server.replays import encode_replay, encode_replay_of_text, encode_verification
from oddsmith.server.services import Services

MATCHES: Final = f"{API}/matches"
MATCH: Final = f"{MATCHES}/{{match}}"
RECORD_MEDIA: Final = {"application/toml": b"application/toml", "text/plain": b"text/plain; charset=utf-8"}
"""The media types of a record, with their headers."""
COST_OF_OPENING: Final = 10.0
"""The cost of opening a match for rate limits, in requests: every match stays in the store."""
LARGEST_RECORD: Final = 512 * 1024
"""The greatest number of bytes of a request with a record; those of the longest matches have some hundred KiB."""
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
            summary="List matches, the last changed first.",
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
            summary="Show a record ply by ply, as a viewer saw it.",
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
        """Return a page of matches."""
        query = request.query(MatchListQuery)
        changed_at, _, match = (query.before or "").partition(".")
        found = await self._services.matches.list_matches(
            game=query.game,
            status=query.status,
            before=(int(changed_at), match) if query.before else None,
            limit=query.limit,
        )
        more = f"{found[-1].changed_at}.{found[-1].match}" if len(found) == query.limit else None
        return json_response(MatchPage(matches=found, before=more))

    async def open_match(self, request: Request) -> Response:
        """Open a match, and return its id and commitment."""
        body = await request.body()
        given = read_command(body, OpenMatchRequest)
        require_shallow(given.rules)
        kind = find_game(given.game).rules_type
        took = WorkTime(0.0) if len(body) <= LARGEST_ON_LOOP else None
        command = Open(
            rules=await self._services.rules.run(
                given.game, lambda: read_rules(kind, given.rules), took=took
            ),
            bots=given.seats,
            clock=given.clock,
            practice=given.practice,
            private=given.private,
        )
        match = await self._services.matches.open(command, address=request.client)
        opened = OpenMatchReply(
            match=match.id,
            version=match.version,
            commitment=match.commitment,
            practice=match.practice,
            private=match.private,
        )
        return json_response(opened, 201)

    async def view(self, request: Request) -> Response:
        """Return the frame of a match for the token's seat or a spectator, with the events after `since`."""
        matches, token, query = self._services.matches, request.token(), request.query(ViewQuery)
        match = request.parameters["match"]
        live = await matches.find(match, at_least=query.since or 0)
        viewer = None if token is None else await matches.find_seat(match, token)
        took = live.frame_times[viewer]
        frame = await live.frames.make_frame(self._services.rules, took, viewer, query.since)
        return bytes_response(frame.encode())

    async def join(self, request: Request) -> Response:
        """Take a seat."""
        command = read_command(await request.body(), JoinRequest).command()
        return _answer(await self._services.matches.run(request.parameters["match"], command))

    async def act(self, request: Request) -> Response:
        """Make a choice."""
        token, given = request.require_token(), read_command(await request.body(), ActRequest)
        require_shallow(given.act)
        command = Act(token=token, id=given.id, version=given.version, action=given.act)
        answer = await self._services.matches.run(request.parameters["match"], command)
        return _answer(require_valid_token(answer))

    async def leave(self, request: Request) -> Response:
        """Give a match up."""
        token, given = request.require_token(), read_command(await request.body(), LeaveRequest)
        command = Leave(token=token, id=given.id)
        answer = await self._services.matches.run(request.parameters["match"], command)
        return _answer(require_valid_token(answer))

    async def rules(self, request: Request) -> Response:
        """Return the rules of a match."""
        return json_response((await self._services.matches.find(request.parameters["match"])).match.rules)

    async def record(self, request: Request) -> Response:
        """Return the record of a match that is over, with all seeds."""
        found = await self._services.matches.find_whole(request.parameters["match"])
        media = RECORD_MEDIA[request.preferred_media(RECORD_MEDIA)]
        record = await self._services.rules.run(found.game, lambda: record_of(found).to_toml().encode())
        shown = bytes_response(record, media=media)
        return shown._replace(headers=[*shown.headers, (b"vary", b"accept")])

    async def replay(self, request: Request) -> Response:
        """Return the replay of a match that is over."""
        given = request.query(ReplayQuery)
        found = await self._services.matches.find_whole(request.parameters["match"])
        rules, slow = self._services.rules, self._services.slow
        return bytes_response(await slow.run(lambda: encode_replay(record_of(found), given, rules)))

    async def replay_record(self, request: Request) -> Response:
        """Return the replay of a given record."""
        given = wire.from_json(await request.body(), ReplayRequest)
        rules, slow = self._services.rules, self._services.slow
        return bytes_response(await slow.run(lambda: encode_replay_of_text(given, rules)))

    async def verify_record(self, request: Request) -> Response:
        """Verify a given record: replay every move, and draw all luck that its seeds determine again."""
        given = wire.from_json(await request.body(), VerifyRequest)
        rules, slow = self._services.rules, self._services.slow
        return bytes_response(await slow.run(lambda: encode_verification(given, rules)))


def _answer(answer: Answer) -> Response:
    """Return the response to a command: 200 if it was run, 409 for a stale one, 422 for one that the rules refuse."""
    match answer:
        case Applied() | Duplicate():
            status = 200
        case Stale():
            status = 409
        case _:
            status = 422
    return json_response(command_reply(answer), status)
