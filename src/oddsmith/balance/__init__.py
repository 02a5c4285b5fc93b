"""A design is judged: its figures, its flaws, what would meet its targets, and what was really played.

Every name is loaded when it is first used, so that `import oddsmith.balance` stays light.

>>> from oddsmith import balance
>>> design = balance.read_design("destiny")
>>> check = {"figure": "check.success", "target": "bank_robbery", "character": "calamity_rose"}
>>> reading = balance.figure_of("destiny", check).read(design.rules)
>>> f"{float(reading.value):.4f}", reading.basis
('0.1016', <Basis.EXACT: 'exact'>)
>>> balance.lint(design.rules, silences=design.silences).game
'destiny'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from oddsmith.balance.claims import claims_from, exhibits_of
    from oddsmith.balance.figures import Basis, Figure, Reading, Unit, figure_of, figures_of, read_figures
    from oddsmith.balance.files import Design, gather_designs, read_claims, read_design, read_targets
    from oddsmith.balance.findings import Finding, Severity
    from oddsmith.balance.keys import Key, keys_matching, keys_of, with_numbers
    from oddsmith.balance.linting import LintReport, lint
    from oddsmith.balance.observing import MetricsReport, Observer, exact_metrics, observed_metrics
    from oddsmith.balance.reporting import Report, page_of, report_on
    from oddsmith.balance.rewriting import rewritten, rules_difference
    from oddsmith.balance.sensitivity import Sensitivities, sensitivities
    from oddsmith.balance.sweeping import Sweep, Swept, plan_sweep, read_sweep, sweep_from, write_sweep
    from oddsmith.balance.targets import Targets, targets_from
    from oddsmith.balance.tuning import Tuned, tune

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
    "Swept",
    "Targets",
    "Tuned",
    "Unit",
    "claims_from",
    "exact_metrics",
    "exhibits_of",
    "figure_of",
    "figures_of",
    "gather_designs",
    "keys_matching",
    "keys_of",
    "lint",
    "observed_metrics",
    "page_of",
    "plan_sweep",
    "read_claims",
    "read_design",
    "read_figures",
    "read_sweep",
    "read_targets",
    "report_on",
    "rewritten",
    "rules_difference",
    "sensitivities",
    "sweep_from",
    "targets_from",
    "tune",
    "with_numbers",
    "write_sweep",
]

_HOMES: Final = {
    "Basis": "figures",
    "Design": "files",
    "Figure": "figures",
    "Finding": "findings",
    "Key": "keys",
    "LintReport": "linting",
    "MetricsReport": "observing",
    "Observer": "observing",
    "Reading": "figures",
    "Report": "reporting",
    "Sensitivities": "sensitivity",
    "Severity": "findings",
    "Sweep": "sweeping",
    "Swept": "sweeping",
    "Targets": "targets",
    "Tuned": "tuning",
    "Unit": "figures",
    "claims_from": "claims",
    "exact_metrics": "observing",
    "exhibits_of": "claims",
    "figure_of": "figures",
    "figures_of": "figures",
    "gather_designs": "files",
    "keys_matching": "keys",
    "keys_of": "keys",
    "lint": "linting",
    "observed_metrics": "observing",
    "page_of": "reporting",
    "plan_sweep": "sweeping",
    "read_claims": "files",
    "read_design": "files",
    "read_figures": "figures",
    "read_sweep": "sweeping",
    "read_targets": "files",
    "report_on": "reporting",
    "rewritten": "rewriting",
    "rules_difference": "rewriting",
    "sensitivities": "sensitivity",
    "sweep_from": "sweeping",
    "targets_from": "targets",
    "tune": "tuning",
    "with_numbers": "keys",
    "write_sweep": "sweeping",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401  whatever the name stands for
    if name not in _HOMES:
        raise AttributeError(f"module 'oddsmith.balance' has no attribute {name!r}")
    return getattr(import_module(f"oddsmith.balance.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
