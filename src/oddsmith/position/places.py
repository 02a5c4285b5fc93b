"""The declared fields of a position: who sees each, where its cards are, and which values a hidden one can have."""

import sys
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import partial
from itertools import chain
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta

from oddsmith.cards import Card as PlayingCard
from oddsmith.errors import InputError, nearest
from oddsmith.position.marks import SHOW, Mark, bounding_rules
from oddsmith.rules import Ruleset
from oddsmith.source_places import at_place, place_of_field

MOST_VALUES: Final = 1_000
"""The most values of a hidden field that can be imagined."""
GIVEN: Final = ("rules", "seats")
"""The fields that the base has; everybody sees them."""


class Shape(Enum):
    """How many values a hidden entry has: one, a pile of them, or several piles."""

    ONE = 0
    PILE = 1
    PILES = 2


class Place(NamedTuple):
    """A field of a position, as it is declared.

    `entry` is the type of what is hidden: of a seat's entry where each seat sees its own, else of the field. `values` are
    those that each value of it can have; None where these are cards, of the type `card_type`. `find_cards` returns the cards in an entry of a place
    where each seat sees its own, else in the field; None where there are none.
    """

    name: str
    mark: Mark
    hint: Any
    entry: Any
    shape: Shape
    is_optional: bool
    values: tuple[Any, ...] | None
    card_type: type | None
    find_cards: "FindCards | None"

    @property
    def is_hidden(self) -> bool:
        """Whether somebody does not see it."""
        return self.mark is not Mark.OPEN


def read_places(kind: type[msgspec.Struct], *, imagined: bool = True) -> tuple[Place, ...]:
    """Return the fields of a type of position; raise `InputError`, with place, reason and cure, for a wrong declaration.

    Where hidden values are not `imagined` from their types, these may be any.
    """
    hints = _read_hints(kind)
    defaults = {field.name: not field.required for field in msgspec.structs.fields(kind)}
    places = []
    for name in kind.__struct_fields__:
        if name in GIVEN:
            continue
        if not defaults[name]:
            raise _fault(kind, name, "has no default", "write one, and set other values in `start`")
        places.append(_read_place(kind, name, hints[name], imagined=imagined))
    return tuple(places)


def require_bounds(kind: type, rules: type[Ruleset], places: Iterable[Place]) -> None:
    """Refuse a track whose bound is no whole number of the rules."""
    numbers = [name for name, value in msgspec.structs.asdict(rules()).items() if type(value) is int]
    for place in places:
        for rule in bounding_rules(place.hint):
            if rule not in numbers:
                known = nearest(rule, numbers) if numbers else ", which has none"
                cure = f"name a whole number of {rules.__name__}{known}"
                raise _fault(kind, place.name, f"is a track up to '{rule}'", cure)


def _read_hints(kind: type[msgspec.Struct]) -> dict[str, Any]:
    try:
        return get_type_hints(kind, include_extras=True)
    except (NameError, TypeError, SyntaxError) as error:
        name = next(filter(partial(_has_unknown_type, kind), kind.__struct_fields__), "")
        raise _fault(
            kind,
            name,
            f"has a type that is unknown here: {error}",
            "import its name, not for type checkers only",
        ) from error


def _has_unknown_type(kind: type, name: str) -> bool:
    owner = next(base for base in kind.__mro__ if name in vars(base).get("__annotations__", {}))
    declared = SimpleNamespace(__annotations__={name: vars(owner)["__annotations__"][name]})
    try:
        get_type_hints(declared, vars(sys.modules.get(owner.__module__, typing)), include_extras=True)
    except (NameError, TypeError, SyntaxError):
        return True
    return False


def _read_place(kind: type, name: str, hint: object, *, imagined: bool) -> Place:
    marks = [part for part in _metadata(hint) if isinstance(part, Mark)]
    if len(marks) > 1:
        raise _fault(kind, name, "has two marks", "leave one of Open, Own and Hidden")
    has_cards = _has_cards(hint)
    if not marks and not has_cards:
        raise _fault(kind, name, "has no mark", f"say who sees it: {name}: Open[…], Own[…] or Hidden[…]")
    mark = marks[0] if marks else Mark.HIDDEN
    entry = _own_entry(kind, name, hint) if mark is Mark.OWN else hint
    inner, shape = _without_none(entry), Shape.ONE
    is_optional = inner is not entry
    if mark is Mark.OPEN:
        return Place(
            name,
            mark,
            hint,
            entry,
            shape,
            is_optional,
            None,
            None,
            make_card_finder(hint) if has_cards else None,
        )
    while get_origin(_bare(inner)) is tuple and shape is not Shape.PILES:
        inner, shape = _item(inner), Shape(shape.value + 1)
    values = card_type = None
    find = make_card_finder(entry) if has_cards else None
    try:
        if _without_none(inner) is not inner:
            raise _fault(
                kind, name, "hides places that may be empty", "hide shorter tuples, or write `imagine`"
            )
        if has_cards:
            card_type = _card_type(kind, name, inner)
        else:
            values = _possible_values(kind, name, inner)
    except InputError:
        if imagined:
            raise
    return Place(name, mark, hint, entry, shape, is_optional, values, card_type, find)


def _card_type(kind: type, name: str, hint: object) -> type:
    """Return the type of hidden cards: cards of one type are one deck."""
    bare = _bare(hint)
    if get_origin(bare) is Literal:
        return type(get_args(bare)[0])
    if isinstance(bare, type) and get_origin(bare) is None:
        return bare
    raise _fault(kind, name, "hides cards of several types", "have a field for each type of card")


def _own_entry(kind: type, name: str, hint: object) -> object:
    if get_origin(_bare(hint)) is tuple and get_args(_bare(hint))[1:] == (Ellipsis,):
        return _item(hint)
    raise _fault(
        kind,
        name,
        "is Own and no tuple with an entry for each seat",
        f"write {name}: Own[tuple[…, ...]] or Own[Each[…]]",
    )


def _possible_values(kind: type, name: str, hint: object) -> tuple[Any, ...]:
    """Return the values of a hidden entry: those of literals, enums, truth values, and whole numbers with bounds."""
    bare = _bare(hint)
    if get_origin(bare) is Literal:
        return get_args(bare)
    if bare is bool:
        return (False, True)
    if isinstance(bare, type) and issubclass(bare, Enum):
        return tuple(bare)
    if bare is int:
        low, high = _bounds(hint)
        if low is not None and high is not None and high - low < MOST_VALUES:
            return tuple(range(low, high + 1))
    if get_origin(bare) in {Union, UnionType}:
        return tuple(chain.from_iterable(_possible_values(kind, name, part) for part in get_args(bare)))
    raise _fault(
        kind,
        name,
        "is hidden, and which values it can have is not declared",
        "use Literal, an Enum, bool, a whole number with ge and le, or cards; or write `imagine`",
    )


def _bounds(hint: object) -> tuple[int | None, int | None]:
    low = high = None
    for meta in _metadata(hint):
        if isinstance(meta, Meta):
            low = meta.ge if meta.ge is not None else low
            high = meta.le if meta.le is not None else high
    return (None if low is None else int(low)), (None if high is None else int(high))


def _fault(kind: type, name: str, reason: str, cure: str) -> InputError:
    place = place_of_field(kind, name)
    sentence = f"{kind.__name__}.{name} {reason}: {cure}"
    sentence = at_place(place, sentence)
    return InputError("bad_field", sentence, where=place or name)


# --- types -----------------------------------------------------------------------------------------------------------


def _metadata(hint: object) -> tuple[Any, ...]:
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _bare(hint: object) -> Any:  # noqa: ANN401  a type of any form
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _item(hint: object) -> object:
    """Return the type of the items of a tuple; anything where they have several types."""
    items = {part for part in get_args(_bare(hint)) if part is not Ellipsis}
    return items.pop() if len(items) == 1 else Any


def _without_none(hint: object) -> object:
    """Return the type of an optional one, and any other as it is."""
    bare = _bare(hint)
    if get_origin(bare) not in {Union, UnionType} or NoneType not in get_args(bare):
        return hint
    left = tuple(part for part in get_args(bare) if part is not NoneType)
    return left[0] if len(left) == 1 else Union[left]  # noqa: UP007  made from a tuple of types


def _is_card_pile(hint: object) -> bool:
    """Whether a type is marked as a pile of cards of any type."""
    return get_origin(_bare(hint)) is tuple and any(
        isinstance(meta, Meta) and (meta.extra_json_schema or {}).get(SHOW) == "cards"
        for meta in _metadata(hint)
    )


def _has_cards(hint: object) -> bool:
    bare = _bare(hint)
    if bare is PlayingCard or _is_card_pile(hint):
        return True
    return get_origin(bare) is not Literal and any(
        _has_cards(part) for part in get_args(bare) if part is not Ellipsis
    )


# --- cards -----------------------------------------------------------------------------------------------------------


FindCards: TypeAlias = Callable[[Any], Iterable[Any]]


def make_card_finder(hint: object) -> FindCards:
    """Return a function that returns the cards in a value of a type.

    These are playing cards anywhere, and all parts of piles that are marked as cards.
    """
    inner = _without_none(hint)
    find = _make_finder(inner)
    return find if inner is hint else lambda value: () if value is None else find(value)


def _make_finder(hint: object) -> FindCards:
    bare = _bare(hint)
    if bare is PlayingCard:
        return lambda value: (value,)
    if get_origin(bare) is not tuple:
        return _playing_cards
    if _is_card_pile(hint) or _bare(_item(hint)) is PlayingCard:
        return all_of
    find = make_card_finder(_item(hint))
    if find is all_of:
        return chain.from_iterable
    return lambda value: [card for part in value for card in find(part)]


def all_of(pile: Iterable[Any]) -> Iterable[Any]:
    """Return the cards of a pile that has nothing else: the pile."""
    return pile


def is_made_of_cards(hint: object) -> bool:
    """Whether all values of a type are cards, or tuples of cards."""
    inner = _without_none(hint)
    bare = _bare(inner)
    if get_origin(bare) is tuple and not _is_card_pile(inner):
        return is_made_of_cards(_item(inner))
    return bare is PlayingCard or _is_card_pile(inner)


def is_marked_open(hint: object) -> bool:
    """Whether a type has the mark `Open`."""
    return Mark.OPEN in _metadata(hint)


def _playing_cards(value: object) -> Iterator[PlayingCard]:
    if isinstance(value, PlayingCard):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _playing_cards(getattr(value, name))
    elif isinstance(value, Mapping):
        yield from _playing_cards(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _playing_cards(part)
