"""Generates the findings that a page quotes, between `<!-- found in FILE: CHECK, WORDS -->` and `<!-- end -->`.

A place `<!-- played in FILE: … -->` quotes results of thousands of games. It is written but not compared.
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
    """A quoted finding, identified by its document, its check, and words of its sentence."""

    file: str
    check: str
    words: str

    def matches(self, finding: Finding) -> bool:
        """Return whether a finding is the quoted one."""
        return finding.check == self.check and self.words in f"{finding.where} {finding.sentence}"


def fill_quotes(text: str, kinds: Sequence[str]) -> str:
    """Return the page with every quote of some kinds generated again; each document is linted once."""
    wanted = defaultdict[str, list[Quote]](list)
    for found in PLACE.finditer(text):
        if found["kind"] in kinds:
            wanted[found["file"]].append(_parse_quote(found))
    findings = {
        quote: finding for file, quotes in wanted.items() for quote, finding in _find_quotes(file, quotes)
    }
    return PLACE.sub(lambda found: _write_quote(found, findings.get(_parse_quote(found))), text)


def quotes_in(text: str, kind: str) -> dict[Quote, str]:
    """Return the text of a page's quotes of one kind."""
    return {_parse_quote(found): found[0] for found in PLACE.finditer(text) if found["kind"] == kind}


def claim_table() -> str:
    """Return the number of claims of each document, and of wrong ones."""
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
    """Return the hands of Dice Hands that some pools never score."""
    sentences = (finding.sentence for exhibit in _exhibits("dice.toml") for finding in judge_exhibit(exhibit))
    rows = [
        f"| {found['hand'].replace('_', ' ')} | {found['pools']} dice |"
        for found in map(UNREACHABLE.match, sentences)
        if found
    ]
    return "\n".join(["| hand | never scored with |", "| --- | --- |", *rows])


def _parse_quote(found: re.Match[str]) -> Quote:
    return Quote(found["file"], found["check"], found["words"] or "")


def _find_quotes(file: str, quotes: Sequence[Quote]) -> Iterator[tuple[Quote, Finding]]:
    """Yield the first finding of each quote, and stop when all are found."""
    left = list(quotes)
    for exhibit in _exhibits(file):
        for finding in judge_exhibit(exhibit):
            met = [quote for quote in left if quote.matches(finding)]
            left = [quote for quote in left if quote not in met]
            yield from ((quote, finding) for quote in met)
        if not left:
            return
    raise AssertionError(f"nothing is found of {left}")


def _exhibits(file: str) -> Iterator[Exhibit]:
    """Yield the exhibits of a document's claims and rules, computed lazily and cached."""
    design = _read_document(file)
    for claims in design.claims:
        yield from exhibits_of(claims, design.rules)
    for number in range(len(exhibit_groups(design.rules.game))):
        yield from _group_exhibits(file, number)


@cache
def _read_document(file: str) -> Design:
    [design] = gather_designs([str(DOCUMENTS / file)])
    return design


@cache
def _group_exhibits(file: str, number: int) -> tuple[Exhibit, ...]:
    rules = _read_document(file).rules
    return tuple(exhibit_groups(rules.game)[number].exhibits(rules))


def _write_quote(found: re.Match[str], finding: Finding | None) -> str:
    if finding is None:
        return found[0]
    opening = found[0].partition("\n")[0]
    headline = f"**{finding.severity}** {finding.check}, `{finding.where}`: {finding.sentence}"
    lines = [
        fill(
            text,
            WIDTH,
            initial_indent="> ",
            subsequent_indent="> ",
            break_on_hyphens=False,
            break_long_words=False,
        )
        for text in (headline, f"→ {finding.suggestion}")
    ]
    return "\n".join([opening, lines[0] + "\\", lines[1], "<!-- end -->"])
