"""Designs, claims and targets in files; refusals name the file and the key. A changed rules file keeps its comments."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.balance.figures import read_figures
from oddsmith.balance.keys import parts_of
from oddsmith.balance.linting.claims import Claims, claims_from, exhibits_of
from oddsmith.balance.tuning.targets import Targets, targets_from
from oddsmith.balance.tuning.tune import Tuned
from oddsmith.errors import InputError, OddsmithError, RulesError, nearest
from oddsmith.exhibit import Exhibit
from oddsmith.registry import find_mechanic, mechanic_names
from oddsmith.rules import EXTENDS, GAME, LARGEST_FILE, SILENCE, Ruleset, read_toml, take_header, write_toml

MOST_FILES: Final = 200
DEFAULT: Final = "default"
CLAIMING: Final = ("claims", "exhibits")
OTHER_COMMANDS: Final = {"targets": "tune", "change": "tune", "vary": "sweep"}
"""Keys that only files of other commands have."""


class Design(msgspec.Struct, frozen=True, kw_only=True):
    """Rules to judge, what they silence with which reasons, and what is claimed of them."""

    name: str
    rules: Ruleset
    silences: dict[str, str] = {}
    claims: tuple[Claims, ...] = ()

    def claimed(self) -> Iterator[Exhibit]:
        """Yield all that is claimed of the rules, each beside what is true.

        >>> from oddsmith.games.fate import Rules
        >>> [*read_design(Rules.game).claimed()]
        []
        """
        for claims in self.claims:
            yield from exhibits_of(claims, self.rules)


def read_design(given: str) -> Design:
    """Return the rules of a game (`fate`), of its preset (`casino:short`), or of a file that says of which game they are.

    >>> from oddsmith.games.fate import Rules
    >>> read_design(Rules.game).rules.on_turn
    2
    """
    game, _, preset = given.partition(":")
    if game in mechanic_names():
        return Design(name=given, rules=_rules_type(game).preset(preset or DEFAULT))
    text = _text_of(given)
    with inside_file(given):
        data = read_toml(text)
        _require_rules(data)
        heading = take_header(data)
        if heading.game is None:
            raise RulesError(
                "no_game", f'the file does not say of which game it is: write {GAME} = "NAME"', where=GAME
            )
        rules = _rules_type(heading.game).from_toml(text)
    return Design(name=given, rules=rules, silences=dict(heading.silences))


def read_claims(given: str) -> Claims:
    """Read a claims file; a rules file that it names is found from where the claims are."""
    data = read_table(given)
    with inside_file(given):
        claims = claims_from(data)
        source = source_of(claims.game, claims.rules, Path(given).parent)
    return msgspec.structs.replace(claims, rules=source)


def read_targets(given: str, rules: str | None = None) -> tuple[Targets, str]:
    """Read a targets file, and return the targets and where their rules are: a game, its preset, or a file.

    The rules that the file names are a preset, or a file that is found from where the targets are; others may be told.
    """
    if not is_targets(given):
        raise InputError(
            "no_targets",
            f"'{given[:80]}' holds no targets: give a file that says what is wanted, under [[targets]]",
        )
    data = read_table(given)
    with inside_file(given):
        game, named = data.get(GAME), data.get("rules", DEFAULT)
        if not isinstance(game, str) or not isinstance(named, str):
            raise InputError(
                "bad_targets",
                'targets name their game (game = "NAME"), and may name rules',
                where=GAME,
            )
        source = (
            source_of(game, named, Path(given).parent) if rules is None else source_of(game, rules, Path())
        )
    design = read_design(source)
    with inside_file(given):
        return targets_from(data, design.rules), source


def is_targets(given: str) -> bool:
    """Say whether a name is that of a targets file, and neither that of a game nor of a rules file."""
    return given.partition(":")[0] not in mechanic_names() and any(
        key in read_table(given) for key in ("targets", "change")
    )


def source_of(game: str, named: str, folder: Path) -> str:
    """Return where the rules are that a file in a folder names: a game or its preset, or a file from there.

    >>> from oddsmith.games.casino import Rules
    >>> source_of(Rules.game, "default", Path()) == Rules.game
    True
    >>> source_of(Rules.game, "short", Path()) == f"{Rules.game}:short"
    True
    >>> source_of(Rules.game, "my.toml", Path("designs"))
    'designs/my.toml'
    """
    presets = _rules_type(game).presets()
    if named == DEFAULT:
        return game
    return f"{game}:{named}" if named in presets else str(folder / named)


def gather_designs(given: Sequence[str], claims: Sequence[str] = ()) -> list[Design]:
    """Return the designs that games, rules files, claims files and folders stand for, each once.

    A claims file among them is held against its own rules; other claims against every design of their game, and where
    nothing else is given, against their own rules, too.

    >>> from oddsmith.games import duel, fate
    >>> games = [fate.Rules.game, duel.Rules.game]
    >>> [design.name for design in gather_designs([*games, *games])] == games
    True
    """
    places = [place for one in given for place in _places(one)]
    claiming = [place for place in places if _is_claims(place)]
    own = [read_claims(place) for place in (claiming if given else claims)]
    designs = {_identity(place): place for place in places if place not in claiming}
    found = {identity: read_design(place) for identity, place in designs.items()}
    for one in own:
        source = one.rules
        design = found.get(_identity(source)) or read_design(source)
        with inside_file(source):
            _require_game(design, one)
        found[_identity(source)] = _claimed(design, one)
    for path in claims if given else ():
        one = read_claims(path)
        judged = [identity for identity, design in found.items() if design.rules.game == one.game]
        if not judged:
            raise InputError(
                "wrong_game", f"{path}: claims of {one.game}, and nothing of {one.game} is judged", where=GAME
            )
        found.update({identity: _claimed(found[identity], one) for identity in judged})
    return list(found.values())


def read_table(given: str) -> dict[str, Any]:
    """Read a file of TOML, of bounded size, with decimals kept exact."""
    text = _text_of(given)
    with inside_file(given):
        return read_toml(text)


@contextmanager
def inside_file(path: str) -> Iterator[None]:
    """Let a refusal say in which file it arose, and under which key.

    >>> try:
    ...     with inside_file("house.toml"):
    ...         raise RulesError("bad_value", "expected a number", where="max_level")
    ... except RulesError as error:
    ...     print(error)
    house.toml: max_level: expected a number
    """
    try:
        yield
    except OddsmithError as error:
        code, sentence, where = error.refusal.code, error.refusal.sentence, error.refusal.where
        key = f"{where}: " if where and where not in sentence else ""
        raise type(error)(code, f"{path}: {key}{sentence}", where=where) from error


def _text_of(given: str) -> str:
    try:
        with Path(given).open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise InputError("no_design", _instead(given, error)) from error
    if len(content) > LARGEST_FILE:
        raise InputError("file_too_large", f"{given}: a design has at most {LARGEST_FILE:,} bytes")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InputError("not_text", f"'{given}' is not UTF-8 text") from error


def _instead(given: str, error: Exception) -> str:
    """Say what is there instead of a file that can be read."""
    if given.partition(":")[0] in mechanic_names():
        return f"'{given[:80]}' is a game, and here a file is expected"
    if isinstance(error, IsADirectoryError):
        return f"'{given[:80]}' is a folder, and here a file is expected"
    if isinstance(error, PermissionError):
        return f"'{given[:80]}' may not be read"
    return f"no file '{given[:80]}', and no game of that name{nearest(given[:80], mechanic_names())}"


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that no folder can have
        return False


def _places(given: str) -> list[str]:
    """Return the files of a folder, or what was given."""
    folder = Path(given)
    if given.partition(":")[0] in mechanic_names() or not _is_folder(folder):
        return [given]
    files = sorted(str(path) for path in folder.glob("*.toml"))
    if not files:
        inner = sorted(path.name for path in folder.iterdir() if path.is_dir())
        hint = f"; folders in it: {', '.join(inner[:10])}" if inner else ""
        raise InputError("no_design", f"the folder '{given[:80]}' has no .toml file{hint}")
    if len(files) > MOST_FILES:
        raise InputError(
            "too_many_files", f"the folder '{given[:80]}' has more than {MOST_FILES} .toml files"
        )
    return files


def _is_claims(place: str) -> bool:
    if place.partition(":")[0] in mechanic_names():
        return False
    return any(key in read_table(place) for key in CLAIMING)


def _identity(place: str) -> str:
    """Return one text for one design, however it is given."""
    game, _, preset = place.partition(":")
    return f"{game}:{preset or DEFAULT}" if game in mechanic_names() else str(Path(place).resolve())


def _claimed(design: Design, claims: Claims) -> Design:
    return msgspec.structs.replace(design, claims=(*design.claims, claims))


def _rules_type(game: str) -> type[Ruleset]:
    return find_mechanic(game).rules_type


def _require_game(design: Design, claims: Claims) -> None:
    if design.rules.game != claims.game:
        raise InputError(
            "wrong_game", f"rules of {design.rules.game}, and claims of {claims.game}", where=GAME
        )


def _require_rules(data: dict[str, Any]) -> None:
    for key in CLAIMING:
        if key in data:
            raise InputError("not_rules", "a file of claims, not of rules", where=key)
    for key, command in OTHER_COMMANDS.items():
        if key in data:
            raise InputError("not_rules", f"a file for oddsmith {command}, not of rules", where=key)


def rewritten(source: str, rules: Ruleset, numbers: Mapping[str, Decimal]) -> str:
    """Return the text of a rules file with some numbers changed to those of some rules.

    Of a preset only the change is written; a file keeps its heading, its silences and all that it says.

    >>> from oddsmith.balance.keys import with_numbers
    >>> from oddsmith.games.destiny import Rules
    >>> numbers = {"crimes.bank_robbery.threshold": Decimal(250)}
    >>> _, *lines = rewritten(f"{Rules.game}:default", with_numbers(Rules(), numbers), numbers).splitlines()
    >>> lines
    ['extends = "default"', '', '[crimes.bank_robbery]', 'threshold = 250']
    """
    game, _, preset = source.partition(":")
    written: dict[str, Any] = (
        {GAME: game, EXTENDS: preset or "default"} if game in mechanic_names() else read_table(source)
    )
    heading = take_header(written)
    full = wire.to_builtins(rules)
    for path in numbers:
        _take_over(written, full, parts_of(path), sparse=heading.extends is not None)
    headed = {GAME: rules.game, EXTENDS: heading.extends, **written, SILENCE: dict(heading.silences) or None}
    return write_toml(headed)


def _take_over(written: Any, full: Any, parts: list[str | int], *, sparse: bool) -> None:  # noqa: ANN401  plain data of any shape
    """Copy one number into what is written; where a table is not there, all of it is, or only the number if that is enough."""
    for place, part in enumerate(parts):
        last = place == len(parts) - 1
        inner = full[part]
        if last or (isinstance(written, dict) and part not in written):
            if not last and sparse and isinstance(inner, dict):
                written[part] = {}
            else:
                written[part] = inner
                return
        written, full = written[part], inner


def require_same(text: str, tuned: Tuned, targets: Targets) -> None:
    """Read the written rules again, and every figure from them: refuse if they are not what was tuned."""
    rules = type(tuned.rules).from_toml(text)
    readings = read_figures(targets.figures, rules)
    told = [verdict.after for verdict in tuned.verdicts]
    if rules.rules_id != tuned.rules.rules_id or readings != told:
        raise InputError("not_the_same", "the rules that were written are not those that were tuned")


def rules_difference(before: Ruleset, after: Ruleset) -> list[str]:
    r"""Return the lines of a unified diff between two rulesets, each written in full.

    >>> from oddsmith.games.fate import Rules
    >>> print("\n".join(rules_difference(Rules(), Rules(on_turn=3))[5:7]))
    -on_turn = 2
    +on_turn = 3
    """
    old, new = (f'{GAME} = "{rules.game}"\n{rules.to_toml()}'.splitlines() for rules in (before, after))
    names = [f"rules {rules.rules_id[:12]}" for rules in (before, after)]
    return list(unified_diff(old, new, names[0], names[1], lineterm="", n=2))
