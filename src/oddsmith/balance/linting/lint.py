"""Lint of a ruleset: all exhibits of its mechanic and of claims, judged by the checks, with silences."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Self

import msgspec

from oddsmith.balance.formatting import natural_sort_key
from oddsmith.balance.linting.findings import Finding, Severity, judge_exhibit, known_checks
from oddsmith.balance.play.exhibits import EXHIBITS
from oddsmith.errors import InputError, OddsmithError, RulesError, nearest
from oddsmith.exhibit import Exhibit, ExhibitGroup
from oddsmith.registry import find_mechanic
from oddsmith.rules import Ruleset


class SilencedFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding that the ruleset silences, and the reason that it gives."""

    finding: Finding
    reason: str


class LintReport(msgspec.Struct, frozen=True, kw_only=True):
    """The findings, the worst first; silenced findings and silences without effect are listed apart."""

    design: str
    """The design that was judged: a game, or a file of rules."""
    game: str
    rules_id: str
    findings: tuple[Finding, ...]
    silenced: tuple[SilencedFinding, ...]
    idle_silences: tuple[str, ...]
    exhibits: int

    def count(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum(finding.severity is severity for finding in self.findings)


class LintReply(msgspec.Struct, frozen=True, kw_only=True):
    """The reports of several designs, and the worst severity."""

    worst: Severity | None
    reports: tuple[LintReport, ...]

    @classmethod
    def of(cls, reports: Iterable[LintReport]) -> Self:
        """Return the reply of reports.

        >>> LintReply.of([]).worst
        """
        gathered = tuple(reports)
        found = (finding.severity for report in gathered for finding in report.findings)
        return cls(worst=min(found, key=[*Severity].index, default=None), reports=gathered)


def exhibit_groups(game: str) -> Sequence[ExhibitGroup]:
    """Return the groups of exhibits of a game: its own, or those of play where it has none."""
    return find_mechanic(game).exhibits or EXHIBITS


def lint(
    rules: Ruleset,
    *,
    design: str | None = None,
    claims: Iterable[Exhibit] = (),
    silences: Mapping[str, str] | None = None,
    only: Collection[str] = (),
    progress: Callable[[str, float], None] | None = None,
) -> LintReport:
    """Judge a ruleset and the exhibits of claims about it.

    A silence is the id of a check, or the id and a key of the rules, where `*` matches anything
    (`unreachable:crimes.*`), with a reason. With `only`, no other checks are run. `progress` is called with a
    subject and the fraction done. Unknown checks are refused with `unknown_check`.

    >>> from oddsmith.games.fate import Rules
    >>> [finding.check for finding in lint(Rules()).findings if finding.severity == "error"]
    []
    """
    given = dict(silences or {})
    _require_silences(given)
    for name in only:
        _require_check(name, "", InputError)
    exhibits = [*claims, *_mechanic_exhibits(rules, progress)]
    found = sorted(
        (
            finding
            for exhibit in exhibits
            for finding in judge_exhibit(exhibit)
            if not only or finding.check in only
        ),
        key=_sort_key,
    )
    reasons = [(finding, _reason(finding, given)) for finding in found]
    used = {name for name in given for finding in found if _silences(name, finding)}
    return LintReport(
        design=design or rules.game,
        game=rules.game,
        rules_id=rules.rules_id,
        findings=tuple(finding for finding, reason in reasons if reason is None),
        silenced=tuple(
            SilencedFinding(finding=finding, reason=reason)
            for finding, reason in reasons
            if reason is not None
        ),
        idle_silences=tuple(
            name for name in given if name not in used and (not only or name.partition(":")[0] in only)
        ),
        exhibits=len(exhibits),
    )


def _mechanic_exhibits(rules: Ruleset, progress: Callable[[str, float], None] | None) -> Iterator[Exhibit]:
    groups = exhibit_groups(rules.game)
    for number, group in enumerate(groups):
        if progress:
            progress(group.about, number / len(groups))
        yield from group.exhibits(rules)
    if progress:
        progress("", 1)


def _sort_key(finding: Finding) -> tuple[object, ...]:
    """Return a key that sorts by severity, check, key of the rules and sentence, numbers in numeric order."""
    severity = [*Severity].index(finding.severity)
    return severity, finding.check, natural_sort_key(finding.where), natural_sort_key(finding.sentence)


def _silences(name: str, finding: Finding) -> bool:
    """Return whether a silence applies to a finding.

    >>> claim = Finding(
    ...     check="claim-wrong", severity=Severity.ERROR, where="claims[3]", sentence="", evidence={}, suggestion=""
    ... )
    >>> [name for name in ("claim-wrong", "claim-wrong:claims[*]", "claim-wrong:claims[2]") if _silences(name, claim)]
    ['claim-wrong', 'claim-wrong:claims[*]']
    """
    check, _, pattern = name.partition(":")
    return check == finding.check and fnmatchcase(finding.where, pattern.replace("[", "[[]") or "*")


def _reason(finding: Finding, silences: Mapping[str, str]) -> str | None:
    """Return the reason of the most specific silence that applies to a finding, or None."""
    names = sorted((name for name in silences if _silences(name, finding)), key=len)
    return silences[names[-1]] if names else None


def _require_silences(silences: Mapping[str, str]) -> None:
    for name in silences:
        _require_check(name.partition(":")[0], f"silence.{name[:60]}", RulesError)


def _require_check(name: str, where: str, error: type[OddsmithError]) -> None:
    known = sorted(known_checks())
    if name not in known:
        raise error(
            "unknown_check", f"unknown check '{name[:60]}'{nearest(name[:60], known)}", where=where or None
        )
