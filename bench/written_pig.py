"""Pig written by hand against the Game protocol, as the how-to page does it: what `Position` is compared with."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from oddsmith.chance import Draw, Weighted
from oddsmith.errors import NOT_YOUR_TURN, IllegalMove, InputError, Refusal
from oddsmith.game import EVERYONE, Act, Await, Decide, Event, Luck, Outcome, Over, Seat, Step, Turn
from oddsmith.points import Points
from oddsmith.rules import Ruleset

Action = Literal["roll", "hold"]


class Rules(Ruleset, frozen=True, kw_only=True):
    """The numbers of Pig."""

    game: ClassVar[str] = "written_pig"

    goal: Annotated[int, Meta(ge=1, le=1000)] = 100
    sides: Annotated[int, Meta(ge=2, le=100)] = 6


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a position; everybody may see it."""

    rules: Rules
    scores: tuple[int, ...]
    seat: Seat = 0
    pot: int = 0
    rolling: bool = False


class Rolled(Event, frozen=True, kw_only=True, tag="rolled"):
    """A die was rolled."""

    face: int


class Acted(Event, frozen=True, kw_only=True, tag="acted"):
    """A seat chose."""

    seat: Seat
    action: Action


class WrittenPig:
    """The game."""

    name = "written_pig"
    rules_type = Rules
    state_type: Any = State
    action_type: Any = Action
    luck_type: Any = int
    event_type: Any = Rolled | Acted
    view_type: Any = State

    def seats(self, rules: Rules) -> range:  # noqa: ARG002  the same for all rules
        """Return the possible numbers of seats."""
        return range(2, 5)

    def setup(self, rules: Rules, seats: int) -> State:
        """Return the position before the first move."""
        if seats not in self.seats(rules):
            raise InputError("bad_seats", f"Pig is for 2 to 4 seats, not {seats}")
        return State(rules=rules, scores=(0,) * seats)

    def turn(self, state: State) -> Turn[int]:
        """Return what the position waits for."""
        if state.rolling:
            return Await(Weighted(tuple((face, 1) for face in range(1, state.rules.sides + 1))))
        if max(state.scores) >= state.rules.goal:
            best = max(state.scores)
            winners = tuple(seat for seat, score in enumerate(state.scores) if score == best)
            scores = tuple(map(Points, state.scores))
            return Over(Outcome(why="the goal is reached", winners=winners, scores=scores))
        return Decide((state.seat,))

    def actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return the legal actions of a seat."""
        every: tuple[Action, ...] = ("roll", "hold")
        return tuple(action for action in every if self.objection(state, seat, action) is None)

    def objection(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Return why a seat may not act so now."""
        turn = self.turn(state)
        if isinstance(turn, Over):
            return Refusal("game_over", f"the game is over: {turn.outcome.why}")
        if not isinstance(turn, Decide) or seat not in turn.seats:
            return NOT_YOUR_TURN
        if action == "roll" and state.scores[seat] + state.pot >= state.rules.goal:
            return Refusal("goal_reached", "the goal is reached: hold")
        if action == "hold" and not state.pot:
            return Refusal("nothing_to_hold", "there are no points to hold: roll")
        return None

    def step(self, state: State, move: Act[Action] | Luck[int]) -> Step[State]:
        """Return the position after a move, and its events."""
        if isinstance(move, Luck):
            turn = self.turn(state)
            if not isinstance(turn, Await) or not turn.chance.weight(move.outcome):
                raise IllegalMove("no_luck_due", "no such roll is due")
            return Step(self._land(state, move.outcome), (Rolled(audience=EVERYONE, face=move.outcome),))
        refusal = self.objection(state, move.seat, move.action)
        if refusal is not None:
            raise IllegalMove.of(refusal)
        after = (
            msgspec.structs.replace(state, rolling=True)
            if move.action == "roll"
            else self._pass_on(state, state.pot)
        )
        return Step(after, (Acted(audience=EVERYONE, seat=move.seat, action=move.action),))

    def _land(self, state: State, face: int) -> State:
        if face == 1:
            return self._pass_on(state, 0)
        return msgspec.structs.replace(state, rolling=False, pot=state.pot + face)

    def _pass_on(self, state: State, banked: int) -> State:
        scores = list(state.scores)
        scores[state.seat] += banked
        following = (state.seat + 1) % len(scores)
        return State(rules=state.rules, scores=tuple(scores), seat=following)

    def view(self, state: State, viewer: Seat | None) -> State:  # noqa: ARG002  nothing is hidden
        """Return what a viewer sees: everything."""
        return state

    def imagine(self, view: State, draw: Draw) -> State:  # noqa: ARG002  nothing is hidden
        """Return the only position that has this view."""
        return view

    def cards(self, state: State) -> Sequence[object]:  # noqa: ARG002  there are none
        """Return the cards: none."""
        return ()

    def write(self, state: State, move: Act[Action] | Luck[int]) -> str:  # noqa: ARG002  a move says all
        """Return a move as a line."""
        return f"* {move.outcome}" if isinstance(move, Luck) else f"{move.seat} {move.action}"

    def read(self, state: State, text: str) -> Act[Action] | Luck[int]:  # noqa: ARG002  as above
        """Return the move of a line."""
        match text.split():
            case ["*", face] if face.isdecimal():
                return Luck(int(face))
            case [seat, "roll"] if seat.isdecimal():
                return Act(int(seat), "roll")
            case [seat, "hold"] if seat.isdecimal():
                return Act(int(seat), "hold")
        raise InputError("bad_move", f"'{text[:40]}' is no move")
