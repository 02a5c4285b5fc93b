"""Findings, checks and the registry of checks."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from importlib import import_module
from typing import Any, Final, TypeVar

import msgspec

from oddsmith.exhibit import Exhibit

E = TypeVar("E", bound=msgspec.Struct)


class Severity(StrEnum):
    """The severity of a finding, the worst first."""

    ERROR = "error"
    """Something is false, or cannot work."""
    WARNING = "warning"
    """It works, but probably not as intended."""
    NOTE = "note"
    """Worth knowing."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check: a sentence for people, evidence for programs, and a suggestion.

    `check` is the id by which it can be silenced; `where` the key of the rules that it is about.
    """

    check: str
    severity: Severity
    where: str
    sentence: str
    evidence: Mapping[str, Any]
    suggestion: str


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A check: its id, its usual severity, what it looks for, and the type of exhibit that it judges."""

    id: str
    severity: Severity
    title: str
    explanation: str
    exhibit: type[msgspec.Struct]
    judge: Callable[[Any], Iterable[Finding]]


class CheckSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A check as it is listed."""

    id: str
    severity: Severity
    title: str
    explanation: str
    exhibit: str
    """The type of exhibit that it judges, as claims files name it."""


class ChecksReply(msgspec.Struct, frozen=True, kw_only=True):
    """Every check, by its id."""

    checks: tuple[CheckSummary, ...]


_CHECKS: Final[dict[str, Check]] = {}


def check(
    name: str, severity: Severity, exhibit: type[E], title: str
) -> Callable[[Callable[[E], Iterable[Finding]]], Callable[[E], Iterable[Finding]]]:
    """Register a function that judges an exhibit as a check; its docstring is the explanation."""

    def register(judge: Callable[[E], Iterable[Finding]]) -> Callable[[E], Iterable[Finding]]:
        _CHECKS[name] = Check(
            id=name,
            severity=severity,
            title=title,
            explanation=" ".join((judge.__doc__ or "").split()),
            exhibit=exhibit,
            judge=judge,
        )
        return judge

    return register


def known_checks() -> Mapping[str, Check]:
    """Return every check by its id.

    >>> known_checks()["claim-wrong"].severity
    <Severity.ERROR: 'error'>
    """
    import_module("oddsmith.balance.linting.checks")
    return _CHECKS


def list_checks() -> ChecksReply:
    """Return every check as it is listed, sorted by id.

    >>> list_checks().checks[0].id
    'action-always-best'
    """
    return ChecksReply(
        checks=tuple(
            CheckSummary(
                id=one.id,
                severity=one.severity,
                title=one.title,
                explanation=one.explanation,
                exhibit=str(one.exhibit.__struct_config__.tag),
            )
            for one in sorted(known_checks().values(), key=lambda one: one.id)
        )
    )


def judge_exhibit(exhibit: Exhibit) -> Iterator[Finding]:
    """Yield the findings of every check for the type of an exhibit."""
    for one in known_checks().values():
        if isinstance(exhibit, one.exhibit):
            yield from one.judge(exhibit)
