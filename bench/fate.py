"""Speed of the Fate Deck: odds from any knowledge, and steps of the engine."""

from collections.abc import Iterator

from bench.floors import bare_process, hold, python_loop
from bench.measure import alternate, best, clear_caches, command
from bench.rows import Row, against_floor
from oddsmith.bots import find_bot
from oddsmith.chance import Seeded
from oddsmith.games.fate import odds, triggers
from oddsmith.games.fate.deck import remember
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.model import Action, State
from oddsmith.games.fate.rules import DEFAULT
from oddsmith.games.fate.values import ability_values
from oddsmith.records import Ply, play

TRIGGER = "single(spade)"
SAMPLED = 300
STEPS = 10_000


def rows() -> Iterator[Row]:
    """Yield the benchmarks of the Fate Deck."""
    yield hold(
        "oddsmith fate odds …, a new process",
        command(["fate", "odds", "--draw", "2", "--target", "4"]),
        bare_process(),
        most=38,
        reason="loads typer, rich, numpy and one game",
        repeats=9,
    )
    plies = list(_plies())
    yield _slowest_check(plies)
    yield hold(
        "a two-card check from a new deck, from nothing",
        _from_nothing,
        python_loop(STEPS),
        most=3.3,
        reason="all pairs of the cards that are left, grouped by value and suit, with the trigger parsed",
        repeats=50,
    )
    yield hold(
        "what abilities add to a check",
        _abilities_from_nothing,
        python_loop(1_000_000),
        most=1.1,
        reason="a check for each ability, by induction over its choices",
        repeats=5,
    )

    def steps() -> None:
        for ply in plies:
            GAME.step(ply.before, ply.move)

    yield hold(
        f"{len(plies):,} steps of the engine",
        steps,
        python_loop(100 * len(plies)),
        most=4.5,
        reason="a step checks the move, and copies the deck and what each seat knows",
    )


def _slowest_check(plies: list[Ply[State, Action, str]]) -> Row:
    """Measure checks from knowledge that was met in play, each with empty caches; the slowest counts."""
    met = sorted({remember(ply.after.deck, seat) for ply in plies for seat in ply.after.seats}, key=repr)
    sample = met[:: len(met) // SAMPLED]
    floor = python_loop(STEPS)
    slowest = max(sample, key=lambda memory: best(lambda: _check_uncached(memory), repeats=2))
    ours, bare = alternate(lambda: _check_uncached(slowest), floor.run, repeats=20)
    return against_floor(
        f"a two-card check from knowledge met in play, the slowest of {len(sample)}",
        ours,
        (floor.name, bare),
        most=3,
        reason="all pairs of the cards that are left, grouped by value and suit",
    )


def _plies() -> Iterator[Ply[State, Action, str]]:
    for number in range(20):
        bots = [find_bot("fate", "random", DEFAULT, draw=Seeded(f"{number}/{seat}")) for seat in range(4)]
        yield from play(GAME, GAME.setup(DEFAULT, 4), bots, Seeded(number))


def _check_uncached(memory: Memory) -> object:
    clear_caches(odds, triggers)
    check = odds.check_odds(memory, triggers=[TRIGGER])
    return check.at_least(4), check.fires(0), check.both(4, 0), check.totals


def _from_nothing() -> object:
    return _check_uncached(odds.fresh_memory())


def _abilities_from_nothing() -> object:
    clear_caches(odds, triggers)
    return ability_values(odds.fresh_memory(), target=4)
