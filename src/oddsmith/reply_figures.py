"""Figures made from questions: one number of a reply, named by its path.

Every number of a reply is a figure under the name of its question and its path, such as `odds.quantiles.0.5`; the
arguments are the fields of the request. A mechanic may give such a figure a name of its own.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Final, Self, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, Refusal, nearest
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.mechanic import AnyQuestion
from oddsmith.points import Points
from oddsmith.question import Context, Question, Share
from oddsmith.rules import Ruleset

NUMBERS: Final = (int, float, bool, Points, Fraction, Decimal, Share)
CHANCE: Final = Meta(extra={"unit": Unit.CHANCE}, extra_json_schema={"x-unit": Unit.CHANCE.value})
"""Marks a fraction of a reply that is a chance; its JSON schema says so as `x-unit`."""
NO_FIGURE: Final = Meta(extra={"figure": False})
"""Marks a field of a reply that repeats what was asked, or that luck decided: it is no figure."""


def value_at(reply: Any, path: str) -> Any:  # noqa: ANN401  a reply, and whatever is in it
    """Return what stands at a path of a reply; keys of a mapping may hold dots.

    >>> value_at(Share.of(1, 4), "count")
    1
    """
    value, rest = reply, path
    while rest:
        value, rest = _enter(value, rest, path)
    return value


def _enter(value: Any, rest: str, path: str) -> tuple[Any, str]:  # noqa: ANN401  as above
    """Return what the longest key that the path begins with stands for, and the rest of the path."""
    known = _keys(value)
    for key in sorted(known, key=len, reverse=True):
        if rest == key or rest.startswith(f"{key}."):
            return known[key], rest[len(key) + 1 :]
    raise InputError("unknown_path", f"'{path[:60]}' is no part of this reply{nearest(rest[:40], known)}")


def _keys(value: Any) -> Mapping[str, Any]:  # noqa: ANN401  as above
    match value:
        case msgspec.Struct():
            return {name: getattr(value, name) for name in value.__struct_fields__}
        case Mapping():
            return {str(key.value if isinstance(key, Enum) else key): inner for key, inner in value.items()}
        case list() | tuple():
            return {str(place): inner for place, inner in enumerate(value)}
    return {}


def number_at(reply: Any, path: str) -> Fraction | None:  # noqa: ANN401  as above
    """Return the exact number at a path of a reply; None where there is none.

    The share of a count is exact, whether the path ends at the share or at its `chance`.

    >>> number_at({"win": Share.of(1, 3)}, "win.chance")
    Fraction(1, 3)
    """
    owner, _, last = path.rpartition(".")
    if last == "chance":
        share = value_at(reply, owner)
        if isinstance(share, Share):
            return Fraction(share.count, share.total)
    return as_number(value_at(reply, path))


def as_number(value: Any) -> Fraction | None:  # noqa: ANN401  as above
    """Return the exact number that a value stands for; None where it is none."""
    match value:
        case Share():
            return Fraction(value.count, value.total)
        case Points():
            return value.fraction
        case bool():
            return Fraction(int(value))
        case int() | Fraction() | Decimal() | float():
            return Fraction(value)
    return None


def type_at(kind: Any, path: str) -> Any:  # noqa: ANN401  types
    """Return the annotation at a path of a reply type; what is no number and no name is refused."""
    annotation: Any = kind
    rest = path
    while rest:
        annotation, rest = _enter_type(annotation, rest, path)
    plain = _plain_type(annotation)
    if plain not in NUMBERS and not _is_name(plain):
        raise InputError("no_number", f"'{path[:60]}' is no number of this reply")
    return annotation


def _enter_type(annotation: Any, rest: str, path: str) -> tuple[Any, str]:  # noqa: ANN401  annotations
    plain = _plain_type(annotation)
    first, _, after = rest.partition(".")
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        hints = get_type_hints(plain, include_extras=True)
        fields = [name for name in plain.__struct_fields__ if not _is_marked(hints[name])]
        if first in fields:
            return hints[first], after
        raise InputError(
            "unknown_path", f"'{path[:60]}' is no part of this reply{nearest(first[:40], fields)}"
        )
    if get_origin(plain) is tuple and first.isdecimal():
        return get_args(plain)[0], after
    if get_origin(plain) is not None and _is_mapping(get_origin(plain)):
        key, value = get_args(plain)
        names = _names(_plain_type(key))
        if names and first not in names and not first.startswith("{"):
            raise InputError(
                "unknown_path", f"'{path[:60]}' is no part of this reply{nearest(first[:40], names)}"
            )
        return value, after if _is_container(value) else ""
    raise InputError("unknown_path", f"'{path[:60]}' is no part of this reply")


def _is_container(annotation: Any) -> bool:  # noqa: ANN401  an annotation
    """Say whether a value of this type has parts: keys of a table of numbers may hold dots."""
    plain = _plain_type(annotation)
    return plain not in NUMBERS and not _is_name(plain)


def unit_of(kind: Any, path: str) -> Unit:  # noqa: ANN401  a type
    """Return the unit of the number at a path of a reply type."""
    annotation = type_at(kind, path)
    if get_origin(annotation) is Annotated and CHANCE in get_args(annotation)[1:]:
        return Unit.CHANCE
    plain = _plain_type(annotation)
    if _is_name(plain):
        return Unit.NAME
    return Unit.CHANCE if plain is Share else Unit.NUMBER


def _plain_type(annotation: Any) -> Any:  # noqa: ANN401  an annotation
    if get_origin(annotation) is Annotated:
        return _plain_type(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        parts = [part for part in get_args(annotation) if part is not NoneType]
        return _plain_type(parts[0]) if len(parts) == 1 else None
    return annotation


def _is_marked(annotation: Any) -> bool:  # noqa: ANN401  an annotation
    return get_origin(annotation) is Annotated and NO_FIGURE in get_args(annotation)[1:]


def _is_mapping(origin: Any) -> bool:  # noqa: ANN401  a type
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _is_name(kind: Any) -> bool:  # noqa: ANN401  a type
    return isinstance(kind, type) and issubclass(kind, Enum)


def _names(kind: Any) -> Sequence[str]:  # noqa: ANN401  a type
    return [str(member.value) for member in kind] if _is_name(kind) else ()


RULES: Final = "rules"


class ReplyFigure(Figure, frozen=True, kw_only=True):
    """The base of figures that read one number of a reply; each has the fields of its question's request."""

    question: ClassVar[Question[Any, Any, Any]]
    path: ClassVar[str]
    values: ClassVar[Mapping[str, Any]] = {}
    path_arguments: ClassVar[tuple[str, ...]] = ()
    absent: ClassVar[Refusal | None] = None

    def __post_init__(self) -> None:
        """Check the types alone: a field of a request may be called `check`, and hides the method of that name."""
        self.check_types()

    def read(self, rules: Ruleset) -> Reading:
        """Return the number under some rules."""
        return self.read_all([self], rules)[0]

    @classmethod
    def read_all(cls, figures: Sequence[Self], rules: Ruleset) -> list[Reading]:
        """Return the numbers of many requests; by the question's shortcut where it has one for the path."""
        context, requests = Context(rules=rules), [figure.request() for figure in figures]
        shortcut = cls.question.shortcuts.get(cls.path.partition(".{")[0])
        if shortcut is None:
            found = [
                value_at(cls.question.answer(request, context), figure.full_path())
                for request, figure in zip(requests, figures, strict=True)
            ]
        else:
            rest = [figure.full_path()[len(cls.path.partition(".{")[0]) + 1 :] for figure in figures]
            found = [
                value_at(value, path) for value, path in zip(shortcut(requests, context), rest, strict=True)
            ]
        return [figure.reading(value) for figure, value in zip(figures, found, strict=True)]

    def reading(self, value: Any) -> Reading:  # noqa: ANN401  whatever stands at the path
        """Return the reading of what stands at the path; where nothing does, it is refused."""
        if self.unit is Unit.NAME:
            return Reading(name=str(value))
        number = as_number(value)
        if number is None:
            raise InputError.of(self._absence())
        return Reading(number)

    def _absence(self) -> Refusal:
        """Return why there is no number; the declared sentence may hold the names of fields in braces."""
        if self.absent is None:
            return Refusal("no_number", f"{self.named()} has no value here")
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return msgspec.structs.replace(self.absent, sentence=self.absent.sentence.format(**fields))

    def request(self) -> Any:  # noqa: ANN401  of its question
        """Return the request that asks for it."""
        given = {
            name: getattr(self, name) for name in self.__struct_fields__ if name not in self.path_arguments
        }
        return self.question.request(**{**given, **self.values})

    def full_path(self) -> str:
        """Return the path of the number, its arguments filled in."""
        return self.path.format(**{name: getattr(self, name) for name in self.path_arguments})


def name_figure(
    name: str,
    question: AnyQuestion,
    path: str,
    about: str,
    *,
    values: Mapping[str, Any] | None = None,
    arguments: Mapping[str, Any] | None = None,
    required: Sequence[str] = (),
    absent: Refusal | None = None,
) -> type[ReplyFigure]:
    """Return the figure of one number of a question's reply.

    `values` are fields of the request that are fixed; `arguments` are parts of the path that the figure takes beside
    the request's fields: `degrees.{degree}` with `{"degree": Degree}`. `required` names fields that may not be left out.
    `absent` is the refusal where the reply has no number there; its sentence may hold fields of the request in braces.
    """
    fixed, chosen = dict(values or {}), dict(arguments or {})
    hints = get_type_hints(question.request, include_extras=True)
    fields: list[Any] = list(chosen.items())
    for field in msgspec.structs.fields(question.request):
        if field.name in fixed or field.name == RULES:
            continue
        default = () if field.required or field.name in required else (field.default,)
        fields.append((field.name, hints[field.name], *default))
    namespace = {
        "__doc__": about,
        "question": question,
        "path": path,
        "values": fixed,
        "path_arguments": tuple(chosen),
        "absent": absent,
        "unit": unit_of(question.reply, path),
    }
    kind: Any = msgspec.defstruct(
        "".join(part.title() for part in name.replace("_", ".").split(".")),
        fields,
        bases=(ReplyFigure,),
        namespace=namespace,
        tag=name,
        frozen=True,
        kw_only=True,
    )
    made: type[ReplyFigure] = kind
    return made


@cache
def path_figure(question: AnyQuestion, path: str) -> type[ReplyFigure]:
    """Return the figure of the number at a path of a question's reply; a path that has none is refused."""
    type_at(question.reply, path)
    about = f"`{path}` in the reply of `{question.name}`."
    return name_figure(f"{question.name}.{path}", question, path, about)
