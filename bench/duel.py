"""Speed of the Combat Duel: steps of the engine, the house's numbers against icepool, solving, and cached solutions."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from tempfile import TemporaryDirectory

from bench import icepool_peer
from bench.floors import hold, numpy_copy, numpy_sort, python_loop
from bench.measure import alternate, clear_caches, require_equal
from bench.rows import Row, against_peer
from oddsmith.bots import find_bot
from oddsmith.cards import cards
from oddsmith.chance import Seeded
from oddsmith.games.duel import classes
from oddsmith.games.duel.engine import GAME
from oddsmith.games.duel.odds import Objective, Solution, solve
from oddsmith.games.duel.rules import Fighter, Rules
from oddsmith.records import play

STRONGEST = Rules(difficulty=10)
HIDDEN = STRONGEST.replace(opponent_visible=False)
HAND = cards("10♠ 7♥ 5♣ A♦ 3♠")
NINTH = Rules(difficulty=9)
[NINTH_ATTACKERS] = NINTH.house_counts
SOLVED = "compiled loops over all states and hands; the sort is the unit of a processor's speed"
UNMEASURED = f"{SOLVED}; no bound: the ratio has not been measured yet"


def rows() -> Iterator[Row]:
    """Yield the benchmarks of the Combat Duel."""
    yield _steps()
    yield from _compare_with_icepool()
    with _disk_cache(""):
        yield from _solutions()
    yield from _cached_solutions()


def _steps() -> Row:
    """Measure steps through duels that were played before."""
    bot = find_bot("duel", "random", Rules(), draw=Seeded("bench"))
    plies = [
        ply for number in range(100) for ply in play(GAME, GAME.setup(Rules(), 1), [bot], Seeded(number))
    ]

    def steps() -> None:
        for ply in plies:
            GAME.step(ply.before, ply.move)

    return hold(
        f"{len(plies):,} steps of the engine",
        steps,
        python_loop(100 * len(plies)),
        most=6,
        reason="a step checks the move and copies the state: some hundreds of steps of plain Python",
    )


def _compare_with_icepool() -> Iterator[Row]:
    """Ask icepool for the same exchanges; both must return the same counts."""
    hands = icepool_peer.duel_hands()
    ask_icepool = partial(icepool_peer.duel_exchange, attackers=NINTH_ATTACKERS, weapon=9)
    require_equal(dict(classes.house_exchange(NINTH).items()), ask_icepool(hands), "the house's numbers")
    ours, peer = alternate(
        _call_without_rules_cached(lambda: classes.house_exchange(NINTH)),
        lambda: ask_icepool(hands),
        repeats=9,
    )
    yield against_peer(
        "the house's numbers for a new weapon",
        ours,
        ("icepool, hands counted before", peer),
        least=3,
        reason="both keep what is the same for all weapons: kinds of hands, and which sides have equal powers",
    )
    ours, peer = alternate(
        _call_from_nothing(lambda: classes.house_exchange(NINTH)),
        lambda: ask_icepool(_count_duel_hands()),
        repeats=3,
    )
    yield against_peer(
        "the house's numbers, from nothing",
        ours,
        ("icepool, from nothing", peer),
        least=0.25,
        reason="ours takes twice as long: it classifies all 32 splits of a hand, icepool only the one of the house",
    )


def _count_duel_hands() -> icepool_peer.Die:
    icepool_peer.count_suits.cache_clear()
    return icepool_peer.duel_hands()


def _call_without_rules_cached(ask: Callable[[], object]) -> Callable[[], object]:
    """Return a function that asks with empty caches of what depends on fighters and rules."""

    def call() -> object:
        for cached in (classes.split_powers, classes.cached_house_exchange):
            cached.cache_clear()
        return ask()

    return call


def _call_from_nothing(ask: Callable[[], object]) -> Callable[[], object]:
    """Return a function that asks with all caches of hands empty."""

    def call() -> object:
        clear_caches(classes)
        return ask()

    return call


def _solutions() -> Iterator[Row]:
    """Solve duels of full size, each with empty caches."""
    floor = numpy_sort(1_000_000)
    for name, rules, objective, most, repeats in (
        ("100 × 150 HP × 20 rounds, hidden", HIDDEN, Objective.WIN, 90, 3),
        ("100 × 150 HP × 20 rounds, shown", STRONGEST, Objective.WIN, 150, 2),
        ("difficulty 3, shown", Rules(difficulty=3), Objective.WIN, 600, 1),
        ("difficulty 6, shown", Rules(difficulty=6), Objective.WIN, 400, 1),
        ("difficulty 9, shown", Rules(difficulty=9), Objective.WIN, 400, 1),
        ("difficulty 10, hidden, for gold", HIDDEN, Objective.GOLD, 800, 1),
        ("difficulty 10, shown, for gold", STRONGEST, Objective.GOLD, None, 1),
    ):
        yield hold(
            f"a duel solved: {name}",
            _call_without_rules_cached(partial(solve, rules, objective)),
            floor,
            most=most,
            reason=SOLVED if most else UNMEASURED,
            repeats=repeats,
            warm_up=repeats > 1,
        )


def _cached_solutions() -> Iterator[Row]:
    """Load solutions from the disk cache, and ask each a question."""
    small = Rules(difficulty=3, player=Fighter(weapon=5, armor=3, skill=30), opponent_visible=False)
    with TemporaryDirectory() as folder, _disk_cache(folder):
        solve(HIDDEN)
        solve(small)
        yield hold(
            "solved duel, from the disk cache, value",
            lambda: solve(HIDDEN).value(),
            numpy_copy(1_000_000),
            most=8.5,
            reason="the table is read, checked and decoded; a copy of its numbers is the least",
            repeats=20,
        )
        yield hold(
            "solved duel, from the disk cache, 32 hidden splits",
            lambda: _splits(solve(small)),
            numpy_copy(1_000_000),
            most=50,
            reason="the table is read as above, and 32 splits of a hand are valued with it",
            repeats=20,
        )


def _splits(solution: Solution) -> object:
    return solution.splits(HAND)


@contextmanager
def _disk_cache(folder: str) -> Iterator[None]:
    before = os.environ.get("ODDSMITH_CACHE")
    os.environ["ODDSMITH_CACHE"] = folder
    try:
        yield
    finally:
        os.environ.pop("ODDSMITH_CACHE")
        if before is not None:
            os.environ["ODDSMITH_CACHE"] = before
