"""Bots: players that choose from a view and the listed actions, never from a state."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from oddsmith.chance import Draw
from oddsmith.errors import InputError, nearest
from oddsmith.game import Seat
from oddsmith.rules import Ruleset

A = TypeVar("A")
V_contra = TypeVar("V_contra", contravariant=True)


class Chooser(Protocol[V_contra, A]):
    """A player: given what the seat knows and what it may do, it says what it does."""

    def __call__(self, view: V_contra, actions: Sequence[A], /) -> A:
        """Return one of the actions."""
        ...


class BotSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot is made with; a bot ignores what does not concern it.

    `draw` decides whatever the bot leaves to luck. `objective` is what a bot that plays perfectly maximises; it solves
    the game when it is first asked, and reports the share that is done to `progress`. A bot that searches plays
    `iterations` games before each move, or plays for `seconds`.
    """

    draw: Draw
    seat: Seat = 0
    objective: str = "win"
    iterations: int | None = None
    seconds: float | None = None
    progress: Callable[[float], None] | None = None


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot of a mechanic: its name, and the function that makes one for a seat.

    `is_slow`: it may take minutes before its first move, so that it cannot hold a seat of a served match.
    `is_compiled`: code may have to be compiled before its first move, so that a person who waits is told.
    """

    name: str
    make: Callable[[Any, BotSettings], Chooser[Any, Any]]
    is_slow: bool = False
    is_compiled: bool = False


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


def make_random(rules: Ruleset, settings: BotSettings) -> RandomBot:  # noqa: ARG001  any rules
    """Return a bot that chooses uniformly."""
    return RandomBot(settings.draw)


RANDOM = Bot(name="random", make=make_random)


def pick_bot(bots: Sequence[Bot], name: str, *, game: str) -> Bot:
    """Return the bot of that name; one that is not there is refused with the known ones."""
    known = {bot.name: bot for bot in bots}
    if name not in known:
        shown = name[:40]
        raise InputError("unknown_bot", f"unknown bot '{shown}' of {game}{nearest(shown, known)}")
    return known[name]
