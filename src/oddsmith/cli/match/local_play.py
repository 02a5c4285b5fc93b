"""A game in the terminal, alone or against bots: begun, or resumed from its record."""

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NoReturn

from rich.console import Console

from oddsmith.bot import RANDOM, Chooser
from oddsmith.bots import bot_names, find_bot
from oddsmith.chance import Draw, Seeded, System
from oddsmith.cli.terminal.console import Leave, ask, find_table, over_line, progress_bar
from oddsmith.cli.terminal.files import Keep, in_new_file, in_same_file
from oddsmith.command_line import console
from oddsmith.errors import InputError, RecordError
from oddsmith.game import Act, Game, Luck, Over, Seat, audible_events
from oddsmith.match.proofs import PRACTICE
from oddsmith.records import Record, play, read_record_file, retrace, verify
from oddsmith.registry import find_game, find_mechanic
from oddsmith.rules import Ruleset
from oddsmith.text import escape_markup

OTHER_SEAT: Final = "the house"
"""The name of a bot that chooses at random, in records that do not name the bot of a seat."""


class Table:
    """A game under way: every move so far, and the state they led to."""

    def __init__(
        self,
        game: Game[Any, Any, Any, Any, Any],
        state: Any,  # noqa: ANN401  whatever the game's states are
        moves: Iterable[Act[Any] | Luck[Any]] = (),
    ) -> None:
        self.game = game
        self.shown = find_table(game.name)
        self.state = state
        self.moves = [*moves]

    def play(self, luck: Draw, out: Console, others: Sequence[Chooser[Any, Any]] = ()) -> None:
        """Play to the end, or until the person leaves; the others choose for the seats after the person's."""
        meant: list[Any] = []

        def person(view: Any, actions: Sequence[Any]) -> Any:  # noqa: ANN401  as above
            if not meant:
                out.print("", *self.shown.state_lines(view), sep="\n")
                meant.extend(ask(out, self.shown, view, actions))
            return meant.pop(0)

        for ply in play(self.game, self.state, [person, *others], luck):
            self.moves.append(ply.move)
            self.state = ply.after
            for line in self.shown.event_lines(audible_events(ply.events, 0), self.game.view(ply.after, 0)):
                out.print(line)


def sit_down(
    name_of_game: str,
    rules: str,
    settings: Sequence[str],
    *,
    seats: int | None,
    against: str | None,
    name: str,
    record: Path | None,
    seed: str | None,
) -> None:
    """Play a game to its end, or until the person leaves, and keep the record; as few play as may, unless told."""
    game = find_game(name_of_game)
    ruleset = game.rules_type.read(rules).with_settings(settings)
    count = game.seats(ruleset).start if seats is None else seats
    table = Table(game, game.setup(ruleset, count))
    if count == 1 and against is not None:
        _refuse_against(game, ruleset)
    luck = _luck(seed)
    bots = [against or find_mechanic(name_of_game).default_bot] * (count - 1)
    others = _others(name_of_game, bots, ruleset, luck)
    begun = Record(rules=ruleset, seats=(_name(name), *bots), labels=_labels(seed))
    keep = None if record is None else in_new_file(record)
    _play_and_keep(table, begun, luck, others, keep)


def _refuse_against(game: Game[Any, Any, Any, Any, Any], rules: Ruleset) -> NoReturn:
    if 2 in game.seats(rules):  # noqa: PLR2004  the seat of the other
        raise InputError("nobody_against", "--against names who takes the other seat: give --seats 2 too")
    raise InputError("nobody_against", f"{game.name} is for one seat: nobody sits against you")


def go_on(
    file: Path,
    *,
    game: str | None,
    rules: str | None,
    settings: Sequence[str],
    seats: int | None,
    against: str | None,
    name: str | None,
    record: Path | None,
    seed: str | None,
) -> None:
    """Go on with a recorded game as if nobody had left, and keep it in the same file, or in `record`.

    Everything else is in the record; where it is said again, it must be the same.
    """
    begun = read_record_file(file, find_game)
    kept_seed, bots = _kept_seed(begun), _kept_bots(begun)
    for option, given, kept in (
        ("GAME", game, begun.game),
        ("--seats", seats, len(begun.seats)),
        ("--against", against, ", ".join(dict.fromkeys(bots)) or None),
        ("--name", name, begun.seats[0]),
        ("--seed", seed, kept_seed),
    ):
        _require_agreement(option, given, kept)
    _require_same_rules(begun, rules, settings)
    luck = _luck(kept_seed)
    others = _others(begun.game, bots, begun.rules, luck)
    table = _table(begun, file, luck if kept_seed is not None else None, others)
    keep = in_same_file(file) if record is None else in_new_file(record)
    console().print(
        f"[bold]{begun.game}[/]  {', '.join(map(escape_markup, begun.seats))}"
        f"  rules {begun.rules.rules_id[:12]}  verified, goes on after ply {len(begun.moves)}"
    )
    _play_and_keep(table, begun, luck, others, keep)


def _play_and_keep(
    table: Table,
    begun: Record,
    luck: Draw,
    others: Sequence[Chooser[Any, Any]],
    keep: Keep | None,
) -> None:
    """Play to the end, or until the person leaves, tell how it ended, and keep the record."""
    game, out, interrupted = table.game, console(), False
    try:
        table.play(luck, out, others)
    except (Leave, KeyboardInterrupt) as end:
        interrupted = isinstance(end, KeyboardInterrupt)
        out.print("left the table" if not interrupted else "\nleft the table")
    turn = game.turn(table.state)
    if isinstance(turn, Over):
        out.print("", *table.shown.state_lines(game.view(table.state, 0)), over_line(turn.outcome), sep="\n")
    if keep is not None:
        place = keep(Record.of(game, begun.rules, begun.seats, table.moves, labels=begun.labels))
        quoted = escape_markup(shlex.quote(str(place)))
        out.print(f"kept: [bold]oddsmith replay {quoted}[/]")
        if not isinstance(turn, Over):
            out.print(f"go on: [bold]oddsmith play --resume {quoted}[/]")
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
    unready = [name] if find_mechanic(game).find_bot(name).is_compiled else []

    def choose(view: Any, actions: Sequence[Any], /) -> Any:  # noqa: ANN401  whatever the game's are
        with bars:
            if unready:
                report(0.0)
                unready.clear()
            chosen = bot(view, actions)
        shown.clear()
        return chosen

    return choose


def _others(game: str, bots: Sequence[str], rules: Ruleset, luck: Draw) -> list[Chooser[Any, Any]]:
    """Return who chooses for the seats after the person's."""
    return [_bot(game, name, rules, luck, seat) for seat, name in enumerate(bots, 1)]


def _name(given: str) -> str:
    if not 1 <= len(given) <= 60 or not given.isprintable():  # noqa: PLR2004  as many as a record keeps
        raise InputError("bad_name", "a name has 1 to 60 printable characters")
    return given


def _labels(seed: str | None) -> Mapping[str, str]:
    if seed is None:
        return {}
    if not seed.isprintable():
        raise InputError("bad_seed", "a seed that is kept in a record has printable characters only")
    return {"luck": PRACTICE + seed}


def _luck(seed: str | None) -> Draw:
    return System() if seed is None else Seeded(seed)


# --- what a record says of the table it was played at ---------------------------------------------------------------


def _kept_seed(begun: Record) -> str | None:
    """Return the seed that a record names; None where its luck was the system's."""
    told = begun.labels.get("luck")
    if told is None:
        return None
    if not told.startswith(PRACTICE):
        raise RecordError(
            "unknown_luck",
            f"labels.luck: '{told}' is no luck that can be gone on with: only '{PRACTICE}…' is",
            where="labels.luck",
        )
    return told.removeprefix(PRACTICE)


def _kept_bots(begun: Record) -> list[str]:
    """Return the names of the bots that sit after the person; somebody else cannot be asked here."""
    bots = [RANDOM.name if name == OTHER_SEAT else name for name in begun.seats[1:]]
    for seat, bot in enumerate(bots, 1):
        if bot not in bot_names(begun.game):
            raise RecordError(
                "not_a_bot",
                f"seats[{seat}]: '{bot}' is no bot of {begun.game}, and nobody else goes on for that seat",
                where=f"seats[{seat}]",
            )
    return bots


def _require_agreement(option: str, given: str | int | None, kept: str | int | None) -> None:
    if given is not None and given != kept:
        told = "none" if kept is None else f"'{kept}'"
        raise InputError(
            "contradicts_record", f"{option} '{given}' contradicts the record, which has {told}: leave it out"
        )


def _require_same_rules(begun: Record, rules: str | None, settings: Sequence[str]) -> None:
    named = begun.rules if rules is None else type(begun.rules).read(rules)
    if named.with_settings(settings) != begun.rules:
        raise InputError(
            "contradicts_record",
            "--rules and --set contradict the record, which has rules of its own: leave them out",
        )


def _table(begun: Record, file: Path, seeded: Draw | None, others: Sequence[Chooser[Any, Any]]) -> Table:
    """Return the table as it was left; a seeded source, and who draws from it, are led to where they stood."""
    game = find_game(begun.game)
    replayed = verify(game, begun)
    if isinstance(game.turn(replayed.state), Over):
        raise RecordError("finished_game", f"the game in '{file}' is over: there is nothing to go on with")
    if seeded is not None:
        retrace(game, begun, seeded, dict(enumerate(others, 1)))
    return Table(game, replayed.state, [ply.move for ply in replayed.plies])
