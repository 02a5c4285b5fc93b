"""Figures made from questions: one number of a reply, selected by its path.

Every number of a reply is a figure under the name of its question and its path, such as `odds.quantiles.0.5`; the
arguments are the fields of the request. A mechanic may define such a figure under a name of its own.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Self,
    TypeAlias,
    TypeGuard,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, Refusal, nearest
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.points import Points
from oddsmith.question import Context, Question, Share
from oddsmith.rules import Ruleset

AnyQuestion: TypeAlias = Question[Any, Any, Any]

NUMBERS: Final = (int, float, bool, Points, Fraction, Decimal, Share)
CHANCE: Final = Meta(extra={"unit": Unit.CHANCE}, extra_json_schema={"x-unit": Unit.CHANCE.value})
"""Marks a fraction of a reply that is a probability; its JSON schema has it as `x-unit`."""
NO_FIGURE: Final = Meta(extra={"figure": False})
"""Marks a field of a reply that repeats the request, or that luck decided: it is no figure."""


def value_at(reply: object, path: str) -> object:
    """Return the value at a path of a reply; an unknown path is refused. Keys of a mapping may contain dots.

    >>> value_at(Share.of(1, 4), "count")
    1
    """
    value, rest = reply, path
    while rest:
        value, rest = _descend(value, rest, path)
    return value


def _descend(value: object, rest: str, path: str) -> tuple[object, str]:
    """Return the child at the longest key that the path begins with, and the rest of the path."""
    known = _children(value)
    for key in sorted(known, key=len, reverse=True):
        if rest == key or rest.startswith(f"{key}."):
            return known[key], rest[len(key) + 1 :]
    raise InputError("unknown_path", f"'{path[:60]}' is no part of this reply{nearest(rest[:40], known)}")


def _children(value: object) -> Mapping[str, object]:
    match value:
        case msgspec.Struct():
            return {name: getattr(value, name) for name in value.__struct_fields__}
        case Mapping():
            return {str(key.value if isinstance(key, Enum) else key): inner for key, inner in value.items()}
        case list() | tuple():
            return {str(place): inner for place, inner in enumerate(value)}
    return {}


def number_at(reply: object, path: str) -> Fraction | None:
    """Return the exact number at a path of a reply; None where the value is not a number.

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


def as_number(value: object) -> Fraction | None:
    """Return a value as an exact number; None if it is none."""
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


def type_at(kind: object, path: str) -> object:
    """Return the annotation at a path of a reply type; a path to something else than a number or a name is refused."""
    annotation, rest = kind, path
    while rest:
        annotation, rest = _descend_type(annotation, rest, path)
    plain = _plain_type(annotation)
    if plain not in NUMBERS and not _is_name(plain):
        raise InputError("no_number", f"'{path[:60]}' is no number of this reply")
    return annotation


def _descend_type(annotation: object, rest: str, path: str) -> tuple[object, str]:
    plain = _plain_type(annotation)
    first, _, after = rest.partition(".")
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        hints = get_type_hints(plain, include_extras=True)
        fields = [name for name in plain.__struct_fields__ if not _is_excluded(hints[name])]
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


def _is_container(annotation: object) -> bool:
    """Return whether a value of this type has children; keys of a mapping of numbers may contain dots."""
    plain = _plain_type(annotation)
    return plain not in NUMBERS and not _is_name(plain)


def unit_of(kind: object, path: str) -> Unit:
    """Return the unit of the number at a path of a reply type."""
    annotation = type_at(kind, path)
    if get_origin(annotation) is Annotated and CHANCE in get_args(annotation)[1:]:
        return Unit.CHANCE
    plain = _plain_type(annotation)
    if _is_name(plain):
        return Unit.NAME
    return Unit.CHANCE if plain is Share else Unit.NUMBER


def _plain_type(annotation: object) -> object:
    if get_origin(annotation) is Annotated:
        return _plain_type(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        parts = [part for part in get_args(annotation) if part is not NoneType]
        return _plain_type(parts[0]) if len(parts) == 1 else None
    return annotation


def _is_excluded(annotation: object) -> bool:
    return get_origin(annotation) is Annotated and NO_FIGURE in get_args(annotation)[1:]


def _is_mapping(origin: object) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _is_name(kind: object) -> TypeGuard[type[Enum]]:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _names(kind: object) -> Sequence[str]:
    return [str(member.value) for member in kind] if _is_name(kind) else ()


RULES: Final = "rules"


class ReplyFigure(Figure, frozen=True, kw_only=True):
    """The base of figures that read one number of a reply; each has the fields of its question's request."""

    question: ClassVar[Question[Any, Any, Any]]
    path: ClassVar[str]
    values: ClassVar[Mapping[str, Any]] = {}
    path_arguments: ClassVar[tuple[str, ...]] = ()
    absent: ClassVar[Refusal | None] = None

    def run_check(self) -> None:
        """Do nothing: a field of a request may be called `check`, and hides the method of that name."""

    def read(self, rules: Ruleset) -> Reading:
        """Return the number under some rules."""
        return self.read_all([self], rules)[0]

    @classmethod
    def read_all(cls, figures: Sequence[Self], rules: Ruleset) -> list[Reading]:
        """Return the numbers of many requests; by the question's shortcut where it has one for the path."""
        context, requests = Context(rules=rules), [figure.request() for figure in figures]
        fixed_path = cls.path.partition(".{")[0]
        shortcut = cls.question.shortcuts.get(fixed_path)
        if shortcut is None:
            found = [
                value_at(cls.question.answer(request, context), figure.full_path())
                for request, figure in zip(requests, figures, strict=True)
            ]
        else:
            found = [
                value_at(value, figure.full_path()[len(fixed_path) + 1 :])
                for value, figure in zip(shortcut(requests, context), figures, strict=True)
            ]
        return [figure.reading(value) for figure, value in zip(figures, found, strict=True)]

    def reading(self, value: object) -> Reading:
        """Return a value of a reply as a reading; a value that is no number is refused."""
        if self.unit is Unit.NAME:
            return Reading(name=str(value))
        number = as_number(value)
        if number is None:
            raise InputError.of(self._absence())
        return Reading(number)

    def _absence(self) -> Refusal:
        """Return the refusal for a missing number; the declared sentence may contain names of fields in braces."""
        if self.absent is None:
            return Refusal("no_number", f"{self.figure_name()} has no value here")
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return msgspec.structs.replace(self.absent, sentence=self.absent.sentence.format(**fields))

    def request(self) -> Any:  # noqa: ANN401  the request of its question
        """Return the request whose reply has the number."""
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        for name in self.path_arguments:
            del given[name]
        return self.question.request(**given, **self.values)

    def full_path(self) -> str:
        """Return the path of the number with its arguments filled in."""
        if not self.path_arguments:
            return self.path
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
    """Return the figure class of one number of a question's reply.

    `values` are fixed fields of the request; `arguments` are parts of the path that the figure takes in addition to
    the request's fields: `degrees.{degree}` with `{"degree": Degree}`. `required` names fields that must be given.
    `absent` is the refusal where the reply has no number there; its sentence may contain fields of the request in
    braces.
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
    figure: type[ReplyFigure] = kind
    return figure


@cache
def path_figure(question: AnyQuestion, path: str) -> type[ReplyFigure]:
    """Return the figure class of the number at a path of a question's reply; a path without a number is refused."""
    type_at(question.reply, path)
    about = f"`{path}` in the reply of `{question.name}`."
    return name_figure(f"{question.name}.{path}", question, path, about)
