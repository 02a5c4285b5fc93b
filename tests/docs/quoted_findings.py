"""Findings that a page quotes are found again in the documents: between `<!-- found in FILE: CHECK, WORDS -->` and `<!-- end -->`.

A place `<!-- played in FILE: … -->` quotes what was counted in thousands of games. It is written anew, and not found again.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Final, NamedTuple

from oddsmith.balance.design_files import Design, gather_designs, read_claims, read_design
from oddsmith.balance.linting.claims import exhibits_of
from oddsmith.balance.linting.findings import Finding, judge_exhibit
from oddsmith.balance.linting.lint import exhibit_groups
from oddsmith.exhibit import ClaimedFigure, Exhibit

DOCUMENTS: Final = Path(__file__).parents[2] / "examples" / "documents"
WIDTH: Final = 138
PLACE: Final = re.compile(
    r"^<!-- (?P<kind>found|played) in (?P<file>[a-z.-]+): (?P<check>[a-z-]+)(?:, (?P<words>[^\n]+?))? -->\n.*?^<!-- end -->$",
    re.DOTALL | re.MULTILINE,
)
UNREACHABLE: Final = re.compile(r"(?P<hand>\w+) with (?P<pools>[0-9 to]+) dice cannot be reached")


class Quote(NamedTuple):
    """A finding that is meant: by its document, its check, and words of its sentence."""

    file: str
    check: str
    words: str

    def means(self, finding: Finding) -> bool:
        """Say whether a finding is the one."""
        return finding.check == self.check and self.words in f"{finding.where} {finding.sentence}"


def filled(text: str, kinds: Sequence[str]) -> str:
    """Return the page with every quote of some kinds written anew; each document is looked through once."""
    wanted = defaultdict[str, list[Quote]](list)
    for found in PLACE.finditer(text):
        if found["kind"] in kinds:
            wanted[found["file"]].append(_quote(found))
    findings = {quote: finding for file, quotes in wanted.items() for quote, finding in _found(file, quotes)}
    return PLACE.sub(lambda found: _written(found, findings.get(_quote(found))), text)


def quoted(text: str, kind: str) -> dict[Quote, str]:
    """Return what a page quotes, by what is meant."""
    return {_quote(found): found[0] for found in PLACE.finditer(text) if found["kind"] == kind}


def claim_table() -> str:
    """Return how many claims each document makes, and how many of them are wrong."""
    rows = ["| document | claims | wrong |", "| --- | ---: | ---: |"]
    for file in sorted(DOCUMENTS.glob("*.claims.toml")):
        claims = read_claims(str(file))
        shown = [
            one
            for one in exhibits_of(claims, read_design(claims.rules).rules)
            if isinstance(one, ClaimedFigure)
        ]
        rows.append(f"| {claims.game} | {len(shown)} | {sum(not one.is_met for one in shown)} |")
    return "\n".join(rows)


def pool_table() -> str:
    """Return the hands of Dice Hands that nobody is paid for, with which pools."""
    sentences = (finding.sentence for exhibit in _exhibits("dice.toml") for finding in judge_exhibit(exhibit))
    rows = [
        f"| {found['hand'].replace('_', ' ')} | {found['pools']} dice |"
        for found in map(UNREACHABLE.match, sentences)
        if found
    ]
    return "\n".join(["| hand | never scored with |", "| --- | --- |", *rows])


def _quote(found: re.Match[str]) -> Quote:
    return Quote(found["file"], found["check"], found["words"] or "")


def _found(file: str, quotes: Sequence[Quote]) -> Iterator[tuple[Quote, Finding]]:
    """Yield the first finding that each quote means, and look no further when all are there."""
    left = list(quotes)
    for exhibit in _exhibits(file):
        for finding in judge_exhibit(exhibit):
            met = [quote for quote in left if quote.means(finding)]
            left = [quote for quote in left if quote not in met]
            yield from ((quote, finding) for quote in met)
        if not left:
            return
    raise AssertionError(f"nothing is found of {left}")


def _exhibits(file: str) -> Iterator[Exhibit]:
    """Yield what a document claims and what its rules show, computed as far as somebody looks, and once."""
    design = _design(file)
    for claims in design.claims:
        yield from exhibits_of(claims, design.rules)
    for number in range(len(exhibit_groups(design.rules.game))):
        yield from _stand(file, number)


@cache
def _design(file: str) -> Design:
    [design] = gather_designs([str(DOCUMENTS / file)])
    return design


@cache
def _stand(file: str, number: int) -> tuple[Exhibit, ...]:
    rules = _design(file).rules
    return tuple(exhibit_groups(rules.game)[number].exhibits(rules))


def _written(found: re.Match[str], finding: Finding | None) -> str:
    if finding is None:
        return found[0]
    opening = found[0].partition("\n")[0]
    told = f"**{finding.severity}** {finding.check}, `{finding.where}`: {finding.sentence}"
    lines = [
        fill(
            text,
            WIDTH,
            initial_indent="> ",
            subsequent_indent="> ",
            break_on_hyphens=False,
            break_long_words=False,
        )
        for text in (told, f"→ {finding.suggestion}")
    ]
    return "\n".join([opening, lines[0] + "\\", lines[1], "<!-- end -->"])
