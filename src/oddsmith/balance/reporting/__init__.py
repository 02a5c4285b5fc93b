"""Reports: one page on a ruleset, or on two of the same game, with charts, figures, findings and sensitivities."""
