"""Middleware: checks before an operation and finishers after it.

Checks and finishers are plain functions: a coroutine for each would cost more than its work.
"""

from collections.abc import Callable
from typing import TypeAlias

from oddsmith.server.http_request import Request, Response

Check: TypeAlias = Callable[[Request], Response | None]
"""Returns None to go on, or a response that ends the request; raises an `OddsmithError` to refuse the request."""
Finisher: TypeAlias = Callable[[Request, Response], None]
"""Called with every request and its response, errors included, before the response is sent; may add headers."""
