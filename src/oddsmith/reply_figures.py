"""Figures made from questions: one number of a reply, named by its path.

Every number of a reply is a figure under the name of its question and its path, such as `odds.quantiles.0.5`; the
arguments are the fields of the request. A mechanic may give such a figure a name of its own.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Final, Self, get_type_hints

import msgspec

from oddsmith.errors import InputError, Refusal
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.mechanic import AnyQuestion
from oddsmith.question import Context, Question
from oddsmith.reply_paths import as_number, type_at, unit_of, value_at
from oddsmith.rules import Ruleset

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
