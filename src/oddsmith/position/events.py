"""Events that are derived from moves: everybody hears that a seat acted, and what it did where nothing of it is hidden."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import msgspec

from oddsmith.game import EVERYONE, Act, Audience, Event, Luck, Seat
from oddsmith.position.places import FindCards, is_made_of_cards, is_marked_open, make_card_finder
from oddsmith.position.views import Views, or_none

MOVES_CACHED: Final = 1_024


class Events:
    """Makes the events of moves of a type of position.

    A move is heard by everybody if the position hides nothing, or its type is marked `Open`. Of another, a seat hears its
    own action; a move that is made of cards is heard by those who see all of its cards after it; others hear that the seat
    acted, or that luck decided. Where the view is not derived, marks do not say who sees a card: then only the mark of the
    move's type makes it open.
    """

    def __init__(
        self, kind: type[Any], action_type: object, luck_type: object, views: Views, *, is_view_derived: bool
    ) -> None:
        self._views = views
        hides = views.hides or not is_view_derived
        self._is_action_open = not hides or is_marked_open(action_type)
        self._is_luck_open = not hides or is_marked_open(luck_type)
        self._cards_of_action = _make_finder(action_type) if is_view_derived else _find_no_cards
        self._cards_of_luck = _make_finder(luck_type) if is_view_derived else _find_no_cards
        action, outcome = or_none(action_type), or_none(luck_type)
        self.acted = _define(kind, "Acted", [("seat", Seat), ("action", action, None)])
        self.decided = _define(kind, "Decided", [("outcome", outcome, None)])

        self._luck_decided: tuple[Event, ...] = (self.decided(audience=EVERYONE),)
        self._make_open = lru_cache(maxsize=MOVES_CACHED)(self._describe_openly)
        """For actions that are words: there are few of them, and they are equal to no action of another type."""

    @property
    def event_type(self) -> Any:  # noqa: ANN401  a union of two types
        """The union of the types of events."""
        return self.acted | self.decided

    def describe_move(self, move: Act[Any] | Luck[Any], after: Any) -> tuple[Event, ...]:  # noqa: ANN401  a position
        """Return the events of a move that led to a position."""
        if isinstance(move, Luck):
            if self._is_luck_open:
                return (self.decided(audience=EVERYONE, outcome=move.outcome),)
            heard = self._find_hearers(self._cards_of_luck(move.outcome), after)
            if not heard:
                return self._luck_decided
            in_full = self.decided(audience=heard, outcome=move.outcome)
            return (in_full,) if heard == EVERYONE else (*self._luck_decided, in_full)
        if self._is_action_open:
            return self._make_open(move) if type(move.action) is str else self._describe_openly(move)
        heard = self._find_hearers(self._cards_of_action(move.action), after)
        heard = heard if heard == EVERYONE else tuple(sorted({move.seat, *heard}))
        return self._tell(
            heard,
            self.acted(audience=EVERYONE, seat=move.seat),
            self.acted(audience=heard, seat=move.seat, action=move.action),
        )

    def _describe_openly(self, move: Act[Any]) -> tuple[Event, ...]:
        return (self.acted(audience=EVERYONE, seat=move.seat, action=move.action),)

    @staticmethod
    def _tell(heard: Audience, in_part: Event, in_full: Event) -> tuple[Event, ...]:
        if heard == EVERYONE:
            return (in_full,)
        return (in_part, in_full) if heard else (in_part,)

    def _find_hearers(self, cards: Iterable[Any], after: Any) -> Audience:  # noqa: ANN401  a position
        """Return who sees all cards of a move in the position after it; a move without cards is heard by nobody."""
        moved = [*cards]
        hidden = set(moved)
        if not hidden:
            return ()
        if len(hidden) < len(moved):
            return self._find_hearers_of_copies(moved, after)
        for pile in self._views.open_piles(after):
            hidden.difference_update(pile)
        if not hidden:
            return EVERYONE
        return tuple([seat for seat, own in enumerate(self._views.own_cards(after)) if hidden.issubset(own)])

    def _find_hearers_of_copies(self, moved: list[Any], after: Any) -> Audience:  # noqa: ANN401  a position
        """Return the same where some of the cards are equal, so that they are counted."""
        hidden = Counter(moved) - Counter(chain.from_iterable(self._views.open_piles(after)))
        if not hidden:
            return EVERYONE
        return tuple(seat for seat, own in enumerate(self._views.own_cards(after)) if hidden <= Counter(own))


def _make_finder(hint: object) -> FindCards:
    """Return a function that returns the cards of a move, none where the move is not made of cards alone."""
    return make_card_finder(hint) if is_made_of_cards(hint) else _find_no_cards


def _find_no_cards(_: object) -> tuple[Any, ...]:
    return ()


def _define(kind: type, name: str, fields: list[Any]) -> Any:  # noqa: ANN401  a type of events, made here
    return msgspec.defstruct(
        f"{kind.__name__}{name}",
        fields,
        bases=(Event,),
        module=kind.__module__,
        frozen=True,
        kw_only=True,
        tag=name.lower(),
    )
