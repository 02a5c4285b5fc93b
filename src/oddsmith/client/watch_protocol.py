"""What a watch says to a server and what it makes of the answers, whichever way it waits for them."""

from typing import Any, Final

from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from oddsmith import wire
from oddsmith.client.answers import Frame, received, refused, unreachable
from oddsmith.client.retry import Patience
from oddsmith.errors import OddsmithError, ServerError, StoreError

LARGEST_FRAME: Final = 4 * 2**20
POLICY: Final = 1008
WAIT: Final = (429, 503)
BRIEF: Final = ("busy", "stopping", "too_many_requests", "too_many_connections")
"""Refusals that a while ends, as it ends those of a store."""


class RefusedError(Exception):
    """The server refuses to show the match, now or for good."""

    def __init__(self, why: OddsmithError) -> None:
        super().__init__(str(why))
        self.why = why


FAILURES: Final = (OSError, TimeoutError, EOFError, WebSocketException, RefusedError)
"""What ends a connection, but not the watch."""


class Progress:
    """How far a watch has come: the version up to which it has seen all, and how long it still tries to connect."""

    def __init__(self, url: str, token: str | None, since: int | None, patience: float) -> None:
        self._url = url
        self._token = token
        self._since = since
        self._seconds = patience
        self._patience: Patience | None = None
        self.is_over = False

    def hello(self) -> str:
        """Return the first frame of a connection."""
        said: dict[str, Any] = {"token": self._token, "since": self._since}
        return wire.to_json({name: value for name, value in said.items() if value is not None}).decode()

    def frame(self, message: bytes | str) -> Frame:
        """Return a frame that came."""
        try:
            frame = received(message)
        except OddsmithError as error:
            raise RefusedError(error) from error
        self._patience = None
        self._since = frame.version
        self.is_over = frame.is_over
        return frame

    def wait(self, error: BaseException) -> float:
        """Return how long to wait before connecting again; what waiting cannot help is raised."""
        if isinstance(error, RefusedError) and not _is_brief(error.why):
            raise error.why from error
        if isinstance(error, InvalidStatus) and error.response.status_code not in WAIT:
            raise refused(bytes(error.response.body or b""), error.response.status_code) from error
        if isinstance(error, ConnectionClosed) and error.rcvd is not None and error.rcvd.code == POLICY:
            raise ServerError("watch_ended", f"the server closed the match: {error.rcvd.reason}") from error
        self._patience = self._patience or Patience(self._seconds)
        pause = self._patience.wait()
        if pause is None:
            raise unreachable(self._url, error) from error
        return pause


def _is_brief(refusal: OddsmithError) -> bool:
    return isinstance(refusal, StoreError) or refusal.refusal.code in BRIEF
