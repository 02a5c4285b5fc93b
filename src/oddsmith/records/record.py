"""Records of games as TOML text: rules, seats, one line for each move, and a digest of all of it."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self, TypeAlias, TypeVar

import msgspec

from oddsmith import wire
from oddsmith.decoding_faults import TOML_NAMES
from oddsmith.errors import (
    DecodingError,
    InputError,
    OddsmithError,
    RecordError,
    RulesError,
    UnknownGameError,
    nearest,
)
from oddsmith.game import Act, Game, Luck, Outcome, Over
from oddsmith.records.versions import LABEL, explained_version, missing_game_error
from oddsmith.rules import Ruleset, read_toml, write_toml

R = TypeVar("R", bound=Ruleset)
S = TypeVar("S")
A = TypeVar("A")
L = TypeVar("L")

FindGame: TypeAlias = Callable[[str], Game[Any, Any, Any, Any, Any]]
"""Returns the game of that name; an unknown name raises an `OddsmithError` or a `KeyError`."""

FORMAT: Final = "oddsmith-record-1"
LARGEST_FILE: Final = 4 * 1024 * 1024
MOST_SEATS: Final = 10
LONGEST_NAME: Final = 60
MOST_MOVES: Final = 100_000
LONGEST_LINE: Final = 500
MOST_LABELS: Final = 20
MOST_QUOTED: Final = 40
_LABEL: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A game from its setup to its last move: rules in full, the names at the seats, one line per move.

    `labels` are further facts, such as `luck = "seeded: yuma"` of a practice game. `by_clock` are the plies that a clock
    chose because a seat's time was up, in order. The constructor raises `RecordError` for values out of bounds.

    >>> from oddsmith.rules import Ruleset
    >>> class Rules(Ruleset, frozen=True, kw_only=True):
    ...     game = "coin"
    >>> record = Record(rules=Rules(), seats=("Ann", "Bo"), moves=("* heads",))
    >>> record.to_toml().splitlines()[:2]
    ['format = "oddsmith-record-1"', 'game = "coin"']
    """

    rules: Ruleset
    seats: tuple[str, ...]
    moves: tuple[str, ...] = ()
    outcome: Outcome | None = None
    labels: Mapping[str, str] = {}
    by_clock: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= len(self.seats) <= MOST_SEATS:
            raise RecordError(
                "bad_seats",
                f"seats: a record has 1 to {MOST_SEATS} of them, not {len(self.seats)}",
                where="seats",
            )
        if len(self.moves) > MOST_MOVES:
            raise RecordError(
                "too_many_moves", f"play.moves: a record has at most {MOST_MOVES:,}", where="play.moves"
            )
        _require_plies(self.by_clock, len(self.moves))
        if len(self.labels) > MOST_LABELS:
            raise RecordError(
                "too_many_labels", f"labels: a record has at most {MOST_LABELS}", where="labels"
            )
        for index, name in enumerate(self.seats):
            _require_line(name, "bad_name", f"seats[{index}]", LONGEST_NAME)
        for ply, line in enumerate(self.moves, 1):
            _require_line(line, "bad_line", f"ply {ply}", LONGEST_LINE)
        for label, text in self.labels.items():
            if not _LABEL.fullmatch(label):
                raise RecordError(
                    "bad_label",
                    f"labels: '{label[:MOST_QUOTED]}' is no name of a label: use a-z, 0-9 and _",
                    where="labels",
                )
            _require_line(text, "bad_label", f"labels.{label}", LONGEST_LINE)
        if self.outcome is not None:
            _require_line(self.outcome.why, "bad_value", "outcome.why", LONGEST_LINE)
        msgspec.structs.force_setattr(self, "labels", wire.frozen_mapping(self.labels))

    def __hash__(self) -> int:
        return hash(self.digest)

    @classmethod
    def of(
        cls,
        game: Game[R, S, A, L, Any],
        rules: R,
        seats: Sequence[str],
        moves: Iterable[Act[A] | Luck[L]],
        *,
        labels: Mapping[str, str] | None = None,
    ) -> Self:
        """Return the record of these moves, which are made one after the other from the setup.

        Raise `IllegalMove` for a move against the rules. The outcome is recorded where the game is over.
        """
        require_seats(game, rules, seats)
        state = game.setup(rules, len(seats))
        lines = []
        for move in moves:
            lines.append(game.write(state, move))
            state = game.step(state, move).state
        turn = game.turn(state)
        return cls(
            rules=rules,
            seats=tuple(seats),
            moves=tuple(lines),
            outcome=turn.outcome if isinstance(turn, Over) else None,
            labels=labels or {},
        )

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.rules.game

    @property
    def digest(self) -> str:
        """The SHA-256 of the canonical JSON of the record."""
        content = {
            "format": FORMAT,
            "game": self.game,
            "rules_id": self.rules.rules_id,
            "seats": self.seats,
            "labels": self.labels,
            "outcome": self.outcome,
            "moves": self.moves,
        } | ({"by_clock": self.by_clock} if self.by_clock else {})
        return hashlib.sha256(wire.to_json(content, canonical=True)).hexdigest()

    def to_toml(self) -> str:
        """Return the record as TOML: header, moves, rules in full; raise `RecordError` where it is too large."""
        header = {
            "format": FORMAT,
            "game": self.game,
            "rules_id": self.rules.rules_id,
            "seats": self.seats,
            "digest": self.digest,
            "labels": self.labels or None,
            "outcome": wire.to_builtins(self.outcome),
        }
        moves = "".join(f"    {json.dumps(line, ensure_ascii=False)},\n" for line in self.moves)
        clock = f"by_clock = {list(self.by_clock)}\n" if self.by_clock else ""
        rules = write_toml({"rules": wire.to_builtins(self.rules)})
        text = f"{write_toml(header)}\n[play]\nmoves = [\n{moves}]\n{clock}\n{rules}"
        _require_small(len(text.encode()))
        return text


def _require_line(text: str, code: str, where: str, longest: int) -> None:
    if not 1 <= len(text) <= longest or not text.isprintable():
        raise RecordError(code, f"{where}: 1 to {longest} printable characters are needed", where=where)


def _require_plies(plies: Sequence[int], moves: int) -> None:
    known = range(1, moves + 1)
    if any(ply not in known for ply in plies) or list(plies) != sorted(set(plies)):
        raise RecordError(
            "bad_ply", f"play.by_clock: plies from 1 to {moves} are needed, in order", where="play.by_clock"
        )


def _require_small(size: int) -> None:
    if size > LARGEST_FILE:
        raise RecordError("file_too_large", f"a record has at most {LARGEST_FILE:,} bytes")


def require_seats(game: Game[R, Any, Any, Any, Any], rules: R, seats: Sequence[str]) -> None:
    """Raise `RecordError` for a number of seats that the game does not have."""
    known = game.seats(rules)
    if len(seats) not in known:
        raise RecordError(
            "bad_seats",
            f"seats: {game.name} is played by {known.start} to {known.stop - 1}, not by {len(seats)}",
            where="seats",
        )


def read_record_file(path: Path, find_game: FindGame) -> Record:
    """Read a record from a file of at most `LARGEST_FILE` bytes; raise `RecordError` where it cannot be read."""
    try:
        with path.open("rb") as file:
            given = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise RecordError("no_file", f"no record can be read from '{path}'") from error
    return read_record(given, find_game)


def read_record(text: str | bytes, find_game: FindGame) -> Record:
    """Read a record that `to_toml` wrote; raise `RecordError` where anything but comments and spacing has changed.

    The text is checked against its digest, and its rules against their id. `verify` checks the moves.
    """
    given = _values(_data(text))
    game = _game(given.game, given.labels.get(LABEL), find_game)
    with explained_version(given.game, given.labels):
        rules = _rules(given.rules, game)
        if rules.rules_id != given.rules_id:
            raise RecordError(
                "wrong_rules_id",
                f"rules_id: the rules in the record have the id {rules.rules_id[:12]}…, not {given.rules_id[:12]}…",
                where="rules_id",
            )
    record = Record(
        rules=rules,
        seats=given.seats,
        moves=given.play.moves,
        outcome=given.outcome,
        labels=given.labels,
        by_clock=given.play.by_clock,
    )
    if record.digest != given.digest:
        raise RecordError(
            "wrong_digest",
            "digest: the record was changed after it was written, or its digest was",
            where="digest",
        )
    return record


class _Play(msgspec.Struct, frozen=True):
    moves: tuple[str, ...]
    by_clock: tuple[int, ...] = ()


class _Text(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of the TOML text."""

    format: str
    game: str
    rules_id: str
    seats: tuple[str, ...]
    digest: str
    labels: dict[str, str] = {}
    outcome: Outcome | None = None
    play: _Play
    rules: dict[str, Any]


def _data(text: str | bytes) -> dict[str, Any]:
    _require_small(len(text))
    try:
        decoded = text if isinstance(text, str) else text.decode()
        _require_small(len(decoded.encode()))
        return read_toml(decoded)
    except UnicodeError as error:
        raise RecordError("not_text", "a record is UTF-8 text") from error
    except RulesError as error:
        raise RecordError.of(error.refusal) from error


def _values(data: dict[str, Any]) -> _Text:
    """Return the values of the keys, checked against their types."""
    if data.get("format") != FORMAT:
        raise RecordError(
            "unknown_format", f'format: only "{FORMAT}" is known, and must be said', where="format"
        )
    _require_keys(data, _Text, "")
    _require_keys(data["play"], _Play, "play.")
    _require_keys(data.get("outcome"), Outcome, "outcome.")
    try:
        return wire.from_builtins(data, _Text, names=TOML_NAMES)
    except DecodingError as error:
        raise RecordError.of(error.refusal) from error
    except InputError as error:
        raise RecordError(
            "bad_value", f"outcome.scores: {error.refusal.sentence}", where="outcome.scores"
        ) from error


def _require_keys(data: object, kind: type[msgspec.Struct], path: str) -> None:
    """Refuse a table with an unknown key or without a required one; a value that is no table is refused later."""
    if not isinstance(data, dict):
        return
    known = {field.name: field.required for field in msgspec.structs.fields(kind)}
    for key in data:
        if key not in known:
            where = path + key[:MOST_QUOTED]
            raise RecordError("unknown_key", f"unknown key '{where}'{nearest(key, known)}", where=where)
    for key, required in known.items():
        if required and key not in data:
            raise RecordError("missing_key", f"the key '{path}{key}' is missing", where=path + key)


def _game(name: str, version: str | None, find_game: FindGame) -> Game[Any, Any, Any, Any, Any]:
    try:
        return find_game(name)
    except OddsmithError as error:
        if version is not None:
            raise missing_game_error(name, version, what="game") from error
        raise UnknownGameError("unknown_game", f"game: {error.refusal.sentence}", where="game") from error
    except KeyError as error:
        raise UnknownGameError(
            "unknown_game", f"game: unknown game '{name[:MOST_QUOTED]}'", where="game"
        ) from error


def _rules(data: dict[str, Any], game: Game[Any, Any, Any, Any, Any]) -> Ruleset:
    try:
        rules: Ruleset = game.rules_type.from_data(data)
    except OddsmithError as error:
        where = ".".join(part for part in ("rules", error.refusal.where) if part)
        raise RecordError("bad_rules", f"{where}: {error.refusal.sentence}", where=where) from error
    return rules
