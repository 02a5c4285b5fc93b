"""The marks of a position's fields: who may see a field, and how a board draws it.

A mark is an annotation: type checkers see the type that it wraps, and JSON schemas have the words for drawing as extra keys.
"""

from enum import Enum
from typing import Annotated, Any, Final, TypeAlias, TypeVar

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

Track: TypeAlias = Annotated[T, _show("track")]
"""A number that is drawn as a bar, up to the greatest value of its type."""

Seat: TypeAlias = Annotated[int, _show("seat", ge=0, le=99)]
"""The number of a seat, drawn as a marker in its panel."""

Aside: TypeAlias = Annotated[T, _show("none")]
"""A value that is not drawn."""
