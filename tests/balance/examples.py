"""The designs in `examples/`, linted with their claims and silences: as printed, and corrected."""

import os
from functools import cache
from pathlib import Path
from typing import Final
from unittest import mock

from oddsmith.balance.design_files import gather_designs
from oddsmith.balance.linting.claims import exhibits_of
from oddsmith.balance.linting.findings import Finding
from oddsmith.balance.linting.lint import LintReport, lint

EXAMPLES: Final = Path(__file__).parents[2] / "examples"


@cache
def lint_example(folder: str, name: str) -> LintReport:
    """Lint a design of a folder, without the compiler, which would take longer than these few games."""
    claims = EXAMPLES / folder / f"{name}.claims.toml"
    files = [EXAMPLES / folder / f"{name}.toml", *([claims] if claims.exists() else [])]
    with mock.patch.dict(os.environ, {"ODDSMITH_COMPILED": "0"}):
        [design] = gather_designs([str(file) for file in files])
        claimed = [exhibit for one in design.claims for exhibit in exhibits_of(one, design.rules)]
        return lint(design.rules, claims=claimed, silences=design.silences)


def found_in_document(name: str, check: str) -> list[Finding]:
    """Return the findings of a check in a document as printed."""
    return [finding for finding in lint_example("documents", name).findings if finding.check == check]
