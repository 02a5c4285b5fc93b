# Generated from asynchronous.py by `python tools/generate_blocking_client.py`: edit that file, not this one.
"""The client of a server: a method for each call, and watches that yield the frames of a match as they arrive."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Final, Self, TypeVar, overload

import httpx
from websockets.sync.client import ClientConnection, connect

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


class Watch:
    """Iterates over the frames of a match until the match is over or the watch is closed.

    After a lost connection it reconnects for `retry_seconds` and resumes after the last version: no change is missed. The
    first frame after that may repeat a version.
    """

    def __init__(
        self, server: str, match: str, *, token: str | None, since: int | None, retry_seconds: float
    ) -> None:
        self._address = socket_address(server, match)
        self._protocol = WatchProtocol(server, token, since, retry_seconds)
        self._connection: ClientConnection | None = None
        self._stack = ExitStack()
        self._is_closed = False

    def __iter__(self) -> Iterator[Frame]:
        while not self.is_over:
            try:
                connection = self._connect()
                frame = self._protocol.receive(connection.recv())
                if frame is not None:
                    yield frame
            except FAILURES as error:
                self._disconnect()
                if not self.is_over:
                    time.sleep(self._protocol.reconnect_delay(error))
        self.close()

    @property
    def is_over(self) -> bool:
        """Whether the match is over or the watch closed: no frame follows."""
        return self._is_closed or self._protocol.is_over

    @property
    def drafts(self) -> Mapping[Seat, Any]:
        """By seat, the draft that it shows at the version of the last frame, as plain data."""
        return self._protocol.drafts

    @property
    def is_connected(self) -> bool:
        """Whether the watch has a connection."""
        return self._connection is not None

    def _connect(self) -> ClientConnection:
        connection = self._connection
        if connection is None:
            connection = self._connection = self._stack.enter_context(
                connect(self._address, max_size=LARGEST_FRAME, open_timeout=SECONDS, close_timeout=1)
            )
            if self._is_closed:  # by another task or thread meanwhile; `send` raises then
                self._disconnect()
            connection.send(self._protocol.first_message())
        return connection

    def _disconnect(self) -> None:
        self._connection = None
        self._stack.close()

    def close(self) -> None:
        """Close the connection; an iteration in another task or thread ends."""
        self._is_closed = True
        self._disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Client:
    """Client of the games, matches and questions of a server.

    A call that fails with a transient error is repeated for up to `retry_seconds`, if it is safe to repeat: a choice has an
    id, and takes effect once however often it is sent. `timeout` is the time limit of one request in seconds. Errors of
    the server are raised as the `OddsmithError` of their status, with the server's refusal.
    """

    def __init__(
        self, url: str = DEFAULT, *, retry_seconds: float = SECONDS, timeout: float = SECONDS
    ) -> None:
        self.url = server_address(url)
        self._retry_seconds = retry_seconds
        self._http = httpx.Client(base_url=self.url, timeout=timeout)

    def games(self) -> tuple[GameSummary, ...]:
        """Return the games of the server, with their numbers of players, bots and presets."""
        return self._send(calls.games())

    def preset(self, game: str, name: str = "default") -> Ruleset:
        """Return the rules of a preset."""
        return self._send(calls.preset(game, name))

    def open(
        self,
        game: str,
        seats: Sequence[str | None],
        *,
        rules: str | Mapping[str, Any] | Ruleset = "default",
        clock: Clock | None = None,
        practice: str | None = None,
        private: bool = False,
    ) -> OpenMatchReply:
        """Open a match; `seats` has the name of a bot, or None for a seat that a player may take.

        With a seed as `practice`, all luck comes from that seed, and at most one seat may be free. A `private` match is
        in no list: it can be viewed and joined by its id.
        """
        return self._send(calls.open_match(game, seats, rules, clock, practice=practice, private=private))

    def matches(
        self,
        *,
        game: str | None = None,
        status: Status | str | None = None,
        before: str | None = None,
        limit: int | None = None,
    ) -> MatchPage:
        """Return a page of public matches, most recently changed first; `before` is that of the previous page."""
        return self._send(calls.matches(game, status, before, limit))

    def join(
        self, match: str, name: str, *, seat: Seat | None = None, seed: str = "", join_id: str | None = None
    ) -> JoinReply:
        """Take a seat, by default the first free one; joining again with the same `join_id` returns the same seat."""
        return self._send(calls.join(match, name, seat=seat, seed=seed, join_id=join_id or new_join_id()))

    def act(
        self, match: str, token: str, action: object, *, version: int, command_id: str | None = None
    ) -> CommandReply:
        """Make a choice at a version of the match: a line of notation, or one of the frame's actions.

        Returns `Stale` where the match is at another version. Raises `IllegalMove` where the rules refuse the choice.
        """
        return self._send(calls.act(match, token, action, version=version, command_id=command_id or new_id()))

    def leave(self, match: str, token: str, *, command_id: str | None = None) -> CommandReply:
        """Leave a match; before it has begun this frees the seat, later it gives the match up."""
        return self._send(calls.leave(match, token, command_id or new_id()))

    def view(self, match: str, *, token: str | None = None, since: int | None = None) -> Frame:
        """Return a match as the token's seat or a spectator sees it; with `since`, also the events after that version."""
        return self._send(calls.view(match, token, since))

    def rules(self, frame: Frame) -> Ruleset:
        """Return the rules of a frame's match; they never change."""
        return self._send(calls.rules(frame.game, frame.match))

    def record(self, match: str) -> Record:
        """Return the record of a match that is over, with all seeds; raises `UnfinishedMatchError` before."""
        return self._send(calls.record(match))

    def watch(self, match: str, *, token: str | None = None, since: int | None = None) -> Watch:
        """Return an iterator over the frames of a match; the first frame is its current state."""
        return Watch(self.url, match, token=token, since=since, retry_seconds=self._retry_seconds)

    @overload
    def ask(self, game: str, question: Question[Q, Any, A], request: Q) -> A: ...

    @overload
    def ask(self, game: str, question: str, request: Mapping[str, Any]) -> Any: ...  # noqa: ANN401  plain data

    def ask(self, game: str, question: Question[Any, Any, Any] | str, request: Any) -> Any:
        """Ask a question of a game; it needs no match.

        A `Question` takes its request type and returns its reply type. The name of a question, or of one of its variants
        such as `odds/curve`, takes and returns plain data.
        """
        if isinstance(question, str):
            return self._send(calls.ask_by_name(game, question, request))
        return self._send(calls.ask(game, question, request))

    def _send(self, call: Call[T]) -> T:
        backoff = Backoff(self._retry_seconds)
        while True:
            try:
                response = self._http.request(call.method, call.path, content=call.body, headers=call.headers)
                outcome = read_response(call, response.status_code, response.headers, response.content)
            except httpx.TransportError as error:
                outcome = retry_failed(call, error, self.url)
            if not isinstance(outcome, Retry):
                return outcome
            delay = backoff.next_delay(outcome.at_least)
            if delay is None:
                raise outcome.failure
            time.sleep(delay)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
