"""Speed of Casino, compared with random games of other card games by OpenSpiel and RLCard in the same run.

In a random game all legal moves are listed at every turn, and one of them is made. The peers are called from Python, as in
their manuals; their games are different, so moves are compared, not games.
"""

import importlib
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from bench.measure import Row, at_least, best
from oddsmith.bots import find_bot
from oddsmith.chance import Seeded
from oddsmith.games.casino import kernel, playouts
from oddsmith.games.casino.bots.search import SearchBot
from oddsmith.games.casino.compiler import Core, fastest_core
from oddsmith.games.casino.encoding import encode_rules, encode_state, new_moves
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import State, number_of
from oddsmith.games.casino.perft import count_perft
from oddsmith.games.casino.rules import DEFAULT
from oddsmith.records import play

PLAYERS = 2
SPIEL_GAMES = ("gin_rummy", "cribbage", "hearts")
SECONDS = 3
BATCH_SECONDS = 0.05
ITERATIONS = 20_000
MIDDLE = 20


class Speed(NamedTuple):
    """Whole games and moves per second."""

    games: float
    moves: float


def rows() -> Iterator[Row]:
    """Yield the benchmarks of Casino."""
    plain = _random_games(Core(playouts, is_compiled=False), games=10)
    compiled = _random_games(fastest_core(playouts), games=500)
    yield at_least("Casino, random games a second, plain Python", plain.games, 1_500, unit="")
    yield _unbounded_row("Casino, random moves a second, plain Python", plain.moves)
    yield at_least("Casino, random games a second, compiled", compiled.games, 50_000, unit="")
    yield at_least("Casino, random moves a second, compiled", compiled.moves, 2_000_000, unit="")
    yield from _compare_with_peers(plain, compiled)
    yield from _lists()
    yield from _searches()
    yield from _lines()


def _unbounded_row(what: str, figure: float) -> Row:
    return Row(what, f"{figure:,.0f}", "(no bound)", held=True)


def _ratio(what: str, ours: Speed, peer: Speed) -> Row:
    return Row(what, f"{ours.moves / peer.moves:,.1f} ×", "(no bound)", held=True)


def _random_games(core: Core, *, games: int) -> Speed:
    each, *_, to_table = DEFAULT.deal_sizes(PLAYERS, 1)
    setup = playouts.Setup(
        rules=encode_rules(DEFAULT),
        start=core.row(encode_state(GAME.setup(DEFAULT, PLAYERS))),
        deck=core.row(map(number_of, DEFAULT.cards)),
        each=each,
        to_table=to_table,
    )
    state, moves = core.zeros(kernel.STATE), new_moves(core)
    return _speed(lambda: int(core.functions.play_games(games, 1, setup, state, moves)), games)


def _speed(run: Callable[[], int], games: int) -> Speed:
    """Return the best speed of many short batches; `run` plays `games` games and returns the number of moves."""
    run()
    speeds = []
    end = time.perf_counter() + SECONDS
    while (start := time.perf_counter()) < end:
        runs = moves = 0
        while (seconds := time.perf_counter() - start) < BATCH_SECONDS:
            moves += run()
            runs += 1
        speeds.append(Speed(runs * games / seconds, moves / seconds))
    return max(speeds, key=lambda speed: speed.moves)


def _compare_with_peers(plain: Speed, compiled: Speed) -> Iterator[Row]:
    peers: dict[str, Callable[[], Speed]] = {
        f"OpenSpiel's {name}": partial(_spiel_games, name) for name in SPIEL_GAMES
    }
    for name, run in (peers | {"RLCard's gin-rummy": _rlcard_games}).items():
        try:
            speed = run()
        except ImportError:
            yield Row(f"{name}, random games a second", "not installed", "", held=True)
            continue
        yield _unbounded_row(f"{name}, random games a second", speed.games)
        yield _unbounded_row(f"{name}, random moves a second", speed.moves)
        yield _ratio(f"Casino's moves, plain Python, to those of {name}", plain, speed)
        yield _ratio(f"Casino's moves, compiled, to those of {name}", compiled, speed)


def _spiel_games(name: str) -> Speed:
    spiel: Any = importlib.import_module("pyspiel")
    game, dice = spiel.load_game(name), random.Random("bench")  # noqa: S311  not a secret

    def play_game() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            moves += state.current_player() >= 0
            state.apply_action(dice.choice(state.legal_actions()))
        return moves

    return _speed(play_game, 1)


def _rlcard_games() -> Speed:
    rlcard: Any = importlib.import_module("rlcard")
    agents: Any = importlib.import_module("rlcard.agents")
    environment = rlcard.make("gin-rummy", config={"seed": 1})
    environment.set_agents(
        [agents.RandomAgent(environment.num_actions) for _ in range(environment.num_players)]
    )
    return _speed(
        lambda: sum(len(trajectory) // 2 for trajectory in environment.run(is_training=False)[0]), 1
    )


def _lists() -> Iterator[Row]:
    """Measure the move lists of all states of some random games, in canonical order."""
    states = [state for number in range(20) for state in _states(number)]

    def lists() -> None:
        for state in states:
            GAME.actions(state, state.turn)

    each = best(lists, repeats=7) / len(states)
    yield Row("Casino, the list of moves of a state", f"{each * 1e6:.0f} µs", "(no bound)", held=True)


def _states(number: int) -> Iterator[State]:
    bots = [find_bot("casino", "random", DEFAULT, draw=Seeded(f"{number}/{seat}")) for seat in range(PLAYERS)]
    for ply in play(GAME, GAME.setup(DEFAULT, PLAYERS), bots, Seeded(number)):
        if ply.before.is_dealt:
            yield ply.before


def _searches() -> Iterator[Row]:
    state = next(islice(_states(1), MIDDLE, None))
    view = GAME.view(state, state.turn)
    bot = SearchBot(Seeded("bench"), iterations=ITERATIONS)
    seconds = best(lambda: bot.estimates(view), repeats=5)
    yield at_least("Casino, games searched a second, mid-game", ITERATIONS / seconds, 20_000, unit="")


def _lines() -> Iterator[Row]:
    deck = list(DEFAULT.cards)
    random.Random("bench").shuffle(deck)  # noqa: S311  not a secret
    for core, what, depth in (
        (Core(playouts, is_compiled=False), "plain Python", 10),
        (fastest_core(playouts), "compiled", 12),
    ):
        ask = partial(count_perft, deck, DEFAULT, players=PLAYERS, depth=depth, core=core)
        lines, seconds = ask(), best(ask, repeats=3)
        yield _unbounded_row(f"Casino, lines of {depth} moves counted a second, {what}", lines / seconds)
