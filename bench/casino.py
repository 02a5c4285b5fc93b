"""Speed of Casino, compared with random games of other card games by OpenSpiel and RLCard in the same run.

In a random game all legal moves are listed at every turn, and one of them is made. The games are different, so moves are
compared, not games. Plain Python is compared with what a peer does from Python; compiled games are compared with
games between OpenSpiel's own random bots, which run in C++ without a call from Python for each move.
"""

import importlib
import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from bench.floors import hold, python_loop
from bench.measure import Run, alternate, best
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
LEAST: Final[Mapping[str, tuple[float, float | None]]] = {
    "OpenSpiel's gin_rummy": (3.0, 50.0),
    "OpenSpiel's cribbage": (0.33, 2.0),
    "OpenSpiel's hearts": (0.18, 1.7),
    "RLCard's gin_rummy": (8.0, None),
}
"""The least ratio of moves a second: plain Python to the peer from Python, and compiled to the peer's own random bots."""
REPEATS = 9
ROLLOUTS = 20
ITERATIONS = 20_000
MIDDLE = 20


class Games(NamedTuple):
    """A run of random games, always the same ones, and the number of its games and moves."""

    run: Run
    games: int
    moves: int


def rows() -> Iterator[Row]:
    """Yield the benchmarks of Casino."""
    plain = _random_games(Core(playouts, is_compiled=False), games=20)
    compiled = _random_games(fastest_core(playouts), games=2_000)
    yield from _compare_with_peers(plain, compiled)
    for what, games, most in (("plain Python", plain, 330), ("compiled", compiled, 9)):
        floor = python_loop(1_000_000)
        ours, bare = alternate(games.run, floor.run, repeats=REPEATS)
        yield against_floor(
            f"random moves, {what}",
            games.moves / ours,
            ("steps of a bare Python loop", 1_000_000 / bare),
            most=most,
            reason="a move lists all captures and builds of a hand, then makes one of them",
            unit=Unit.PER_SECOND,
        )
    yield _move_lists()
    yield _searches(compiled)
    yield from _lines()


def _random_games(core: Core, *, games: int) -> Games:
    each, *_, to_table = DEFAULT.deal_sizes(PLAYERS, 1)
    setup = playouts.Setup(
        rules=encode_rules(DEFAULT),
        start=core.row(encode_state(GAME.setup(DEFAULT, PLAYERS))),
        deck=core.row(map(number_of, DEFAULT.cards)),
        each=each,
        to_table=to_table,
    )
    state, moves = core.zeros(kernel.STATE), new_moves(core)
    run = partial(core.functions.play_games, games, 1, setup, state, moves)
    return Games(run, games, int(run()))


def _compare_with_peers(plain: Games, compiled: Games) -> Iterator[Row]:
    for name, make_games in PEERS.items():
        try:
            from_python, in_cpp = make_games()
        except ImportError:
            yield without_bound(
                f"random moves, plain Python; {name}: not installed",
                plain.moves / best(plain.run, repeats=REPEATS),
                reason="the peer cannot be installed here",
                unit=Unit.PER_SECOND,
            )
            continue
        least, least_compiled = LEAST[name]
        yield _compare(
            f"random moves, plain Python, to {name}",
            plain,
            (f"{name}, called from Python", from_python),
            least=least,
            reason="both choose each move in Python; OpenSpiel lists and makes it in C++",
        )
        if in_cpp is not None and least_compiled is not None:
            yield _compare(
                f"random moves, compiled, to {name}",
                compiled,
                (f"{name}, random bots in C++", in_cpp),
                least=least_compiled,
                reason="both play whole games without Python",
            )


def _compare(name: str, ours: Games, peer: tuple[str, Games], *, least: float, reason: str) -> Row:
    """Compare moves a second; both sides are run alternately."""
    peer_name, theirs = peer
    seconds, peer_seconds = alternate(ours.run, theirs.run, repeats=REPEATS)
    return against_peer(
        name,
        ours.moves / seconds,
        (peer_name, theirs.moves / peer_seconds),
        least=least,
        reason=reason,
        unit=Unit.PER_SECOND,
    )


def _spiel_games(name: str) -> tuple[Games, Games]:
    """Return games called from Python, and games between OpenSpiel's own random bots, with about as many moves a game."""
    spiel: Any = importlib.import_module("pyspiel")
    game, dice = spiel.load_game(name), random.Random("bench")  # noqa: S311  not a secret
    bots = [spiel.make_uniform_random_bot(seat, 1) for seat in range(game.num_players())]

    def play_game() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            moves += state.current_player() >= 0
            state.apply_action(dice.choice(state.legal_actions()))
        return moves

    def play_from_python() -> int:
        dice.seed("bench")
        return sum(play_game() for _ in range(ROLLOUTS))

    def play_in_cpp() -> None:
        for seed in range(ROLLOUTS):
            spiel.evaluate_bots(game.new_initial_state(), bots, seed)

    moves = play_from_python()
    return Games(play_from_python, ROLLOUTS, moves), Games(play_in_cpp, ROLLOUTS, moves)


def _rlcard_games() -> tuple[Games, None]:
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

    return Games(play_games, 3, play_games()), None


PEERS: Final[Mapping[str, Callable[[], tuple[Games, Games | None]]]] = {
    "OpenSpiel's gin_rummy": partial(_spiel_games, "gin_rummy"),
    "OpenSpiel's cribbage": partial(_spiel_games, "cribbage"),
    "OpenSpiel's hearts": partial(_spiel_games, "hearts"),
    "RLCard's gin_rummy": _rlcard_games,
}


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
        most=1.3,
        reason="every capture and build is named and sorted",
    )


def _states(number: int) -> Iterator[State]:
    bots = [find_bot("casino", "random", DEFAULT, draw=Seeded(f"{number}/{seat}")) for seat in range(PLAYERS)]
    for ply in play(GAME, GAME.setup(DEFAULT, PLAYERS), bots, Seeded(number)):
        if ply.before.is_dealt:
            yield ply.before


def _searches(compiled: Games) -> Row:
    state = next(islice(_states(1), MIDDLE, None))
    view = GAME.view(state, state.turn)
    bot = SearchBot(Seeded("bench"), iterations=ITERATIONS)
    seconds, whole = alternate(lambda: bot.estimates(view), compiled.run, repeats=5)
    return against_floor(
        "games searched, mid-game",
        ITERATIONS / seconds,
        ("whole random games, compiled", compiled.games / whole),
        most=2,
        reason="an iteration plays the rest of a game at random, after it has chosen a path in the tree",
        unit=Unit.PER_SECOND,
    )


def _lines() -> Iterator[Row]:
    deck = list(DEFAULT.cards)
    random.Random("bench").shuffle(deck)  # noqa: S311  not a secret
    floor = python_loop(1_000_000)
    for core, what, depth, most in (
        (Core(playouts, is_compiled=False), "plain Python", 10, 85),
        (fastest_core(playouts), "compiled", 12, 1.4),
    ):
        ask = partial(count_perft, deck, DEFAULT, players=PLAYERS, depth=depth, core=core)
        lines = ask()
        seconds, bare = alternate(ask, floor.run, repeats=3)
        yield against_floor(
            f"lines of {depth} moves counted, {what}",
            lines / seconds,
            ("steps of a bare Python loop", 1_000_000 / bare),
            most=most,
            reason="the last moves of a line are listed but not made",
            unit=Unit.PER_SECOND,
        )
