"""A person at a table in the terminal: shown a view, asked for a choice, told what happened."""

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from oddsmith.bots import find_bot
from oddsmith.chance import Draw, Seeded, System
from oddsmith.cli.console import console, over_line, plain, progress_bar, why
from oddsmith.cli.tables import GameTable, Reply, find_table
from oddsmith.errors import InputError, OddsmithError, RecordError
from oddsmith.game import Act, Game, Luck, Over, Seat, audible
from oddsmith.games import find_game
from oddsmith.records import Chooser, Record, play
from oddsmith.rules import Ruleset

__all__ = ["sit_down"]

HOUSE: Final = "the house"
DEFAULT_BOT: Final = "random"
LONGEST_ANSWER: Final = 200


class Leave(Exception):  # noqa: N818  it is a wish, not an error
    """The person wants to go."""


class Table:
    """A game under way: every move so far, and the state they led to."""

    def __init__(self, game: Game[Any, Any, Any, Any, Any], start: Any) -> None:  # noqa: ANN401  whatever the game's states are
        self.game = game
        self.shown = find_table(game.name)
        self.start = start
        self.state = start
        self.moves: list[Act[Any] | Luck[Any]] = []

    def play(self, luck: Draw, out: Console, others: Sequence[Chooser[Any, Any]] = ()) -> None:
        """Play to the end, or until the person leaves; the others choose for the seats after the person's."""

        def person(view: Any, actions: Sequence[Any]) -> Any:  # noqa: ANN401  as above
            out.print("", *self.shown.state_lines(view), sep="\n")
            return _ask(out, self.shown, view, actions)

        for ply in play(self.game, self.start, [person, *others], luck):
            self.moves.append(ply.move)
            self.state = ply.after
            for line in self.shown.event_lines(audible(ply.events, 0), self.game.view(ply.after, 0)):
                out.print(line)


def sit_down(
    name_of_game: str,
    rules: str,
    settings: Sequence[str],
    *,
    seats: int,
    against: str | None,
    name: str,
    record: Path | None,
    seed: str | None,
) -> None:
    """Play a game to its end, or until the person leaves, and keep the record."""
    game = find_game(name_of_game)
    ruleset = game.rules_type.read(rules).changed(settings)
    table = Table(game, game.setup(ruleset, seats))
    if seats == 1 and against is not None:
        raise InputError("nobody_against", "--against names who takes the other seat: give --seats 2 too")
    luck: Draw = System() if seed is None else Seeded(seed)
    others = [_bot(name_of_game, against or DEFAULT_BOT, ruleset, luck, seat) for seat in range(1, seats)]
    empty = Record(
        rules=ruleset, seats=(_name(name), *[against or HOUSE] * (seats - 1)), labels=_labels(seed)
    )
    if record is not None:
        _require_writable(record)
    out = console()
    interrupted = False
    try:
        table.play(luck, out, others)
    except (Leave, KeyboardInterrupt) as end:
        interrupted = isinstance(end, KeyboardInterrupt)
        out.print("left the table" if not interrupted else "\nleft the table")
    turn = game.turn(table.state)
    if isinstance(turn, Over):
        out.print("", *table.shown.state_lines(game.view(table.state, 0)), over_line(turn.outcome), sep="\n")
    if record is not None:
        kept = Record.of(game, ruleset, empty.seats, table.moves, labels=empty.labels)
        _keep(kept, record)
        out.print(f"kept: [bold]oddsmith replay {plain(shlex.quote(str(record)))}[/]")
    if interrupted:
        raise KeyboardInterrupt


def _bot(game: str, name: str, rules: Ruleset, luck: Draw, seat: Seat) -> Chooser[Any, Any]:
    """Return a bot for a seat; where it has to think for long, a bar shows how far it is."""
    bars = ExitStack()
    shown: list[Callable[[float], None]] = []

    def report(done: float) -> None:
        if not shown:
            shown.append(bars.enter_context(progress_bar(f"{name} looks for its best play")))
        shown[0](done)

    bot = find_bot(game, name, rules, draw=luck, seat=seat, progress=report)

    def choose(view: Any, actions: Sequence[Any], /) -> Any:  # noqa: ANN401  whatever the game's are
        with bars:
            chosen = bot(view, actions)
        shown.clear()
        return chosen

    return choose


def _name(given: str) -> str:
    if not 1 <= len(given) <= 60 or not given.isprintable():  # noqa: PLR2004  as many as a record keeps
        raise InputError("bad_name", "a name has 1 to 60 printable characters")
    return given


def _labels(seed: str | None) -> Mapping[str, str]:
    if seed is None:
        return {}
    if not seed.isprintable():
        raise InputError("bad_seed", "a seed that is kept in a record has printable characters only")
    return {"luck": f"practice with a chosen seed: {seed}"}


def _require_writable(record: Path) -> None:
    """Refuse at once a file that exists or cannot be made, before anything is played."""
    try:
        record.open("x").close()
    except FileExistsError as error:
        raise RecordError("file_exists", f"'{record}' exists already: choose another name") from error
    except OSError as error:
        raise _unwritable(record, error) from error
    record.unlink()


def _keep(kept: Record, record: Path) -> None:
    try:
        with record.open("x", encoding="utf-8") as file:
            file.write(kept.to_toml())
    except OSError as error:
        raise _unwritable(record, error) from error


def _unwritable(record: Path, error: OSError) -> RecordError:
    return RecordError("not_written", f"no record can be kept in '{str(record)[:80]}': {why(error)}")


def _ask(out: Console, shown: GameTable, view: Any, actions: Sequence[Any]) -> Any:  # noqa: ANN401  whatever the game's actions are
    """Ask until the answer is a choice; the end of input leaves the table."""
    for line in shown.choice_lines(view, actions):
        out.print(line)
    while True:
        answer = _answer(out)
        if answer in ("q", "quit"):
            raise Leave
        try:
            found = shown.read_answer(answer[:LONGEST_ANSWER], view, actions)
        except OddsmithError as error:
            found = Reply((f"[red]{plain(str(error))}[/]",))
        if not isinstance(found, Reply):
            return found
        for line in found.lines:
            out.print(line)


def _answer(out: Console) -> str:
    """Read one line; what no terminal has shown is written down, so that a transcript reads well."""
    try:
        answer = out.input("> ").strip().lower()
    except EOFError:
        out.print()
        raise Leave from None
    if not sys.stdin.isatty():
        out.print(plain(answer))
    return answer
