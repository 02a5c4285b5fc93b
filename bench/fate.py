"""Speed of the Fate Deck: odds from any knowledge, and steps of the engine."""

from collections.abc import Iterator
from functools import partial

from bench.measure import Row, at_most, best, command, median
from oddsmith.bots import find_bot
from oddsmith.chance import Seeded
from oddsmith.games.fate import odds, triggers
from oddsmith.games.fate.deck import Memory, remember
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.model import Action, State
from oddsmith.games.fate.rules import DEFAULT
from oddsmith.games.fate.values import ability_values
from oddsmith.records import Ply, play

TRIGGER = "single(spade)"
SAMPLED = 300


def rows() -> Iterator[Row]:
    """Yield the benchmarks of the Fate Deck."""
    plies = list(_plies())
    met = sorted({remember(ply.after.deck, seat) for ply in plies for seat in ply.after.seats}, key=repr)
    sample = met[:: len(met) // SAMPLED]
    seconds = command(["fate", "odds", "--draw", "2", "--target", "4"])
    yield Row("oddsmith fate odds …, a fresh process", f"{seconds * 1000:.0f} ms", "(no bound)", held=True)
    yield at_most(
        f"a two-card check from knowledge met in play, the slowest of {len(sample)}",
        max(best(partial(_check, memory), repeats=3) for memory in sample),
        0.001,
    )
    yield at_most(
        "a two-card check from a fresh deck, from nothing", median(_from_nothing, repeats=50), 0.001
    )
    fresh = odds.fresh_memory()
    yield Row(
        "what abilities add to a check",
        f"{median(lambda: ability_values(fresh, target=4), repeats=5) * 1000:.0f} ms",
        "(no bound)",
        held=True,
    )

    def steps() -> None:
        for ply in plies:
            GAME.step(ply.before, ply.move)

    speed = len(plies) / median(steps, repeats=7)
    yield Row("Fate Deck, steps a second", f"{speed:,.0f}", "(no bound)", held=True)


def _plies() -> Iterator[Ply[State, Action, str]]:
    for number in range(20):
        bots = [find_bot("fate", "random", DEFAULT, draw=Seeded(f"{number}/{seat}")) for seat in range(4)]
        yield from play(GAME, GAME.setup(DEFAULT, 4), bots, Seeded(number))


def _check(memory: Memory) -> object:
    check = odds.check_odds(memory, triggers=[TRIGGER])
    return check.at_least(4), check.fires(0), check.both(4, 0), check.totals


def _from_nothing() -> object:
    odds.make_hand_judge.cache_clear()
    triggers.read_trigger.cache_clear()
    return _check(odds.fresh_memory())
