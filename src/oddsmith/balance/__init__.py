"""Tools for judging a design: its figures, lint, tuning, sensitivities, sweeps, metrics of play, and reports.

Every name is imported on first use, so that `import oddsmith.balance` is fast.

>>> from oddsmith import balance
>>> from oddsmith.games.destiny import Rules
>>> design = balance.read_design(Rules.game)
>>> check = {"figure": "check.success", "target": "bank_robbery", "character": "calamity_rose"}
>>> reading = balance.parse_figure(Rules.game, check).read(design.rules)
>>> f"{float(reading.value):.4f}", reading.basis
('0.1016', <Basis.EXACT: 'exact'>)
>>> balance.lint(design.rules, silences=design.silences).game == Rules.game
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from oddsmith.balance.design_files import (
        Design,
        gather_designs,
        read_claims,
        read_design,
        read_targets,
        rewrite_rules,
        rules_difference,
    )
    from oddsmith.balance.figures import figures_of, parse_figure, read_figures
    from oddsmith.balance.linting.claims import exhibits_of, parse_claims
    from oddsmith.balance.linting.findings import Finding, Severity
    from oddsmith.balance.linting.lint import LintReport, lint
    from oddsmith.balance.metrics.observer import MetricsReport, Observer, exact_metrics, observed_metrics
    from oddsmith.balance.reporting.report import Report, make_report, render_page
    from oddsmith.balance.rule_keys import Key, keys_matching, keys_of, with_numbers
    from oddsmith.balance.sensitivity import Sensitivities, sensitivities
    from oddsmith.balance.sweeping import Sweep, SweepResult, parse_sweep, plan_sweep, read_sweep, write_sweep
    from oddsmith.balance.tuning.targets import Targets, parse_targets
    from oddsmith.balance.tuning.tune import TuneResult, tune
    from oddsmith.figure import Basis, Figure, Reading, Unit

__all__ = [
    "Basis",
    "Design",
    "Figure",
    "Finding",
    "Key",
    "LintReport",
    "MetricsReport",
    "Observer",
    "Reading",
    "Report",
    "Sensitivities",
    "Severity",
    "Sweep",
    "SweepResult",
    "Targets",
    "TuneResult",
    "Unit",
    "exact_metrics",
    "exhibits_of",
    "figures_of",
    "gather_designs",
    "keys_matching",
    "keys_of",
    "lint",
    "make_report",
    "observed_metrics",
    "parse_claims",
    "parse_figure",
    "parse_sweep",
    "parse_targets",
    "plan_sweep",
    "read_claims",
    "read_design",
    "read_figures",
    "read_sweep",
    "read_targets",
    "render_page",
    "rewrite_rules",
    "rules_difference",
    "sensitivities",
    "tune",
    "with_numbers",
    "write_sweep",
]

_HOMES: Final = {
    "Basis": "oddsmith.figure",
    "Design": "oddsmith.balance.design_files",
    "Figure": "oddsmith.figure",
    "Finding": "oddsmith.balance.linting.findings",
    "Key": "oddsmith.balance.rule_keys",
    "LintReport": "oddsmith.balance.linting.lint",
    "MetricsReport": "oddsmith.balance.metrics.observer",
    "Observer": "oddsmith.balance.metrics.observer",
    "Reading": "oddsmith.figure",
    "Report": "oddsmith.balance.reporting.report",
    "Sensitivities": "oddsmith.balance.sensitivity",
    "Severity": "oddsmith.balance.linting.findings",
    "Sweep": "oddsmith.balance.sweeping",
    "SweepResult": "oddsmith.balance.sweeping",
    "Targets": "oddsmith.balance.tuning.targets",
    "TuneResult": "oddsmith.balance.tuning.tune",
    "Unit": "oddsmith.figure",
    "parse_claims": "oddsmith.balance.linting.claims",
    "exact_metrics": "oddsmith.balance.metrics.observer",
    "exhibits_of": "oddsmith.balance.linting.claims",
    "parse_figure": "oddsmith.balance.figures",
    "figures_of": "oddsmith.balance.figures",
    "gather_designs": "oddsmith.balance.design_files",
    "keys_matching": "oddsmith.balance.rule_keys",
    "keys_of": "oddsmith.balance.rule_keys",
    "lint": "oddsmith.balance.linting.lint",
    "observed_metrics": "oddsmith.balance.metrics.observer",
    "render_page": "oddsmith.balance.reporting.report",
    "plan_sweep": "oddsmith.balance.sweeping",
    "read_claims": "oddsmith.balance.design_files",
    "read_design": "oddsmith.balance.design_files",
    "read_figures": "oddsmith.balance.figures",
    "read_sweep": "oddsmith.balance.sweeping",
    "read_targets": "oddsmith.balance.design_files",
    "make_report": "oddsmith.balance.reporting.report",
    "rewrite_rules": "oddsmith.balance.design_files",
    "rules_difference": "oddsmith.balance.design_files",
    "sensitivities": "oddsmith.balance.sensitivity",
    "parse_sweep": "oddsmith.balance.sweeping",
    "parse_targets": "oddsmith.balance.tuning.targets",
    "tune": "oddsmith.balance.tuning.tune",
    "with_numbers": "oddsmith.balance.rule_keys",
    "write_sweep": "oddsmith.balance.sweeping",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401  any public name
    if name not in _HOMES:
        raise AttributeError(f"module 'oddsmith.balance' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
