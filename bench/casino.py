"""Speed of Casino, compared with random games of other card games by OpenSpiel and RLCard in the same run.

In a random game all legal moves are listed at every turn, and one of them is made. The games are different, so moves are
compared, not games. Plain Python is compared with what a peer does from Python; compiled games are compared with
OpenSpiel's own random rollouts, which run in C++ without a call from Python for each move.
"""

import importlib
import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from bench.floors import hold, python_loop
from bench.measure import best
from bench.rows import Row, Unit, against_floor, against_peer, without_bound
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
LEAST = {
    "RLCard's gin_rummy": (3.0, None),
    "OpenSpiel's gin_rummy": (0.1, 1.0),
    "OpenSpiel's cribbage": (0.1, 1.0),
    "OpenSpiel's hearts": (0.1, 1.0),
}
"""The least ratio of moves a second: plain Python to the peer from Python, and compiled to the peer's own rollouts."""
REPEATS = 9
ROLLOUTS = 20
ITERATIONS = 20_000
MIDDLE = 20


class Speed(NamedTuple):
    """Moves and whole games per second."""

    moves: float
    games: float


def rows() -> Iterator[Row]:
    """Yield the benchmarks of Casino."""
    plain = _random_games(Core(playouts, is_compiled=False), games=20)
    compiled = _random_games(fastest_core(playouts), games=2_000)
    yield from _compare_with_peers(plain, compiled)
    floor = python_loop(1_000_000)
    seconds = best(floor.run, repeats=REPEATS)
    for what, speed, most in (("plain Python", plain, 1_000), ("compiled", compiled, 15)):
        yield against_floor(
            f"random moves, {what}",
            speed.moves,
            ("steps of a bare Python loop", 1_000_000 / seconds),
            most=most,
            reason="a move lists all captures and builds of a hand, then makes one of them",
            unit=Unit.PER_SECOND,
        )
    yield _move_lists()
    yield _searches(compiled)
    yield from _lines()


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
    """Return the best speed of some runs; each plays `games` games and returns the number of moves."""
    moves = run()
    seconds = best(run, repeats=REPEATS)
    return Speed(moves / seconds, games / seconds)


def _compare_with_peers(plain: Speed, compiled: Speed) -> Iterator[Row]:
    peers: dict[str, Callable[[], tuple[Speed, Speed | None]]] = {
        f"OpenSpiel's {name}": partial(_spiel_games, name) for name in SPIEL_GAMES
    }
    for name, run in (peers | {"RLCard's gin_rummy": _rlcard_games}).items():
        try:
            from_python, own = run()
        except ImportError:
            yield without_bound(
                f"random moves, {name}: not installed", 0, reason="no peer", unit=Unit.PER_SECOND
            )
            continue
        least, least_compiled = LEAST[name]
        yield against_peer(
            f"random moves, plain Python, to {name}",
            plain.moves,
            (f"{name}, called from Python", from_python.moves),
            least=least,
            reason="both choose each move in Python; OpenSpiel lists and makes it in C++",
            unit=Unit.PER_SECOND,
        )
        if own is not None and least_compiled is not None:
            yield against_peer(
                f"random moves, compiled, to {name}",
                compiled.moves,
                (f"{name}, rollouts in C++", own.moves),
                least=least_compiled,
                reason="both play whole games without Python",
                unit=Unit.PER_SECOND,
            )


def _spiel_games(name: str) -> tuple[Speed, Speed]:
    """Return the speed of games called from Python, and of OpenSpiel's own rollouts: the same number of moves a game."""
    spiel: Any = importlib.import_module("pyspiel")
    game, dice = spiel.load_game(name), random.Random("bench")  # noqa: S311  not a secret

    def play_game() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            moves += state.current_player() >= 0
            state.apply_action(dice.choice(state.legal_actions()))
        return moves

    def play_games() -> int:
        dice.seed("bench")
        return sum(play_game() for _ in range(ROLLOUTS))

    from_python = _speed(play_games, ROLLOUTS)
    evaluator = spiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=1)
    start = game.new_initial_state()
    games = ROLLOUTS / best(lambda: evaluator.evaluate(start), repeats=REPEATS)
    return from_python, Speed(games * from_python.moves / from_python.games, games)


def _rlcard_games() -> tuple[Speed, None]:
    rlcard: Any = importlib.import_module("rlcard")
    agents: Any = importlib.import_module("rlcard.agents")
    environment = rlcard.make("gin-rummy", config={"seed": 1})
    environment.set_agents(
        [agents.RandomAgent(environment.num_actions) for _ in range(environment.num_players)]
    )

    def play_games() -> int:
        environment.seed(1)
        played = (environment.run(is_training=False)[0] for _ in range(3))
        return sum(len(trajectory) // 2 for trajectories in played for trajectory in trajectories)

    return _speed(play_games, 3), None


def _move_lists() -> Row:
    """Measure the move lists of all states of some random games, in canonical order."""
    states = [state for number in range(20) for state in _states(number)]

    def lists() -> None:
        for state in states:
            GAME.actions(state, state.turn)

    return hold(
        f"the lists of moves of {len(states):,} states",
        lists,
        python_loop(1_000 * len(states)),
        most=5,
        reason="every capture and build is named and sorted",
    )


def _states(number: int) -> Iterator[State]:
    bots = [find_bot("casino", "random", DEFAULT, draw=Seeded(f"{number}/{seat}")) for seat in range(PLAYERS)]
    for ply in play(GAME, GAME.setup(DEFAULT, PLAYERS), bots, Seeded(number)):
        if ply.before.is_dealt:
            yield ply.before


def _searches(compiled: Speed) -> Row:
    state = next(islice(_states(1), MIDDLE, None))
    view = GAME.view(state, state.turn)
    bot = SearchBot(Seeded("bench"), iterations=ITERATIONS)
    seconds = best(lambda: bot.estimates(view), repeats=5)
    return against_floor(
        "games searched, mid-game",
        ITERATIONS / seconds,
        ("whole random games, compiled", compiled.games),
        most=2.5,
        reason="an iteration plays the rest of a game at random, after it has chosen a path in the tree",
        unit=Unit.PER_SECOND,
    )


def _lines() -> Iterator[Row]:
    deck = list(DEFAULT.cards)
    random.Random("bench").shuffle(deck)  # noqa: S311  not a secret
    floor = python_loop(1_000_000)
    for core, what, depth, most in (
        (Core(playouts, is_compiled=False), "plain Python", 10, 300),
        (fastest_core(playouts), "compiled", 12, 4),
    ):
        ask = partial(count_perft, deck, DEFAULT, players=PLAYERS, depth=depth, core=core)
        lines, seconds, bare = ask(), best(ask, repeats=3), best(floor.run, repeats=3)
        yield against_floor(
            f"lines of {depth} moves counted, {what}",
            lines / seconds,
            ("steps of a bare Python loop", 1_000_000 / bare),
            most=most,
            reason="the last moves of a line are listed but not made",
            unit=Unit.PER_SECOND,
        )
