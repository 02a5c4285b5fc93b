"""The Combat Duel as a game: one seat against the house (§3), or two seats against each other (§7)."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final, TypeAlias, assert_never

import msgspec

from oddsmith.cards import STANDARD_DECK, Card
from oddsmith.chance import Chance, DealHand, Draw, Weighted
from oddsmith.errors import NOT_YOUR_TURN, IllegalMove, InputError, Refusal
from oddsmith.game import EVERYONE, Act, Audience, Await, Decide, Event, Luck, Outcome, Over, Seat, Step, Turn
from oddsmith.games.duel import notation, views
from oddsmith.games.duel.conditions import next_streak, round_rules
from oddsmith.games.duel.model import (
    Action,
    Blow,
    Committed,
    Corner,
    Dealt,
    Ended,
    Exchanged,
    ExecuteTurn,
    Flee,
    Hand,
    HappenedEvent,
    Indices,
    Plan,
    Power,
    Readied,
    Reshuffled,
    Result,
    SelectAttack,
    SelectDefense,
    Selected,
    Side,
    State,
)
from oddsmith.games.duel.rules import DeckKind, Rules
from oddsmith.games.duel.scoring import (
    damage,
    house_flight_result,
    house_result,
    player_flight_result,
    player_result,
    relevant_cards,
    split_power,
)
from oddsmith.games.duel.views import View, house_attack
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND

LuckOutcome: TypeAlias = Hand | int
"""An outcome of luck: a hand, or the number of cards with which the house attacks."""

PLAYER: Final[Corner] = 0
OPPONENT: Final[Corner] = 1
FULL_DECK: Final = tuple(sorted(STANDARD_DECK))
PLACES: Final = range(FULL_HAND)

_SUBSETS: Final = tuple(places for size in range(FULL_HAND + 1) for places in combinations(PLACES, size))
SELECTIONS: Final[tuple[Action, ...]] = (*map(SelectAttack, _SUBSETS), *map(SelectDefense, _SUBSETS))
EXECUTE: Final = ExecuteTurn()
_FLEE: Final = Flee()
_DECISIONS: Final[dict[tuple[Seat, ...], Decide]] = {seats: Decide(seats) for seats in ((0,), (1,), (0, 1))}
_NO_LUCK_DUE: Final = Refusal("no_luck_due", "no luck is due now: a seat must choose")


class CombatDuel:
    """The game: one seat fights the house, two seats fight each other.

    >>> state = GAME.setup(Rules(), 1)
    >>> GAME.objection(state, 0, Flee()).sentence
    "it is not this seat's turn to choose"
    """

    name = "duel"
    rules_type = Rules
    state_type: Any = State
    action_type: Any = Action
    luck_type: Any = LuckOutcome
    event_type: Any = HappenedEvent
    view_type: Any = View
    claim_type: Any = Any

    def seats(self, rules: Rules) -> range:
        """Return the numbers of seats: one against the house, two against each other."""
        return range(1, 3)

    def setup(self, rules: Rules, seats: int) -> State:
        """Return the state before the first deal, or raise `InputError` for any other number of seats."""
        if seats not in self.seats(rules):
            raise InputError("bad_seats", f"the Combat Duel is for 1 or 2 seats, not {seats}")
        house = seats == 1
        return State(
            rules=rules,
            house=house,
            round=1,
            sides=(
                Side(hp=rules.player_hp, deck=FULL_DECK),
                Side(
                    hp=rules.opponent_hp if house else rules.player_hp,
                    deck=FULL_DECK,
                ),
            ),
        )

    def turn(self, state: State) -> Turn[LuckOutcome]:
        """Return the luck that is due, the seats that choose, or the outcome."""
        if state.result is not None:
            return Over(_make_outcome(state.result, house=state.house))
        due = _luck_due(state)
        if due is not None:
            return Await(due)
        return _DECISIONS[_choosing_seats(state)]

    def actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return the legal actions of a seat: selections by size and index, then to fight, then to flee."""
        if not _may_choose(state, seat):
            return ()
        selections = SELECTIONS if state.sides[seat].selections < state.rules.most_selections else ()
        return (*selections, EXECUTE, *((_FLEE,) if state.round <= state.rules.flee_rounds else ()))

    def overdue(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return the action of a seat whose clock ran out: to fight with the present split."""
        return (EXECUTE,) if _may_choose(state, seat) else ()

    def objection(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Return why the seat may not do this now, or None where it may."""
        if state.result is not None:
            return Refusal("game_over", f"the duel is over: {state.result.why.words}")
        if not _may_choose(state, seat):
            return NOT_YOUR_TURN
        match action:
            case SelectAttack(indices) | SelectDefense(indices):
                return index_objection(indices) or _selection_objection(state, seat)
            case ExecuteTurn():
                return None
            case Flee():
                return _flight_objection(state)
            case _ as never:
                assert_never(never)

    def step(self, state: State, move: Act[Action] | Luck[LuckOutcome]) -> Step[State]:
        """Return the state and the events after a move, or raise `IllegalMove`."""
        if isinstance(move, Luck):
            return _apply_luck(state, move.outcome)
        refusal = self.objection(state, move.seat, move.action)
        if refusal is not None:
            raise IllegalMove.of(refusal)
        seat: Corner = PLAYER if move.seat == PLAYER else OPPONENT
        match move.action:
            case SelectAttack(indices):
                left = without_places(state.sides[seat].defense, indices)
                return _select(state, seat, attacking=indices, defending=left)
            case SelectDefense(indices):
                left = without_places(state.sides[seat].attack, indices)
                return _select(state, seat, attacking=left, defending=indices)
            case ExecuteTurn():
                return _commit(state, seat, Plan.FIGHT)
            case Flee():
                return _commit(state, seat, Plan.FLEE)
            case _ as never:
                assert_never(never)

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return the view of a seat, or of a spectator."""
        return views.view(state, viewer)

    def imagine(self, view: View, draw: Draw) -> State:
        """Return a random full state consistent with a view."""
        return views.imagine(view, draw)

    def cards(self, state: State) -> Sequence[Card]:
        """Return the cards of both decks, from all piles and hands."""
        return tuple(card for side in state.sides for card in (*side.deck, *side.discard, *side.hand))

    def write(self, state: State, move: Act[Action] | Luck[LuckOutcome]) -> str:
        """Return a move as a short line."""
        return notation.write_move(move)

    def read(self, state: State, text: str) -> Act[Action] | Luck[LuckOutcome]:
        """Return the move of a line that `write` wrote, or raise `InputError`."""
        return notation.read_move(text)


GAME: Final = CombatDuel()


def _make_outcome(result: Result, *, house: bool) -> Outcome:
    """Return the outcome of a result: against the house with its score, between players with 1, ½ or 0."""
    winners = (result.winner,) if result.winner is not None else ()
    if house:
        seats = tuple(seat for seat in winners if seat == PLAYER)
        return Outcome(why=result.why, winners=seats, scores=(Points(result.score),))
    halves = Points("0.5") if not winners else Points(0)
    scores = tuple(Points(1) if seat in winners else halves for seat in (PLAYER, OPPONENT))
    return Outcome(why=result.why, winners=winners, scores=scores)


def _luck_due(state: State) -> Chance[Any] | None:
    """Return the next deal or choice of the house, or None where none is due (§3.7)."""
    player, opponent = state.sides
    if not state.house:
        due = next((side for side in state.sides if not side.hand), None)
        return None if due is None else DealHand(due.deck, FULL_HAND)
    if not opponent.hand:
        return DealHand(opponent.deck, FULL_HAND)
    if opponent.plan is None:
        counts = state.rules.house_counts
        return Weighted(tuple((count, counts.count(count)) for count in sorted(set(counts))))
    return None if player.hand else DealHand(player.deck, FULL_HAND)


def _choosing_seats(state: State) -> tuple[Seat, ...]:
    if state.house:
        return (PLAYER,)
    return tuple([seat for seat in (PLAYER, OPPONENT) if state.sides[seat].plan is None])


def _may_choose(state: State, seat: Seat) -> bool:
    """Return whether a seat may choose now."""
    if state.result is not None or seat not in ((PLAYER,) if state.house else (PLAYER, OPPONENT)):
        return False
    player, opponent = state.sides
    return bool(player.hand and opponent.hand) and state.sides[seat].plan is None


def index_objection(indices: Indices) -> Refusal | None:
    """Return why these places cannot be selected, or None where they can (§4.5)."""
    for place in indices:
        if place not in PLACES:
            sentence = f"there is no card {place} in the hand: its cards are 0 to {FULL_HAND - 1}"
            return Refusal("bad_index", sentence, paragraph="4.5")
    if len(set(indices)) != len(indices):
        written = ", ".join(map(str, indices))
        return Refusal("repeated_index", f"a card is named more than once: {written}", paragraph="4.5")
    return None


def _selection_objection(state: State, seat: Seat) -> Refusal | None:
    most = state.rules.most_selections
    if state.sides[seat].selections < most:
        return None
    return Refusal("too_many_selections", f"a round allows {most} selections: fight now", paragraph="4.6")


def _flight_objection(state: State) -> Refusal | None:
    last = state.rules.flee_rounds
    if state.round <= last:
        return None
    allowed = f"may flee only in rounds 1 to {last}" if last else "may never flee"
    sentence = f"this is round {state.round}, and one {allowed}"
    return Refusal("too_late_to_flee", sentence, paragraph="4.7")


def without_places(places: Indices, gone: Indices) -> Indices:
    """Return the places that are not gone."""
    return tuple([place for place in places if place not in gone])


def _apply_luck(state: State, outcome: LuckOutcome) -> Step[State]:
    due = None if state.result is not None else _luck_due(state)
    if due is None:
        raise IllegalMove.of(_NO_LUCK_DUE)
    if not due.weight(outcome):
        raise IllegalMove("impossible_luck", "luck decides one of the outcomes that are possible now")
    if isinstance(outcome, int):
        return _split_house_hand(state, outcome)
    return _deal(state, outcome)


def _deal(state: State, hand: Hand) -> Step[State]:
    order: tuple[Corner, Corner] = (OPPONENT, PLAYER) if state.house else (PLAYER, OPPONENT)
    seat = order[0] if not state.sides[order[0]].hand else order[1]
    side = state.sides[seat]
    dealt_cards = set(hand)
    left = tuple([card for card in side.deck if card not in dealt_cards])
    after = _with_side(state, seat, msgspec.structs.replace(side, deck=left, hand=hand))
    if not (state.house and seat == OPPONENT):
        return Step(after, (Dealt(audience=(seat,) if not state.house else EVERYONE, seat=seat, hand=hand),))
    dealt = Dealt(audience=_house_audience(state.rules), seat=seat, hand=hand)
    counts = state.rules.house_counts
    if len(set(counts)) > 1:
        return Step(after, (dealt,))
    ready = _split_house_hand(after, counts[0])
    return Step(ready.state, (dealt, *ready.events))


def _house_audience(rules: Rules) -> Audience:
    return EVERYONE if rules.opponent_visible else ()


def _split_house_hand(state: State, count: int) -> Step[State]:
    """Split the house's hand so that `count` cards attack (§3.6)."""
    side = state.sides[OPPONENT]
    chosen = house_attack(side.hand, count)
    rest = tuple([place for place in PLACES if place not in chosen])
    ready = msgspec.structs.replace(side, attack=chosen, defense=rest, plan=Plan.FIGHT)
    after = _with_side(state, OPPONENT, ready)
    attacking, defending = _powers(ready, OPPONENT, after)
    readied = Readied(audience=_house_audience(state.rules), attack=attacking, defense=defending)
    return Step(after, (readied,))


def _select(state: State, seat: Corner, *, attacking: Indices, defending: Indices) -> Step[State]:
    side = state.sides[seat]
    changed = msgspec.structs.replace(
        side, attack=attacking, defense=defending, selections=side.selections + 1
    )
    audience = EVERYONE if state.house else (seat,)
    selected = Selected(audience=audience, seat=seat, attack=attacking, defense=defending)
    return Step(_with_side(state, seat, changed), (selected,))


def _commit(state: State, seat: Corner, plan: Plan) -> Step[State]:
    """Set a fighter's plan, and resolve the round once both fighters have one."""
    side = state.sides[seat]
    attacking = tuple([place for place in PLACES if place not in side.defense])
    after = _with_side(state, seat, msgspec.structs.replace(side, attack=attacking, plan=plan))
    if state.house:
        return _resolve(after, ())
    committed = Committed(audience=EVERYONE, seat=seat)
    if after.sides[1 - seat].plan is None:
        return Step(after, (committed,))
    return _resolve(after, (committed,))


def _resolve(state: State, events: tuple[Event, ...]) -> Step[State]:
    """Resolve a round for which both fighters have a plan; `events` come before its own."""
    player, opponent = state.sides
    fled = player.plan is Plan.FLEE, opponent.plan is Plan.FLEE
    if any(fled):
        return _end_by_flight(state, fled, events)
    rules = state.rules
    mine, theirs = _powers(player, PLAYER, state), _powers(opponent, OPPONENT, state)
    least_taken = rules.least_taken if state.house else rules.least_dealt
    dealt = damage(mine[0].total, theirs[1].total, rules.least_dealt)
    taken = damage(theirs[0].total, mine[1].total, least_taken)
    hps = max(0, player.hp - taken), max(0, opponent.hp - dealt)
    exchanged = Exchanged(
        audience=EVERYONE,
        round=state.round,
        blows=(
            Blow(attack=mine[0], defense=mine[1], dealt=dealt, hp=hps[0]),
            Blow(attack=theirs[0], defense=theirs[1], dealt=taken, hp=hps[1]),
        ),
    )
    result = (
        house_result(*hps, state.round, relevant_cards(player.hand, rules), rules)
        if state.house
        else player_result(hps, state.round, rules)
    )
    change = msgspec.structs.replace
    if result is not None:
        sides = change(player, hp=hps[0]), change(opponent, hp=hps[1])
        after = change(state, sides=sides, result=result)
        return Step(after, (*events, exchanged, Ended(audience=EVERYONE, result=result)))
    sides = _discard_hand(player, hps[0], mine, rules), _discard_hand(opponent, hps[1], theirs, rules)
    shuffled = tuple(
        Reshuffled(audience=EVERYONE, seat=seat)
        for seat in (PLAYER, OPPONENT)
        if rules.deck is DeckKind.DEPLETING and not sides[seat].discard
    )
    return Step(change(state, round=state.round + 1, sides=sides), (*events, exchanged, *shuffled))


def _end_by_flight(state: State, fled: tuple[bool, bool], events: tuple[Event, ...]) -> Step[State]:
    """End a duel by flight; the house's fighter gets its full hit points back (§5.5)."""
    player, opponent = state.sides
    if state.house:
        result = house_flight_result(state.rules)
        opponent = msgspec.structs.replace(opponent, hp=state.rules.opponent_hp)
    else:
        result = player_flight_result(fled)
    after = msgspec.structs.replace(state, sides=(player, opponent), result=result)
    return Step(after, (*events, Ended(audience=EVERYONE, result=result)))


def _powers(side: Side, corner: Corner, state: State) -> tuple[Power, Power]:
    """Return the attack and the defense of a side in this round."""
    attacking = [side.hand[place] for place in side.attack]
    defending = [side.hand[place] for place in side.defense]
    fighter = state.rules.fighter(corner, house=state.house)
    return split_power(attacking, defending, fighter, round_rules(state.rules, state.round, side.streak))


def _discard_hand(side: Side, hp: int, powers: tuple[Power, Power], rules: Rules) -> Side:
    """Discard the hand; restore the full deck where it is always fresh or has too few cards left (§3.2)."""
    streak = next_streak(side.streak, powers[0].rank, rules)
    if rules.deck is DeckKind.FRESH or len(side.deck) < FULL_HAND:
        return Side(hp=hp, deck=FULL_DECK, streak=streak)
    used = tuple(sorted((*side.discard, *side.hand)))
    return Side(hp=hp, deck=side.deck, discard=used, streak=streak)


def _with_side(state: State, seat: Corner, side: Side) -> State:
    sides = (side, state.sides[1]) if seat == PLAYER else (state.sides[0], side)
    return msgspec.structs.replace(state, sides=sides)
