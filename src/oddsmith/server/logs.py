"""Configuration of structured logging: one line of JSON for each event, with secrets redacted."""

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
"""Tokens, seeds and keys: 64 hexadecimal digits, which nothing else that is logged has."""
NOISY: Final = ("uvicorn.error", "uvicorn.access", "websockets", "asyncio")
"""Loggers of libraries whose lower levels report what clients do; only their errors are logged."""

_ENCODER: Final = msgspec.json.Encoder(enc_hook=repr)


def configure(level: str, stream: BinaryIO | None = None) -> None:
    """Write events of at least `level` to a stream, by default stderr; libraries' `logging` goes there too."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            redact_secrets,
            _render_json,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.BytesLoggerFactory(stream or sys.stderr.buffer),
    )
    root = logging.getLogger()
    root.handlers = [_StructlogHandler()]
    root.setLevel(LEVELS[level])
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.ERROR)


def configure_embedded(level: str) -> None:
    """Send events of at least `level` to Python's `logging`, by loggers below `oddsmith`.

    Does nothing where the host has configured structlog.
    """
    if structlog.is_configured():
        return
    structlog.configure(
        processors=[structlog.processors.format_exc_info, redact_secrets, _render_text],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def redact_secrets(
    _logger: object,
    _method: str,
    event: MutableMapping[str, Any],
) -> MutableMapping[str, Any]:
    """Return an event with everything that may be a secret replaced by an ellipsis.

    >>> redact_secrets(None, "info", {"event": "lost", "token": "5e" * 32})
    {'event': 'lost', 'token': '…'}
    """
    return {key: SECRET.sub("…", value) if isinstance(value, str) else value for key, value in event.items()}


def _render_json(_logger: object, _method: str, event: MutableMapping[str, Any]) -> bytes:
    return _ENCODER.encode({key: _escape_surrogates(value) for key, value in event.items()})


def _render_text(logger: object, method: str, event: MutableMapping[str, Any]) -> str:
    return _render_json(logger, method, event).decode()


def _escape_surrogates(value: object) -> object:
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


class _StructlogHandler(logging.Handler):
    """Passes records of Python's `logging` to structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        log = structlog.get_logger()
        log.log(record.levelno, record.getMessage(), source=record.name, exc_info=record.exc_info)


class WarningThrottle:
    """Logs warnings, those of one code at most once in `seconds`: clients that retry would repeat them."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._warned: dict[str, float] = {}

    def warn(self, event: str, *, code: str, sentence: str) -> None:
        """Log a warning, unless one with this code was logged less than `seconds` ago."""
        now = self._clock()
        if now >= self._warned.get(code, now - self._seconds) + self._seconds:
            self._warned[code] = now
            structlog.get_logger().warning(event, code=code, sentence=sentence)
