"""What is derived from the declaration of a type of position: views, imagined positions, cards, events and notation."""

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from oddsmith.chance import Draw
from oddsmith.errors import InputError
from oddsmith.game import Act, Luck
from oddsmith.position.base import Position
from oddsmith.position.enumeration import Enumeration
from oddsmith.position.events import Events
from oddsmith.position.imagining import Imagination
from oddsmith.position.notation import MoveNotation
from oddsmith.position.places import read_places, require_bounds
from oddsmith.position.views import Views
from oddsmith.position.words import PerSeat
from oddsmith.rules import Ruleset


class Derivation:
    """The functions and types that a type of position has without writing them; raise `InputError` for a wrong declaration."""

    def __init__(self, kind: type[Position[Any, Any, Any]]) -> None:
        rules_type, self.action_type, self.luck_type = read_parameters(kind)
        self._kind = kind
        sees_otherwise = overrides(kind, "view")
        places = read_places(kind, imagined=not overrides(kind, "imagine"))
        require_bounds(kind, rules_type, places)
        self.views = Views(kind, rules_type, places)
        self.view = self.views.view
        self.events = Events(
            kind, self.action_type, self.luck_type, self.views, is_view_derived=not sees_otherwise
        )
        self.describe_move = self.events.describe_move
        self._notation = MoveNotation(self.action_type, self.luck_type)
        self._imagination = Imagination(kind, self.views, self._count_deck)
        self._enumeration = Enumeration(kind, self.views, self._count_deck)
        self._count_cards = cache(self._count_cards_at_setup)

    def imagine(self, view: Any, draw: Draw) -> Any:  # noqa: ANN401  as above
        """Return a random position that has this derived view."""
        return self._imagination.imagine(view, draw)

    def list_positions(self, view: Any, limit: int) -> Sequence[tuple[Any, int]] | None:  # noqa: ANN401  as above
        """Return each possible position with this derived view once, with its weight; None where there are more than `limit`."""
        return self._enumeration.list_positions(view, limit)

    def cards(self, position: object) -> Sequence[Hashable]:
        """Return all cards in the fields of a position."""
        return tuple(self.views.all_cards(position))

    def write(self, move: Act[Any] | Luck[Any]) -> str:
        """Return a move as a line."""
        return self._notation.write(move)

    def read(self, text: str) -> Act[Any] | Luck[Any]:
        """Return the move of a line; raise `InputError` for any other text."""
        return self._notation.read(text)

    def _count_deck(self, rules: Ruleset, seats: int) -> Counter[Any]:
        return self._count_cards(rules, seats)

    def _count_cards_at_setup(self, rules: Ruleset, seats: int) -> Counter[Any]:
        return Counter(set_up(self._kind, rules, seats).cards())


@cache
def derive(kind: type[Position[Any, Any, Any]]) -> Derivation:
    """Return what is derived from a type of position, made once; raise `InputError` for a wrong declaration."""
    return Derivation(kind)


def overrides(kind: type[Position[Any, Any, Any]], name: str) -> bool:
    """Whether a type of position has a method of its own in place of one of the base."""
    owner = next(base for base in kind.__mro__ if name in vars(base))
    return owner is not Position


def set_up(kind: type[Position[Any, Any, Any]], rules: Ruleset, seats: int) -> Any:  # noqa: ANN401  a position
    """Return the position before the first move; entries for each seat are repeated for these."""
    defaults = {name: default * seats for name, default in _per_seat_defaults(kind)}
    return kind(rules=rules, seats=seats, **defaults).start()


@cache
def _per_seat_defaults(kind: type[msgspec.Struct]) -> tuple[tuple[str, PerSeat[Any]], ...]:
    return tuple(
        (field.name, field.default)
        for field in msgspec.structs.fields(kind)
        if isinstance(field.default, PerSeat)
    )


def read_parameters(kind: type) -> tuple[type[Ruleset], Any, Any]:
    """Return the types of the rules, of actions and of luck that a type of position was declared with.

    A variant may declare rules of its own, as the type of the field `rules`.
    """
    own_rules = _own_rules(kind)
    for base in kind.__mro__:
        for declared in vars(base).get("__orig_bases__", ()):
            if get_origin(declared) is Position:
                rules, action, luck = get_args(declared)
                rules = own_rules or rules
                if isinstance(rules, type) and issubclass(rules, Ruleset):
                    return rules, action, luck
    raise InputError(
        "bad_mechanic",
        f"{kind.__name__} does not name its types: write class {kind.__name__}(Position[MyRules, MyAction, MyLuck])",
    )


def _own_rules(kind: type) -> Any:  # noqa: ANN401  a type of any form
    """Return the type of a field `rules` that a type of position declares itself; None where it declares none."""
    try:
        declared = get_type_hints(kind)["rules"]
    except (NameError, TypeError, SyntaxError):
        return None  # `read_places` says which field it is
    return None if isinstance(declared, TypeVar) else declared
