"""Print the bench: medians of this run on this machine."""

import sys

from bench import casino, destiny, dice, duel, fate, matches, serve, tables, web
from bench.measure import table

if __name__ == "__main__":
    rows = [
        *destiny.rows(),
        *duel.rows(),
        *dice.rows(),
        *fate.rows(),
        *casino.rows(),
        *matches.rows(),
        *serve.rows(),
        *tables.rows(),
        *web.rows(),
    ]
    print(table(rows))
    sys.exit(not all(row.held for row in rows))
