"""Every operation of the described interface is called with what it allows and with what it forbids.

Two things are held against the answers: that the server never breaks, and that it does what its description says.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from itertools import islice
from random import Random
from typing import Any, Final, cast

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    missing_required_header,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from oddsmith.client import Client

CHECKS: Final[list[Any]] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    missing_required_header,
    unsupported_method,
    allow_header_conformance,
]
REJECTED: Final = ["400", "401", "403", "404", "405", "409", "413", "415", "422"]
"""What may be answered to that which the description forbids."""
UNREADABLE: Final = ("bad_json", "bad_query", "bad_request", "not_json", "method_not_allowed", "not_found")
"""Why nothing may be refused that the description allows; what no schema can say is refused for reasons of its own."""
BOTH: Final = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
LARGEST_BODY: Final = 64 * 1024
PICKED_FROM: Final = 8
"""From how many times as many cases at the edges those are picked that are sent: a short run need not make all."""
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
        """Call every operation about as often as any other, mostly with what lies at the edges, else at random.

        What takes nothing is soon done with, and leaves its share to what takes more.
        """
        config = SchemathesisConfig.from_dict(
            {"checks": {"negative_data_rejection": {"expected-statuses": REJECTED}}}
        )
        schema = schemathesis.openapi.from_url(f"{self._url}/api/v1/openapi.json", config=config)
        operations: list[Any] = [cast("Any", found).ok() for found in schema.get_all_operations()]
        operations.sort(key=lambda operation: bool(operation.body))
        for place, operation in enumerate(operations):
            share = max(0, self._payloads - self.sent) // (len(operations) - place)
            for case in self._some(self._edges(operation), 2 * share // 3):
                self._send(case)
            self._call(operation, share // 6 + 1)
        while self.sent < self._payloads:
            self._call(operations[-1], (self._payloads - self.sent) // 2 + 1)
        self._session.close()

    def _edges(self, operation: Any) -> Iterator[Any]:  # noqa: ANN401  schemathesis names it otherwise in each version
        """Yield cases at the edges of what is allowed, on both sides, and methods that the address does not know."""
        config = operation.schema.config.generation_for(operation=operation, phase="coverage")
        yield from operation.schema.iter_coverage_cases(
            operation, generation_modes=BOTH, generation_config=config
        )

    def _some(self, cases: Iterator[Any], most: int) -> list[Any]:
        found = list(islice(cases, PICKED_FROM * most))
        return found if len(found) <= most else self._random.sample(found, most)

    def _call(self, operation: Any, times: int) -> None:  # noqa: ANN401  as above
        for mode in BOTH:
            self._call_in(operation, mode, times)

    def _call_in(self, operation: Any, mode: GenerationMode, times: int) -> None:  # noqa: ANN401  as above
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
        if case.meta.generation.mode.is_positive and isinstance(case.body, dict | list):
            case.body = _in_whole_numbers(case.body)
        reply = case.call(base_url=self._url, session=self._session, headers=headers, timeout=SECONDS)
        self.answers[reply.status_code] += 1
        if reply.status_code >= 500 or not _is_said_well(reply):  # noqa: PLR2004  a fault of the server
            self.faults.append(f"{case.method} {case.path}: {reply.status_code} {reply.text[:300]}")
        self._hold_against(case, reply)

    def _hold_against(self, case: Any, reply: Any) -> None:  # noqa: ANN401  as above
        """Compare an answer with the description."""
        if len(self.misdescribed) >= MOST_FAULTS:
            return
        try:
            case.validate_response(reply, checks=CHECKS)
        except FailureGroup as failures:
            found = " ".join(str(failures.exceptions[0]).split())
            self._misdescribe(reply, found)
        if case.meta.generation.mode.is_positive and _is_unreadable(reply):
            self._misdescribe(reply, "what is allowed was refused")

    def _misdescribe(self, reply: Any, why: str) -> None:  # noqa: ANN401  as above
        sent = reply.request.body if isinstance(reply.request.body, bytes) else b""
        self.misdescribed.append(
            f"{reply.request.method} {reply.request.url[len(self._url) :][:200]}: {why[:400]} "
            f"{reply.status_code} {reply.text[:300]} to {sent.decode(errors='replace')[:400]}"
        )


def _in_whole_numbers(body: Any) -> Any:  # noqa: ANN401  any JSON
    """Return JSON with 3.0 written as 3: to a schema they are the same number, to those who read integers they are not."""
    match body:
        case dict():
            return {name: _in_whole_numbers(value) for name, value in body.items()}
        case list():
            return [_in_whole_numbers(value) for value in body]
        case float() if body.is_integer():
            return int(body)
        case _:
            return body


def _refusal(reply: Any) -> dict[str, Any]:  # noqa: ANN401  as above
    """Return what was refused, or nothing."""
    if reply.status_code < 400:  # noqa: PLR2004  nothing is refused
        return {}
    try:
        said: dict[str, Any] = reply.json()
        found: dict[str, Any] = said["refusal"] if "answer" in said else said["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return found


def _is_said_well(reply: Any) -> bool:  # noqa: ANN401  as above
    """Say whether a refusal has its one shape: a code for programs and a sentence for people."""
    if reply.status_code < 400 or reply.request.method == "HEAD":  # noqa: PLR2004  as above
        return True
    refusal = _refusal(reply)
    return all(isinstance(refusal.get(part), str) and refusal[part] for part in ("code", "sentence"))


def _is_unreadable(reply: Any) -> bool:  # noqa: ANN401  as above
    """Say whether something was refused for its form; one of a batch is read only when its turn comes."""
    refusal = _refusal(reply)
    if reply.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return len(reply.request.body) <= LARGEST_BODY
    return refusal.get("code") in UNREADABLE and not str(refusal.get("where")).startswith("[")
