"""The Destiny Deck as a game: a contest (§8.6) or a gang war (§9.5) for two seats, a solo run for one (§11)."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, assert_never

import msgspec

from oddsmith.cards import Card, without
from oddsmith.chance import DealHand, Draw
from oddsmith.errors import NOT_YOUR_TURN, IllegalMove, InputError, Refusal, nearest
from oddsmith.game import EVERYONE, Act, Await, Decide, Event, Luck, Outcome, Over, Seat, Step, Turn
from oddsmith.games.destiny import notation, views
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
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Attempted,
    Bought,
    Buy,
    Choose,
    Chosen,
    Committed,
    Contest,
    ContestState,
    Drawn,
    Faced,
    GangState,
    Hand,
    HappenedEvent,
    Hold,
    Resolved,
    Rest,
    Rested,
    RunningBuff,
    RunState,
    Score,
    Side,
    Stand,
    State,
    Travel,
    Travelled,
    Won,
)
from oddsmith.games.destiny.rules import MatchKind, Rules
from oddsmith.games.destiny.scoring import check, contest, purse_after, reward, score
from oddsmith.games.destiny.views import View, outlaw_now
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND

DRAW: Final[DealHand] = first_deal(STANDARD)
"""A draw: five cards from a freshly shuffled deck of 52 (§1.1)."""


class DestinyDeck:
    """The game: one seat makes a run, two seats hold a contest or a gang war.

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
        """Return the numbers of seats: one for a run, two for a contest or a gang war."""
        return range(1, 3)

    def setup(self, rules: Rules, seats: int) -> State:
        """Return the state before the first move, without any outlaw."""
        if seats not in self.seats(rules):
            raise InputError("bad_seats", f"the Destiny Deck is for 1 or 2 seats, not {seats}")
        if seats == 1:
            return RunState(
                rules=rules,
                outlaw=None,
                energy=rules.run.energy,
                gold=Points(0),
                experience=Points(0),
                place=rules.run.place,
                clock=0,
                buffs=(),
                attempt=None,
            )
        if rules.match is MatchKind.CONTEST:
            return ContestState(rules=rules, choices=(None, None), hands=())
        return GangState(rules=rules, gangs=((), ()), hands=())

    def turn(self, state: State) -> Turn[Hand]:
        """Return whose choice it is, the draw that is due, or the outcome."""
        if isinstance(state, RunState):
            return _run_turn(state)
        return _contest_turn(state) if isinstance(state, ContestState) else _gang_turn(state)

    def actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return the legal actions of a seat: outlaws, or crimes, rest, places and buffs in the rules' order."""
        return tuple(action for action in candidates(state) if self.objection(state, seat, action) is None)

    def overdue(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return the actions of a seat that is out of time: to stand or rest, or any outlaw where none is chosen."""
        legal = self.actions(state, seat)
        return [action for action in legal if isinstance(action, Stand | Rest)] or legal

    def objection(self, state: State, seat: Seat, action: Action) -> Refusal | None:  # noqa: PLR0911  one case for each phase
        """Return why the seat may not do this now, or None where it may."""
        turn = self.turn(state)
        if isinstance(turn, Over):
            return Refusal("game_over", f"the game is over: {turn.outcome.why}")
        if not isinstance(turn, Decide) or seat not in turn.seats:
            return NOT_YOUR_TURN
        if is_choosing(state):
            return hold_objection(action, state.rules)
        if isinstance(state, RunState) and state.outlaw is not None:
            return _unaffordable(state, action)
        if not isinstance(action, Choose):
            return Refusal("not_now", "first an outlaw is chosen")
        unknown = _unknown("outlaw", action.outlaw, state.rules.outlaws)
        if unknown is None and isinstance(state, GangState):
            return join_objection(state, seat, action.outlaw)
        return unknown

    def step(self, state: State, move: Act[Action] | Luck[Hand]) -> Step[State]:
        """Return the state after a move and its events; raise `IllegalMove` where it is not legal."""
        if isinstance(move, Luck):
            return self._apply_luck(state, move.outcome)
        refusal = self.objection(state, move.seat, move.action)
        if refusal is not None:
            raise IllegalMove.of(refusal)
        if isinstance(move.action, Hold | Stand):
            return _go_on(play_hand(state, move.action))
        if isinstance(state, RunState):
            return _run_step(state, move.action)
        assert isinstance(move.action, Choose)  # noqa: S101  the objection lets nothing else through
        outlaw = move.action.outlaw
        if isinstance(state, ContestState):
            return _commit(state, move.seat, outlaw)
        joined = join_gang(state, move.seat, outlaw)
        return Step(joined.state, joined.events)

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
        hands = () if isinstance(state, RunState) else state.hands
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


def _count_decks(state: State) -> int:
    """Return the number of decks in use: each that draws has its own (§1.1)."""
    if isinstance(state, RunState):
        return 1
    return 2 if isinstance(state, ContestState) else 2 * state.rules.gang_size


def candidates(state: State) -> Iterable[Action]:
    """Yield every action of the state's phase, legal or not, in the rules' order."""
    rules = state.rules
    if is_choosing(state):
        yield from hold_actions(rules)
        return
    if not isinstance(state, RunState) or state.outlaw is None:
        yield from map(Choose, rules.outlaws)
        return
    yield from map(Attempt, rules.crimes)
    yield Rest()
    yield from map(Travel, rules.locations)
    yield from map(Buy, rules.run.prices)


def _unknown(what: str, name: str, known: Iterable[str]) -> Refusal | None:
    names = list(known)
    if name in names:
        return None
    return Refusal(f"unknown_{what}", f"unknown {what} '{name[:40]}'{nearest(name[:40], names)}")


def _run_turn(state: RunState) -> Turn[Hand]:
    if state.attempt is not None:
        return draw_turn(state)
    if state.outlaw is None or any(
        _unaffordable(state, action) is None for action in candidates(state) if not isinstance(action, Buy)
    ):
        return Decide((0,))
    shortest = min(state.rules.run.crime_time, state.rules.run.rest_time, state.rules.run.travel_time)
    out_of_time = state.clock + shortest > state.rules.run.duration
    why = "the time is over" if out_of_time else "nothing can be afforded"
    return Over(Outcome(why=why, winners=(), scores=(state.gold,)))


def _unaffordable(state: RunState, action: Action) -> Refusal | None:
    """Return why the outlaw cannot do this: unknown, no time, no energy, no gold, or already there (§11.2)."""
    rules, run = state.rules, state.rules.run
    match action:
        case Attempt(crime):
            unknown = _unknown("crime", crime, rules.crimes)
            return unknown or _too_late(state, run.crime_time) or _too_tired(state, crime)
        case Rest():
            return _too_late(state, run.rest_time)
        case Travel(place):
            unknown = _unknown("location", place, rules.locations)
            return unknown or _already_there(state, place) or _too_late(state, run.travel_time)
        case Buy(buff):
            return _unknown("buff", buff, run.prices) or _too_poor(state, buff)
        case Choose():
            return Refusal("not_now", "the outlaw has been chosen")
        case Hold() | Stand():
            return Refusal("not_now", "no hand is being drawn", paragraph="1.8")
        case _ as never:
            assert_never(never)


def _too_tired(state: RunState, crime: str) -> Refusal | None:
    cost = state.rules.crimes[crime].energy
    if cost <= state.energy:
        return None
    sentence = f"{crime} costs {cost} energy and {state.energy} is left"
    return Refusal("too_little_energy", sentence, paragraph="10.1")


def _too_poor(state: RunState, buff: str) -> Refusal | None:
    price = state.rules.run.prices[buff]
    if price <= state.gold:
        return None
    sentence = f"{buff} costs ${price} and the purse holds ${state.gold}"
    return Refusal("too_little_gold", sentence, paragraph="11.2")


def _already_there(state: RunState, place: str) -> Refusal | None:
    if place != state.place:
        return None
    return Refusal("already_there", f"the outlaw is at {place} already", paragraph="11.2")


def _too_late(state: RunState, needed: int) -> Refusal | None:
    left = state.rules.run.duration - state.clock
    if needed <= left:
        return None
    return Refusal("too_late", f"that takes {needed} s and {left} s are left", paragraph="11.3")


def _run_step(state: RunState, action: Action) -> Step[State]:
    rules, run = state.rules, state.rules.run
    change = msgspec.structs.replace
    match action:
        case Choose(outlaw):
            place = rules.outlaws[outlaw].location or run.place
            return _make_step(
                change(state, outlaw=outlaw, place=place), Chosen(audience=EVERYONE, seat=0, outlaw=outlaw)
            )
        case Attempt(crime):
            energy = rules.crimes[crime].energy
            after = change(state, attempt=crime, energy=state.energy - energy)
            return _make_step(after, Attempted(audience=EVERYONE, crime=crime, energy=energy))
        case Rest():
            energy = min(run.energy, state.energy + run.rest_energy)
            after = change(state, energy=energy, clock=state.clock + run.rest_time)
            return _make_step(after, Rested(audience=EVERYONE, energy=energy - state.energy))
        case Travel(place):
            after = change(state, place=place, clock=state.clock + run.travel_time)
            return _make_step(after, Travelled(audience=EVERYONE, place=place))
        case Buy(buff):
            price = run.prices[buff]
            buffs = _start_buff(state.buffs, buff, state.clock)
            after = change(state, gold=state.gold - price, buffs=buffs)
            return _make_step(after, Bought(audience=EVERYONE, buff=buff, price=price))
        case _:  # pragma: no cover
            raise AssertionError(action)  # hands are played in `drawing`


def _describe_deal(state: State) -> str:
    drawing = state.drawing
    if drawing is not None:
        return f"the next {FULL_HAND - len(drawing.hand)} cards are of what is left of the deck, sorted"
    if state.rules.deck == STANDARD:
        return "a draw is five different cards of the deck, sorted"
    return "a draw is five cards of the deck, sorted"


def _go_on(drawn: DrawStep) -> Step[State]:
    """Return the step of a draw; where the hand is final, it is resolved."""
    if drawn.final is None:
        return Step(drawn.state, drawn.events)
    if isinstance(drawn.state, RunState):
        return _run_draw(drawn.state, drawn.final)
    if isinstance(drawn.state, ContestState):
        return _contest_draw(drawn.state, drawn.final)
    resolved = draw_member(drawn.state, drawn.final)
    return Step(resolved.state, resolved.events)


def _start_buff(running: Iterable[RunningBuff], buff: str, at: int) -> tuple[RunningBuff, ...]:
    """Return the buffs after one was started; an earlier one of the same name ends (§5.4)."""
    return (*(other for other in running if other.buff != buff), RunningBuff(buff, at))


def _run_draw(state: RunState, hand: Hand) -> Step[State]:
    """Resolve the attempted crime with the bonuses of the moment when it began (§11.4).

    A buff that it inflicts starts when the crime is over (§10.4).
    """
    assert state.attempt is not None  # noqa: S101  luck is due only while a crime is under way
    rules, crime = state.rules, state.rules.crimes[state.attempt]
    result = check(score(hand, outlaw_now(state), rules, at=state.clock), crime.threshold, rules)
    earned = reward(crime, result.degree, rules)
    gold = purse_after(state.gold, earned)
    clock = state.clock + rules.run.crime_time
    after = msgspec.structs.replace(
        state,
        attempt=None,
        gold=gold,
        experience=state.experience + earned.experience,
        clock=clock,
        buffs=state.buffs if earned.buff is None else _start_buff(state.buffs, earned.buff, clock),
    )
    return _make_step(
        after,
        Drawn(audience=EVERYONE, seat=0, score=result.score),
        Resolved(
            audience=EVERYONE,
            crime=state.attempt,
            margin=result.margin,
            degree=result.degree,
            gold=gold - state.gold,
            experience=earned.experience,
            buff=earned.buff,
        ),
    )


def _contest_turn(state: ContestState) -> Turn[Hand]:
    waiting = tuple(seat for seat in (0, 1) if state.choices[seat] is None)
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


def _commit(state: ContestState, seat: Seat, outlaw: str) -> Step[State]:
    attacker, defender = state.choices
    choices = (outlaw, defender) if seat == 0 else (attacker, outlaw)
    events: list[Event] = [
        Committed(audience=EVERYONE, seat=seat),
        Chosen(audience=(seat,), seat=seat, outlaw=outlaw),
    ]
    if choices[0] is not None and choices[1] is not None:
        events.append(Faced(audience=EVERYONE, attacker=choices[0], defender=choices[1]))
    return _make_step(msgspec.structs.replace(state, choices=choices), *events)


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
