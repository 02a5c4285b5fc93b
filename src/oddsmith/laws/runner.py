"""`check_game`: plays random games, and checks every law in each of them."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Self, TypeAlias, TypeVar

import msgspec

from oddsmith.errors import InputError
from oddsmith.game import Game
from oddsmith.laws.broken_law import make_broken_law
from oddsmith.laws.fault import Fault
from oddsmith.laws.imagination import imagination
from oddsmith.laws.law_checks import (
    chance,
    conservation,
    declarations,
    json,
    non_interference,
    notation,
    objection,
    purity,
    replay,
    termination,
    totality,
)
from oddsmith.laws.playout import CheckState, Playout
from oddsmith.rules import Ruleset

R = TypeVar("R", bound=Ruleset)


_Check: TypeAlias = Callable[[Playout], Iterator[Fault | None]]


class _Law(msgspec.Struct, frozen=True):
    """A law: its sentence, and the function that checks it on one playout."""

    promise: str
    check: _Check


_LAWS: Final[Mapping[str, _Law]] = {
    "purity": _Law(
        "The functions of a game return the same again for the same state, and do not change it.", purity
    ),
    "totality": _Law(
        "Every state names the seats that must act; each of them can, no other can, and every listed action is legal.",
        totality,
    ),
    "termination": _Law("Every game ends.", termination),
    "conservation": _Law("No card is lost or added.", conservation),
    "objection": _Law(
        "Listed actions have no objection; all others are refused with a code and a sentence, and change nothing.",
        objection,
    ),
    "chance": _Law(
        "Weights are positive whole numbers that add up to the total; an outcome of weight 0 cannot happen.",
        chance,
    ),
    "declarations": _Law(
        "Every state is of the declared types, within the declared bounds, and can be hashed.", declarations
    ),
    "json": _Law(
        "States, actions, luck, events and views are the same after encoding as JSON and decoding.", json
    ),
    "notation": _Law(
        "Every move can be written as a line and read back; a line that is no move is refused.", notation
    ),
    "replay": _Law(
        "A game written as a record and read back replays to the same states and events, and equal seeds give equal games.",
        replay,
    ),
    "non_interference": _Law(
        "Views, actions and events of a viewer do not depend on what it may not know.", non_interference
    ),
    "imagination": _Law("A state that a viewer imagines can be reached, and played on.", imagination),
}

LAWS: Final[Mapping[str, str]] = MappingProxyType({name: law.promise for name, law in _LAWS.items()})
"""The sentence of every law by its id."""


class LawResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a law that holds: the number of playouts, and of single checks in them."""

    law: str
    promise: str
    playouts: int = 0
    checks: int = 0

    def after(self, checks: int) -> Self:
        """Return the result after one more playout; a playout without checks does not count."""
        return msgspec.structs.replace(
            self, playouts=self.playouts + bool(checks), checks=self.checks + checks
        )


class RandomRulesResult(msgspec.Struct, frozen=True, kw_only=True):
    """The number of random rulesets with which every law held, and of playouts and plies with them."""

    rulesets: int
    playouts: int
    plies: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check in which all laws hold; its text is a table. `random_rules` is null where none were asked for.

    >>> law = LawResult(law="termination", promise="Every game ends.", playouts=5, checks=5)
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
    random_rules: RandomRulesResult | None = None

    def __str__(self) -> str:
        lines = [f"{self.game}: {self.playouts:,} playouts, {self.plies:,} plies, seed {self.seed!r}"]
        lines += [f"{law.law:<16}{law.checks:>10,} checks in {law.playouts:,} playouts" for law in self.laws]
        return "\n".join(lines)


def check_game(
    game: Game[R, Any, Any, Any, Any],
    rules: R | None = None,
    *,
    seats: int | None = None,
    playouts: int = 100,
    seed: str | int = "oddsmith",
    longest: int = 10_000,
    plies: int | None = None,
    outcomes: int = 5_000_000,
    states: int = 5_000,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Play random games and check every law in each; raise `LawBroken` for the first one that is broken.

    Without `seats`, playouts take every number of seats in turn. `longest` is the most plies of a game. With `plies`, the
    playout that reaches this number is the last one.
    `outcomes` is the number of outcomes of chance nodes that are counted one by one in the whole check; further nodes
    are sampled. Imagined states are looked up among all states of a game that has at most `states`. `progress` is called with the number of finished playouts and that of all.

    The error says where the fault is in the source, where that is known, and what would be right. Its `record` is that of
    the moves before the fault. A fault in playout 7 is found again by the same arguments with `playouts=7`.

    >>> from oddsmith.games.destiny import GAME
    >>> report = check_game(GAME, playouts=2, outcomes=0)
    >>> [result.law for result in report.laws] == list(LAWS)
    True
    """
    ruleset = game.rules_type() if rules is None else rules
    counts = _seat_counts(game.seats(ruleset), seats)
    if playouts < 1 or longest < 1:
        raise InputError("bad_bounds", "a check needs at least one playout, of at least one ply")
    shared = CheckState(countable=outcomes, enumerable=states)
    results = {name: LawResult(law=name, promise=law.promise) for name, law in _LAWS.items()}
    played = 0
    for number in range(1, playouts + 1):
        count = counts[(number - 1) % len(counts)]
        playout = Playout(game, ruleset, count, f"{seed}/{number}", shared)
        run_name = f"playout {number} of seed={str(seed)!r}"
        _count_checks("totality", partial(_run_playout, longest=longest), playout, run_name)
        _count_checks("termination", termination, playout, run_name)
        played += len(playout.positions) - 1
        for name, law in _LAWS.items():
            results[name] = results[name].after(_count_checks(name, law.check, playout, run_name))
        if progress is not None:
            progress(number, playouts)
        if plies is not None and played >= plies:
            break
    return Report(
        game=game.name,
        rules_id=ruleset.rules_id,
        seed=str(seed),
        playouts=number,
        plies=played,
        laws=tuple(results.values()),
    )


def _seat_counts(known: range, seats: int | None) -> range:
    if seats is None:
        return known
    if seats not in known:
        raise InputError(
            "bad_seats", f"the game is played by {known.start} to {known.stop - 1}, not by {seats}"
        )
    return range(seats, seats + 1)


def _run_playout(playout: Playout, *, longest: int) -> Iterator[Fault | None]:
    playout.run(longest)
    yield None


def _count_checks(name: str, check: _Check, playout: Playout, run_name: str) -> int:
    """Return the number of checks, or raise `LawBroken` for the first that fails, with its ply and playout."""
    checks = 0
    playout.at = 0
    for wrong in _faults(check, playout):
        if wrong is not None:
            raise make_broken_law(name, wrong, playout, run_name) from (
                wrong if isinstance(wrong, Exception) else None
            )
        checks += 1
    return checks


def _faults(check: _Check, playout: Playout) -> Iterator[Fault | Exception | None]:
    """Yield the faults of a check; an error that the game raises is the last."""
    try:
        yield from check(playout)
    except Exception as error:  # noqa: BLE001  whatever a game raises breaks the law that is checked
        yield error
