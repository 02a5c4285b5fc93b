"""Commands that judge and change a design: rules, laws, playthrough, lint, tune, sensitivity, sweep, metrics, report."""

from collections.abc import Callable


def find_command(name: str) -> Callable[..., None]:
    """Return the function of a command."""
    from oddsmith.cli.design import laws, lint, metrics, playthrough, report, rules, sensitivity, sweep, tune

    commands: dict[str, Callable[..., None]] = {
        "rules": rules.rules,
        "laws": laws.check_laws,
        "playthrough": playthrough.show_playthrough,
        "lint": lint.lint_rules,
        "tune": tune.tune_rules,
        "sensitivity": sensitivity.show_sensitivity,
        "sweep": sweep.run_sweep,
        "metrics": metrics.show_metrics,
        "report": report.write_report,
    }
    return commands[name]
