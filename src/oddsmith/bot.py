"""Bots: players that choose one of the listed actions from a view of the game."""

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
    """A player: a function from a seat's view and its listed actions to one of these actions."""

    def __call__(self, view: V_contra, actions: Sequence[A], /) -> A:
        """Return one of the actions."""
        ...


class BotSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a bot; a bot ignores those that it does not use.

    `draw` is the source of its random choices. `objective` is what a bot that plays perfectly maximises. Such a bot solves
    the game before its first choice, and reports the share that is done to `progress`. A bot that searches simulates
    `iterations` games before each move, or simulates for `seconds`.
    """

    draw: Draw
    seat: Seat = 0
    objective: str = "win"
    iterations: int | None = None
    seconds: float | None = None
    progress: Callable[[float], None] | None = None


class CompiledCode(msgspec.Struct, frozen=True, kw_only=True):
    """Code that is compiled before a bot's first choice.

    `prepare` makes it ready in this process: it is loaded from the cache on disk, or compiled, which may take half a minute,
    and stored there. `is_cached` returns whether `prepare` has nothing to compile.
    """

    prepare: Callable[[], None]
    is_cached: Callable[[], bool]


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot of a mechanic: its name, and the function that makes one for a seat.

    `is_slow`: it may take minutes before its first move, so that it cannot take a seat of a served match.
    `code`: code that may have to be compiled before its first move; an interface then shows a notice, and a server compiles it
    when it starts.
    """

    name: str
    make: Callable[[Any, BotSettings], Chooser[Any, Any]]
    is_slow: bool = False
    code: CompiledCode | None = None

    @property
    def is_compiled(self) -> bool:
        """Whether code may have to be compiled before its first move."""
        return self.code is not None


class RandomBot:
    """A bot for every game: it chooses uniformly among the listed actions.

    >>> from oddsmith.chance import Scripted
    >>> RandomBot(Scripted([2]))(None, ["raise", "call", "fold"])
    'fold'
    """

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def __call__(self, view: object, actions: Sequence[A], /) -> A:  # noqa: ARG002  the choice is random
        """Return a random action."""
        return actions[self._draw.below(len(actions))]


def make_random(rules: Ruleset, settings: BotSettings) -> RandomBot:  # noqa: ARG001  the same for all rules
    """Return a bot that chooses uniformly."""
    return RandomBot(settings.draw)


RANDOM = Bot(name="random", make=make_random)


def pick_bot(bots: Sequence[Bot], name: str, *, game: str) -> Bot:
    """Return the bot of that name; raise `InputError`, with the known names, where there is none."""
    known = {bot.name: bot for bot in bots}
    if name not in known:
        shown = name[:40]
        raise InputError("unknown_bot", f"unknown bot '{shown}' of {game}{nearest(shown, known)}")
    return known[name]
