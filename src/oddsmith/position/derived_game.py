"""The game of a position: the Game protocol, derived from the methods and marks of a subclass of `Position`."""

import re
from collections.abc import Callable, Hashable, Sequence, Sized
from fractions import Fraction
from functools import partial
from typing import Any, Final

from oddsmith import wire
from oddsmith.chance import Draw, Seeded
from oddsmith.errors import IllegalMove, InputError, Refusal
from oddsmith.game import Act, Await, Decide, Event, Luck, Over, Seat, Step, Turn
from oddsmith.position.base import Position, Rules
from oddsmith.position.derivation import derive, overrides, read_parameters, set_up
from oddsmith.position.marks import Mark
from oddsmith.position.overrides import method_fault, read_event_type, read_view_type, require_methods
from oddsmith.position.places import Place
from oddsmith.rules import Ruleset
from oddsmith.source_places import at_place, place_of_error, place_of_field, place_of_method
from oddsmith.time_limit import limit_time

NO_LUCK_DUE: Final = Refusal("no_luck_due", "no luck is due now: a seat must choose, or the game is over")
SECONDS: Final = 10
"""The most processor time of one method of the first position."""
PLAIN_VALUES: Final = "use numbers, text, tuples, enums and frozen structs"
IMPOSSIBLE_LUCK: Final = Refusal("impossible_luck", "luck decides one of the outcomes that are possible now")


class PositionGame:
    """The game of a type of position, with everything that is derived from its declaration."""

    def __init__(self, kind: type[Position[Any, Any, Any]]) -> None:
        self.name = _snake_case(kind.__name__)
        rules_type, action_type, luck_type = read_parameters(kind)
        self.rules_type: type[Ruleset] = _name_rules(rules_type, self.name)
        self.state_type: Any = kind if self.rules_type is rules_type else _with_rules(kind, self.rules_type)
        self.action_type: Any = action_type
        self.luck_type: Any = luck_type
        require_methods(self.state_type)
        self._derived = derive(self.state_type)
        self.view: Callable[[Any, Seat | None], Any] = self._derived.view
        """Return what a viewer sees of a position."""
        self._imagine: Callable[[Any, Draw], Any] = self._derived.imagine
        self._describe_derived = self._derived.describe_move
        self._describe: Callable[[Any, Any, Any], Sequence[Event]] | None = None
        self.view_type: Any = self._derived.views.view_type
        self.event_type: Any = self._derived.events.event_type
        self.hides: bool = self._derived.views.hides or overrides(self.state_type, "view")
        self._use_overrides()
        self._require_start()

    def _use_overrides(self) -> None:
        """Use what the author has written in place of what is derived."""
        kind, is_imagined = self.state_type, overrides(self.state_type, "imagine")
        if is_imagined:
            self._imagine = kind.imagine
        if overrides(kind, "view"):
            self.view = kind.view
            self.view_type = read_view_type(kind, self.view_type, is_imagined=is_imagined)
        if overrides(kind, "events"):
            self._describe = kind.events
            self.event_type = read_event_type(kind, self.event_type)

    def seats(self, rules: Ruleset) -> range:  # noqa: ARG002  the same for all rules
        """Return the possible numbers of seats."""
        players: range = self.state_type.players
        return players

    def setup(self, rules: Ruleset, seats: int) -> Any:  # noqa: ANN401  a position
        """Return the position before the first move; raise `InputError` for another number of seats."""
        players = self.seats(rules)
        if seats not in players:
            raise InputError(
                "bad_seats", f"{self.name} is for {players.start} to {players.stop - 1} seats, not {seats}"
            )
        return set_up(self.state_type, rules, seats)

    def turn(self, state: Any) -> Turn[Any]:  # noqa: ANN401  a position
        """Return what a position waits for."""
        turn: Turn[Any] = state.turn()
        return turn

    def actions(self, state: Any, seat: Seat) -> Sequence[Any]:  # noqa: ANN401  as above
        """Return the legal actions of a seat, none where it is not asked."""
        turn = state.turn()
        if not isinstance(turn, Decide) or seat not in turn.seats:
            return ()
        allowed: Sequence[Any] = state.actions(seat)
        return allowed

    def objection(self, state: Any, seat: Seat, action: object) -> Refusal | None:  # noqa: ANN401  as above
        """Return why a seat may not act so now; None where it may."""
        refusal: Refusal | None = state.objection(seat, action)
        return refusal

    def step(self, state: Any, move: Act[Any] | Luck[Any]) -> Step[Any]:  # noqa: ANN401  as above
        """Return the position after a move and its events; raise `IllegalMove` where it is not legal."""
        if isinstance(move, Luck):
            turn = state.turn()
            if not isinstance(turn, Await):
                raise IllegalMove.of(NO_LUCK_DUE)
            if not turn.chance.weight(move.outcome):
                raise IllegalMove.of(IMPOSSIBLE_LUCK)
        else:
            refusal = state.objection(move.seat, move.action)
            if refusal is not None:
                raise IllegalMove.of(refusal)
        after = self.advance(state, move)
        if self._describe is None:
            return Step(after, self._describe_derived(move, after))
        return Step(after, tuple(self._describe(state, move, after)))

    @staticmethod
    def advance(state: Any, move: Act[Any] | Luck[Any]) -> Any:  # noqa: ANN401  as above
        """Return the position after a move that is known to be legal, without checks and events."""
        return state.luck(move.outcome) if isinstance(move, Luck) else state.act(move.seat, move.action)

    def imagine(self, view: Any, draw: Draw) -> Any:  # noqa: ANN401  as above
        """Return a random position that has this view."""
        return self._imagine(view, draw)

    def imagined_states(self, view: Any, limit: int) -> Sequence[tuple[Any, int]] | None:  # noqa: ANN401  as above
        """Return each position with this view once, with its weight; None where there are more than `limit`.

        None, too, where the author has written `view` or `imagine`.
        """
        if overrides(self.state_type, "imagine") or overrides(self.state_type, "view"):
            return None
        return self._derived.list_positions(view, limit)

    def worth(self, state: Any, seat: Seat) -> Fraction | int | None:  # noqa: ANN401  as above
        """Return the points that a seat has so far; None where the type of position does not say."""
        points: Fraction | int | None = state.worth(seat)
        return points

    def cards(self, state: Any) -> Sequence[Hashable]:  # noqa: ANN401  as above
        """Return all cards of a position."""
        cards: Sequence[Hashable] = state.cards()
        return cards

    def write(self, state: Any, move: Act[Any] | Luck[Any]) -> str:  # noqa: ANN401  as above
        """Return a move as a line."""
        line: str = state.write(move)
        return line

    def read(self, state: Any, text: str) -> Act[Any] | Luck[Any]:  # noqa: ANN401  as above
        """Return the move of a line."""
        move: Act[Any] | Luck[Any] = state.read(text)
        return move

    def _require_start(self) -> None:
        """Refuse a position that cannot be set up, hashed, asked, seen, or written as JSON."""
        rules, kind = self.rules_type(), self.state_type
        for seats in {kind.players.start, kind.players[-1]}:
            state = self._try("start", partial(self.setup, rules, seats))
            for place in self._derived.views.places:
                _require_entries(kind, place, getattr(state, place.name), seats)
            _require_value("position", state, kind)
            turn = self._try("turn", state.turn)
            if not isinstance(turn, Decide | Await | Over):
                raise method_fault(
                    kind, "turn", f"returns {turn!r}", "return asks(…), awaits(…) or ends(…) in every case"
                )
            if overrides(kind, "view") or overrides(kind, "imagine"):
                self._require_views(state)

    def _require_views(self, state: Any) -> None:  # noqa: ANN401  a position
        """Refuse views that cannot be written as JSON, or from which no position is imagined."""
        for viewer in (0, None):
            view = self._try("view", partial(self.view, state, viewer))
            _require_value("view", view, self.view_type)
            imagined = self._try("imagine", partial(self._imagine, view, Seeded("load")))
            if not isinstance(imagined, self.state_type):
                raise method_fault(
                    self.state_type, "imagine", f"returns {imagined!r}", "return a position: cls(…)"
                )

    def _try(self, name: str, call: Callable[[], Any]) -> Any:  # noqa: ANN401  what a method returns
        """Call a method of the first position; raise `InputError`, with the place, where it raises."""
        kind = self.state_type
        try:
            with limit_time(SECONDS, kind.__module__, partial(_slow_method, kind, name)):
                return call()
        except _SlowMethodError as error:
            raise InputError.of(error.refusal) from None
        except Exception as error:
            place = place_of_error(error, kind.__module__) or place_of_method(kind, name)
            raised = f"{kind.__name__}.{name} raises {type(error).__name__}: {error}"
            said = str(error) if isinstance(error, InputError) else raised
            raise InputError("bad_position", at_place(place, said), where=place) from error


class _SlowMethodError(InputError):
    """A method of the first position that does not return."""


def _slow_method(kind: type, name: str, place: str | None) -> Exception:
    sentence = f"{kind.__name__}.{name} has not returned after {SECONDS} s of processor time: let every loop come to an end"
    return _SlowMethodError("bad_position", at_place(place, sentence), where=place or name)


def _require_entries(kind: type, place: Place, entries: Sized, seats: int) -> None:
    if place.mark is Mark.OWN and len(entries) != seats:
        declared = place_of_field(kind, place.name)
        sentence = (
            f"{kind.__name__}.{place.name} has {len(entries)} entries for {seats} seats: "
            "begin with `each(…)`, or set it in `start`"
        )
        sentence = at_place(declared, sentence)
        raise InputError("bad_field", sentence, where=declared or place.name)


def _require_value(what: str, value: Any, kind: Any) -> None:  # noqa: ANN401  a position or a view, and its type
    """Refuse a first position, or a view of it, that cannot be hashed, or written as JSON and read back."""
    name = getattr(kind, "__name__", str(kind))
    fault = _find_fault(value, hash)
    if fault is not None:
        place, field, error = fault
        sentence = f"{field} cannot be hashed: {error}; {PLAIN_VALUES}"
        raise InputError("bad_position", at_place(place, sentence), where=place) from error
    fault = _find_fault(value, wire.to_json)
    if fault is not None:
        place, field, error = fault
        sentence = f"{field} cannot be written as JSON: {error}; {PLAIN_VALUES}"
        raise InputError("bad_position", at_place(place, sentence), where=place) from error
    try:
        same = wire.from_json(wire.to_json(value), kind) == value
    except InputError as error:
        sentence, where = error.refusal.sentence, error.refusal.where
        place = where and place_of_field(kind, where.partition("[")[0].partition(".")[0])
        raise InputError(
            "bad_position",
            at_place(place, f"the first {what} of {name} is not as declared: {sentence}"),
            where=place or where,
        ) from error
    if not same:
        raise InputError(
            "bad_position",
            f"{name} comes back from JSON as another value: use the types that the fields declare",
        )


def _find_fault(value: Any, use: Callable[[Any], object]) -> tuple[str | None, str, Exception] | None:  # noqa: ANN401  a position or a view
    """Return the place, the name and the error of the first field that cannot be used so; None where the value can be."""
    try:
        use(value)
    except (TypeError, NotImplementedError) as error:
        kind = type(value)
        for name in getattr(kind, "__struct_fields__", ()):
            try:
                use(getattr(value, name))
            except (TypeError, NotImplementedError) as its_error:
                return place_of_field(kind, name), f"{kind.__name__}.{name}", its_error
        return None, kind.__name__, error
    return None


def _name_rules(kind: type[Ruleset], name: str) -> type[Ruleset]:
    """Return the type of the rules with the name of the game: itself, or a subclass where it belongs to another game."""
    own = vars(kind).get("game")
    if own == name:
        return kind
    if own is None and kind not in {Rules, Ruleset}:
        kind.game = name
        return kind
    namespace = {"game": name, "__doc__": kind.__doc__, "__module__": kind.__module__}
    make: Any = type(kind)
    renamed: type[Ruleset] = make(kind.__name__, (kind,), namespace)
    return renamed


def _with_rules(kind: type, rules: type[Ruleset]) -> type:
    """Return the type of position whose rules have another type."""
    namespace = {"__annotations__": {"rules": rules}, "__doc__": kind.__doc__, "__module__": kind.__module__}
    typed: type = type(kind)(kind.__name__, (kind,), namespace)
    return typed


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
