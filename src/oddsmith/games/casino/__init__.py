"""Casino: capture cards from the table by value, build sums, sweep the table.

`moves` has the rule of a move, `kernel` the same rule over integers for programs that play many games. `odds` has exact
chances from what a seat knows, `endgame` the solver of the last deal, `perft` counts of lines of play, `drafts` the
conversion of dragged cards to moves for clients.
"""

from typing import TYPE_CHECKING

from oddsmith.lazy_names import load_names_from

if TYPE_CHECKING:
    from oddsmith.games.casino.names import *

__getattr__, __dir__ = load_names_from("oddsmith.games.casino.names")
