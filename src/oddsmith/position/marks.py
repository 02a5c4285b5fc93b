"""The marks of a position's fields: who may see a field, and how a board draws it.

A mark is an annotation: type checkers see the type that it wraps, and JSON schemas have the words for drawing as extra keys.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, get_args, get_origin

from msgspec import Meta

from oddsmith.cards import Card as PlayingCard

T = TypeVar("T")


class Mark(Enum):
    """Who may see a field of a position."""

    OPEN = "open"
    OWN = "own"
    HIDDEN = "hidden"


Open: TypeAlias = Annotated[T, Mark.OPEN]
"""Everybody sees it."""

Own: TypeAlias = Annotated[T, Mark.OWN]
"""A tuple with an entry for each seat: a seat sees its own, and of the others how many cards there are, or whether there is a value."""

Hidden: TypeAlias = Annotated[T, Mark.HIDDEN]
"""Nobody sees it, only how many cards there are, or whether there is a value."""

SHOW: Final = "x-show"
"""The key of a schema that says how a board draws a value."""
EACH: Final = "x-each"
"""The key of a schema that says that a list has an entry for each seat."""
UP_TO: Final = "x-up-to"
"""The key of a schema that names the rule that bounds a track."""


def _show(kind: str, **bounds: Any) -> Meta:  # noqa: ANN401  the bounds of `Meta`
    return Meta(extra_json_schema={SHOW: kind}, **bounds)


Each: TypeAlias = Annotated[tuple[T, ...], Meta(extra_json_schema={EACH: "seat"})]
"""A tuple with an entry for each seat, drawn in the panels of the seats."""

Pile: TypeAlias = Annotated[tuple[T, ...], _show("cards")]
"""Cards of any type that no move adds or removes: playing cards, numbers, names; drawn as faces, or as backs where hidden."""

Card: TypeAlias = Annotated[PlayingCard, _show("cards")]
"""A playing card."""

Die: TypeAlias = Annotated[int, _show("die", ge=1, le=6)]
"""The face of a die with six sides."""

Face: TypeAlias = Annotated[int, _show("die", ge=1)]
"""The face of a die with any number of sides."""

Track: TypeAlias = Annotated[T, _show("track")]
"""A number that is drawn as a bar, up to the greatest value of its type, or to a rule that `up_to` names."""


def up_to(rule: str, /) -> Meta:
    """Return an annotation of a track whose bar ends at the number of a rule.

    >>> Goal = Annotated[Track[int], up_to("goal")]
    """
    return Meta(extra_json_schema={UP_TO: rule})


Seat: TypeAlias = Annotated[int, _show("seat", ge=0, le=99)]
"""The number of a seat, drawn as a marker in its panel."""

Aside: TypeAlias = Annotated[T, _show("none")]
"""A value that is not drawn."""


def bounding_rules(hint: object) -> Iterator[str]:
    """Yield the rules that `up_to` names in a type.

    >>> [*bounding_rules(Each[Annotated[Track[int], up_to("goal")]])]
    ['goal']
    """
    for part in get_args(hint) if get_origin(hint) is not Literal else ():
        if isinstance(part, Meta):
            rule = (part.extra_json_schema or {}).get(UP_TO)
            if rule is not None:
                yield rule
        else:
            yield from bounding_rules(part)


def words_for_showing(hint: object) -> dict[str, Any]:
    """Return the words for showing of a type, as keys of its schema; those of its items where it has none of its own.

    >>> words_for_showing(tuple[Card, ...]), words_for_showing(Own[Each[int]])
    ({'x-show': 'cards'}, {'x-each': 'seat'})
    """
    own: dict[str, Any] = {}
    for meta in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
        if isinstance(meta, Meta):
            own |= meta.extra_json_schema or {}
    bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if SHOW in own or get_origin(bare) is Literal:
        return own
    for part in get_args(bare):
        shown = words_for_showing(part).get(SHOW)
        if shown is not None:
            return own | {SHOW: shown}
    return own
