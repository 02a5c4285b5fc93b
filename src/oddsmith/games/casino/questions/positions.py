"""Answers to what `oddsmith casino …` asks of groups of cards and of tables."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import typer

from oddsmith.bots import find_bot
from oddsmith.chance import Seeded
from oddsmith.cli.casino import show
from oddsmith.cli.casino.estimates import estimated
from oddsmith.cli.casino.reading import read_cards
from oddsmith.cli.casino.replies import PositionReply
from oddsmith.cli.terminal.console import console, print_json, progress_bar
from oddsmith.errors import IllegalMove, InputError, nearest
from oddsmith.game import Act
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.position import read_position_file, write_position
from oddsmith.games.casino.questions import classify_reply, moves_reply
from oddsmith.games.casino.rules import Rules
from oddsmith.records import play
from oddsmith.text import why

__all__ = ["Asked", "classify", "moves", "position"]


def classify(text: str, rules_file: str, settings: Sequence[str], *, as_json: bool) -> None:
    """Name a group of cards, and say what can be done with it."""
    rules = Rules.read(rules_file).changed(settings)
    reply = classify_reply(read_cards(text, rules), rules)
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.classify_lines(reply)))


# --- a table to begin with -------------------------------------------------------------------------------------------


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A game between bots as the command line gives it."""

    seed: str
    plies: int
    players: int
    bot: str


def position(
    asked: Asked, rules_file: str, settings: Sequence[str], *, out: Path | None, as_json: bool
) -> None:
    """Write a table of a game between bots: to the terminal, or to a new file."""
    rules = Rules.read(rules_file).changed(settings)
    state, made = _played(asked, rules)
    text = write_position(state)
    if out is not None:
        _write_new(out, text)
    if as_json:
        print_json(
            PositionReply(rules_id=rules.rules_id, seed=asked.seed, plies=made, state=state, toml=text)
        )
    elif out is None:
        typer.echo(text, nl=False)
    else:
        console().print("\n".join(show.position_lines(GAME.view(state, state.turn), made, str(out))))


def _played(asked: Asked, rules: Rules) -> tuple[State, int]:
    """Return the state in which somebody is to move after so many moves, or the end, and how many were made."""
    luck = Seeded(asked.seed)
    bots = [find_bot("casino", asked.bot, rules, draw=luck, seat=seat) for seat in range(asked.players)]
    state, made = GAME.setup(rules, asked.players), 0
    with progress_bar(f"{asked.bot} plays") as progress:
        for ply in play(GAME, state, bots, luck):
            if made == asked.plies and isinstance(ply.move, Act):
                break
            state, made = ply.after, made + isinstance(ply.move, Act)
            progress(made / max(asked.plies, 1))
    return state, made


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise InputError("file_exists", f"'{str(path)[:80]}' exists already: choose another name") from error
    except (OSError, ValueError) as error:
        raise InputError(
            "not_written", f"no position can be kept in '{str(path)[:80]}': {why(error)}"
        ) from error


# --- the moves of a table --------------------------------------------------------------------------------------------


def moves(file: Path, *, kind: str | None, iterations: int | None, seed: str, as_json: bool) -> None:
    """List the legal moves of a table, those of one kind where it is given."""
    wanted = None if kind is None else _kind(kind)
    state = read_position_file(file)
    legal = _legal_moves(state)
    view = GAME.view(state, state.turn)
    reply = moves_reply(
        state,
        legal,
        kind=wanted,
        estimates={} if iterations is None else estimated(view, iterations, seed),
        iterations=iterations,
        seed=None if iterations is None else seed,
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.moves_lines(reply, view)))


def _kind(given: str) -> MoveKind:
    name = given.strip().lower().replace("-", "_").replace(" ", "_")
    if name not in [*MoveKind]:
        raise InputError(
            "unknown_kind", f"unknown kind of move '{given[:40]}'{nearest(name[:40], [*MoveKind])}"
        )
    return MoveKind(name)


def _legal_moves(state: State) -> Sequence[Move]:
    found = GAME.actions(state, state.turn)
    if not found:
        over = "the game is over" if state.is_over else "cards are to be dealt first"
        raise IllegalMove("no_move_due", f"nobody is to move at this table: {over}", paragraph="1.4")
    return found
