"""Text of the values of a game by their types: faces and backs of cards, dice, bars, seats, anything else in plain words.

Text is in rich's markup. The words for showing are those of `oddsmith.position.marks`; a type without one is shown by its value.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from oddsmith import wire
from oddsmith.cards import Card, Suit
from oddsmith.position.marks import EACH, SHOW, UP_TO
from oddsmith.position.views import SEEN
from oddsmith.text import bar, escape_markup

__all__ = ["Hint", "field_hints", "format_backs", "format_value", "is_sight", "plain_words", "read_hint"]

NOTHING: Final = "none"
BACK: Final = "▒▒"
MOST_BACKS: Final = 10
"""The most backs that are drawn one by one."""
MOST_FACES: Final = 26
"""The most cards of a pile that are shown."""
DICE: Final = "⚀⚁⚂⚃⚄⚅"
BAR_WIDTH: Final = 20
RED_SUITS: Final = (Suit.HEARTS, Suit.DIAMONDS)
SIGHT_FIELDS: Final = frozenset({"given", "count", "counts", SEEN})
"""The fields of what a viewer may know of a hidden place."""


class Hint(NamedTuple):
    """What the type of a field says about its drawing: the word for showing, whether it has an entry for each seat, bounds.

    `up_to` is the rule that bounds a track, empty where there is none.
    """

    bare: Any
    show: str
    is_each: bool
    low: float | None
    high: float | None
    up_to: str = ""


def read_hint(hint: Any) -> Hint:  # noqa: ANN401  a type of any form
    """Return what a type says about the drawing of its values; None as a value is left aside.

    >>> from oddsmith.position.marks import Open, Track
    >>> read_hint(Open[Track[int] | None]).show
    'track'
    """
    show, is_each, low, high, up_to = "", False, None, None, ""
    while True:
        if get_origin(hint) is Annotated:
            hint, *marks = get_args(hint)
            for meta in marks:
                if isinstance(meta, Meta):
                    words = meta.extra_json_schema or {}
                    show = show or words.get(SHOW, "")
                    up_to = up_to or words.get(UP_TO, "")
                    is_each = is_each or EACH in words
                    low = meta.ge if low is None else low
                    high = meta.le if high is None else high
        elif get_origin(hint) in {Union, UnionType} and NoneType in get_args(hint):
            left = [part for part in get_args(hint) if part is not NoneType]
            hint = left[0] if len(left) == 1 else Union[tuple(left)]  # noqa: UP007  made from a tuple of types
        else:
            return Hint(hint, show, is_each, low, high, up_to)


@cache
def field_hints(kind: type[msgspec.Struct]) -> Mapping[str, Any]:
    """Return the types of the fields of a struct, with their annotations, in the order of the fields."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints.get(name) for name in kind.__struct_fields__}


def is_sight(value: object) -> bool:
    """Whether a value is what a viewer may know of a hidden place."""
    return (
        isinstance(value, msgspec.Struct)
        and bool(value.__struct_fields__)
        and SIGHT_FIELDS.issuperset(value.__struct_fields__)
    )


def plain_words(name: str) -> str:
    """Return an identifier as words.

    >>> plain_words("on_path")
    'on path'
    """
    return name.replace("_", " ").strip()


def _choose_part(hint: Any, value: object) -> Any:  # noqa: ANN401  a type of any form
    """Return the part of a union that has a value; any other type as it is."""
    known = read_hint(hint)
    if get_origin(known.bare) not in {Union, UnionType}:
        return hint
    return next((part for part in get_args(known.bare) if _has_value(read_hint(part).bare, value)), None)


def _has_value(bare: Any, value: object) -> bool:  # noqa: ANN401  as above
    if get_origin(bare) is Literal:
        return value in get_args(bare)
    kind = get_origin(bare) or bare
    return isinstance(kind, type) and isinstance(value, kind)


def format_value(value: object, hint: object = None, *, most: float | None = None) -> str:
    r"""Return a value in one line of markup; `most` is the end of a track whose type has no bound.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.position.marks import Die, Pile, Track
    >>> format_value(cards("A♠ K♥")), format_value((2, 5), tuple[Die, ...]), format_value(("fire",), Pile[str])
    ('A♠ [red]K♥[/]', '⚁2 ⚄5', '\\[fire]')
    >>> format_value(5, Track[int], most=10), format_value(("deep_sea", True, None))
    ('5 ██████████', 'deep sea, yes, none')
    """
    known = read_hint(_choose_part(hint, value))
    if isinstance(value, msgspec.Struct):
        return _format_sight(value) if is_sight(value) else _format_fields(value)
    if isinstance(value, Mapping):
        items = get_args(known.bare)[1:]
        return _join(
            [
                f"{escape_markup(plain_words(_text(name)))} {format_value(inner, items[0] if items else None)}"
                for name, inner in value.items()
            ]
        )
    if isinstance(value, AbstractSet) or (isinstance(value, Sequence) and not isinstance(value, str | bytes)):
        return _format_items(value, known)
    return _format_one(value, known, most)


def _format_one(value: Any, known: Hint, most: float | None) -> str:  # noqa: ANN401  any value without parts
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Card):
        return f"[red]{value}[/]" if value.suit in RED_SUITS else str(value)
    text = escape_markup(plain_words(_text(value)))
    if known.show == "cards":
        return f"\\[{text}]"
    return _format_number(value, text, known, most) if isinstance(value, int | float) else text


def _format_number(value: float, text: str, known: Hint, most: float | None) -> str:
    if known.show == "seat":
        return f"seat {value}"
    if known.show == "die" and value in range(1, len(DICE) + 1):
        return f"{DICE[int(value) - 1]}{value}"
    if known.show == "track":
        low, high = known.low or 0, known.high if known.high is not None else most
        if high is not None and high > low:
            return f"{text} {bar(min(1, max(0, (value - low) / (high - low))), BAR_WIDTH)}".rstrip()
    return text


def _text(value: object) -> str:
    if isinstance(value, Enum):
        value = value.value
    return str(value) if isinstance(value, str | int) else str(wire.to_builtins(value))


def _format_sight(sight: msgspec.Struct) -> str:
    """Return what a viewer may know of a hidden place: faces where it is seen, else backs."""
    if getattr(sight, SEEN, None) is not None:
        return format_value(getattr(sight, SEEN), field_hints(type(sight)).get(SEEN))
    if getattr(sight, "given", True) is False:
        return NOTHING
    if hasattr(sight, "counts"):
        return _join(map(format_backs, sight.counts), " | ")
    return format_backs(sight.count) if hasattr(sight, "count") else "hidden"


def format_backs(count: int) -> str:
    """Return the backs of face-down cards.

    >>> format_backs(2), format_backs(40), format_backs(0)
    ('▒▒ ▒▒', '▒▒ × 40', 'none')
    """
    return " ".join([BACK] * count) or NOTHING if count <= MOST_BACKS else f"{BACK} × {count}"


def _format_fields(value: msgspec.Struct) -> str:
    """Return the fields of a struct in one line, after its tag."""
    tag = value.__struct_config__.tag
    words = [escape_markup(plain_words(str(tag)))] if tag is not None else []
    fields = [
        f"{escape_markup(plain_words(name))} {format_value(getattr(value, name), hint)}"
        for name, hint in field_hints(type(value)).items()
        if read_hint(hint).show != "none" and getattr(value, name) is not None
    ]
    return " ".join((*words, ", ".join(fields))).strip() or NOTHING


def _format_items(values: Any, known: Hint) -> str:  # noqa: ANN401  a collection
    items = sorted(values, key=_text) if isinstance(values, AbstractSet) else list(values)
    kinds = get_args(known.bare)
    is_alike = len(kinds) != len(items) or kinds[1:] == (Ellipsis,)
    hints = [kinds[0] if kinds else None] * len(items) if is_alike else list(kinds)
    if known.show == "cards":
        hints = [Annotated[Any, Meta(extra_json_schema={SHOW: "cards"})]] * len(items)
    shown = [format_value(item, hint) for item, hint in zip(items[:MOST_FACES], hints, strict=False)]
    if len(items) > MOST_FACES:
        shown.append(f"… {len(items)} in all")
    if known.show == "cards" or all(_is_token(*pair) for pair in zip(items, hints, strict=True)):
        return _join(shown, " ")
    return _join(
        shown, " | " if any(isinstance(item, tuple | list | AbstractSet) for item in items) else ", "
    )


def _is_token(item: object, hint: object) -> bool:
    return isinstance(item, Card) or read_hint(hint).show in {"cards", "die"}


def _join(parts: Any, between: str = ", ") -> str:  # noqa: ANN401  texts
    return between.join(parts) or NOTHING
