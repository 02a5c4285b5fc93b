"""Print the bench: medians of this run on this machine."""

import sys

from bench import destiny
from bench.measure import table

if __name__ == "__main__":
    rows = list(destiny.rows())
    print(table(rows))
    sys.exit(not all(row.held for row in rows))
