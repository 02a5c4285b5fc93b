"""One line of JSON for each thing that happens; no line holds a secret."""

import logging
import re
import sys
import time
from collections.abc import Callable, MutableMapping
from typing import Any, BinaryIO, Final

import msgspec
import structlog

LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}
SECRET: Final = re.compile(r"[0-9a-fA-F]{64}")
"""Tokens, seeds and keys are 64 hexadecimal digits, and nothing else that is logged is."""
NOISY: Final = ("uvicorn.error", "uvicorn.access", "websockets", "asyncio")
"""These tell of what clients do, not of what we do: only their errors are ours."""

_ENCODER: Final = msgspec.json.Encoder(enc_hook=repr)


def configure(level: str, stream: BinaryIO | None = None) -> None:
    """Write what is at least so important, to stderr unless to another stream."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            without_secrets,
            _rendered,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.BytesLoggerFactory(stream or sys.stderr.buffer),
    )
    root = logging.getLogger()
    root.handlers = [_Passing()]
    root.setLevel(LEVELS[level])
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.ERROR)


def configure_embedded(level: str) -> None:
    """Let Python's `logging` have what is at least so important, by loggers below `oddsmith`.

    Where the host has configured structlog, that is left as it is.
    """
    if structlog.is_configured():
        return
    structlog.configure(
        processors=[structlog.processors.format_exc_info, without_secrets, _rendered_as_text],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def without_secrets(
    _logger: Any,  # noqa: ANN401  as structlog calls it
    _method: str,
    event: MutableMapping[str, Any],
) -> MutableMapping[str, Any]:
    """Return what happened with everything that may be a secret left out.

    >>> without_secrets(None, "info", {"event": "lost", "token": "5e" * 32})
    {'event': 'lost', 'token': '…'}
    """
    return {key: SECRET.sub("…", value) if isinstance(value, str) else value for key, value in event.items()}


def _rendered(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> bytes:  # noqa: ANN401  as above
    return _ENCODER.encode({key: _sayable(value) for key, value in event.items()})


def _rendered_as_text(logger: Any, method: str, event: MutableMapping[str, Any]) -> str:  # noqa: ANN401  as above
    return _rendered(logger, method, event).decode()


def _sayable(value: object) -> object:
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


class _Passing(logging.Handler):
    """Passes on what libraries log in Python's own way."""

    def emit(self, record: logging.LogRecord) -> None:
        log = structlog.get_logger()
        log.log(record.levelno, record.getMessage(), source=record.name, exc_info=record.exc_info)


class WarningThrottle:
    """Warns of the same trouble no more often than once in so many seconds: who waits asks again and again."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._warned: dict[str, float] = {}

    def warn(self, event: str, *, code: str, sentence: str) -> None:
        """Warn of trouble, which has a code; of that code, not again soon."""
        now = self._clock()
        if now >= self._warned.get(code, now - self._seconds) + self._seconds:
            self._warned[code] = now
            structlog.get_logger().warning(event, code=code, sentence=sentence)
