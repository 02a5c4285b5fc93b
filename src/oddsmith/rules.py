"""Rulesets: frozen, validated structs of all numbers and switches of a game, read from and written to TOML."""

import hashlib
import re
import tomllib
import types
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from decimal import Decimal
from functools import cache, cached_property
from itertools import islice, repeat
from pathlib import Path
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
import tomli_w

from oddsmith import wire
from oddsmith.decoding_faults import TOML_NAMES, describe_toml_fault
from oddsmith.errors import DecodingError, InputError, OddsmithError, RulesError, UnknownPresetError, nearest
from oddsmith.points import exact_decimal

__all__ = [
    "PresetChanges",
    "RulesHeader",
    "Ruleset",
    "ValidatedStruct",
    "read_toml",
    "read_value",
    "take_header",
    "write_toml",
]

T = TypeVar("T")
R = TypeVar("R", bound="Ruleset")

PresetChanges: TypeAlias = Mapping[str, Mapping[str, Any]]
"""By preset, the fields in which it differs from the default rules."""

LARGEST_FILE: Final = 256 * 1024
LONGEST_LIST: Final = 80
DEEPEST: Final = 50
MOST_SETTINGS: Final = 100
LONGEST_SETTING: Final = 10_000
LONGEST_KEY: Final = 80
"""Characters of a key that a refusal quotes."""
DEFAULT: Final = "default"
GAME: Final = "game"
EXTENDS: Final = "extends"
SILENCE: Final = "silence"
LONGEST_REASON: Final = 500
_KEY: Final = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?)"""
_NEXT_KEY: Final = rf"(?:[ \t]*+\.[ \t]*+{_KEY})"
_TOML_TOKEN: Final = re.compile(
    r""""{3}(?:[^"\\]|\\.|"(?!""))*+"{0,5}"""
    r"""|'{3}(?:[^']|'(?!''))*+'{0,5}"""
    rf"|\#[^\n]*+|(?P<deep>{_KEY}{_NEXT_KEY}{{{DEEPEST},}}+)|{_KEY}{_NEXT_KEY}*+"
    r"""|[^A-Za-z0-9_\-"'#]++""",
    re.DOTALL,
)
_SPREAD_LIST: Final = re.compile(r"\[\n((?:[ ]+[^\[\]\n]+,\n)+)[ ]*\]")


class ValidatedStruct(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=False
):
    """The base of frozen structs whose constructor checks fields against their types; it raises `error` for a bad one."""

    error: ClassVar[type[OddsmithError]] = InputError
    removed: ClassVar[Mapping[str, str]] = {}
    """By key that earlier versions had, what holds instead, as the end of a sentence."""

    def __post_init__(self) -> None:
        self.check_types()
        self.run_check()

    def check_types(self) -> None:
        """Raise `error` for a field that is not of its type, and make mappings read-only."""
        for name, kind in _field_types(type(self)).items():
            value = _convert(getattr(self, name), kind, name, self.error)
            frozen = wire.frozen_mapping(value) if isinstance(value, Mapping) else value
            msgspec.structs.force_setattr(self, name, frozen)

    def check(self) -> None:
        """Raise for fields that contradict each other; a subclass overrides it."""

    def run_check(self) -> None:
        """Run `check`."""
        self.check()

    def with_values_of(self, others: Mapping[str, Self]) -> Self:
        """Return a copy that has, for each named field, the value of another struct, which has checked its type."""
        copied = copy(self)
        for name, other in others.items():
            msgspec.structs.force_setattr(copied, name, getattr(other, name))
        copied.run_check()
        return copied

    def __hash__(self) -> int:
        return hash(tuple(_hashable(getattr(self, name)) for name in self.__struct_fields__))

    def __reduce__(self) -> tuple[object, ...]:
        return wire.from_builtins, (wire.to_builtins(self), type(self))


class RulesHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of a rules file that are no rules: the game, the preset that it extends, and the checks that it silences."""

    game: str | None = None
    extends: str | None = None
    silences: Mapping[str, str] = msgspec.field(default_factory=dict)
    """By check, the reason why its findings are accepted."""


class Ruleset(ValidatedStruct, frozen=True, kw_only=True, dict=True, weakref=True):
    """The base of every game's rules: TOML in and out, an id, named presets.

    A subclass adds the fields, each with its default, and `game`, the name of the game. `preset_changes` has, by preset,
    the fields in which it differs from the default.
    """

    error: ClassVar[type[OddsmithError]] = RulesError
    game: ClassVar[str]
    preset_changes: ClassVar[PresetChanges] = {}

    @classmethod
    def presets(cls) -> Mapping[str, Self]:
        """Return the presets of this game by name, `default` first; each is made on first use and cached."""
        return _Presets(cls)

    @classmethod
    def preset(cls, name: str) -> Self:
        """Return the preset of that name; raise `UnknownPresetError` where there is none."""
        known = cls.presets()
        if name not in known:
            raise UnknownPresetError(
                "unknown_preset", f"unknown preset '{name}' of {cls.game}{nearest(name, known)}"
            )
        return known[name]

    @classmethod
    def from_data(cls, data: object) -> Self:
        """Return the ruleset that plain data describe; a missing key has its default. Raise `RulesError` for a bad value."""
        rules: Self = _convert(data, cls, "", RulesError)
        return rules

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Return the ruleset that a TOML text describes; raise `RulesError` with the path of a bad key.

        With `extends = "default"`, or another preset, the text changes that preset: tables are merged key by key.
        Without it, a missing key has its default, and a table is given whole. The keys `game` and `silence` are the
        header, not rules.
        """
        data = read_toml(text)
        header = take_header(data)
        if header.game not in {None, cls.game}:
            raise RulesError("wrong_game", f"{GAME}: rules of {header.game}, not of {cls.game}", where=GAME)
        if header.extends is None:
            return cls.from_data(data)
        return cls.from_data(_merge_tables(wire.to_builtins(cls.preset(header.extends)), data))

    @classmethod
    def read(cls, given: str) -> Self:
        """Return the preset of that name, or the ruleset in the file of that name; raise `RulesError` where there is neither."""
        known = cls.presets()
        if given in known:
            return known[given]
        try:
            with Path(given).open("rb") as file:
                text = file.read(LARGEST_FILE + 1)
        except (OSError, ValueError) as error:
            raise RulesError(
                "no_rules",
                f"no rules file '{given[:80]}', and no preset of that name{nearest(given, known)}",
            ) from error
        if len(text) > LARGEST_FILE:
            raise RulesError("file_too_large", f"a rules file has at most {LARGEST_FILE:,} bytes: {given}")
        try:
            return cls.from_toml(text.decode())
        except UnicodeDecodeError as error:
            raise RulesError("not_text", f"'{given}' is not UTF-8 text") from error

    def to_toml(self) -> str:
        """Return all rules as TOML."""
        return write_toml(wire.to_builtins(self))

    def replace(self, **changes: Any) -> Self:  # noqa: ANN401  each field has its own type, which the constructor checks
        """Return the rules with some fields replaced; raise `RulesError` for an unknown field or a bad value."""
        unknown = next((name for name in changes if name not in self.__struct_fields__), None)
        if unknown is not None:
            raise RulesError(
                "unknown_key",
                f"unknown key '{unknown}'{nearest(unknown, self.__struct_fields__)}",
                where=unknown,
            )
        return msgspec.structs.replace(self, **changes)

    def with_settings(self, settings: Iterable[str]) -> Self:
        """Return the rules with single keys set, each by a text such as `run.energy=200`.

        A key is a dotted path. A value is TOML, or text where it is no TOML; a table is merged key by key. Raise
        `RulesError` for a malformed setting and for a bad value.
        """
        given = list(islice(settings, MOST_SETTINGS + 1))
        if len(given) > MOST_SETTINGS:
            raise RulesError("too_many_settings", f"at most {MOST_SETTINGS} settings change the rules")
        if not given:
            return self
        data = wire.to_builtins(self)
        for setting in given:
            data = _merge_tables(data, _read_setting(setting))
        return self.from_data(data)

    @cached_property
    def rules_id(self) -> str:
        """The SHA-256 of the canonical form: equal rules have equal ids on every machine."""
        canonical = {"game": self.game, "rules": _canonical(wire.to_builtins(self))}
        return hashlib.sha256(wire.to_json(canonical, canonical=True)).hexdigest()

    def __hash__(self) -> int:
        return hash(self.rules_id)


class _Presets(Mapping[str, R]):
    """The presets of a type of rules by name; listing the names makes no ruleset."""

    def __init__(self, kind: type[R]) -> None:
        self._kind = kind

    def __getitem__(self, name: str) -> R:
        if name not in self:
            raise KeyError(name)
        rules: R = _preset(self._kind, name)
        return rules

    def __contains__(self, name: object) -> bool:
        return name == DEFAULT or name in self._kind.preset_changes

    def __iter__(self) -> Iterator[str]:
        return iter((DEFAULT, *self._kind.preset_changes))

    def __len__(self) -> int:
        return 1 + len(self._kind.preset_changes)


@cache
def _preset(kind: type[R], name: str) -> R:
    return kind(**kind.preset_changes.get(name, {}))


def read_toml(text: str) -> dict[str, Any]:
    """Parse TOML, with decimals as `Decimal`; raise `RulesError` for bad TOML and for tables that are too deep."""
    _require_short_keys(text)
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except RecursionError as error:
        raise _depth_error() from error
    except ValueError as error:
        fault = describe_toml_fault(str(error))
        raise RulesError("bad_toml", f"not TOML: {fault.placed}", where=fault.where) from error
    except ArithmeticError as error:
        raise RulesError("bad_toml", "not TOML: a number is beyond all bounds") from error
    _require_shallow(data)
    return data


def take_header(data: dict[str, Any]) -> RulesHeader:
    """Remove the header from the data of a rules file, and return it; raise `RulesError` where it is malformed.

    >>> take_header({"game": "pig", "silence": {"set-ignored": "aces are low here"}}).silences
    {'set-ignored': 'aces are low here'}
    """
    game, extends = (_read_name(data.pop(key, None), key) for key in (GAME, EXTENDS))
    silences = data.pop(SILENCE, {})
    if not isinstance(silences, Mapping) or len(silences) > MOST_SETTINGS:
        raise RulesError(
            "bad_value",
            f"{SILENCE}: expected a table of at most {MOST_SETTINGS} checks, each with a reason",
            where=SILENCE,
        )
    for name, reason in silences.items():
        if not isinstance(reason, str) or not 1 <= len(reason.strip()) <= LONGEST_REASON:
            where = f"{SILENCE}.{name[:LONGEST_KEY]}"
            raise RulesError(
                "no_reason",
                f"{where}: a check is silenced with a reason of 1 to {LONGEST_REASON} characters",
                where=where,
            )
    return RulesHeader(game=game, extends=extends, silences=silences)


def _read_name(given: object, key: str) -> str | None:
    if given is None or isinstance(given, str):
        return given
    what = "preset" if key == EXTENDS else "game"
    raise RulesError("bad_value", f"{key}: expected the name of a {what}", where=key)


def write_toml(data: Mapping[str, Any]) -> str:
    """Return plain data as TOML, without values that are None and with short lists on one line."""
    return _SPREAD_LIST.sub(_join_list, tomli_w.dumps(_without_none(data)))


def _require_short_keys(text: str) -> None:
    """Refuse keys with very many parts before parsing, which takes memory for the square of their number."""
    if any(word["deep"] for word in _TOML_TOKEN.finditer(text)):
        raise _depth_error()


def _depth_error() -> RulesError:
    return RulesError("too_deep", f"tables and lists are nested at most {DEEPEST} deep")


def _require_shallow(data: Mapping[str, Any] | list[Any], left: int = DEEPEST) -> None:
    """Refuse tables and lists that are nested too deep."""
    if not left:
        raise _depth_error()
    for inner in data.values() if isinstance(data, Mapping) else data:
        if isinstance(inner, (Mapping, list)):
            _require_shallow(inner, left - 1)


def _join_list(spread: re.Match[str]) -> str:
    parts = [line.strip().removesuffix(",") for line in spread[1].splitlines()]
    line = f"[{', '.join(parts)}]"
    return line if len(line) <= LONGEST_LIST else spread[0]


def _merge_tables(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with the values of `changes`; tables are merged key by key."""
    return {
        **base,
        **{
            key: _merge_tables(base[key], value)
            if isinstance(value, Mapping) and isinstance(base.get(key), Mapping)
            else value
            for key, value in changes.items()
        },
    }


def _read_setting(text: str) -> dict[str, Any]:
    """Return the nested table of a text `KEY=VALUE`.

    >>> _read_setting("run.energy=200"), _read_setting("curve=table")
    ({'run': {'energy': 200}}, {'curve': 'table'})
    """
    if len(text) > LONGEST_SETTING:
        raise RulesError("setting_too_long", f"a setting has at most {LONGEST_SETTING:,} characters")
    key, equals, value = text.partition("=")
    first, *others = (part.strip() for part in key.split("."))
    if not equals or not all((first, *others)):
        raise RulesError(
            "bad_setting",
            f"'{text[:80]}' is no setting: write KEY=VALUE, with dots between the parts of the key",
            where=key.strip()[:80],
        )
    inner = _toml_or_text(value)
    for part in reversed(others):
        inner = {part: inner}
    setting = {first: inner}
    _require_shallow(setting)
    return setting


def _toml_or_text(value: str) -> object:
    try:
        data = read_toml(f"value = {value}")
    except RulesError:
        return value.strip()
    return data["value"] if len(data) == 1 else value.strip()


def _without_none(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: _without_none(value) if isinstance(value, Mapping) else value
        for key, value in data.items()
        if value is not None
    }


def _canonical(data: object) -> object:
    """Return plain data with one text for each number: 0.750 and 0.75 are the same rule."""
    match data:
        case Decimal():
            return _shortest_text(data)
        case int() if not isinstance(data, bool):
            return str(data)
        case dict():
            return {key: _canonical(value) for key, value in data.items()}
        case list() | tuple():
            return [_canonical(value) for value in data]
    return data


def _shortest_text(number: Decimal) -> str:
    text = f"{number:f}" if number else "0"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _hashable(value: object) -> object:
    """Return a hashable value; it is equal for equal values."""
    if isinstance(value, types.MappingProxyType):
        return frozenset((key, _hashable(inner)) for key, inner in value.items())
    return value


@cache
def _field_types(kind: type[msgspec.Struct]) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind.__struct_fields__}


def _convert(data: object, kind: Any, path: str, error: type[OddsmithError]) -> Any:  # noqa: ANN401  an annotation, and its value
    """Return the value that plain data describe; raise `error` for the deepest fault."""
    try:
        value = wire.from_builtins(data, kind)
        _require_exact(value)
    except OddsmithError as cause:
        fault = next(_faults(data, kind, path))
        raise error.of(fault.refusal) from cause
    return value


def read_value(data: object, kind: type[T], *, error: type[OddsmithError] = InputError) -> T:
    """Return the value that plain data describe; raise `error`, with the path of the fault, where they are not of its type.

    >>> read_value({"count": 3}, dict[str, int])
    {'count': 3}
    """
    value: T = _convert(data, kind, "", error)
    return value


def _require_exact(value: object) -> None:
    """Refuse NaN, infinity and numbers with too many digits anywhere in a value."""
    match value:
        case Decimal():
            exact_decimal(value)
        case Mapping():
            for inner in value.values():
                _require_exact(inner)
        case tuple():
            for inner in value:
                _require_exact(inner)


def _faults(data: object, kind: Any, path: str) -> Iterator[OddsmithError]:  # noqa: ANN401  an annotation
    """Yield the faults of plain data, the deepest first; nothing where they are valid."""
    try:
        _require_exact(wire.from_builtins(data, kind, names=TOML_NAMES))
    except DecodingError as error:
        yield from _faults_inside(data, kind, path)
        where = _join_path(path, error.refusal.where)
        sentence = _plain_sentence(error)
        place = path if sentence == error.refusal.sentence else where
        yield RulesError("bad_value", f"{place or 'rules'}: {sentence}", where=where)
    except RulesError as error:
        yield from _faults_inside(data, kind, path)
        where = _join_path(path, error.refusal.where)
        yield RulesError(error.refusal.code, error.refusal.sentence, where=where)
    except InputError as error:
        yield from _faults_inside(data, kind, path)
        where = _join_path(path, error.refusal.where)
        yield RulesError(error.refusal.code, f"{path or where}: {error.refusal.sentence}", where=where)


def _faults_inside(data: object, kind: object, path: str) -> Iterator[OddsmithError]:
    kind = _union_member(data, kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(data, Mapping):
        hints = _field_types(kind)
        for key, value in data.items():
            inner = _key_path(path, key)
            gone = getattr(kind, "removed", {}).get(key)
            if gone is not None:
                yield RulesError("removed_key", f"'{inner}' is no rule any more: {gone}", where=inner)
            elif key not in hints:
                yield RulesError(
                    "unknown_key",
                    f"unknown key '{inner}'{nearest(str(key)[:LONGEST_KEY], hints)}",
                    where=inner,
                )
            else:
                yield from _faults(value, hints[key], inner)
    elif get_origin(kind) is Mapping and isinstance(data, Mapping):
        key_kind, value_kind = get_args(kind)
        for key, value in data.items():
            inner = _key_path(path, key)
            hint = _key_fault(key, key_kind)
            if hint is not None:
                yield RulesError("unknown_key", f"unknown key '{inner}'{hint}", where=inner)
            yield from _faults(value, value_kind, inner)
    elif get_origin(kind) is tuple and isinstance(data, (list, tuple)):
        kinds = get_args(kind)
        inner_kinds = repeat(kinds[0]) if kinds[-1] is ... else kinds
        for index, (value, inner_kind) in enumerate(zip(data, inner_kinds, strict=False)):
            yield from _faults(value, inner_kind, f"{path}[{index}]")


def _join_path(path: str, inner: str | None) -> str:
    """Return the path of a place inside a value that has a path itself."""
    joined = ".".join(part for part in (path, inner) if part)
    return joined.replace(".[", "[")


def _key_path(path: str, key: object) -> str:
    """Return the path of a key, cut at `LONGEST_KEY`."""
    return ".".join(part for part in (path, str(key)[:LONGEST_KEY]) if part)


def _key_fault(key: object, kind: Any) -> str | None:  # noqa: ANN401  an annotation
    """Return what a mapping's key must be, as the end of a sentence; None where it is valid."""
    try:
        wire.from_builtins({key: None}, dict[kind, None], names=TOML_NAMES)
    except OddsmithError as error:
        members = getattr(_bare_type(kind), "__members__", None)
        if members is not None:
            return nearest(str(key), [str(member) for member in members.values()])
        return f": {_plain_sentence(error)}"
    return None


def _plain_sentence(error: OddsmithError) -> str:
    """Return the sentence of a fault without the path that it begins with."""
    return error.refusal.sentence.removeprefix(f"{error.refusal.where}: ")


def _union_member(data: object, kind: object) -> object:
    """Return the struct of a union where the data are a table; else the first type of the union."""
    if get_origin(kind) is Annotated:
        return _union_member(data, get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType) and isinstance(data, Mapping):
        for part in map(_bare_type, get_args(kind)):
            if isinstance(part, type) and issubclass(part, msgspec.Struct):
                return part
    return _bare_type(kind)


def _bare_type(kind: object) -> object:
    """Return an annotation without bounds and without `| None`."""
    if get_origin(kind) is Annotated:
        return _bare_type(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return _bare_type(next(part for part in get_args(kind) if part is not type(None)))
    return kind
