"""The methods that an author writes: wrong ones are refused when a mechanic is loaded, with place, reason and cure."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, Self, get_args, get_origin, get_type_hints

from oddsmith.errors import InputError, nearest
from oddsmith.game import Event
from oddsmith.position.base import Position
from oddsmith.source_places import at_place, place_of_field, place_of_method, write_place

AnyPosition = type[Position[Any, Any, Any]]


class _Method(NamedTuple):
    """How a method of a position is called, and how it is written."""

    arguments: tuple[str, ...]
    header: str


METHODS: Final = {
    "turn": _Method((), "def turn(self) -> Turn[MyLuck]"),
    "actions": _Method(("seat",), "def actions(self, seat: Seat) -> Sequence[MyAction]"),
    "act": _Method(("seat", "action"), "def act(self, seat: Seat, action: MyAction) -> Self"),
    "luck": _Method(("outcome",), "def luck(self, outcome: MyLuck) -> Self"),
    "start": _Method((), "def start(self) -> Self"),
    "possible": _Method((), "def possible(self) -> bool"),
    "objection": _Method(
        ("seat", "action"), "def objection(self, seat: Seat, action: MyAction) -> Refusal | None"
    ),
    "worth": _Method(("seat",), "def worth(self, seat: Seat) -> int"),
    "view": _Method(("viewer",), "def view(self, viewer: Seat | None) -> MyView"),
    "imagine": _Method(("view", "draw"), "@classmethod def imagine(cls, view: MyView, draw: Draw) -> Self"),
    "cards": _Method((), "def cards(self) -> Sequence[Hashable]"),
    "write": _Method(("move",), "def write(self, move: Act[MyAction] | Luck[MyLuck]) -> str"),
    "read": _Method(("text",), "def read(self, text: str) -> Act[MyAction] | Luck[MyLuck]"),
    "events": _Method(
        ("move", "after"),
        "def events(self, move: Act[MyAction] | Luck[MyLuck], after: Self) -> Sequence[MyEvent]",
    ),
}
"""The methods that a game calls, with the names of their arguments."""
CLASS_METHODS: Final = {"imagine"}


def own_methods(kind: AnyPosition) -> Iterator[tuple[str, object]]:
    """Yield the name and the raw attribute of each method of a position that is not that of the base."""
    for name in METHODS:
        found = inspect.getattr_static(kind, name)
        if found is not vars(Position)[name]:
            yield name, found


def require_methods(kind: AnyPosition) -> None:
    """Raise `InputError` for a method that is missing, cannot be called, or does not go with the others."""
    written = dict(own_methods(kind))
    for name, found in written.items():
        _require_method(kind, name, found)
    if "turn" not in written:
        raise InputError(
            "bad_method", f"{kind.__name__} has no method turn: write {METHODS['turn'].header}", where="turn"
        )
    for one, other in (("write", "read"), ("read", "write")):
        if one in written and other not in written:
            raise method_fault(
                kind,
                one,
                f"is not the {one} of the base, but {other} is",
                f"write {METHODS[other].header}, too",
            )
    players: object = kind.players
    if not isinstance(players, range) or not players or players.start < 1:
        raise InputError(
            "bad_method",
            f"{kind.__name__}.players is no range of numbers of seats: write players = range(2, 5) for 2 to 4",
            where="players",
        )
    for base in kind.__mro__[: kind.__mro__.index(Position)]:
        for method in vars(base).values():
            _require_known_fields(kind, method)


def _require_method(kind: AnyPosition, name: str, found: object) -> None:
    if name in kind.__struct_fields__:
        place = place_of_field(kind, name)
        raise InputError(
            "bad_method",
            at_place(
                place, f"{kind.__name__}.{name} is a field with the name of a method: choose another name"
            ),
            where=place or name,
        )
    header = f"write {METHODS[name].header}"
    if name in CLASS_METHODS:
        if not isinstance(found, classmethod):
            raise method_fault(kind, name, "is no class method", header)
        function: object = found.__func__
    else:
        function = found
    if not inspect.isfunction(function):
        raise method_fault(kind, name, "is no method", header)
    if inspect.isgeneratorfunction(function):
        raise method_fault(kind, name, "yields", "return a value; several as a tuple")
    if inspect.iscoroutinefunction(function):
        raise method_fault(kind, name, "is async", "write it with def: rules wait for nothing")
    try:
        inspect.signature(function).bind("self", *METHODS[name].arguments)
    except TypeError as error:
        called = ", ".join(METHODS[name].arguments) or "nothing"
        raise method_fault(kind, name, f"is called with {called}, which it does not take", header) from error


def _require_known_fields(kind: AnyPosition, method: object) -> None:
    """Refuse `self.after(…)` with a keyword that is no field: no type checker can find it."""
    if not inspect.isfunction(method) or not method.__code__.co_varnames:
        return
    for call, line in _calls_of_after(method):
        for keyword in call.keywords:
            if keyword.arg is not None and keyword.arg not in kind.__struct_fields__:
                place = write_place(method.__code__.co_filename, line)
                raise InputError(
                    "unknown_field",
                    f"{place}: {kind.__name__} has no field '{keyword.arg}'{nearest(keyword.arg, kind.__struct_fields__)}",
                    where=place,
                )


def _calls_of_after(method: Callable[..., Any]) -> Iterator[tuple[ast.Call, int]]:
    """Yield the calls `self.after(…)` in a method with their lines; none where its source cannot be read."""
    try:
        lines, first = inspect.getsourcelines(method)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError, TypeError):
        return
    this = method.__code__.co_varnames[0]
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "after"
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == this
        ):
            yield node, first + node.lineno - 1


def read_view_type(kind: AnyPosition, derived: Any, *, is_imagined: bool) -> Any:  # noqa: ANN401  types of any form
    """Return the type of views: what `view` says that it returns, `derived` where it says `Any`."""
    declared = _return_hint(kind, "view")
    if declared is Any:
        return derived
    if declared in {Self, kind}:
        return kind
    if declared is None or declared is type(None):
        raise method_fault(
            kind,
            "view",
            "does not say what it returns",
            "write -> MyView, or -> Any for a view of the derived type",
        )
    if not is_imagined:
        raise method_fault(
            kind,
            "view",
            "returns a type of its own, and no position is derived from that",
            f"write {METHODS['imagine'].header}, too",
        )
    return declared


def read_event_type(kind: AnyPosition, derived: Any) -> Any:  # noqa: ANN401  as above
    """Return the union of the types of events: those that `events` says that it returns; `Event` means the derived ones."""
    declared = _return_hint(kind, "events")
    items: Sequence[Any] = get_args(declared) if get_origin(declared) is not None else ()
    parts = [part for item in items if item is not Ellipsis for part in (get_args(item) or (item,))]
    if not parts:
        raise _event_fault(kind, "does not say which events it returns")
    own = [part for part in parts if part is not Event]
    for part in own:
        _require_event(kind, part)
    union = derived if Event in parts else None
    for part in own:
        union = part if union is None else union | part
    tags = [part.__struct_config__.tag for part in (get_args(union) or (union,))]
    for tag in tags:
        if tags.count(tag) > 1:
            raise method_fault(
                kind, "events", f"has two types of events with the tag '{tag}'", "choose another tag"
            )
    return union


def _require_event(kind: AnyPosition, part: Any) -> None:  # noqa: ANN401  as above
    if not (isinstance(part, type) and issubclass(part, Event)):
        raise _event_fault(kind, f"returns {part}, which is no type of events")


def _event_fault(kind: AnyPosition, reason: str) -> InputError:
    return method_fault(
        kind,
        "events",
        reason,
        'write -> Sequence[Bust | Event], with class Bust(Event, frozen=True, kw_only=True, tag="bust")',
    )


def _return_hint(kind: AnyPosition, name: str) -> Any:  # noqa: ANN401  a type of any form
    method: Any = getattr(kind, name)
    try:
        return get_type_hints(method, include_extras=True).get("return")
    except (NameError, TypeError) as error:
        raise method_fault(
            kind,
            name,
            f"has an annotation that is unknown here: {error}",
            "import its name, not for type checkers only",
        ) from error


def method_fault(kind: AnyPosition, name: str, reason: str, cure: str) -> InputError:
    """Return the error of a wrong method, with its place."""
    place = place_of_method(kind, name)
    sentence = f"{kind.__name__}.{name} {reason}: {cure}"
    sentence = at_place(place, sentence)
    return InputError("bad_method", sentence, where=place or name)
