"""Casino: capture cards from the table by value, build sums, sweep the table.

The rule of a move is in `oddsmith.games.casino.moves`; `kernel` has the same rule over whole numbers, for programs that
play many games. Exact chances from what a seat knows live in `oddsmith.games.casino.odds`, solved endings in
`oddsmith.games.casino.endgame`, lines of play in `oddsmith.games.casino.perft`. For clients, what is put together on a
table becomes moves in `oddsmith.games.casino.drafts`.
"""

from typing import TYPE_CHECKING

from oddsmith.lazy_names import load_names_from

if TYPE_CHECKING:
    from oddsmith.games.casino.names import *  # noqa: F403  for type checkers: at run time each name is loaded when used

__getattr__, __dir__ = load_names_from("oddsmith.games.casino.names")
