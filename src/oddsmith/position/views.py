"""Views that are derived from the marks of a position: open fields as they are, of hidden ones what may be seen."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.game import Seat
from oddsmith.position.marks import EACH, Mark, words_for_showing
from oddsmith.position.places import FindCards, Place, Shape, all_of
from oddsmith.rules import Ruleset

MakeView: TypeAlias = Callable[[Any, Seat | None], Any]
"""Returns what a viewer sees of a position."""

SEEN: Final = "seen"
MOST_SIGHTS: Final = 1_000


class Views:
    """Makes the views of a type of position; where everything is open, the view is the position."""

    def __init__(self, kind: type[msgspec.Struct], rules: type[Ruleset], places: tuple[Place, ...]) -> None:
        self.places = places
        self.hides = any(place.is_hidden for place in places)
        self.sights: Mapping[str, type[msgspec.Struct]] = {
            place.name: _make_sight_type(kind, place) for place in places if place.is_hidden
        }
        self.view_type: type[Any] = _make_view_type(kind, rules, self._fields()) if self.hides else kind
        self.view: MakeView = self._make_view() if self.hides else _view_everything
        """Return what a viewer sees of a position; `None` is a spectator."""
        self._open_finders = _card_finders(places, Mark.OPEN)
        self._own_finders = _card_finders(places, Mark.OWN)

    def _make_view(self) -> MakeView:
        """Return the function that makes views: it reads all fields at once, and replaces those that are not open."""
        view_type, read = self.view_type, attrgetter("rules", "seats", *(place.name for place in self.places))
        hidden = [
            (index, make_see(place, self.sights[place.name]))
            for index, place in enumerate(self.places, 2)
            if place.is_hidden
        ]

        def view(state: Any, viewer: Seat | None) -> Any:  # noqa: ANN401  a position, and its view
            values = list(read(state))
            for index, see in hidden:
                values[index] = see(values[index], viewer)
            return view_type(*values)

        return view

    def _fields(self) -> list[tuple[str, Any]]:
        """Return the fields of a view with their types."""
        return [(place.name, self._field_type(place)) for place in self.places]

    def _field_type(self, place: Place) -> Any:  # noqa: ANN401  a type of any form
        if place.mark is Mark.OPEN:
            return place.hint
        sight: Any = self.sights[place.name]
        words = words_for_showing(place.hint)
        if place.mark is Mark.OWN:
            sight, words = tuple[sight, ...], {EACH: "seat"} | words
        return Annotated[sight, Meta(extra_json_schema=words)] if words else sight

    def seen_cards(self, view: object) -> Iterator[Any]:
        """Yield the cards that a view has: open ones, and those that the viewer sees alone."""
        for place in self.places:
            if place.find_cards is None:
                continue
            value = getattr(view, place.name)
            if place.mark is Mark.OPEN:
                yield from place.find_cards(value)
            elif place.mark is Mark.OWN:
                for sight in value:
                    if sight.seen is not None:
                        yield from place.find_cards(sight.seen)

    def open_piles(self, state: object) -> list[Iterable[Any]]:
        """Return the cards of a position that everybody sees, place by place."""
        return [find(getattr(state, name)) for name, find in self._open_finders]

    def own_cards(self, state: Any) -> Sequence[Iterable[Any]]:  # noqa: ANN401  a position
        """Return the cards of a position that each seat sees alone."""
        if len(self._own_finders) == 1:
            [(name, find)] = self._own_finders
            entries: Sequence[Any] = getattr(state, name)
            return entries if find is all_of else [*map(find, entries)]
        return [
            [card for name, find in self._own_finders for card in find(getattr(state, name)[seat])]
            for seat in range(state.seats)
        ]

    def all_cards(self, state: object) -> Iterator[Any]:
        """Yield all cards of a position."""
        for place in self.places:
            if place.find_cards is not None:
                value = getattr(state, place.name)
                for entry in value if place.mark is Mark.OWN else (value,):
                    yield from place.find_cards(entry)


def _view_everything(state: Any, viewer: Seat | None) -> Any:  # noqa: ANN401, ARG001  a position, the same for all
    return state


def _card_finders(places: tuple[Place, ...], mark: Mark) -> tuple[tuple[str, FindCards], ...]:
    """Return the names of the places with a mark that have cards, with the functions that find these."""
    return tuple(
        (place.name, place.find_cards) for place in places if place.mark is mark and place.find_cards
    )


class _Sights(dict[Any, Any]):
    """What is seen of entries that hide all but a size; equal ones are one value, as there are few."""

    def __init__(self, make: Callable[[Any], object]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, size: object) -> object:
        sight = self._make(size)
        if len(self) < MOST_SIGHTS:
            self[size] = sight
        return sight


def make_see(place: Place, kind: type[Any]) -> Callable[[Any, Seat | None], object]:
    """Return the function that makes what a viewer sees of a hidden place; `kind` is the type of that."""
    measure, size_parts = _make_measure(place)
    unseen = _Sights(lambda size: kind(*size_parts(size)))
    if place.mark is Mark.HIDDEN:
        return lambda value, viewer: unseen[measure(value)]  # noqa: ARG005  the same for all

    def see(entries: Any, viewer: Seat | None) -> object:  # noqa: ANN401  a tuple with an entry for each seat
        sights = [unseen[measure(entry)] for entry in entries]
        if viewer is not None:
            entry = entries[viewer]
            sights[viewer] = kind(*size_parts(measure(entry)), entry)
        return tuple(sights)

    def see_piles(entries: Any, viewer: Seat | None) -> object:  # noqa: ANN401  as above
        sights = [unseen[len(entry)] for entry in entries]
        if viewer is not None:
            entry = entries[viewer]
            sights[viewer] = kind(len(entry), entry)
        return tuple(sights)

    return see_piles if measure is len else see


def _make_measure(place: Place) -> tuple[Callable[[Any], Any], Callable[[Any], tuple[Any, ...]]]:
    """Return the functions that give what everybody may know of an entry, and the fields of a sight that say it."""
    by_shape: dict[Shape, tuple[Callable[[Any], Any], tuple[Any, ...]]] = {
        Shape.ONE: (lambda _: (), ()),
        Shape.PILE: (len, (0,)),
        Shape.PILES: (lambda piles: tuple(map(len, piles)), ((),)),
    }
    measure, nothing = by_shape[place.shape]
    if place.is_optional:
        whole = place.shape is not Shape.ONE

        def measure_optional(entry: Any) -> tuple[Any, ...]:  # noqa: ANN401  a value of the place
            if entry is None:
                return (False, *nothing)
            return (True, measure(entry)) if whole else (True,)

        return measure_optional, lambda parts: parts
    if place.shape is Shape.ONE:
        return measure, lambda parts: parts
    return measure, lambda size: (size,)


def _make_sight_type(kind: type[msgspec.Struct], place: Place) -> type[msgspec.Struct]:
    """Return the type of what a viewer sees of a hidden entry; one for each field, so that each has a name in schemas."""
    fields: list[Any] = []
    if place.is_optional:
        fields.append(("given", bool))
    if place.shape is Shape.PILE:
        fields.append(("count", int))
    elif place.shape is Shape.PILES:
        fields.append(("counts", tuple[int, ...]))
    if place.mark is Mark.OWN:
        fields.append((SEEN, or_none(place.entry), None))
    return _define(kind, f"{kind.__name__}{_camel(place.name)}Sight", fields)


def or_none(hint: Any) -> Any:  # noqa: ANN401  a type of any form
    """Return the type of values of a type, or None."""
    return hint | None


def _make_view_type(kind: type, rules: type[Ruleset], fields: list[tuple[str, Any]]) -> type[msgspec.Struct]:
    return _define(kind, f"{kind.__name__}View", [("rules", rules), ("seats", int), *fields])


def _define(kind: type, name: str, fields: list[Any]) -> type[msgspec.Struct]:
    define = partial(msgspec.defstruct, frozen=True, forbid_unknown_fields=True, module=kind.__module__)
    return define(name, fields)


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
