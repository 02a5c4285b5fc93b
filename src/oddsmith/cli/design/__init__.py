"""Commands that judge and change a design: rules, laws, lint, tune, sensitivity, sweep, metrics, report."""
