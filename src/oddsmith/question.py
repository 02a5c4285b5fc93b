"""Questions: what can be asked of a mechanic without a match, each declared once.

A question is a name, a request struct, a reply struct and a pure function from one to the other. The command and its
options, the HTTP endpoint and its description, batches, curves and figures are made from that declaration. The fields of
a request carry what an interface needs: options, arguments, help, bounds, and refusals with codes.
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
    TypeVar,
    Union,
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
"""The name of a preset, or a table of rules; what a table leaves out has its default."""


class Share(msgspec.Struct, frozen=True):
    """An exact chance: `count` of `total` equally likely cases; `chance` is only for show."""

    count: int
    total: int
    chance: float

    @classmethod
    def of(cls, count: int, total: int) -> "Share":
        """Return the share of a count in a total."""
        return cls(count, total, count / total)


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every request; the interface reads `rules`, an answer takes them from its context."""

    rules: GivenRules = "default"


class Progress(Protocol):
    """Start to report on long work: the value that is yielded takes the share that is done."""

    def __call__(self, what: str) -> AbstractContextManager[Callable[[float], None]]:
        """Return a context manager for the work that `what` names."""
        ...


@contextmanager
def no_progress(what: str) -> Iterator[Callable[[float], None]]:  # noqa: ARG001  nothing is shown
    """Report nothing."""
    yield lambda _: None


def no_note(note: str) -> None:
    """Show nothing."""


class Context(msgspec.Struct, Generic[R], frozen=True, kw_only=True):
    """What an interface supplies to an answer.

    `is_limited` is true on a server: an answer that would take longer than a few seconds is refused with a
    `WorkLimitError`. `seed` is the seed of `draw` where somebody chose one. `why_estimated` is why the exact answer was
    refused, where an estimate is asked for instead. `note` takes a remark on the work that is no part of the answer,
    such as its speed: a terminal shows it after the answer.
    """

    rules: R
    draw: Draw = msgspec.field(default_factory=System)
    seed: str | None = None
    progress: Progress = no_progress
    note: Callable[[str], None] = no_note
    is_limited: bool = False
    why_estimated: str = ""


class Question(msgspec.Struct, Generic[Q, R, A], frozen=True, kw_only=True, eq=False):
    """A question and everything that its interfaces are made from.

    The docstring of `answer` is the help of the command and the summary of the endpoint. `answer` loads what is heavy
    inside its body, so that help stays fast.
    """

    name: str
    request: type[Q]
    reply: type[A]
    answer: Callable[[Q, Context[R]], A]
    example: str = ""
    is_quick: bool = False
    """Whether every request is answered within a few milliseconds; others run in a thread of the server."""
    draws: bool = False
    """Whether the answer uses `Context.draw`: the command has `--seed`."""
    default_seed: str | None = None
    """The seed of the command where none is given; the system's luck where this is None, too."""
    seed_implies: Mapping[str, object] = {}
    """Values of request fields that a given `--seed` implies."""
    command_values: Mapping[str, object] = {}
    """Values of request fields that the command always sets; they are no options there. `rules` may be one of them."""
    command_defaults: Mapping[str, object] = {}
    """Values of request fields that the command sets where an option is left out; the default of the request is another."""
    values_to_show: Mapping[str, object] = {}
    """Values of request fields that the command sets where it shows lines and no JSON."""
    terminal_flags: Mapping[str, str] = {}
    """Flags of the command that only change which lines are shown, with their help."""
    estimate: "Question[Q, R, Any] | None" = None
    """The question that the command asks instead where the answer is refused with a `WorkLimitError`."""
    new_file: str = ""
    """The field of the reply whose text the command writes to a new file with `--out FILE`.

    The lines of the answer get the path as `out`, None where there is none."""
    chart: Callable[[Q, A, R], Any] | None = None
    """Return the chart of an answer: the command has `--plot`."""
    shortcuts: Mapping[str, Callable[[Sequence[Q], Context[R]], Sequence[Any]]] = {}
    """By path of the reply, a faster way to read that one value of many replies."""
    text_fields: Mapping[str, Callable[[str, R], msgspec.Struct]] = {}
    """By field that may be a text, the function that returns the table it stands for: a curve changes numbers in it."""
    has_figures: bool = True
    """Whether the numbers of its reply are figures: not where luck decides them."""
    is_command: bool = True
    """Whether the command line offers it; some questions only make sense to a program."""

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
    """Return the ruleset that a request names or describes; the last ones are cached.

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
WHOLE: Final = re.compile(r"[+-]?[0-9]{1,9}")

Place: TypeAlias = Literal["option", "argument", "spread"]
ReadFile: TypeAlias = Callable[[str | None, Mapping[str, Any]], str]
"""Returns the text of a field from the path that was given, None for the file that a flag stands for.

It gets the plain data of the request's other fields, too: what they exclude is refused before a file is read.
"""


class FileFlag(msgspec.Struct, frozen=True, kw_only=True):
    """A flag that stands for one certain file in the place of an option's path.

    `code` and `sentence` are those of the refusal where both are given.
    """

    name: str
    help: str
    code: str
    sentence: str


class FieldHint(msgspec.Struct, frozen=True, kw_only=True):
    """How the command line takes a field, and how a bad value of it is refused.

    `noun` names one value in a refusal: "a level is a whole number". `code`, `sentence` and `paragraph` are those of
    the refusal of a value out of bounds or of an unknown name; the sentence may hold `{value}`, `{ge}` and `{le}`.
    `is_required`: the command needs the field even where a request may leave it out.
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


def option(help: str, *names: str, metavar: str | None = None, **hints: Any) -> Meta:  # noqa: A002, ANN401  the word of the field; fields of FieldHint
    """Return what makes a field an option; its name is that of the field, unless others are given."""
    return _meta(FieldHint(place="option", help=help, names=names, metavar=metavar, **hints))


def argument(help: str, *, metavar: str | None = None, **hints: Any) -> Meta:  # noqa: A002, ANN401  as above
    """Return what makes a field a positional argument."""
    return _meta(FieldHint(place="argument", help=help, metavar=metavar, **hints))


def spread(help: str) -> Meta:  # noqa: A002  as above
    """Return what puts the options of a struct's own fields in the place of this field."""
    return _meta(FieldHint(place="spread", help=help))


def _meta(hint: FieldHint) -> Meta:
    return Meta(description=hint.help, extra={HINT: hint})


class RequestField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a request: where it stands, what it holds, and how the command line takes it.

    `item_kind` is the type of one value where the field takes several, `pair_kinds` are the types of name and value where
    it takes NAME=VALUE pairs; both are None where it takes one value.
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
        """Whether it is true or false."""
        return self.kind is bool

    @property
    def choices(self) -> tuple[str, ...]:
        """The names that a value may be, where only some are right."""
        return _choices(self.kind)


@cache
def fields_of(request: type[msgspec.Struct]) -> tuple[RequestField, ...]:
    """Return the fields of a request that the command line offers; those of a spread struct stand in its place."""
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


def _metas(annotation: Any) -> list[Meta]:  # noqa: ANN401  an annotation
    """Return the metadata of an annotation, and of the members of a union in it."""
    if get_origin(annotation) is Annotated:
        inner, *metas = get_args(annotation)
        return [*(meta for meta in reversed(metas) if isinstance(meta, Meta)), *_metas(inner)]
    if get_origin(annotation) in (Union, UnionType):
        return [meta for part in get_args(annotation) for meta in _metas(part)]
    return []


def bare_type(annotation: Any) -> Any:  # noqa: ANN401  an annotation
    """Return an annotation without bounds and without `| None`; of a union, the first type that has no other form.

    >>> bare_type(Annotated[int, Meta(ge=1)] | None)
    <class 'int'>
    """
    if get_origin(annotation) is Annotated:
        return bare_type(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return bare_type(next(part for part in get_args(annotation) if part is not NoneType))
    return annotation


def _item_kind(kind: Any) -> Any:  # noqa: ANN401  annotations
    """Return the type of one value of a field that takes several; None where it takes one."""
    if get_origin(kind) is tuple and get_args(kind)[-1] is ...:
        return bare_type(get_args(kind)[0])
    return None


def _pair_kinds(kind: Any) -> tuple[Any, Any] | None:  # noqa: ANN401  an annotation
    """Return the types of name and value of a field that takes NAME=VALUE pairs; None where it takes none."""
    origin = get_origin(kind)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, value = get_args(kind)
        return key, value
    return None


def _struct_in(annotation: Any) -> type[msgspec.Struct]:  # noqa: ANN401  an annotation
    """Return the struct that a spread field may be."""
    if get_origin(annotation) is Annotated:
        return _struct_in(get_args(annotation)[0])
    parts = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    for part in parts:
        kind = bare_type(part)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return kind
    raise TypeError(f"a spread field holds a struct, not {annotation}")


def _default(field: msgspec.structs.FieldInfo) -> Any:  # noqa: ANN401  whatever the field holds
    return field.default if field.default is not msgspec.NODEFAULT else field.default_factory()


def _choices(kind: Any) -> tuple[str, ...]:  # noqa: ANN401  an annotation
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(str(member.value) for member in kind)
    if get_origin(kind) is Literal:
        return tuple(map(str, get_args(kind)))
    return ()


# --- from text to values ---------------------------------------------------------------------------------------------


def read_field(field: RequestField, given: Any) -> Any:  # noqa: ANN401  what the command line took, and plain data
    """Return the plain data of a field from what a command line took: a text, a number, a flag, or a list of texts."""
    pair = field.pair_kinds
    if pair is not None:
        return dict(_pairs(field, given, *pair))
    if field.choices:
        return _read_name(given, field.choices, noun=field.hint.noun, code=field.hint.code or "unknown_name")
    return list(given) if field.item_kind is not None else given


def _pairs(field: RequestField, texts: Sequence[str], key: Any, value: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  annotations
    """Read NAME=VALUE texts, each name once; a value that may be None may be left out."""
    option_name = field.hint.names[0] if field.hint.names else f"--{field.name.replace('_', '-')}"
    met: dict[str, None] = {}
    for text in texts:
        name, equals, written = (part.strip() for part in text.partition("="))
        if name in met:
            shown = option_name.removeprefix("--")
            raise InputError("given_twice", f"{shown} '{name[:LONGEST_SHOWN]}' is given twice")
        met[name] = None
        if equals:
            yield name, _read_value(written, bare_type(value), field.hint.noun)
        elif NoneType in get_args(value):
            yield name, None
        else:
            example = f", such as {field.hint.example}" if field.hint.example else ""
            raise InputError(
                "bad_pair", f"{option_name} needs NAME=VALUE{example}, not '{text[:LONGEST_SHOWN]}'"
            )
    names = _choices(bare_type(key))
    noun = bare_type(key).__name__.lower()
    for name in met if names else ():
        _read_name(name, names, noun=noun, code=f"unknown_{noun}")


def _read_name(given: str, known: Sequence[str], *, noun: str, code: str) -> str:
    if given not in known:
        shown = given[:LONGEST_SHOWN]
        raise InputError(code, f"unknown {noun} '{shown}'{nearest(shown, known)}")
    return given


def _read_value(text: str, kind: Any, noun: str) -> Any:  # noqa: ANN401  a type, and plain data
    if kind is int:
        if not WHOLE.fullmatch(text):
            raise InputError("not_whole", f"{noun} is a whole number, not '{text[:LONGEST_SHOWN]}'")
        return int(text)
    return str(Points(text)) if kind is Points else text


# --- from plain data to a request ------------------------------------------------------------------------------------


def read_request(kind: type[S], data: Mapping[str, Any]) -> S:
    """Return the request that plain data describe.

    A field out of bounds is refused with the field's own code where it has one, else with `bad_value`.
    """
    try:
        return read_value(data, kind)
    except InputError as error:
        refusal = field_refusal(kind, error.refusal.where or "", data)
        raise error if refusal is None else InputError.of(refusal) from error


def without_spreads(kind: type[msgspec.Struct], refusal: Refusal) -> Refusal:
    """Return a refusal with the path that a command line knows: the name of a spread field is left out of it."""
    for field in fields_of(kind):
        prefix = ".".join(field.path[:-1]) + "."
        if len(field.path) > 1 and refusal.where is not None and refusal.where.startswith(prefix):
            place = refusal.where.removeprefix(prefix)
            sentence = refusal.sentence.replace(refusal.where, place, 1)
            return Refusal(refusal.code, sentence, place, refusal.paragraph)
    return refusal


def field_refusal(kind: type[msgspec.Struct], path: str, data: Mapping[str, Any]) -> Refusal | None:
    """Return the refusal that the field at a path declares for a value out of its bounds; None where it has none."""
    field = next((one for one in fields_of(kind) if ".".join(one.path) == path), None)
    if field is None or field.hint.code is None or field.hint.sentence is None:
        return None
    value: Any = data
    for name in field.path:
        value = value[name]
    sentence = field.hint.sentence.format(value=str(value)[:LONGEST_SHOWN], ge=field.ge, le=field.le)
    return Refusal(field.hint.code, sentence, path, field.hint.paragraph)
