"""Calls every operation of the OpenAPI description with allowed and with forbidden input.

Checks that the server never fails with an internal error, and that replies are what the description says.
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
"""Statuses that are allowed for input that the description forbids."""
UNREADABLE: Final = ("bad_json", "bad_query", "bad_request", "not_json", "method_not_allowed", "not_found")
"""Error codes of malformed input, which must not occur for input that the description allows."""
BOTH: Final = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
LARGEST_BODY: Final = 64 * 1024
CASES_PER_PICK: Final = 8
"""Coverage cases that are generated for each one that is sent: a short run need not generate all."""
SECONDS: Final = 60
MOST_FAULTS: Final = 20


class HttpFuzz:
    """Calls the operations of a server's description, and counts replies and faults."""

    def __init__(self, url: str, *, payloads: int, seed: str) -> None:
        self._url = url
        self.payloads = payloads
        self._random = Random(seed)  # noqa: S311  not a secret
        self._session = requests.Session()
        self.answers: Counter[int] = Counter()
        self.faults: list[str] = []
        self.misdescribed: list[str] = []
        with Client(url) as client:
            self._match = client.open("duel", (None, None), rules={"most_selections": 1000}).match
            self._tokens = [client.join(self._match, name).token for name in ("Ann", "Bo")]

    @property
    def sent(self) -> int:
        """The number of payloads sent."""
        return self.answers.total()

    def run(self) -> None:
        """Call every operation about equally often, mostly with coverage cases at the edges of the schema, else at random.

        Operations without input are done quickly and leave their share to the others. If there are more operations than payloads,
        as many are called, drawn at random.
        """
        config = SchemathesisConfig.from_dict(
            {"checks": {"negative_data_rejection": {"expected-statuses": REJECTED}}}
        )
        schema = schemathesis.openapi.from_url(f"{self._url}/api/v1/openapi.json", config=config)
        operations: list[Any] = [cast("Any", found).ok() for found in schema.get_all_operations()]
        if self.payloads < len(operations):
            operations = self._random.sample(operations, self.payloads)
        operations.sort(key=lambda operation: bool(operation.body))
        for place, operation in enumerate(operations):
            share = max(0, self.payloads - self.sent) // (len(operations) - place)
            for case in self._some(self._edges(operation), 2 * share // 3):
                self._send(case)
            self._call(operation, share // 6)
        while self.sent < self.payloads:
            self._call(operations[-1], (self.payloads - self.sent) // 2)
        self._session.close()

    def _edges(self, operation: Any) -> Iterator[Any]:  # noqa: ANN401  the type's name depends on the version of schemathesis
        """Yield cases at the edges of what is allowed, on both sides, and with methods that the address does not have."""
        config = operation.schema.config.generation_for(operation=operation, phase="coverage")
        yield from operation.schema.iter_coverage_cases(
            operation, generation_modes=BOTH, generation_config=config
        )

    def _some(self, cases: Iterator[Any], most: int) -> list[Any]:
        found = list(islice(cases, CASES_PER_PICK * most))
        return found if len(found) <= most else self._random.sample(found, most)

    def _call(self, operation: Any, times: int) -> None:  # noqa: ANN401  an operation of schemathesis
        """Call an operation with allowed and with forbidden input; at least once, with one of them."""
        if not times and self._random.randrange(2) and self._call_in(operation, GenerationMode.NEGATIVE, 1):
            return
        for mode in BOTH if times else [GenerationMode.POSITIVE]:
            self._call_in(operation, mode, max(1, times))

    def _call_in(self, operation: Any, mode: GenerationMode, times: int) -> bool:  # noqa: ANN401  an operation of schemathesis
        """Call an operation in one mode, and return whether it has such input."""
        before = self.sent

        @seed(self._random.randrange(2**32))
        @settings(
            max_examples=times,
            database=None,
            deadline=None,
            phases=(Phase.generate,),
            suppress_health_check=[*HealthCheck],
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def call_case(case: Any) -> None:  # noqa: ANN401  a case of schemathesis
            self._send(case)

        with suppress(Unsatisfiable):  # an operation without input has no forbidden input
            call_case()
        return self.sent > before

    def _send(self, case: Any) -> None:  # noqa: ANN401  a case of schemathesis
        """Send a case; half of the time about an existing match, and half of the time with the token of one of its seats."""
        if "match" in (case.path_parameters or {}) and self._random.randrange(2):
            case.path_parameters["match"] = self._match
        headers = {}
        if self._random.randrange(2):
            headers["authorization"] = f"Bearer {self._random.choice(self._tokens)}"
        if case.meta.generation.mode.is_positive and isinstance(case.body, dict | list):
            case.body = _in_whole_numbers(case.body)
        reply = case.call(base_url=self._url, session=self._session, headers=headers, timeout=SECONDS)
        self.answers[reply.status_code] += 1
        if reply.status_code >= 500 or not _is_well_formed(reply):  # noqa: PLR2004  an error of the server
            self.faults.append(f"{case.method} {case.path}: {reply.status_code} {reply.text[:300]}")
        self._compare_with_description(case, reply)

    def _compare_with_description(self, case: Any, reply: Any) -> None:  # noqa: ANN401  a case of schemathesis, and its response
        if len(self.misdescribed) >= MOST_FAULTS:
            return
        try:
            case.validate_response(reply, checks=CHECKS)
        except FailureGroup as failures:
            found = " ".join(str(failures.exceptions[0]).split())
            self._record_mismatch(reply, found)
        if case.meta.generation.mode.is_positive and _is_unreadable(reply):
            self._record_mismatch(reply, "what is allowed was refused")

    def _record_mismatch(self, reply: Any, why: str) -> None:  # noqa: ANN401  a response of schemathesis
        sent = reply.request.body if isinstance(reply.request.body, bytes) else b""
        self.misdescribed.append(
            f"{reply.request.method} {reply.request.url[len(self._url) :][:200]}: {why[:400]} "
            f"{reply.status_code} {reply.text[:300]} to {sent.decode(errors='replace')[:400]}"
        )


def _in_whole_numbers(body: Any) -> Any:  # noqa: ANN401  any JSON
    """Return JSON with 3.0 written as 3: the same number to a schema, but not to a decoder of integers."""
    match body:
        case dict():
            return {name: _in_whole_numbers(value) for name, value in body.items()}
        case list():
            return [_in_whole_numbers(value) for value in body]
        case float() if body.is_integer():
            return int(body)
        case _:
            return body


def _refusal(reply: Any) -> dict[str, Any]:  # noqa: ANN401  a response of schemathesis
    """Return the refusal in a response; empty if there is none."""
    if reply.status_code < 400:  # noqa: PLR2004  statuses below 400 are no refusals
        return {}
    try:
        body: dict[str, Any] = reply.json()
        found: dict[str, Any] = body["refusal"] if "answer" in body else body["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return found


def _is_well_formed(reply: Any) -> bool:  # noqa: ANN401  a response of schemathesis
    """Return whether a refusal has a code and a sentence; other responses are well-formed."""
    if reply.status_code < 400 or reply.request.method == "HEAD":  # noqa: PLR2004  statuses below 400 are no refusals
        return True
    refusal = _refusal(reply)
    return all(isinstance(refusal.get(part), str) and refusal[part] for part in ("code", "sentence"))


def _is_unreadable(reply: Any) -> bool:  # noqa: ANN401  a response of schemathesis
    """Return whether the request was refused as malformed; items of a batch are not checked before they are answered."""
    refusal = _refusal(reply)
    if reply.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return len(reply.request.body) <= LARGEST_BODY
    return refusal.get("code") in UNREADABLE and not str(refusal.get("where")).startswith("[")
