"""What a bot is: a function from a seat's view and its actions to one of the actions; and the bot that every game has."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from oddsmith.chance import Draw

__all__ = ["Chooser", "RandomBot"]

A = TypeVar("A")
V_contra = TypeVar("V_contra", contravariant=True)


class Chooser(Protocol[V_contra, A]):
    """A player: given what the seat knows and what it may do, it says what it does."""

    def __call__(self, view: V_contra, actions: Sequence[A], /) -> A:
        """Return one of the actions."""
        ...


class RandomBot:
    """A bot for every game: it takes one of the listed actions, each equally likely.

    >>> from oddsmith.chance import Scripted
    >>> RandomBot(Scripted([2]))(None, ["raise", "call", "fold"])
    'fold'
    """

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def __call__(self, view: object, actions: Sequence[A], /) -> A:  # noqa: ARG002  it looks at nothing
        """Return one of the actions."""
        return actions[self._draw.below(len(actions))]
