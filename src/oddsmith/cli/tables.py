"""Where a game's table in the terminal is found: `oddsmith.cli.<game>.table`."""

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Protocol, cast

from oddsmith.game import Event

__all__ = ["GameTable", "find_table"]


class GameTable(Protocol):
    """How a game looks while it is played; lines are in rich's markup."""

    def event_lines(self, events: Iterable[Event], view: Any) -> Iterator[str]:  # noqa: ANN401  whatever the game's views are
        """Tell what happened, to someone who knows this much."""
        ...

    def state_lines(self, view: Any) -> Iterator[str]:  # noqa: ANN401  as above
        """Tell what a viewer knows of the game."""
        ...

    def action_cells(self, action: Any, view: Any) -> tuple[str, ...]:  # noqa: ANN401  as above
        """Describe a choice in a few cells: what, then what it asks and gives."""
        ...


def find_table(game: str) -> GameTable:
    """Return the table of a game that `find_game` knows."""
    return cast("GameTable", import_module(f"oddsmith.cli.{game}.table"))
