"""Questions about a mechanic that need no match, and the reading of their requests.

A question is a name, a request struct, a reply struct and a pure function from one to the other. The command and its
options, the HTTP endpoint and its description, batches, curves and figures are made from that declaration. The fields of
a request have the metadata of all interfaces: options, arguments, help, bounds, and refusals with codes.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from enum import Enum
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    Protocol,
    TypeAlias,
    TypedDict,
    TypeVar,
    Union,
    Unpack,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta

from oddsmith.chance import Draw, System
from oddsmith.errors import InputError, Refusal, nearest
from oddsmith.points import Points
from oddsmith.rules import Ruleset, read_value

R = TypeVar("R", bound=Ruleset)
Q = TypeVar("Q", bound="Request")
A = TypeVar("A")

RULES_CACHED: Final = 64

GivenRules: TypeAlias = Annotated[str, Meta(max_length=60)] | dict[str, Any]
"""The name of a preset, or a table of rules, in which a missing key has its default."""


class Share(msgspec.Struct, frozen=True):
    """An exact chance: `count` of `total` equally likely cases; `chance` is its rounded value."""

    count: int
    total: int
    chance: float

    @classmethod
    def of(cls, count: int, total: int) -> "Share":
        """Return the share of `count` in `total`."""
        return cls(count, total, count / total)


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every request; an interface reads `rules` and passes the ruleset in the context."""

    rules: GivenRules = "default"


class Progress(Protocol):
    """The start of a report on long work: the function that is yielded takes the share that is done."""

    def __call__(self, what: str) -> AbstractContextManager[Callable[[float], None]]:
        """Return a context manager for the work that `what` names."""
        ...


@contextmanager
def no_progress(what: str) -> Iterator[Callable[[float], None]]:  # noqa: ARG001  nothing is reported
    """Report nothing; the default of `Context.progress`."""
    yield lambda _: None


def no_note(note: str) -> None:
    """Ignore the note; the default of `Context.note`."""


class Context(msgspec.Struct, Generic[R], frozen=True, kw_only=True):
    """The values that an interface passes to an answer besides the request.

    `is_limited` is true on a server: an answer that would take longer than a few seconds raises `WorkLimitError`. `seed`
    is the seed of `draw`, None where none was chosen. `why_estimated` is the reason why the exact answer was refused,
    where an estimate is made instead. `note` takes a remark that is no part of the reply, such as the speed of the work:
    a terminal shows it after the reply.
    """

    rules: R
    draw: Draw = msgspec.field(default_factory=System)
    seed: str | None = None
    progress: Progress = no_progress
    note: Callable[[str], None] = no_note
    is_limited: bool = False
    why_estimated: str = ""


class Question(msgspec.Struct, Generic[Q, R, A], frozen=True, kw_only=True, eq=False):
    """The declaration of a question, from which its interfaces are made.

    The docstring of `answer` is the help of the command and the summary of the endpoint. `answer` imports heavy
    modules inside its body, so that help stays fast.
    """

    name: str
    request: type[Q]
    reply: type[A]
    answer: Callable[[Q, Context[R]], A]
    example: str = ""
    is_quick: bool = False
    """Whether every answer takes a few milliseconds at most; a server runs others in a thread."""
    draws: bool = False
    """Whether the answer uses `Context.draw`; then the command has `--seed`."""
    default_seed: str | None = None
    """The seed of the command where none is given; None is the luck of the system."""
    seed_implies: Mapping[str, object] = {}
    """Values of request fields that a given `--seed` implies."""
    command_values: Mapping[str, object] = {}
    """Values of request fields that the command always sets and has no options for; `rules` may be one of them."""
    command_defaults: Mapping[str, object] = {}
    """Values of request fields where an option is left out and the default of the command differs from the request's."""
    values_to_show: Mapping[str, object] = {}
    """Values of request fields that the command sets where it prints lines, not JSON."""
    terminal_flags: Mapping[str, str] = {}
    """Flags of the command that change only its lines, with their help."""
    estimate: "Question[Q, R, Any] | None" = None
    """The question that the command uses instead where the answer raises `WorkLimitError`."""
    new_file: str = ""
    """The field of the reply whose text the command writes to a new file with `--out FILE`.

    The function of the lines gets the path as `out`, None where there is none."""
    chart: Callable[[Q, A, R], Any] | None = None
    """Returns the chart of a reply; then the command has `--plot`."""
    lines: Callable[..., Iterator[str]] | None = None
    """Yields the lines of a reply in a terminal, where the mechanic's terminal has none of its own; see `AnswerLines`."""
    shortcuts: Mapping[str, Callable[[Sequence[Q], Context[R]], Sequence[Any]]] = {}
    """By path of the reply, a faster function for that one value of many replies."""
    text_fields: Mapping[str, Callable[[str, R], msgspec.Struct]] = {}
    """By field that may be a text, the function that parses it into a struct, in which a curve changes numbers."""
    has_figures: bool = True
    """Whether the numbers of its reply are figures; not where they are drawn by luck."""
    is_command: bool = True
    """Whether the command line has a command for it."""

    def __hash__(self) -> int:
        return id(self)

    @property
    def summary(self) -> str:
        """The first line of the answer's docstring."""
        return self.description.partition("\n")[0]

    @property
    def description(self) -> str:
        """The answer's docstring without its examples."""
        import inspect  # noqa: PLC0415  only help and descriptions need it

        return (inspect.getdoc(self.answer) or self.name).partition(">>>")[0].strip()


def read_rules(kind: type[R], given: str | Mapping[str, Any]) -> R:
    """Return the ruleset that a request names or describes; the last `RULES_CACHED` are cached.

    >>> from oddsmith.games.destiny.rules import Rules
    >>> read_rules(Rules, {"tie_favors_defender": False}).tie_favors_defender
    False
    """
    try:
        rules: R = _preset(kind, given) if isinstance(given, str) else _read(kind, msgspec.json.encode(given))
    except RecursionError as error:
        raise InputError("too_deep", "rules are a table of tables, not deeper than rules go") from error
    return rules


@lru_cache(maxsize=RULES_CACHED)
def _preset(kind: type[R], name: str) -> R:
    return kind.preset(name)


@lru_cache(maxsize=RULES_CACHED)
def _read(kind: type[R], table: bytes) -> R:
    return kind.from_data(msgspec.json.decode(table))


S = TypeVar("S", bound=msgspec.Struct)

HINT: Final = "field"
LONGEST_SHOWN: Final = 40
WHOLE_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}")

Place: TypeAlias = Literal["option", "argument", "spread"]
ReadFile: TypeAlias = Callable[[str | None, Mapping[str, Any]], str]
"""Returns the text of a field from a path, None for the file of a flag, and the plain data of the other fields.

It raises `InputError` for a file that the other fields exclude before it reads the file.
"""


class FileFlag(msgspec.Struct, frozen=True, kw_only=True):
    """A flag for one certain file, as an alternative to the path of an option.

    `code` and `sentence` are those of the refusal where both the flag and the option are given.
    """

    name: str
    help: str
    code: str
    sentence: str


class FieldHint(msgspec.Struct, frozen=True, kw_only=True):
    """The metadata of a field: how the command line takes it, and how a bad value is refused.

    `noun` names one value in a refusal: "a level is a whole number". `code`, `sentence` and `paragraph` are those of
    the refusal of a value out of bounds or of an unknown name; the sentence may hold `{value}`, `{ge}` and `{le}`.
    `is_required`: the command needs the field where a request may leave it out.
    With `from_file` the command line takes a path, and the field gets the text that this function returns.
    """

    place: Place
    help: str
    names: tuple[str, ...] = ()
    metavar: str | None = None
    noun: str = "a value"
    example: str = ""
    code: str | None = None
    sentence: str | None = None
    paragraph: str | None = None
    json_only: bool = False
    shows_default: bool = True
    shows_bounds: bool = True
    is_required: bool = False
    from_file: ReadFile | None = None
    file_flag: FileFlag | None = None


class HintOptions(TypedDict, total=False):
    """The optional fields of a `FieldHint`."""

    noun: str
    example: str
    code: str | None
    sentence: str | None
    paragraph: str | None
    json_only: bool
    shows_default: bool
    shows_bounds: bool
    is_required: bool
    from_file: ReadFile | None
    file_flag: FileFlag | None


def option(summary: str, *names: str, metavar: str | None = None, **hints: Unpack[HintOptions]) -> Meta:
    """Return the metadata of a field that is an option; `summary` is its help. Its name is that of the field, unless `names` are given."""
    return _meta(FieldHint(place="option", help=summary, names=names, metavar=metavar, **hints))


def argument(summary: str, *, metavar: str | None = None, **hints: Unpack[HintOptions]) -> Meta:
    """Return the metadata of a field that is a positional argument; `summary` is its help."""
    return _meta(FieldHint(place="argument", help=summary, metavar=metavar, **hints))


def spread(summary: str) -> Meta:
    """Return the metadata of a field whose struct has options of its own: the command line has those instead."""
    return _meta(FieldHint(place="spread", help=summary))


def _meta(hint: FieldHint) -> Meta:
    return Meta(description=hint.help, extra={HINT: hint})


class RequestField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a request that the command line has: its path, its type, its metadata and its bounds.

    `item_kind` is the type of one value where the field takes several, `pair_kinds` are the types of name and value where
    it takes NAME=VALUE pairs. Both are None where it takes one value.
    """

    path: tuple[str, ...]
    name: str
    kind: Any
    item_kind: Any
    pair_kinds: tuple[Any, Any] | None
    hint: FieldHint
    is_required: bool
    default: Any
    ge: float | None
    le: float | None

    @property
    def is_flag(self) -> bool:
        """Whether its type is bool."""
        return self.kind is bool

    @property
    def choices(self) -> tuple[str, ...]:
        """The possible values of an enumeration; empty for other types."""
        return _choices(self.kind)


@cache
def fields_of(request: type[msgspec.Struct]) -> tuple[RequestField, ...]:
    """Return the fields of a request that the command line has; a spread field is replaced by those of its struct."""
    return tuple(_fields(request, ()))


def _fields(struct: type[msgspec.Struct], path: tuple[str, ...]) -> Iterator[RequestField]:
    hints = get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        metas = _metas(hints[field.name])
        hint = next((meta.extra[HINT] for meta in metas if meta.extra and HINT in meta.extra), None)
        if hint is None:
            continue
        inner = (*path, field.name)
        if hint.place == "spread":
            yield from _fields(_struct_in(hints[field.name]), inner)
            continue
        kind = bare_type(hints[field.name])
        yield RequestField(
            path=inner,
            name=field.name,
            kind=kind,
            item_kind=_item_kind(kind),
            pair_kinds=_pair_kinds(kind),
            hint=hint,
            is_required=field.required or hint.is_required,
            default=None if field.required else _default(field),
            ge=next((meta.ge for meta in metas if meta.ge is not None), None),
            le=next((meta.le for meta in metas if meta.le is not None), None),
        )


def _metas(annotation: object) -> list[Meta]:
    """Return the metadata of an annotation, and of the members of a union in it."""
    if get_origin(annotation) is Annotated:
        inner, *metas = get_args(annotation)
        return [*(meta for meta in reversed(metas) if isinstance(meta, Meta)), *_metas(inner)]
    if get_origin(annotation) in (Union, UnionType):
        return [meta for part in get_args(annotation) for meta in _metas(part)]
    return []


def bare_type(annotation: Any) -> Any:  # noqa: ANN401  annotations
    """Return an annotation without bounds and without `| None`; of a union, the first type that is not None.

    >>> bare_type(Annotated[int, Meta(ge=1)] | None)
    <class 'int'>
    """
    if get_origin(annotation) is Annotated:
        return bare_type(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return bare_type(next(part for part in get_args(annotation) if part is not NoneType))
    return annotation


def _item_kind(kind: object) -> Any:  # noqa: ANN401  an annotation
    """Return the type of one value of a field that takes several; None where it takes one."""
    if get_origin(kind) is tuple and get_args(kind)[-1] is ...:
        return bare_type(get_args(kind)[0])
    return None


def _pair_kinds(kind: object) -> tuple[Any, Any] | None:
    """Return the types of name and value of a field that takes NAME=VALUE pairs; None where it takes none."""
    origin = get_origin(kind)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, value = get_args(kind)
        return key, value
    return None


def _struct_in(annotation: object) -> type[msgspec.Struct]:
    """Return the struct of a spread field; raise `TypeError` where there is none."""
    if get_origin(annotation) is Annotated:
        return _struct_in(get_args(annotation)[0])
    parts = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    for part in parts:
        kind = bare_type(part)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return kind
    raise TypeError(f"a spread field holds a struct, not {annotation}")


def _default(field: msgspec.structs.FieldInfo) -> object:
    return field.default if field.default is not msgspec.NODEFAULT else field.default_factory()


def _choices(kind: object) -> tuple[str, ...]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(str(member.value) for member in kind)
    if get_origin(kind) is Literal:
        return tuple(map(str, get_args(kind)))
    return ()


# --- from text to values ---------------------------------------------------------------------------------------------


def read_field(field: RequestField, given: Any) -> Any:  # noqa: ANN401  a parsed option, and plain data
    """Return the plain data of a field from the value of its option: a text, a number, a flag, or a list of texts.

    Raise `InputError` for an unknown name and for a malformed NAME=VALUE.
    """
    pair = field.pair_kinds
    if pair is not None:
        return dict(_pairs(field, given, *pair))
    if field.choices:
        return _read_name(given, field.choices, noun=field.hint.noun, code=field.hint.code or "unknown_name")
    return list(given) if field.item_kind is not None else given


def _pairs(
    field: RequestField, texts: Sequence[str], key: object, value: object
) -> Iterator[tuple[str, int | str | None]]:
    """Yield the names and values of NAME=VALUE texts, each name once; a value that may be None may be left out."""
    option_name = field.hint.names[0] if field.hint.names else f"--{field.name.replace('_', '-')}"
    seen: dict[str, None] = {}
    for text in texts:
        name, equals, value_text = (part.strip() for part in text.partition("="))
        if name in seen:
            shown = option_name.removeprefix("--")
            raise InputError("given_twice", f"{shown} '{name[:LONGEST_SHOWN]}' is given twice")
        seen[name] = None
        if equals:
            yield name, _read_value(value_text, bare_type(value), field.hint.noun)
        elif NoneType in get_args(value):
            yield name, None
        else:
            example = f", such as {field.hint.example}" if field.hint.example else ""
            raise InputError(
                "bad_pair", f"{option_name} needs NAME=VALUE{example}, not '{text[:LONGEST_SHOWN]}'"
            )
    names = _choices(bare_type(key))
    noun = bare_type(key).__name__.lower()
    for name in seen if names else ():
        _read_name(name, names, noun=noun, code=f"unknown_{noun}")


def _read_name(given: str, known: Sequence[str], *, noun: str, code: str) -> str:
    if given not in known:
        shown = given[:LONGEST_SHOWN]
        raise InputError(code, f"unknown {noun} '{shown}'{nearest(shown, known)}")
    return given


def _read_value(text: str, kind: object, noun: str) -> int | str:
    if kind is int:
        if not WHOLE_NUMBER.fullmatch(text):
            raise InputError("not_whole", f"{noun} is a whole number, not '{text[:LONGEST_SHOWN]}'")
        return int(text)
    return str(Points(text)) if kind is Points else text


# --- from plain data to a request ------------------------------------------------------------------------------------


def read_request(kind: type[S], data: Mapping[str, Any]) -> S:
    """Return the request that plain data describe; raise `InputError` for a bad one.

    The code for a field out of bounds is the field's own where it has one, else `bad_value`.
    """
    try:
        return read_value(data, kind)
    except InputError as error:
        refusal = field_refusal(kind, error.refusal.where or "", data)
        raise error if refusal is None else InputError.of(refusal) from error


def without_spreads(kind: type[msgspec.Struct], refusal: Refusal) -> Refusal:
    """Return a refusal whose path is that of the command line: without the name of a spread field."""
    for field in fields_of(kind):
        prefix = ".".join(field.path[:-1]) + "."
        if len(field.path) > 1 and refusal.where is not None and refusal.where.startswith(prefix):
            place = refusal.where.removeprefix(prefix)
            sentence = refusal.sentence.replace(refusal.where, place, 1)
            return Refusal(refusal.code, sentence, place, refusal.paragraph)
    return refusal


def field_refusal(kind: type[msgspec.Struct], path: str, data: Mapping[str, Any]) -> Refusal | None:
    """Return the refusal that the field at a path declares for a value out of bounds; None where it declares none."""
    field = next((one for one in fields_of(kind) if ".".join(one.path) == path), None)
    if field is None or field.hint.code is None or field.hint.sentence is None:
        return None
    value: Any = data
    for name in field.path:
        value = value[name]
    sentence = field.hint.sentence.format(value=str(value)[:LONGEST_SHOWN], ge=field.ge, le=field.le)
    return Refusal(field.hint.code, sentence, path, field.hint.paragraph)
