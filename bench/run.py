"""Run all benchmarks and print their results."""

import sys

from bench import casino, destiny, dice, duel, fate, lint, live_matches, matches, serve, sweep, tune, web
from bench.measure import format_rows

if __name__ == "__main__":
    rows = [
        *destiny.rows(),
        *duel.rows(),
        *dice.rows(),
        *fate.rows(),
        *casino.rows(),
        *lint.rows(),
        *tune.rows(),
        *sweep.rows(),
        *matches.rows(),
        *serve.rows(),
        *live_matches.rows(),
        *web.rows(),
    ]
    print(format_rows(rows))
    sys.exit(not all(row.held for row in rows))
