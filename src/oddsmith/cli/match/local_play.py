"""A game in the terminal, alone or against bots: begun, or resumed from its record."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NoReturn

from rich.console import Console

from oddsmith.bot import RANDOM, Chooser
from oddsmith.bots import bot_names, find_bot
from oddsmith.chance import Draw, Seeded, System
from oddsmith.cli.terminal.console import Leave, ask, find_terminal_play, over_line, progress_bar
from oddsmith.cli.terminal.files import WriteRecord, in_new_file, in_same_file, replay_command, resume_command
from oddsmith.command_line import console
from oddsmith.errors import InputError, RecordError
from oddsmith.game import Act, Game, Luck, Over, Seat, audible_events
from oddsmith.match.proofs import PRACTICE
from oddsmith.records import Record, play, read_record_file, retrace, verify
from oddsmith.registry import find_game, find_mechanic
from oddsmith.rules import Ruleset
from oddsmith.text import escape_markup

OTHER_SEAT: Final = "the house"
"""The name that older records have for a bot that chooses at random."""


class LocalGame:
    """A game that is being played: its moves so far, and the state after them."""

    def __init__(
        self,
        game: Game[Any, Any, Any, Any, Any],
        state: Any,  # noqa: ANN401  whatever the game's states are
        moves: Iterable[Act[Any] | Luck[Any]] = (),
    ) -> None:
        self.game = game
        self.shown = find_terminal_play(game.name, 0)
        self.state = state
        self.moves = [*moves]

    def play(self, luck: Draw, out: Console, others: Sequence[Chooser[Any, Any]] = ()) -> None:
        """Play to the end, or until the person leaves; `others` choose for the seats from 1 on."""
        actions_left: list[Any] = []

        def person(view: Any, actions: Sequence[Any]) -> Any:  # noqa: ANN401  as above
            if not actions_left:
                out.print("", *self.shown.state_lines(view), sep="\n")
                actions_left.extend(ask(out, self.shown, view, actions))
            return actions_left.pop(0)

        for ply in play(self.game, self.state, [person, *others], luck):
            self.moves.append(ply.move)
            self.state = ply.after
            for line in self.shown.event_lines(audible_events(ply.events, 0), self.game.view(ply.after, 0)):
                out.print(line)


def play_new_game(
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
    """Play a game to its end, or until the person leaves, and write its record; with the fewest seats unless `seats` is given."""
    game = find_game(name_of_game)
    ruleset = game.rules_type.read(rules).with_settings(settings)
    count = game.seats(ruleset).start if seats is None else seats
    table = LocalGame(game, game.setup(ruleset, count))
    if count == 1 and against is not None:
        _refuse_against(game, ruleset)
    luck = _make_luck(seed)
    bots = [against or find_mechanic(name_of_game).default_bot] * (count - 1)
    others = _make_bots(name_of_game, bots, ruleset, luck)
    begun = Record(rules=ruleset, seats=(_require_name(name), *bots), labels=_labels(ruleset.game, seed))
    keep = None if record is None else in_new_file(record)
    _play_and_write(table, begun, luck, others, keep)


def _refuse_against(game: Game[Any, Any, Any, Any, Any], rules: Ruleset) -> NoReturn:
    if 2 in game.seats(rules):  # noqa: PLR2004  the seat of the other
        raise InputError("nobody_against", "--against names who takes the other seat: give --seats 2 too")
    raise InputError("nobody_against", f"{game.name} is for one seat: there is no opponent")


def resume_game(
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
    """Resume a recorded game, and write it to the same file, or to `record`.

    Raise `InputError` where another argument contradicts the record.
    """
    begun = read_record_file(file, find_game)
    kept_seed, bots = _recorded_seed(begun), _recorded_bots(begun)
    for option, given, kept in (
        ("GAME", game, begun.game),
        ("--seats", seats, len(begun.seats)),
        ("--against", against, ", ".join(dict.fromkeys(bots)) or None),
        ("--name", name, begun.seats[0]),
        ("--seed", seed, kept_seed),
    ):
        _require_agreement(option, given, kept)
    _require_same_rules(begun, rules, settings)
    luck = _make_luck(kept_seed)
    others = _make_bots(begun.game, bots, begun.rules, luck)
    table = _restore_game(begun, file, luck if kept_seed is not None else None, others)
    keep = in_same_file(file) if record is None else in_new_file(record)
    console().print(
        f"[bold]{begun.game}[/]  {', '.join(map(escape_markup, begun.seats))}"
        f"  rules {begun.rules.rules_id[:12]}  verified, goes on after ply {len(begun.moves)}"
    )
    _play_and_write(table, begun, luck, others, keep)


def _play_and_write(
    table: LocalGame,
    begun: Record,
    luck: Draw,
    others: Sequence[Chooser[Any, Any]],
    keep: WriteRecord | None,
) -> None:
    """Play to the end, or until the person leaves, show how it ended, and write the record."""
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
        out.print(f"kept: [bold]{escape_markup(replay_command(str(place), game.name))}[/]")
        if not isinstance(turn, Over):
            out.print(f"go on: [bold]{escape_markup(resume_command(str(place), game.name))}[/]")
    if interrupted:
        raise KeyboardInterrupt


def _make_bot(game: str, name: str, rules: Ruleset, luck: Draw, seat: Seat) -> Chooser[Any, Any]:
    """Return a bot for a seat that shows a progress bar while it computes for long."""
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


def _make_bots(game: str, bots: Sequence[str], rules: Ruleset, luck: Draw) -> list[Chooser[Any, Any]]:
    """Return the bots of the seats from 1 on."""
    return [_make_bot(game, name, rules, luck, seat) for seat, name in enumerate(bots, 1)]


def _require_name(given: str) -> str:
    if not 1 <= len(given) <= 60 or not given.isprintable():  # noqa: PLR2004  as many as a record keeps
        raise InputError("bad_name", "a name has 1 to 60 printable characters")
    return given


def _labels(game: str, seed: str | None) -> Mapping[str, str]:
    from oddsmith.records.versions import version_labels

    if seed is None:
        return version_labels(game)
    if not seed.isprintable():
        raise InputError("bad_seed", "a seed that is kept in a record has printable characters only")
    return {**version_labels(game), "luck": PRACTICE + seed}


def _make_luck(seed: str | None) -> Draw:
    return System() if seed is None else Seeded(seed)


# --- resuming a record -----------------------------------------------------------------------------------------


def _recorded_seed(begun: Record) -> str | None:
    """Return the seed of a record's luck; None where its luck was the system's."""
    luck = begun.labels.get("luck")
    if luck is None:
        return None
    if not luck.startswith(PRACTICE):
        raise RecordError(
            "unknown_luck",
            f"labels.luck: '{luck}' cannot be resumed: only '{PRACTICE}…' can",
            where="labels.luck",
        )
    return luck.removeprefix(PRACTICE)


def _recorded_bots(begun: Record) -> list[str]:
    """Return the bots of the seats from 1 on; raise `RecordError` for a seat that no bot has."""
    bots = [RANDOM.name if name == OTHER_SEAT else name for name in begun.seats[1:]]
    for seat, bot in enumerate(bots, 1):
        if bot not in bot_names(begun.game):
            raise RecordError(
                "not_a_bot",
                f"seats[{seat}]: '{bot}' is no bot of {begun.game}, and no other player can resume that seat",
                where=f"seats[{seat}]",
            )
    return bots


def _require_agreement(option: str, given: str | int | None, kept: str | int | None) -> None:
    if given is not None and given != kept:
        recorded = "none" if kept is None else f"'{kept}'"
        raise InputError(
            "contradicts_record",
            f"{option} '{given}' contradicts the record, which has {recorded}: leave it out",
        )


def _require_same_rules(begun: Record, rules: str | None, settings: Sequence[str]) -> None:
    named = begun.rules if rules is None else type(begun.rules).read(rules)
    if named.with_settings(settings) != begun.rules:
        raise InputError(
            "contradicts_record",
            "--rules and --set contradict the record, which has rules of its own: leave them out",
        )


def _restore_game(
    begun: Record, file: Path, seeded: Draw | None, others: Sequence[Chooser[Any, Any]]
) -> LocalGame:
    """Return the game as it was left; a seeded source, and bots that draw from it, are advanced to that point."""
    game = find_game(begun.game)
    replayed = verify(game, begun)
    if isinstance(game.turn(replayed.state), Over):
        raise RecordError("finished_game", f"the game in '{file}' is over: it cannot be resumed")
    if seeded is not None:
        retrace(game, begun, seeded, dict(enumerate(others, 1)))
    return LocalGame(game, replayed.state, [ply.move for ply in replayed.plies])
