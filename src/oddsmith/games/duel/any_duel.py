"""The Combat Duel as a game of all its kinds: a duel of one or two seats, or a team duel where the rules say so (§9.1)."""

from collections.abc import Sequence
from typing import Any, Final, overload

from oddsmith.cards import Card
from oddsmith.chance import Draw
from oddsmith.errors import IllegalMove, InputError, Refusal
from oddsmith.game import Act, Luck, Seat, Step, Turn
from oddsmith.games.duel import engine, team_match, team_notation, team_views
from oddsmith.games.duel.engine import LuckOutcome
from oddsmith.games.duel.model import Action, State
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.team_model import AnyAction, AnyEvent, AnyState, SelectTarget, TeamState
from oddsmith.games.duel.team_views import AnyView, TeamView
from oddsmith.games.duel.views import View

NO_TARGETS: Final = Refusal("no_target", "only a team duel has targets", paragraph="9.4")


class AnyDuel:
    """The game: one seat fights the house, two seats fight each other, four to eight seats fight in two teams.

    >>> from oddsmith.games.duel.rules import Teams
    >>> GAME.seats(Rules()), GAME.seats(Rules(teams=Teams(size=2)))
    (range(1, 3), range(4, 5))
    """

    name = "duel"
    rules_type = Rules
    state_type: Any = AnyState
    action_type: Any = AnyAction
    luck_type: Any = LuckOutcome
    event_type: Any = AnyEvent
    view_type: Any = AnyView
    claim_type: Any = Any

    def seats(self, rules: Rules) -> range:
        """Return the numbers of seats: one against the house, two against each other, or those of both teams."""
        seats = 2 * rules.teams.size
        return engine.GAME.seats(rules) if rules.teams.size == 1 else range(seats, seats + 1)

    def setup(self, rules: Rules, seats: int) -> Any:  # noqa: ANN401  the type of the state depends on the rules
        """Return the state before the first deal, or raise `InputError` for any other number of seats."""
        if rules.teams.size == 1:
            return engine.GAME.setup(rules, seats)
        if seats not in self.seats(rules):
            sentence = f"this duel of teams is for {2 * rules.teams.size} seats, not {seats}"
            raise InputError("bad_seats", sentence)
        return team_match.setup(rules)

    def turn(self, state: AnyState) -> Turn[LuckOutcome]:
        """Return the luck that is due, the seats that choose, or the outcome."""
        return team_match.turn(state) if isinstance(state, TeamState) else engine.GAME.turn(state)

    @overload
    def actions(self, state: State, seat: Seat) -> Sequence[Action]: ...
    @overload
    def actions(self, state: TeamState, seat: Seat) -> Sequence[AnyAction]: ...
    def actions(self, state: AnyState, seat: Seat) -> Sequence[AnyAction]:
        """Return the legal actions of a seat: selections by size and index, targets, then to fight, then to flee."""
        if isinstance(state, TeamState):
            return team_match.actions(state, seat)
        return engine.GAME.actions(state, seat)

    def overdue(self, state: AnyState, seat: Seat) -> Sequence[AnyAction]:
        """Return the action of a seat whose clock ran out: to fight with the present choices."""
        if isinstance(state, TeamState):
            return team_match.overdue(state, seat)
        return engine.GAME.overdue(state, seat)

    def objection(self, state: AnyState, seat: Seat, action: AnyAction) -> Refusal | None:
        """Return why the seat may not do this now, or None where it may."""
        if isinstance(state, TeamState):
            return team_match.objection(state, seat, action)
        return NO_TARGETS if isinstance(action, SelectTarget) else engine.GAME.objection(state, seat, action)

    def claimed_action(self, _state: AnyState, _seat: Seat, claim: object) -> AnyAction:
        """Return the action that plain data describe, in either spelling; raise `InputError` for any other data (§4.1)."""
        return team_notation.read_action_data(claim)

    @overload
    def step(self, state: State, move: Act[Any] | Luck[LuckOutcome]) -> Step[State]: ...
    @overload
    def step(self, state: TeamState, move: Act[Any] | Luck[LuckOutcome]) -> Step[TeamState]: ...
    def step(self, state: AnyState, move: Act[Any] | Luck[LuckOutcome]) -> Step[State] | Step[TeamState]:
        """Return the state and the events after a move, or raise `IllegalMove`."""
        if isinstance(state, TeamState):
            return team_match.step(state, move)
        if isinstance(move, Act) and isinstance(move.action, SelectTarget):
            raise IllegalMove.of(NO_TARGETS)
        return engine.GAME.step(state, move)

    @overload
    def view(self, state: State, viewer: Seat | None) -> View: ...
    @overload
    def view(self, state: TeamState, viewer: Seat | None) -> TeamView: ...
    def view(self, state: AnyState, viewer: Seat | None) -> AnyView:
        """Return the view of a seat, or of a spectator."""
        if isinstance(state, TeamState):
            return team_views.view(state, viewer)
        return engine.GAME.view(state, viewer)

    @overload
    def imagine(self, view: View, draw: Draw) -> State: ...
    @overload
    def imagine(self, view: TeamView, draw: Draw) -> TeamState: ...
    def imagine(self, view: AnyView, draw: Draw) -> AnyState:
        """Return a random full state consistent with a view."""
        if isinstance(view, TeamView):
            return team_views.imagine(view, draw)
        return engine.GAME.imagine(view, draw)

    def cards(self, state: AnyState) -> Sequence[Card]:
        """Return the cards of all decks, from all piles and hands."""
        return team_match.cards(state) if isinstance(state, TeamState) else engine.GAME.cards(state)

    def write(self, state: AnyState, move: Act[Any] | Luck[LuckOutcome]) -> str:
        """Return a move as a short line."""
        return (
            team_notation.write_move(move) if isinstance(state, TeamState) else engine.GAME.write(state, move)
        )

    def read(self, state: AnyState, text: str) -> Act[Any] | Luck[LuckOutcome]:
        """Return the move of a line that `write` wrote, or raise `InputError`."""
        if not isinstance(state, TeamState):
            return engine.GAME.read(state, text)
        return team_notation.read_move(text)


GAME: Final = AnyDuel()
