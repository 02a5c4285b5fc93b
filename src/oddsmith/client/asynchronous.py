"""The matches of a server: a method for each call, and watches that yield frames as the server sends them."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final, Self, TypeVar, overload

import httpx
from websockets.asyncio.client import ClientConnection, connect

from oddsmith.client import calls
from oddsmith.client.addresses import DEFAULT, server_address, socket_address
from oddsmith.client.calls import (
    Call,
    CommandReply,
    GameSummary,
    JoinReply,
    MatchPage,
    OpenMatchReply,
    new_id,
    new_join_id,
)
from oddsmith.client.replies import Frame
from oddsmith.client.retry import Backoff, Retry, read_response, retry_failed
from oddsmith.client.watch_protocol import FAILURES, LARGEST_FRAME, WatchProtocol
from oddsmith.game import Seat
from oddsmith.match.model import Clock
from oddsmith.question import Question, Request
from oddsmith.records import Record
from oddsmith.rules import Ruleset
from oddsmith.store.model import Status

T = TypeVar("T")
Q = TypeVar("Q", bound=Request)
A = TypeVar("A")

SECONDS: Final = 10.0


class AsyncWatch:
    """The frames of a match, as they come; ends when the match is over, or when it is closed.

    A connection that breaks is made again, and told from which version on: no change is missed, and the first frame
    after it may be of a version that was seen before.
    """

    def __init__(
        self, server: str, match: str, *, token: str | None, since: int | None, retry_seconds: float
    ) -> None:
        self._address = socket_address(server, match)
        self._protocol = WatchProtocol(server, token, since, retry_seconds)
        self._connection: ClientConnection | None = None
        self._stack = AsyncExitStack()
        self._is_closed = False

    async def __aiter__(self) -> AsyncIterator[Frame]:
        while not self.is_over:
            try:
                connection = await self._connect()
                yield self._protocol.receive(await connection.recv())
            except FAILURES as error:
                await self._disconnect()
                if not self.is_over:
                    await asyncio.sleep(self._protocol.reconnect_delay(error))
        await self.close()

    @property
    def is_over(self) -> bool:
        """Whether no frame comes any more."""
        return self._is_closed or self._protocol.is_over

    @property
    def is_connected(self) -> bool:
        """Whether a connection stands; where none does, one is being made."""
        return self._connection is not None

    async def _connect(self) -> ClientConnection:
        connection = self._connection
        if connection is None:
            connection = self._connection = await self._stack.enter_async_context(
                connect(self._address, max_size=LARGEST_FRAME, open_timeout=SECONDS, close_timeout=1)
            )
            if self._is_closed:  # by another task or thread meanwhile: sending fails then
                await self._disconnect()
            await connection.send(self._protocol.first_message())
        return connection

    async def _disconnect(self) -> None:
        self._connection = None
        await self._stack.aclose()

    async def close(self) -> None:
        """Stop watching; a task or thread that waits for a frame is released."""
        self._is_closed = True
        await self._disconnect()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncClient:
    """The matches of a server.

    A call that is not answered is made again for `retry_seconds` seconds where that can do no harm: a choice is made once,
    however often it is sent, because it has an id. What a server refuses is raised as an `OddsmithError` with the
    same refusal.
    """

    def __init__(
        self, url: str = DEFAULT, *, retry_seconds: float = SECONDS, timeout: float = SECONDS
    ) -> None:
        self.url = server_address(url)
        self._retry_seconds = retry_seconds
        self._http = httpx.AsyncClient(base_url=self.url, timeout=timeout)

    async def games(self) -> tuple[GameSummary, ...]:
        """List the games: who may play, which bots there are, which rules have names."""
        return await self._send(calls.games())

    async def preset(self, game: str, name: str = "default") -> Ruleset:
        """Return rules that have a name, in full."""
        return await self._send(calls.preset(game, name))

    async def open(
        self,
        game: str,
        seats: Sequence[str | None],
        *,
        rules: str | Mapping[str, Any] | Ruleset = "default",
        clock: Clock | None = None,
        practice: str | None = None,
        private: bool = False,
    ) -> OpenMatchReply:
        """Open a match: a bot's name for each seat that a bot holds, None for each that is free.

        With the seed of a `practice`, which is for one person at most, all luck comes from that seed alone. A `private`
        match is in no list: who is told its id may look and join.
        """
        return await self._send(
            calls.open_match(game, seats, rules, clock, practice=practice, private=private)
        )

    async def matches(
        self,
        *,
        game: str | None = None,
        status: Status | str | None = None,
        before: str | None = None,
        limit: int | None = None,
    ) -> MatchPage:
        """List matches, those changed last first; `before` is that of the page before."""
        return await self._send(calls.matches(game, status, before, limit))

    async def join(
        self, match: str, name: str, *, seat: Seat | None = None, seed: str = "", join_id: str | None = None
    ) -> JoinReply:
        """Take a seat, a given one or the first that is free; who joins again with the same id gets the same seat."""
        return await self._send(
            calls.join(match, name, seat=seat, seed=seed, join_id=join_id or new_join_id())
        )

    async def act(
        self, match: str, token: str, action: object, *, version: int, command_id: str | None = None
    ) -> CommandReply:
        """Make a choice for a version: a line of notation, or one of the frame's actions.

        `Stale` says that the match has gone on: look again. What the rules refuse is an `IllegalMove`.
        """
        return await self._send(
            calls.act(match, token, action, version=version, command_id=command_id or new_id())
        )

    async def leave(self, match: str, token: str, *, command_id: str | None = None) -> CommandReply:
        """Give a match up; before it has begun, only the seat."""
        return await self._send(calls.leave(match, token, command_id or new_id()))

    async def view(self, match: str, *, token: str | None = None, since: int | None = None) -> Frame:
        """Show a match to the seat of the token, or to a spectator; with `since`, what was heard after that version."""
        return await self._send(calls.view(match, token, since))

    async def rules(self, frame: Frame) -> Ruleset:
        """Return the rules of the match that a frame is of; they never change."""
        return await self._send(calls.rules(frame.game, frame.match))

    async def record(self, match: str) -> Record:
        """Return the record of a match that is over, with every seed that it was played with."""
        return await self._send(calls.record(match))

    def watch(self, match: str, *, token: str | None = None, since: int | None = None) -> AsyncWatch:
        """Watch a match: iterate over its frames, the first of which comes at once."""
        return AsyncWatch(self.url, match, token=token, since=since, retry_seconds=self._retry_seconds)

    @overload
    async def ask(self, game: str, question: Question[Q, Any, A], request: Q) -> A: ...

    @overload
    async def ask(self, game: str, question: str, request: Mapping[str, Any]) -> Any: ...  # noqa: ANN401  plain data

    async def ask(self, game: str, question: Question[Any, Any, Any] | str, request: Any) -> Any:
        """Ask a game something that needs no match.

        A question of the game is asked with its request, and answered with its reply; the name of one, or of one of its
        variants such as `odds/curve`, with plain data.
        """
        if isinstance(question, str):
            return await self._send(calls.ask_by_name(game, question, request))
        return await self._send(calls.ask(game, question, request))

    async def _send(self, call: Call[T]) -> T:
        backoff = Backoff(self._retry_seconds)
        while True:
            try:
                response = await self._http.request(
                    call.method, call.path, content=call.body, headers=call.headers
                )
                outcome = read_response(call, response.status_code, response.headers, response.content)
            except httpx.TransportError as error:
                outcome = retry_failed(call, error, self.url)
            if not isinstance(outcome, Retry):
                return outcome
            delay = backoff.next_delay(outcome.at_least)
            if delay is None:
                raise outcome.failure
            await asyncio.sleep(delay)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
