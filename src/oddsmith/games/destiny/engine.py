"""The Destiny Deck as a game: a run for one seat (§11), a contest (§8.6), checks (§8.9) or a gang war (§9.5) for two, a gauntlet (§8.11)."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from oddsmith.cards import Card, without
from oddsmith.chance import DealHand, Draw
from oddsmith.errors import NOT_YOUR_TURN, IllegalMove, InputError, Refusal
from oddsmith.game import EVERYONE, Act, Await, Decide, Event, Luck, Outcome, Over, Seat, Step, Turn
from oddsmith.games.destiny import notation, views
from oddsmith.games.destiny.check_match import (
    acting_seat,
    begin_match_check,
    check_match_objection,
    check_match_outcome,
    count_checks,
    draw_match_check,
)
from oddsmith.games.destiny.decks import STANDARD, deck_cards, first_deal
from oddsmith.games.destiny.drawing import (
    DrawStep,
    draw_turn,
    hold_actions,
    hold_objection,
    is_choosing,
    play_hand,
    receive_cards,
)
from oddsmith.games.destiny.gang_match import (
    choosing_seats,
    draw_member,
    is_drawing,
    join_gang,
    join_objection,
    war_outcome,
)
from oddsmith.games.destiny.gauntlet import (
    begin_gauntlet,
    count_bout_decks,
    draw_bout,
    drawn_bouts,
    gauntlet_objection,
    gauntlet_turn,
    step_gauntlet,
    tiers,
)
from oddsmith.games.destiny.gauntlet_rules import MOST_SEATS
from oddsmith.games.destiny.model import (
    Action,
    Challenge,
    CheckState,
    Choose,
    Contest,
    ContestState,
    Drawn,
    GangState,
    GauntletState,
    Hand,
    HappenedEvent,
    Hold,
    Rest,
    Retire,
    RunState,
    Score,
    Side,
    Stand,
    State,
    TakeCheck,
    Won,
)
from oddsmith.games.destiny.outlaw_matches import choose_outlaw, undecided_seats
from oddsmith.games.destiny.rules import MatchKind, Rules
from oddsmith.games.destiny.run import (
    begin_run,
    count_run_decks,
    drawn_hands,
    run_candidates,
    run_draw,
    run_objection,
    run_outcome,
    run_step,
)
from oddsmith.games.destiny.run_costs import unknown
from oddsmith.games.destiny.scoring import contest, score
from oddsmith.games.destiny.views import View
from oddsmith.poker import FULL_HAND

DRAW: Final[DealHand] = first_deal(STANDARD)
"""A draw: five cards from a freshly shuffled deck of 52 (§1.1)."""


class DestinyDeck:
    """The game: one seat makes a run, two seats hold a contest, a match of skill checks or a gang war, one to four run a gauntlet.

    >>> from oddsmith.games.destiny.model import Buy
    >>> state = GAME.setup(Rules(), 1)
    >>> state = GAME.step(state, Act(0, Choose("calamity_rose"))).state
    >>> GAME.objection(state, 0, Buy("whiskey")).sentence
    'whiskey costs $5 and the purse holds $0'
    """

    name = "destiny"
    rules_type = Rules
    state_type: Any = State
    action_type: Any = Action
    luck_type: Any = Hand
    event_type: Any = HappenedEvent
    view_type: Any = View

    def seats(self, rules: Rules) -> range:
        """Return the numbers of seats: one for a run, two for most matches, one to four for a gauntlet."""
        return range(1, 1 + (MOST_SEATS if rules.match is MatchKind.GAUNTLET else 2))

    def setup(self, rules: Rules, seats: int) -> State:
        """Return the state before the first move, without any outlaw."""
        if seats not in self.seats(rules):
            kind = (
                "a gauntlet is for 1 to 4"
                if rules.match is MatchKind.GAUNTLET
                else "the Destiny Deck is for 1 or 2"
            )
            raise InputError("bad_seats", f"{kind} seats, not {seats}")
        if rules.match is MatchKind.GAUNTLET:
            return begin_gauntlet(rules, seats)
        if seats == 1:
            return begin_run(rules)
        if rules.match is MatchKind.CHECKS:
            return CheckState(rules=rules, choices=(None, None), taken=(), pending=None)
        if rules.match is MatchKind.CONTEST:
            return ContestState(rules=rules, choices=(None, None), hands=())
        return GangState(rules=rules, gangs=((), ()), hands=())

    def turn(self, state: State) -> Turn[Hand]:
        """Return whose choice it is, the draw that is due, or the outcome."""
        if isinstance(state, RunState):
            return _run_turn(state)
        if isinstance(state, CheckState):
            return _check_turn(state)
        if isinstance(state, GauntletState):
            return _gauntlet_turn(state)
        return _contest_turn(state) if isinstance(state, ContestState) else _gang_turn(state)

    def actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return the legal actions of a seat: outlaws, or crimes, rest, places and buffs in the rules' order."""
        return tuple(action for action in candidates(state) if self.objection(state, seat, action) is None)

    def overdue(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return the actions of a seat that is out of time: to stand, rest or retire, or any outlaw where none is chosen."""
        legal = self.actions(state, seat)
        return [action for action in legal if isinstance(action, Stand | Rest | Retire)] or legal

    def objection(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Return why the seat may not do this now, or None where it may."""
        turn = self.turn(state)
        if isinstance(turn, Over):
            return Refusal("game_over", f"the game is over: {turn.outcome.why}")
        if not isinstance(turn, Decide) or seat not in turn.seats:
            return NOT_YOUR_TURN
        if is_choosing(state):
            return hold_objection(action, state.rules)
        if isinstance(state, RunState) and state.outlaw is not None:
            return run_objection(state, action)
        return self._choice_objection(state, seat, action)

    def _choice_objection(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        if isinstance(state, CheckState) and None not in state.choices:
            return check_match_objection(state, action)
        if isinstance(state, GauntletState) and None not in state.choices:
            return gauntlet_objection(state, action)
        if not isinstance(action, Choose):
            return Refusal("not_now", "first an outlaw is chosen")
        refusal = unknown("outlaw", action.outlaw, state.rules.outlaws)
        if refusal is None and isinstance(state, GangState):
            return join_objection(state, seat, action.outlaw)
        return refusal

    def step(self, state: State, move: Act[Action] | Luck[Hand]) -> Step[State]:
        """Return the state after a move and its events; raise `IllegalMove` where it is not legal."""
        if isinstance(move, Luck):
            return self._apply_luck(state, move.outcome)
        refusal = self.objection(state, move.seat, move.action)
        if refusal is not None:
            raise IllegalMove.of(refusal)
        action = move.action
        if isinstance(action, Hold | Stand):
            return _go_on(play_hand(state, action))
        if isinstance(state, RunState):
            assert not isinstance(action, Retire)  # noqa: S101  a run refuses it
            stepped = run_step(state, action)
            return Step(stepped.state, stepped.events)
        return _step_match(state, move.seat, action)

    def _apply_luck(self, state: State, hand: Hand) -> Step[State]:
        turn = self.turn(state)
        if not isinstance(turn, Await):
            raise IllegalMove("no_luck_due", "no hand is due to be drawn now")
        if not turn.chance.weight(hand):
            raise IllegalMove("impossible_luck", _describe_deal(state))
        return _go_on(receive_cards(state, hand))

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return what the viewer knows."""
        return views.view(state, viewer)

    def imagine(self, view: View, draw: Draw) -> State:
        """Return a full state consistent with what a viewer knows."""
        return views.imagine(view, draw)

    def cards(self, state: State) -> Sequence[Card]:
        """Return the cards of every deck in use, the hand that was drawn from it first."""
        hands = _drawn_hands(state)
        deck = deck_cards(state.rules.deck)
        undrawn = _count_decks(state) - len(hands)
        dealt = [held for hand in hands for held in (*hand, *without(deck, hand))]
        return (*dealt, *deck * undrawn)

    def write(self, state: State, move: Act[Action] | Luck[Hand]) -> str:
        """Return a move as one line of notation."""
        return notation.write_move(move)

    def read(self, state: State, text: str) -> Act[Action] | Luck[Hand]:
        """Read a move that `write` wrote."""
        return notation.read_move(text, state.rules.deck)


GAME: Final = DestinyDeck()


def _drawn_hands(state: State) -> tuple[Hand, ...]:
    if isinstance(state, RunState):
        return drawn_hands(state)
    if isinstance(state, GauntletState):
        return drawn_bouts(state)
    return tuple(one.hand for one in state.taken) if isinstance(state, CheckState) else state.hands


def _count_decks(state: State) -> int:
    """Return the number of decks in use: each that draws has its own (§1.1)."""
    if isinstance(state, RunState):
        return count_run_decks(state.rules)
    if isinstance(state, CheckState):
        return count_checks(state.rules)
    if isinstance(state, GauntletState):
        return count_bout_decks(state)
    return 2 if isinstance(state, ContestState) else 2 * state.rules.gang_size


def candidates(state: State) -> Iterable[Action]:
    """Yield every action of the state's phase, legal or not, in the rules' order."""
    rules = state.rules
    if is_choosing(state):
        yield from hold_actions(rules)
        return
    if isinstance(state, CheckState) and None not in state.choices:
        yield from map(TakeCheck, rules.skill_checks)
        return
    if isinstance(state, GauntletState) and None not in state.choices:
        yield from map(Challenge, tiers(rules))
        yield Retire()
        return
    if not isinstance(state, RunState) or state.outlaw is None:
        yield from map(Choose, rules.outlaws)
        return
    yield from run_candidates(rules)


def _step_match(
    state: ContestState | GangState | CheckState | GauntletState, seat: Seat, action: Action
) -> Step[State]:
    """Return the state of a match after a legal action, and its events."""
    if isinstance(action, Choose):
        if isinstance(state, GangState):
            joined = join_gang(state, seat, action.outlaw)
            return Step(joined.state, joined.events)
        chosen = choose_outlaw(state, seat, action.outlaw)
        return Step(chosen.state, chosen.events)
    if isinstance(state, GauntletState):
        played = step_gauntlet(state, seat, action)
        return Step(played.state, played.events)
    assert isinstance(state, CheckState) and isinstance(action, TakeCheck)  # noqa: S101, PT018  the objection lets nothing else through
    begun = begin_match_check(state, seat, action.check)
    return Step(begun.state, begun.events)


def _run_turn(state: RunState) -> Turn[Hand]:
    if state.pending is not None:
        return draw_turn(state)
    over = None if state.outlaw is None else run_outcome(state)
    return over or Decide((0,))


def _check_turn(state: CheckState) -> Turn[Hand]:
    waiting = undecided_seats(state.choices)
    if waiting:
        return Decide(waiting)
    if state.pending is not None:
        return draw_turn(state)
    if len(state.taken) == count_checks(state.rules):
        return check_match_outcome(state)
    return Decide((acting_seat(len(state.taken)),))


def _gauntlet_turn(state: GauntletState) -> Turn[Hand]:
    waiting = undecided_seats(state.choices)
    if waiting:
        return Decide(waiting)
    if state.pending is not None:
        return draw_turn(state)
    turn = gauntlet_turn(state)
    return turn if isinstance(turn, Over) else Decide((turn,))


def _describe_deal(state: State) -> str:
    drawing = state.drawing
    if drawing is not None:
        return f"the next {FULL_HAND - len(drawing.hand)} cards are of what is left of the deck, sorted"
    if state.rules.deck == STANDARD:
        return "a draw is five different cards of the deck, sorted"
    return "a draw is five cards of the deck, sorted"


def _go_on(drawn: DrawStep) -> Step[State]:
    """Return the step of a draw; where the hand is final, it is resolved."""
    state, hand = drawn.state, drawn.final
    if hand is None:
        return Step(state, drawn.events)
    if isinstance(state, RunState):
        resolved = run_draw(state, hand)
        return Step(resolved.state, resolved.events)
    if isinstance(state, CheckState):
        scored = draw_match_check(state, hand)
        return Step(scored.state, scored.events)
    if isinstance(state, GauntletState):
        fought = draw_bout(state, hand)
        return Step(fought.state, fought.events)
    if isinstance(state, ContestState):
        return _contest_draw(state, hand)
    member = draw_member(state, hand)
    return Step(member.state, member.events)


def _contest_turn(state: ContestState) -> Turn[Hand]:
    waiting = undecided_seats(state.choices)
    if waiting:
        return Decide(waiting)
    if len(state.hands) < len(state.choices):
        return draw_turn(state)
    decided = _contest_result(state)
    winner = 0 if decided.winner is Side.ATTACKER else 1
    return Over(
        Outcome(why=decided.why, winners=(winner,), scores=(decided.attacker.total, decided.defender.total))
    )


def _gang_turn(state: GangState) -> Turn[Hand]:
    waiting = choosing_seats(state)
    if waiting:
        return Decide(waiting)
    return draw_turn(state) if is_drawing(state) else war_outcome(state)


def _contest_draw(state: ContestState, hand: Hand) -> Step[State]:
    after = msgspec.structs.replace(state, hands=(*state.hands, hand))
    seat = len(state.hands)
    events: list[Event] = [Drawn(audience=EVERYONE, seat=seat, score=_contender_score(after, seat))]
    if len(after.hands) == len(after.choices):
        decided = _contest_result(after)
        events.append(
            Won(
                audience=EVERYONE,
                winner=decided.winner,
                why=decided.why,
                degree=decided.degree,
                damage=decided.damage,
            )
        )
    return _make_step(after, *events)


def _contest_result(state: ContestState) -> Contest:
    return contest(_contender_score(state, 0), _contender_score(state, 1), state.rules)


def _contender_score(state: ContestState, seat: Seat) -> Score:
    chosen = state.choices[seat]
    assert chosen is not None  # noqa: S101  hands are drawn once both outlaws are chosen
    return score(state.hands[seat], state.rules.outlaws[chosen], state.rules)


def _make_step(state: State, *events: Event) -> Step[State]:
    return Step(state, events)
