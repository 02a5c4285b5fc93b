"""Print the bench: medians of this run on this machine."""

import sys

from bench import destiny, dice, duel, fate, matches, tables
from bench.measure import table

if __name__ == "__main__":
    rows = [*destiny.rows(), *duel.rows(), *dice.rows(), *fate.rows(), *matches.rows(), *tables.rows()]
    print(table(rows))
    sys.exit(not all(row.held for row in rows))
