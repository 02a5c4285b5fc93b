"""Rules are laid open as exhibits, and every exhibit is judged by every check of its kind."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import msgspec

from oddsmith.balance.exhibits import Exhibit
from oddsmith.balance.findings import Finding, Severity, judged, known_checks
from oddsmith.errors import RulesError, nearest
from oddsmith.rules import Ruleset

__all__ = ["LintReport", "Silenced", "Stand", "lint", "stands_of"]


class Stand(NamedTuple):
    """Where a game shows some of its exhibits: what they are about, and what computes them from rules."""

    about: str
    exhibits: Callable[[Any], Iterable[Exhibit]]


class Silenced(msgspec.Struct, frozen=True, kw_only=True):
    """A finding that the ruleset silences, and the reason that it gives."""

    finding: Finding
    reason: str


class LintReport(msgspec.Struct, frozen=True, kw_only=True):
    """All that was found, the worst first; what was silenced stands apart, and so does a silence that silences nothing."""

    game: str
    rules_id: str
    findings: tuple[Finding, ...]
    silenced: tuple[Silenced, ...]
    idle_silences: tuple[str, ...]
    exhibits: int

    def count(self, severity: Severity) -> int:
        """Return how many findings are that bad."""
        return sum(finding.severity is severity for finding in self.findings)


def stands_of(game: str) -> Sequence[Stand]:
    """Return where a game shows what it is made of."""
    stands: Sequence[Stand] = import_module(f"oddsmith.balance.{game}.stands").STANDS
    return stands


def lint(
    rules: Ruleset,
    *,
    claims: Iterable[Exhibit] = (),
    silences: Mapping[str, str] | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> LintReport:
    """Judge a ruleset, and what is claimed of it.

    A silence is the id of a check, or the id and a key of the rules (`rung-overlap:hand_scores.pair`), with a reason.

    >>> from oddsmith.games.fate import Rules
    >>> [finding.check for finding in lint(Rules()).findings if finding.severity == "error"]
    []
    """
    given = dict(silences or {})
    _require_known(given)
    exhibits = [*claims, *_shown(rules, progress)]
    found = sorted((finding for exhibit in exhibits for finding in judged(exhibit)), key=_rank)
    reasons = [(finding, _reason(finding, given)) for finding in found]
    used = {name for finding, _ in reasons for name in _names(finding)}
    return LintReport(
        game=rules.game,
        rules_id=rules.rules_id,
        findings=tuple(finding for finding, reason in reasons if reason is None),
        silenced=tuple(
            Silenced(finding=finding, reason=reason) for finding, reason in reasons if reason is not None
        ),
        idle_silences=tuple(name for name in given if name not in used),
        exhibits=len(exhibits),
    )


def _shown(rules: Ruleset, progress: Callable[[str, float], None] | None) -> Iterator[Exhibit]:
    stands = stands_of(rules.game)
    for number, stand in enumerate(stands):
        if progress:
            progress(stand.about, number / len(stands))
        yield from stand.exhibits(rules)
    if progress:
        progress("", 1)


def _rank(finding: Finding) -> tuple[int, str, str, str]:
    return [*Severity].index(finding.severity), finding.check, finding.where, finding.sentence


def _names(finding: Finding) -> tuple[str, str]:
    return finding.check, f"{finding.check}:{finding.where}"


def _reason(finding: Finding, silences: Mapping[str, str]) -> str | None:
    return next((silences[name] for name in _names(finding) if name in silences), None)


def _require_known(silences: Mapping[str, str]) -> None:
    known = known_checks()
    for name in silences:
        if name.partition(":")[0] not in known:
            raise RulesError(
                "unknown_check",
                f"silence: unknown check '{name[:60]}'{nearest(name.partition(':')[0][:60], known)}",
                where=f"silence.{name[:60]}",
            )
