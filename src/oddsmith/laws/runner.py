"""The kit plays random games and holds every law against each of them."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Self, TypeAlias, TypeVar

import msgspec

from oddsmith.chance import Seeded
from oddsmith.errors import InputError, LawBroken
from oddsmith.game import Game
from oddsmith.laws.law_checks import (
    chance,
    conservation,
    json,
    non_interference,
    notation,
    objection,
    purity,
    replay,
    termination,
    totality,
)
from oddsmith.laws.playout import Memory, Playout
from oddsmith.rules import Ruleset

R = TypeVar("R", bound=Ruleset)


_Check: TypeAlias = Callable[[Playout], Iterator[str | None]]


class _Law(msgspec.Struct, frozen=True):
    """A promise, and how one playout is asked whether it was kept."""

    promise: str
    check: _Check


_LAWS: Final[Mapping[str, _Law]] = {
    "purity": _Law("Asked twice, a game answers the same, and no answer changes the state.", purity),
    "totality": _Law(
        "It is always clear who must act, each of them can, nobody else can, and what is listed can be done.",
        totality,
    ),
    "termination": _Law("Every game comes to an end.", termination),
    "conservation": _Law("No card is lost or made.", conservation),
    "objection": _Law(
        "What is listed meets no objection; all else is refused with a code and a sentence, and changes nothing.",
        objection,
    ),
    "chance": _Law(
        "Weights are positive whole numbers that add up to the total; what weighs nothing cannot happen.",
        chance,
    ),
    "json": _Law("States, actions, luck, events and views survive JSON unchanged.", json),
    "notation": _Law(
        "Every move can be written as a line and read back; a line that is no move is refused.", notation
    ),
    "replay": _Law("A game written as a record and read back replays to the same states and events.", replay),
    "non_interference": _Law(
        "What a viewer sees, may do and hears does not depend on what it may not know.", non_interference
    ),
}

LAWS: Final[Mapping[str, str]] = MappingProxyType({name: law.promise for name, law in _LAWS.items()})
"""Every law by its id, as a sentence."""


class LawResult(msgspec.Struct, frozen=True, kw_only=True):
    """A law that was kept: in how many playouts it was asked, and how many single things were checked."""

    law: str
    promise: str
    playouts: int = 0
    checks: int = 0

    def after(self, checks: int) -> Self:
        """Return the count after one more playout; one that had nothing to check does not count."""
        return msgspec.structs.replace(
            self, playouts=self.playouts + bool(checks), checks=self.checks + checks
        )


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What was checked, and that it held; its text is a table.

    >>> law = LawResult(law="termination", promise="Every game comes to an end.", playouts=5, checks=5)
    >>> print(Report(game="pig", rules_id="61d2", seed="oddsmith", playouts=5, plies=260, laws=(law,)))
    pig: 5 playouts, 260 plies, seed 'oddsmith'
    termination              5 checks in 5 playouts
    """

    game: str
    rules_id: str
    seed: str
    playouts: int
    plies: int
    laws: tuple[LawResult, ...]

    def __str__(self) -> str:
        lines = [f"{self.game}: {self.playouts:,} playouts, {self.plies:,} plies, seed {self.seed!r}"]
        lines += [
            f"{held.law:<16}{held.checks:>10,} checks in {held.playouts:,} playouts" for held in self.laws
        ]
        return "\n".join(lines)


def check_game(
    game: Game[R, Any, Any, Any, Any],
    rules: R | None = None,
    *,
    seats: int | None = None,
    playouts: int = 100,
    seed: str | int = "oddsmith",
    longest: int = 10_000,
    outcomes: int = 5_000_000,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Play random games and hold every law against each; the first one that is broken raises `LawBroken`.

    Without `seats`, playouts take every number of seats in turn. `longest` is the most plies a game may take.
    `outcomes` is how many outcomes of chance nodes are counted one by one in the whole check; nodes beyond that
    are sampled. `progress` is told how many playouts of how many are done.

    A fault found in playout 7 is found again by the same arguments with `playouts=7`.

    >>> from oddsmith.games.destiny import GAME
    >>> report = check_game(GAME, playouts=2, outcomes=0)
    >>> [held.law for held in report.laws] == list(LAWS)
    True
    """
    ruled = game.rules_type() if rules is None else rules
    counts = _seat_counts(game.seats(ruled), seats)
    if playouts < 1 or longest < 1:
        raise InputError("bad_bounds", "a check needs at least one playout, of at least one ply")
    memory = Memory(countable=outcomes)
    held = {name: LawResult(law=name, promise=law.promise) for name, law in _LAWS.items()}
    plies = 0
    for number in range(1, playouts + 1):
        count = counts[(number - 1) % len(counts)]
        playout = Playout(game, ruled, count, Seeded(f"{seed}/{number}"), memory)
        again = f"playout {number} of seed={str(seed)!r}"
        _checks("totality", partial(_played, longest=longest), playout, again)
        plies += len(playout.moments) - 1
        for name, law in _LAWS.items():
            held[name] = held[name].after(_checks(name, law.check, playout, again))
        if progress is not None:
            progress(number, playouts)
    return Report(
        game=game.name,
        rules_id=ruled.rules_id,
        seed=str(seed),
        playouts=playouts,
        plies=plies,
        laws=tuple(held.values()),
    )


def _seat_counts(known: range, seats: int | None) -> range:
    if seats is None:
        return known
    if seats not in known:
        raise InputError(
            "bad_seats", f"the game is played by {known.start} to {known.stop - 1}, not by {seats}"
        )
    return range(seats, seats + 1)


def _played(playout: Playout, *, longest: int) -> Iterator[str | None]:
    playout.run(longest)
    yield None


def _checks(name: str, check: _Check, playout: Playout, again: str) -> int:
    """Return how many things held, or raise the first that did not, with where and how to meet it again."""
    checks = 0
    playout.at = 0
    for wrong in _answers(check, playout):
        if wrong is not None:
            raise LawBroken(
                name,
                f"{name}: {_told(wrong)} (ply {playout.at} of {again}, with {playout.seats} seats)",
                where=f"ply {playout.at}",
            ) from (wrong if isinstance(wrong, Exception) else None)
        checks += 1
    return checks


def _answers(check: _Check, playout: Playout) -> Iterator[str | Exception | None]:
    """Yield what the law says, and last the error that the game answered with, if any."""
    try:
        yield from check(playout)
    except Exception as error:  # noqa: BLE001  whatever a game raises, it breaks the law that asked it
        yield error


def _told(wrong: str | Exception) -> str:
    named = isinstance(wrong, str | LawBroken)
    return str(wrong) if named else f"{type(wrong).__name__}: {wrong}"
