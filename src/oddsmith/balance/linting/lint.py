"""Rules are laid open as exhibits, and every exhibit is judged by every check of its kind."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Self

import msgspec

from oddsmith.balance.formatting import natural_sort_key
from oddsmith.balance.linting.findings import Finding, Severity, judge_exhibit, known_checks
from oddsmith.errors import InputError, OddsmithError, RulesError, nearest
from oddsmith.exhibit import Exhibit, ExhibitGroup
from oddsmith.registry import find_mechanic
from oddsmith.rules import Ruleset


class SilencedFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding that the ruleset silences, and the reason that it gives."""

    finding: Finding
    reason: str


class LintReport(msgspec.Struct, frozen=True, kw_only=True):
    """All that was found, the worst first; what was silenced stands apart, and so does a silence that silences nothing."""

    design: str
    """What was judged: a game, or a file of rules."""
    game: str
    rules_id: str
    findings: tuple[Finding, ...]
    silenced: tuple[SilencedFinding, ...]
    idle_silences: tuple[str, ...]
    exhibits: int

    def count(self, severity: Severity) -> int:
        """Return how many findings are that bad."""
        return sum(finding.severity is severity for finding in self.findings)


class LintReply(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in each of several designs, and the worst of it."""

    worst: Severity | None
    reports: tuple[LintReport, ...]

    @classmethod
    def of(cls, reports: Iterable[LintReport]) -> Self:
        """Gather reports.

        >>> LintReply.of([]).worst
        """
        gathered = tuple(reports)
        found = (finding.severity for report in gathered for finding in report.findings)
        return cls(worst=min(found, key=[*Severity].index, default=None), reports=gathered)


def exhibit_groups(game: str) -> Sequence[ExhibitGroup]:
    """Return where a game shows what it is made of."""
    return find_mechanic(game).exhibits


def lint(
    rules: Ruleset,
    *,
    design: str | None = None,
    claims: Iterable[Exhibit] = (),
    silences: Mapping[str, str] | None = None,
    only: Collection[str] = (),
    progress: Callable[[str, float], None] | None = None,
) -> LintReport:
    """Judge a ruleset, and what is claimed of it.

    A silence is the id of a check, or the id and a key of the rules, where `*` stands for anything
    (`unreachable:crimes.*`), with a reason. Where some checks are named, only these are held against it.

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
    """Put the worst first; then by check, by key and by what is said, the ninth before the tenth."""
    severity = [*Severity].index(finding.severity)
    return severity, finding.check, natural_sort_key(finding.where), natural_sort_key(finding.sentence)


def _silences(name: str, finding: Finding) -> bool:
    """Say whether a silence means a finding.

    >>> claim = Finding(
    ...     check="claim-wrong", severity=Severity.ERROR, where="claims[3]", sentence="", evidence={}, suggestion=""
    ... )
    >>> [name for name in ("claim-wrong", "claim-wrong:claims[*]", "claim-wrong:claims[2]") if _silences(name, claim)]
    ['claim-wrong', 'claim-wrong:claims[*]']
    """
    check, _, pattern = name.partition(":")
    return check == finding.check and fnmatchcase(finding.where, pattern.replace("[", "[[]") or "*")


def _reason(finding: Finding, silences: Mapping[str, str]) -> str | None:
    """Return the reason of the most particular silence that means a finding."""
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
