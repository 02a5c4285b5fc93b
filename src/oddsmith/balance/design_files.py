"""Designs, claims and targets in files, with refusals that name the file and the key, and rules files rewritten."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.balance.figures import read_figures
from oddsmith.balance.linting.claims import Claims, exhibits_of, parse_claims
from oddsmith.balance.rule_keys import split_key
from oddsmith.balance.tuning.targets import Targets, parse_targets
from oddsmith.balance.tuning.tune import TuneResult
from oddsmith.errors import InputError, OddsmithError, RulesError, nearest
from oddsmith.exhibit import Exhibit
from oddsmith.registry import find_mechanic, mechanic_names
from oddsmith.rules import EXTENDS, GAME, LARGEST_FILE, SILENCE, Ruleset, read_toml, take_header, write_toml

MOST_FILES: Final = 200
DEFAULT: Final = "default"
CLAIMS_KEYS: Final = ("claims", "exhibits")
OTHER_COMMANDS: Final = {"targets": "tune", "change": "tune", "vary": "sweep"}
"""Keys that only files of other commands have, with those commands."""


class Design(msgspec.Struct, frozen=True, kw_only=True):
    """Rules to judge, the findings that they silence with reasons, and the claims about them."""

    name: str
    rules: Ruleset
    silences: dict[str, str] = {}
    claims: tuple[Claims, ...] = ()

    def claim_exhibits(self) -> Iterator[Exhibit]:
        """Yield an exhibit for each claim about the rules, with its true value.

        >>> from oddsmith.games.fate import Rules
        >>> [*read_design(Rules.game).claim_exhibits()]
        []
        """
        for claims in self.claims:
            yield from exhibits_of(claims, self.rules)


def read_design(given: str) -> Design:
    """Return the rules of a game (`fate`), of its preset (`casino:short`), or of a file that names its game.

    A name that is none of these, and a file that is no rules file, are refused.

    >>> from oddsmith.games.fate import Rules
    >>> read_design(Rules.game).rules.on_turn
    2
    """
    game, _, preset = given.partition(":")
    if game in mechanic_names():
        return Design(name=given, rules=_rules_type(game).preset(preset or DEFAULT))
    text = _read_text(given)
    with file_context(given):
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
    """Read a claims file; a rules file that it names is relative to its folder."""
    data = read_toml_file(given)
    with file_context(given):
        claims = parse_claims(data)
        source = rules_source(claims.game, claims.rules, Path(given).parent)
    return msgspec.structs.replace(claims, rules=source)


def read_targets(given: str, rules: str | None = None) -> tuple[Targets, str]:
    """Return the targets of a file, and the source of their rules: a game, its preset, or a file.

    `rules` replaces the rules that the file names: a preset, or a file relative to the working directory. A rules
    file that the targets name is relative to their folder.
    """
    if not is_targets_file(given):
        raise InputError(
            "no_targets",
            f"'{given[:80]}' has no targets: give a file with targets under [[targets]]",
        )
    data = read_toml_file(given)
    with file_context(given):
        game, named = data.get(GAME), data.get("rules", DEFAULT)
        if not isinstance(game, str) or not isinstance(named, str):
            raise InputError(
                "bad_targets",
                'targets name their game (game = "NAME"), and may name rules',
                where=GAME,
            )
        source = (
            rules_source(game, named, Path(given).parent)
            if rules is None
            else rules_source(game, rules, Path())
        )
    design = read_design(source)
    with file_context(given):
        return parse_targets(data, design.rules), source


def is_targets_file(given: str) -> bool:
    """Return whether a name is that of a targets file, and neither that of a game nor of a rules file."""
    return given.partition(":")[0] not in mechanic_names() and any(
        key in read_toml_file(given) for key in ("targets", "change")
    )


def rules_source(game: str, named: str, folder: Path) -> str:
    """Return the source of rules that a file in a folder names: a game, its preset, or the path of a file.

    >>> from oddsmith.games.casino import Rules
    >>> rules_source(Rules.game, "default", Path()) == Rules.game
    True
    >>> rules_source(Rules.game, "short", Path()) == f"{Rules.game}:short"
    True
    >>> rules_source(Rules.game, "my.toml", Path("designs"))
    'designs/my.toml'
    """
    presets = _rules_type(game).presets()
    if named == DEFAULT:
        return game
    return f"{game}:{named}" if named in presets else str(folder / named)


def gather_designs(given: Sequence[str], claims: Sequence[str] = ()) -> list[Design]:
    """Return the designs of games, rules files, claims files and folders, each once.

    A claims file among `given` applies to its own rules. `claims` apply to every design of their game, or to their
    own rules if nothing else is given.

    >>> from oddsmith.games import duel, fate
    >>> games = [fate.Rules.game, duel.Rules.game]
    >>> [design.name for design in gather_designs([*games, *games])] == games
    True
    """
    places = [place for one in given for place in _expand_folder(one)]
    claiming = [place for place in places if _is_claims_file(place)]
    own = [read_claims(place) for place in (claiming if given else claims)]
    designs = {_design_key(place): place for place in places if place not in claiming}
    found = {key: read_design(place) for key, place in designs.items()}
    for one in own:
        source = one.rules
        design = found.get(_design_key(source)) or read_design(source)
        with file_context(source):
            _require_game(design, one)
        found[_design_key(source)] = _with_claims(design, one)
    for path in claims if given else ():
        one = read_claims(path)
        keys_of_game = [key for key, design in found.items() if design.rules.game == one.game]
        if not keys_of_game:
            raise InputError(
                "wrong_game", f"{path}: claims of {one.game}, and nothing of {one.game} is judged", where=GAME
            )
        found.update({key: _with_claims(found[key], one) for key in keys_of_game})
    return list(found.values())


OWN_GAME: Final = "; a game of your own is known where its file is named, too: ./game.py"
"""What to do about a file of a game that is not here."""


def read_toml_file(given: str) -> dict[str, Any]:
    """Read a TOML file of bounded size, with exact decimals."""
    text = _read_text(given)
    with file_context(given):
        return read_toml(text)


@contextmanager
def file_context(path: str) -> Iterator[None]:
    """Add the path of a file, and the key, to the sentence of an error that is raised inside.

    >>> try:
    ...     with file_context("rules.toml"):
    ...         raise RulesError("bad_value", "expected a number", where="max_level")
    ... except RulesError as error:
    ...     print(error)
    rules.toml: max_level: expected a number
    """
    try:
        yield
    except OddsmithError as error:
        code, sentence, where = error.refusal.code, error.refusal.sentence, error.refusal.where
        key = f"{where}: " if where and where not in sentence else ""
        cure = OWN_GAME if code == "unknown_game" else ""
        raise type(error)(code, f"{path}: {key}{sentence}{cure}", where=where) from error


def _read_text(given: str) -> str:
    try:
        with Path(given).open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise InputError("no_design", _describe_read_error(given, error)) from error
    if len(content) > LARGEST_FILE:
        raise InputError("file_too_large", f"{given}: a design has at most {LARGEST_FILE:,} bytes")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InputError("not_text", f"'{given}' is not UTF-8 text") from error


def _describe_read_error(given: str, error: Exception) -> str:
    """Return the sentence for a file that cannot be read."""
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


def _expand_folder(given: str) -> list[str]:
    """Return the .toml files of a folder, or the name itself if it is no folder."""
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


def _is_claims_file(place: str) -> bool:
    if place.partition(":")[0] in mechanic_names():
        return False
    return any(key in read_toml_file(place) for key in CLAIMS_KEYS)


def _design_key(place: str) -> str:
    """Return one text for one design, however it is named."""
    game, _, preset = place.partition(":")
    return f"{game}:{preset or DEFAULT}" if game in mechanic_names() else str(Path(place).resolve())


def _with_claims(design: Design, claims: Claims) -> Design:
    return msgspec.structs.replace(design, claims=(*design.claims, claims))


def _rules_type(game: str) -> type[Ruleset]:
    return find_mechanic(game).rules_type


def _require_game(design: Design, claims: Claims) -> None:
    if design.rules.game != claims.game:
        raise InputError(
            "wrong_game", f"rules of {design.rules.game}, and claims of {claims.game}", where=GAME
        )


def _require_rules(data: dict[str, Any]) -> None:
    for key in CLAIMS_KEYS:
        if key in data:
            raise InputError("not_rules", "a file of claims, not of rules", where=key)
    for key, command in OTHER_COMMANDS.items():
        if key in data:
            raise InputError("not_rules", f"a file for oddsmith {command}, not of rules", where=key)


def rewrite_rules(source: str, rules: Ruleset, numbers: Mapping[str, Decimal]) -> str:
    """Return the text of a rules file with some numbers replaced by those of `rules`.

    For a preset only the changed numbers are written. A file keeps its heading, its silences and its other content.

    >>> from oddsmith.balance.rule_keys import with_numbers
    >>> from oddsmith.games.destiny import Rules
    >>> numbers = {"crimes.bank_robbery.threshold": Decimal(250)}
    >>> _, *lines = rewrite_rules(f"{Rules.game}:default", with_numbers(Rules(), numbers), numbers).splitlines()
    >>> lines
    ['extends = "default"', '', '[crimes.bank_robbery]', 'threshold = 250']
    """
    game, _, preset = source.partition(":")
    written: dict[str, Any] = (
        {GAME: game, EXTENDS: preset or "default"} if game in mechanic_names() else read_toml_file(source)
    )
    heading = take_header(written)
    full = wire.to_builtins(rules)
    for path in numbers:
        _copy_number(written, full, split_key(path), sparse=heading.extends is not None)
    content = {GAME: rules.game, EXTENDS: heading.extends, **written, SILENCE: dict(heading.silences) or None}
    return write_toml(content)


def _copy_number(written: Any, full: Any, parts: list[str | int], *, sparse: bool) -> None:  # noqa: ANN401  plain data of any shape
    """Copy one number into the content; a missing table is copied whole, or with the number only if `sparse`."""
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


def verify_rewritten(text: str, tuned: TuneResult, targets: Targets) -> None:
    """Parse the written rules, read every figure again, and refuse a difference from the tuned rules."""
    rules = type(tuned.rules).from_toml(text)
    readings = read_figures(targets.figures, rules)
    reported = [verdict.after for verdict in tuned.verdicts]
    if rules.rules_id != tuned.rules.rules_id or readings != reported:
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
