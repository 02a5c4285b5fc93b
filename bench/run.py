"""Print the bench: medians of this run on this machine."""

import sys

from bench import casino, destiny, dice, duel, fate, lint, matches, serve, sweep, tables, tune, web
from bench.measure import table

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
        *tables.rows(),
        *web.rows(),
    ]
    print(table(rows))
    sys.exit(not all(row.held for row in rows))
