"""Every operation of the described interface is called with what it allows and with what it forbids.

Two things are held against the answers: that the server never breaks, and that it does what its description says.
"""

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any, Final, cast

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from oddsmith.client import Client

__all__ = ["HttpFuzz"]

CHECKS: Final[list[Any]] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
SECONDS: Final = 60
MOST_FAULTS: Final = 20


class HttpFuzz:
    """Calls a server as its own description says, and counts what comes of it."""

    def __init__(self, url: str, *, payloads: int, seed: str) -> None:
        self._url = url
        self._payloads = payloads
        self._random = Random(seed)  # noqa: S311  no secret
        self._session = requests.Session()
        self.answers: Counter[int] = Counter()
        self.faults: list[str] = []
        self.misdescribed: list[str] = []
        with Client(url) as client:
            self._match = client.open("duel", (None, None), rules={"most_selections": 1000}).match
            self._tokens = [client.join(self._match, name).token for name in ("Ann", "Bo")]

    @property
    def sent(self) -> int:
        """How many payloads were sent."""
        return self.answers.total()

    def run(self) -> None:
        """Call every operation about as often as any other."""
        schema = schemathesis.openapi.from_url(f"{self._url}/api/v1/openapi.json")
        operations: list[Any] = [cast("Any", found).ok() for found in schema.get_all_operations()]
        each = self._payloads // (2 * len(operations)) + 1
        for operation in operations:
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                self._call(operation, mode, each)
        self._session.close()

    def _call(self, operation: Any, mode: GenerationMode, times: int) -> None:  # noqa: ANN401  schemathesis names it otherwise in each version
        @seed(self._random.randrange(2**32))
        @settings(
            max_examples=times,
            database=None,
            deadline=None,
            phases=(Phase.generate,),
            suppress_health_check=[*HealthCheck],
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def called(case: Any) -> None:  # noqa: ANN401  as above
            self._send(case)

        with suppress(Unsatisfiable):  # what takes nothing can be sent nothing wrong
            called()

    def _send(self, case: Any) -> None:  # noqa: ANN401  as above
        """Send a case, half of the time about a match that there is and in the name of somebody who sits there."""
        if "match" in (case.path_parameters or {}) and self._random.randrange(2):
            case.path_parameters["match"] = self._match
        headers = {}
        if self._random.randrange(2):
            headers["authorization"] = f"Bearer {self._random.choice(self._tokens)}"
        reply = case.call(base_url=self._url, session=self._session, headers=headers, timeout=SECONDS)
        self.answers[reply.status_code] += 1
        if reply.status_code >= 500 or not _is_said_well(reply):  # noqa: PLR2004  a fault of the server
            self.faults.append(f"{case.method} {case.path}: {reply.status_code} {reply.text[:300]}")
        if len(self.misdescribed) < MOST_FAULTS:
            try:
                case.validate_response(reply, checks=CHECKS)
            except FailureGroup as failures:
                found = " ".join(str(failures.exceptions[0]).split())
                self.misdescribed.append(f"{case.method} {case.path}: {found[:300]} {reply.text[:200]}")


def _is_said_well(reply: Any) -> bool:  # noqa: ANN401  as above
    """Say whether a refusal has its one shape: a code for programs and a sentence for people."""
    if reply.status_code < 400:  # noqa: PLR2004  nothing is refused
        return True
    try:
        refusal = reply.json()["refusal"]
        return all(isinstance(refusal[part], str) and refusal[part] for part in ("code", "sentence"))
    except (ValueError, KeyError, TypeError):
        return bool(reply.request.method == "HEAD")
