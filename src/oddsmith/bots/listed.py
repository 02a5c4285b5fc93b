"""Any listed action is as good as another."""

from collections.abc import Sequence
from typing import TypeVar

from oddsmith.chance import Draw

__all__ = ["Listed"]

A = TypeVar("A")


class Listed:
    """A bot for every game: it takes one of the listed actions, each equally likely.

    >>> from oddsmith.chance import Scripted
    >>> Listed(Scripted([2]))(None, ["raise", "call", "fold"])
    'fold'
    """

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def __call__(self, view: object, actions: Sequence[A], /) -> A:  # noqa: ARG002  it looks at nothing
        """Return one of the actions."""
        return actions[self._draw.below(len(actions))]
