"""A person at a table in the terminal: shown a view, asked for a number, told what happened."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from oddsmith.chance import Draw, Seeded, System
from oddsmith.cli.console import console
from oddsmith.cli.table import action_line, event_lines, state_lines
from oddsmith.errors import InputError, RecordError
from oddsmith.game import Act, Game, Luck, Over, audible
from oddsmith.games import find_game
from oddsmith.records import Record, play

__all__ = ["sit_down"]

HOUSE = "the house"


class Leave(Exception):  # noqa: N818  it is a wish, not an error
    """The person wants to go."""


def sit_down(
    name_of_game: str, rules: str, *, seats: int, name: str, record: Path | None, seed: str | None
) -> None:
    """Play a game to its end, or until the person leaves, and keep the record."""
    game = find_game(name_of_game)
    ruleset = game.rules_type.read(rules)
    start = game.setup(ruleset, seats)
    empty = Record(rules=ruleset, seats=(name, *[HOUSE] * (seats - 1)), labels=_labels(seed))
    if record is not None:
        _require_writable(record)
    luck: Draw = System() if seed is None else Seeded(seed)
    out = console()
    moves = _play(game, start, luck, out, seats)
    if record is not None:
        kept = Record.of(game, ruleset, empty.seats, moves, labels=empty.labels)
        record.write_text(kept.to_toml(), encoding="utf-8")
        out.print(f"kept in {record}: [bold]oddsmith replay {record}[/]")


def _labels(seed: str | None) -> Mapping[str, str]:
    return {} if seed is None else {"luck": f"practice with a chosen seed: {seed}"}


def _require_writable(record: Path) -> None:
    """Refuse at once a file that exists or cannot be made, before anything is played."""
    if record.exists():
        raise RecordError("file_exists", f"'{record}' exists already: choose another name")
    if not record.resolve().parent.is_dir():
        raise RecordError("no_folder", f"there is no folder '{record.parent}' to keep the record in")


def _play(
    game: Game[Any, Any, Any, Any, Any],
    start: Any,  # noqa: ANN401  as above
    luck: Draw,
    out: Console,
    seats: int,
) -> list[Act[Any] | Luck[Any]]:
    def person(view: Any, actions: Sequence[Any]) -> Any:  # noqa: ANN401  as above
        for line in state_lines(view):
            out.print(line)
        return _ask(out, view, actions)

    def house(view: Any, actions: Sequence[Any]) -> Any:  # noqa: ANN401, ARG001  as above; it plays at random
        return actions[luck.below(len(actions))]

    moves: list[Act[Any] | Luck[Any]] = []
    state = start
    try:
        for ply in play(game, start, [person, *[house] * (seats - 1)], luck):
            moves.append(ply.move)
            state = ply.after
            for line in event_lines(audible(ply.events, 0)):
                out.print(line)
    except Leave:
        out.print("left the table")
    turn = game.turn(state)
    if isinstance(turn, Over):
        for line in state_lines(game.view(state, 0)):
            out.print(line)
        out.print(f"[bold]over: {turn.outcome.why}[/]")
    return moves


def _ask(out: Console, view: Any, actions: Sequence[Any]) -> Any:  # noqa: ANN401  whatever the game's actions are
    """Ask until the answer is one of the numbers shown; the end of input leaves the table."""
    for number, action in enumerate(actions, 1):
        out.print(f"  [bold]{number:>2}[/]  {action_line(action, view)}")
    while True:
        try:
            answer = out.input("> ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            raise Leave from None
        if answer in ("q", "quit"):
            raise Leave
        try:
            return actions[_choice(answer, len(actions))]
        except InputError as error:
            out.print(f"[red]{error}[/]")


def _choice(answer: str, count: int) -> int:
    if not answer.isdecimal() or not 1 <= int(answer[:6]) <= count:
        raise InputError("bad_choice", f"type a number from 1 to {count}, or q to leave")
    return int(answer) - 1
