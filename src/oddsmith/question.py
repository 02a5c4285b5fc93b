"""Questions: what can be asked of a mechanic without a match, each declared once.

A question is a name, a request struct, a reply struct and a pure function from one to the other. The command and its
options, the HTTP endpoint and its description, batches, curves and figures are made from that declaration.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import Annotated, Any, Final, Generic, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from oddsmith.chance import Draw, System
from oddsmith.errors import InputError
from oddsmith.rules import Ruleset

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


class Context(msgspec.Struct, Generic[R], frozen=True, kw_only=True):
    """What an interface supplies to an answer.

    `is_limited` is true on a server: an answer that would take longer than a few seconds is refused with a
    `WorkLimitError`. `seed` is the seed of `draw` where somebody chose one. `why_estimated` is why the exact answer was
    refused, where an estimate is asked for instead.
    """

    rules: R
    draw: Draw = msgspec.field(default_factory=System)
    seed: str | None = None
    progress: Progress = no_progress
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
    """Values of request fields that the command always sets; they are no options there."""
    command_defaults: Mapping[str, object] = {}
    """Values of request fields that the command sets where an option is left out; the default of the request is another."""
    values_to_show: Mapping[str, object] = {}
    """Values of request fields that the command sets where it shows lines and no JSON."""
    terminal_flags: Mapping[str, str] = {}
    """Flags of the command that only change which lines are shown, with their help."""
    estimate: "Question[Q, R, Any] | None" = None
    """The question that the command asks instead where the answer is refused with a `WorkLimitError`."""
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
