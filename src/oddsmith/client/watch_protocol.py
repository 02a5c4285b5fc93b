"""The messages of a watch and the reconnection after a failure, without I/O."""

from typing import Any, Final

from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from oddsmith import wire
from oddsmith.client.replies import Frame, decode_draft, decode_frame, read_error, unreachable_error
from oddsmith.client.retry import Backoff
from oddsmith.errors import OddsmithError, ServerError
from oddsmith.match.drafts import DraftView

LARGEST_FRAME: Final = 4 * 2**20
POLICY: Final = 1008


class RefusedError(Exception):
    """The server refuses to show the match, now or for good."""

    def __init__(self, why: OddsmithError) -> None:
        super().__init__(str(why))
        self.why = why


FAILURES: Final = (OSError, TimeoutError, EOFError, WebSocketException, RefusedError)
"""Exceptions that end a connection; the watch reconnects unless the error is permanent."""


class WatchProtocol:
    """The state of a watch across connections: the last version seen, the drafts shown at it, and the backoff since the last frame."""

    def __init__(self, url: str, token: str | None, since: int | None, retry_seconds: float) -> None:
        self._url = url
        self._token = token
        self._since = since
        self._retry_seconds = retry_seconds
        self._backoff: Backoff | None = None
        self.is_over = False
        self.drafts: dict[int, Any] = {}

    def first_message(self) -> str:
        """Return the message that the client sends first on each connection."""
        message: dict[str, Any] = {"token": self._token, "since": self._since}
        return wire.to_json({name: value for name, value in message.items() if value is not None}).decode()

    def receive(self, message: bytes | str) -> Frame | None:
        """Return the frame of a message, None for a draft, which changes `drafts`; `RefusedError` for any other."""
        try:
            frame = decode_frame(message)
        except OddsmithError as error:
            draft = decode_draft(message)
            if draft is None:
                raise RefusedError(error) from error
            self._note_draft(draft)
            return None
        self._backoff = None
        self.drafts = {}
        self._since = frame.version
        self.is_over = frame.is_over
        return frame

    def _note_draft(self, draft: DraftView) -> None:
        others = {seat: shown for seat, shown in self.drafts.items() if seat != draft.seat}
        self.drafts = others if draft.draft is None else others | {draft.seat: draft.draft}

    def reconnect_delay(self, error: BaseException) -> float:
        """Return the seconds to wait before the next connection; raise if the failure is permanent or the time over.

        Where the server said after how many seconds to try again, it is at least that long.
        """
        why = _refusal_in(error)
        if why is not None and why.retry_after is None:
            raise why from error
        if isinstance(error, ConnectionClosed) and error.rcvd is not None and error.rcvd.code == POLICY:
            raise ServerError("watch_ended", f"the server closed the match: {error.rcvd.reason}") from error
        self._backoff = self._backoff or Backoff(self._retry_seconds)
        delay = self._backoff.next_delay(0.0 if why is None else why.retry_after or 0.0)
        if delay is None:
            raise (unreachable_error(self._url, error) if why is None else why) from error
        return delay


def _refusal_in(error: BaseException) -> OddsmithError | None:
    """Return the error that the server sent in a frame or instead of the socket; None where it sent none."""
    if isinstance(error, RefusedError):
        return error.why
    if isinstance(error, InvalidStatus):
        return read_error(bytes(error.response.body or b""), error.response.status_code)
    return None
