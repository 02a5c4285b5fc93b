"""The example targets are met by rules that are read back from the written file."""

from pathlib import Path

import pytest

from oddsmith.balance.design_files import read_targets, rewrite_rules, verify_rewritten
from oddsmith.balance.tuning.tune import tune

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "targets").glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_targets_are_met(path: Path) -> None:
    """Every target is met by exact odds, and the written rules are the tuned ones."""
    targets, source = read_targets(str(path))
    tuned = tune(targets)
    verify_rewritten(
        rewrite_rules(source, tuned.rules, {change.key: change.after for change in tuned.adjustments}),
        tuned,
        targets,
    )

    assert [] == [verdict.name for verdict in tuned.verdicts if not verdict.reached]
