"""Speed of games that are derived from a `Position`, against hand-written ones in the same run."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bench.floors import hold, python_loop
from bench.measure import Run, alternate
from bench.rows import Row, Unit, against_floor, against_peer
from bench.written_pig import WrittenPig
from oddsmith.bot import RandomBot
from oddsmith.chance import Seeded
from oddsmith.game import Await, Decide, Game, Luck, Move, find_advance
from oddsmith.laws import check_game
from oddsmith.match.machine import open_match
from oddsmith.match.model import Match, Open
from oddsmith.position.derived_game import PositionGame
from oddsmith.records import play
from oddsmith.registry import add_sources, find_game
from oddsmith.server.frames import Frames

if TYPE_CHECKING:
    from oddsmith.mechanic import Mechanic

FOLDER: Final = Path(__file__).parents[1] / "examples" / "mechanics"
GAMES: Final = 200
"""Games of Pig in a run."""
HANDS: Final = 300
"""Games with hidden places in a run."""
REPEATS: Final = 9
FRAMES: Final = 200
"""Frames of each viewer in a run."""

AnyGame = Game[Any, Any, Any, Any, Any]
Advance = Callable[[Any, Move[Any, Any]], Any]


class Played(NamedTuple):
    """A run of random games, always the same ones, and its number of plies."""

    run: Run
    plies: int


def rows() -> Iterator[Row]:
    """Yield the benchmarks of derived games."""
    pig, written = _load("pig"), WrittenPig()
    check_game(written, playouts=5)
    by_hand, derived = _play(written, _step_of(written)), _play(pig, _step_of(pig))
    advanced = _play(pig, find_advance(pig))
    yield _compare("Pig as a Position, plies by step", derived, by_hand, least=1.5)
    yield _compare("Pig as a Position, plies by advance", advanced, by_hand, least=2.5)
    for name in ("kuhn", "blackjack"):
        yield _derivation(name)
    yield from _frames()


def _load(name: str) -> PositionGame:
    """Return the game of an example file."""
    spec = spec_from_file_location(f"bench_{name}", FOLDER / f"{name}.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(FOLDER / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    mechanic: Mechanic = module.MECHANIC
    game = mechanic.game
    if not isinstance(game, PositionGame):
        raise TypeError(f"{name} is no position")
    return game


def _step_of(game: AnyGame) -> Advance:
    return lambda state, move: game.step(state, move).state


def _checked_advance_of(game: AnyGame) -> Advance:
    """Return a function that checks a move as `step` does, and advances without events."""
    advance = find_advance(game)

    def check_and_advance(state: object, move: Move[Any, Any]) -> Any:  # noqa: ANN401  a state of the game
        if isinstance(move, Luck):
            turn = game.turn(state)
            if not isinstance(turn, Await) or not turn.chance.weight(move.outcome):
                raise ValueError(move)
        elif game.objection(state, move.seat, move.action) is not None:
            raise ValueError(move)
        return advance(state, move)

    return check_and_advance


def _play(game: AnyGame, advance: Advance, *, games: int = GAMES) -> Played:
    """Return a run that plays random games again: it asks for turn and actions, and makes the move, at every ply."""
    seats = game.seats(game.rules_type()).start
    start = game.setup(game.rules_type(), seats)
    recorded = [_record_moves(game, start, seats, seed) for seed in range(games)]
    return Played(partial(_play_again, game, start, advance, recorded), sum(map(len, recorded)))


def _record_moves(game: AnyGame, start: object, seats: int, seed: int) -> Sequence[Move[Any, Any]]:
    luck = Seeded(seed)
    return [ply.move for ply in play(game, start, [RandomBot(luck)] * seats, luck)]


def _play_again(
    game: AnyGame, start: object, advance: Advance, recorded: Sequence[Sequence[Move[Any, Any]]]
) -> None:
    for moves in recorded:
        state = start
        for move in moves:
            turn = game.turn(state)
            if isinstance(turn, Decide):
                game.actions(state, turn.seats[0])
            state = advance(state, move)


def _compare(name: str, ours: Played, peer: Played, *, least: float) -> Row:
    if ours.plies != peer.plies:
        raise RuntimeError(f"{name}: {ours.plies} plies, not {peer.plies}: these are other games")
    seconds, peer_seconds = alternate(ours.run, peer.run, repeats=REPEATS)
    return against_peer(
        name,
        ours.plies / seconds,
        ("Pig written by hand", peer.plies / peer_seconds),
        least=least,
        reason="the same games; turns and chance nodes are kept, and an action is looked up once",
        unit=Unit.PER_SECOND,
    )


def _derivation(name: str) -> Row:
    """Compare steps that derive who hears of a move with the same steps without events."""
    game = _load(name)
    whole, bare = (
        _play(game, _step_of(game), games=HANDS),
        _play(game, _checked_advance_of(game), games=HANDS),
    )
    seconds, bare_seconds = alternate(whole.run, bare.run, repeats=REPEATS)
    return against_peer(
        f"{name}, with hidden places, plies by step",
        whole.plies / seconds,
        ("the same plies without events", bare.plies / bare_seconds),
        least=0.75,
        reason="who hears of a move is derived from the cards that each seat sees after it",
        unit=Unit.PER_SECOND,
    )


def _frames() -> Iterator[Row]:
    """Compare views and encoded frames of a default mechanic with those of a hand-written one, and views with a loop."""
    duel = _begun("duel")
    for name in add_sources([str(FOLDER / "hold_and_draw.py"), str(FOLDER / "cave.py")]):
        match = _begun(name)
        for what, make in (("views", _make_views), ("frames", _make_frames)):
            ours, theirs = alternate(partial(make, match), partial(make, duel), repeats=REPEATS)
            yield against_floor(
                f"{2 * FRAMES} {what} of {name}, two seats",
                ours,
                (f"{2 * FRAMES} {what} of a duel", theirs),
                most=2,
                reason="views are derived from the marks of fields, those of a duel are written by hand",
            )
    yield hold(
        f"{2 * FRAMES} views of a duel",
        partial(_make_views, duel),
        python_loop(100 * FRAMES),
        most=2,
        reason="so that the comparison above is with a quick view",
    )


def _begun(game: str) -> Match:
    """Return a match of bots in its first position in which a seat decides, with two seats."""
    return open_match(
        Open(rules=find_game(game).rules_type(), bots=("random", "random")), 0, Seeded("bench")
    ).match


def _make_views(match: Match) -> None:
    game = match.engine
    for _ in range(FRAMES):
        for viewer in (0, 1):
            game.view(match.state, viewer)


def _make_frames(match: Match) -> None:
    for _ in range(FRAMES):
        frames = Frames(match)
        for viewer in (0, 1):
            frames.frame(viewer, None)
