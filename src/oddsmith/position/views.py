"""Views that are derived from the marks of a position: open fields as they are, of hidden ones what may be seen."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

import msgspec

from oddsmith.game import Seat
from oddsmith.position.marks import Mark
from oddsmith.position.places import Place, Shape
from oddsmith.rules import Ruleset

SEEN: Final = "seen"


class Views:
    """Makes the views of a type of position; where everything is open, the view is the position."""

    def __init__(self, kind: type[msgspec.Struct], rules: type[Ruleset], places: tuple[Place, ...]) -> None:
        self.places = places
        self.hides = any(place.is_hidden for place in places)
        self.sights: Mapping[str, type[msgspec.Struct]] = {
            place.name: _make_sight_type(kind, place) for place in places if place.is_hidden
        }
        self.view_type: type[Any] = _make_view_type(kind, rules, self._fields()) if self.hides else kind

    def _fields(self) -> list[tuple[str, Any]]:
        """Return the fields of a view with their types."""
        return [(place.name, self._field_type(place)) for place in self.places]

    def _field_type(self, place: Place) -> Any:  # noqa: ANN401  a type of any form
        if place.mark is Mark.OPEN:
            return place.hint
        sight: Any = self.sights[place.name]
        return tuple[sight, ...] if place.mark is Mark.OWN else sight

    def view(self, state: Any, viewer: Seat | None) -> Any:  # noqa: ANN401  a position, and its view
        """Return what a viewer sees of a position; `None` is a spectator."""
        if not self.hides:
            return state
        return self.view_type(
            state.rules, state.seats, *(self._see(place, state, viewer) for place in self.places)
        )

    def _see(self, place: Place, state: object, viewer: Seat | None) -> object:
        value = getattr(state, place.name)
        if place.mark is Mark.OPEN:
            return value
        kind = self.sights[place.name]
        if place.mark is Mark.HIDDEN:
            return kind(**_count_parts(place, value))
        return tuple(
            kind(**_count_parts(place, entry), seen=entry if seat == viewer else None)
            for seat, entry in enumerate(value)
        )

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

    def open_cards(self, state: object) -> Iterator[Any]:
        """Yield the cards of a position that everybody sees."""
        for place in self.places:
            if place.mark is Mark.OPEN and place.find_cards is not None:
                yield from place.find_cards(getattr(state, place.name))

    def own_cards(self, state: object, seat: Seat) -> Iterator[Any]:
        """Yield the cards of a position that a seat sees alone."""
        for place in self.places:
            if place.mark is Mark.OWN and place.find_cards is not None:
                yield from place.find_cards(getattr(state, place.name)[seat])

    def all_cards(self, state: object) -> Iterator[Any]:
        """Yield all cards of a position."""
        for place in self.places:
            if place.find_cards is not None:
                value = getattr(state, place.name)
                for entry in value if place.mark is Mark.OWN else (value,):
                    yield from place.find_cards(entry)


def _count_parts(place: Place, entry: Any) -> dict[str, Any]:  # noqa: ANN401  a value of the place
    """Return what everybody may know of a hidden entry: how many values it has, and whether it has one."""
    parts: dict[str, Any] = {}
    if place.is_optional:
        parts["given"] = entry is not None
    if place.shape is Shape.PILE:
        parts["count"] = 0 if entry is None else len(entry)
    elif place.shape is Shape.PILES:
        parts["counts"] = () if entry is None else tuple(map(len, entry))
    return parts


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
