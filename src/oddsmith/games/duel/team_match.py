"""A team duel between two moves: deals, hidden splits and targets, and the exchange of all at once (§9)."""

from collections.abc import Sequence
from typing import Any, Final, assert_never

import msgspec

from oddsmith.cards import Card
from oddsmith.chance import Chance, DealHand
from oddsmith.errors import NOT_YOUR_TURN, IllegalMove, Refusal
from oddsmith.game import EVERYONE, Act, Await, Decide, Event, Luck, Outcome, Over, Seat, Step, Turn
from oddsmith.games.duel.conditions import next_streak, round_rules
from oddsmith.games.duel.engine import (
    EXECUTE,
    FULL_DECK,
    PLACES,
    SELECTIONS,
    LuckOutcome,
    index_objection,
    without_places,
)
from oddsmith.games.duel.model import (
    Committed,
    Dealt,
    Ended,
    ExecuteTurn,
    Flee,
    Hand,
    Indices,
    Power,
    Reshuffled,
    Result,
    SelectAttack,
    SelectDefense,
    Selected,
)
from oddsmith.games.duel.rules import DeckKind, Rules
from oddsmith.games.duel.scoring import split_power
from oddsmith.games.duel.team_model import (
    AnyAction,
    SelectTarget,
    Targeted,
    TeamExchanged,
    TeamFighter,
    TeamState,
)
from oddsmith.games.duel.team_scoring import (
    exchange_blows,
    gear_of,
    living_opponents,
    seats_of,
    side_of,
    team_result,
    viewers_of,
)
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND

NO_FLIGHT: Final = Refusal(
    "no_flight", "nobody flees from a team duel: the allies would be left alone", paragraph="9.8"
)


def setup(rules: Rules) -> TeamState:
    """Return the state before the first deal: every fighter has the player's hit points (§9.2)."""
    fighter = TeamFighter(hp=rules.player_hp, deck=FULL_DECK)
    return TeamState(rules=rules, round=1, fighters=(fighter,) * (2 * rules.teams.size))


def turn(state: TeamState) -> Turn[LuckOutcome]:
    """Return the deal that is due, the seats that choose, or the outcome."""
    if state.result is not None:
        return Over(_make_outcome(state.result, state.rules))
    due = _deal_due(state)
    if due is not None:
        return Await(due[1])
    return Decide(tuple(seat for seat in range(len(state.fighters)) if may_choose(state, seat)))


def actions(state: TeamState, seat: Seat) -> Sequence[AnyAction]:
    """Return the legal actions of a seat: selections by size and index, targets by seat, then to fight."""
    if not may_choose(state, seat):
        return ()
    if state.fighters[seat].selections >= state.rules.most_selections:
        return (EXECUTE,)
    targets = sorted(living_opponents(seat, hit_points(state), state.rules))
    return (*SELECTIONS, *map(SelectTarget, targets), EXECUTE)


def overdue(state: TeamState, seat: Seat) -> Sequence[AnyAction]:
    """Return the action of a seat whose clock ran out: to fight with the present split and target."""
    return (EXECUTE,) if may_choose(state, seat) else ()


def may_choose(state: TeamState, seat: Seat) -> bool:
    """Return whether a seat may choose now: all living fighters have a hand, and this one has not committed."""
    if state.result is not None or seat not in range(len(state.fighters)) or _deal_due(state) is not None:
        return False
    fighter = state.fighters[seat]
    return fighter.hp > 0 and not fighter.committed


def hit_points(state: TeamState) -> tuple[int, ...]:
    """Return the hit points of every seat."""
    return tuple(fighter.hp for fighter in state.fighters)


def objection(state: TeamState, seat: Seat, action: AnyAction) -> Refusal | None:
    """Return why the seat may not do this now, or None where it may."""
    if state.result is not None:
        return Refusal("game_over", f"the duel is over: {state.result.why.words}")
    if not may_choose(state, seat):
        return NOT_YOUR_TURN
    match action:
        case SelectAttack(indices) | SelectDefense(indices):
            return index_objection(indices) or _selection_objection(state, seat)
        case SelectTarget(target):
            return _target_objection(state, seat, target) or _selection_objection(state, seat)
        case ExecuteTurn():
            return None
        case Flee():
            return NO_FLIGHT
        case _ as never:
            assert_never(never)


def _target_objection(state: TeamState, seat: Seat, target: Seat) -> Refusal | None:
    others = living_opponents(seat, hit_points(state), state.rules)
    if target in others:
        return None
    listed = ", ".join(map(str, sorted(others)))
    sentence = f"seat {target} has no living opponent of seat {seat}: those are in seats {listed}"
    return Refusal("not_an_opponent", sentence, paragraph="9.4")


def _selection_objection(state: TeamState, seat: Seat) -> Refusal | None:
    most = state.rules.most_selections
    if state.fighters[seat].selections < most:
        return None
    return Refusal("too_many_selections", f"a round allows {most} selections: fight now", paragraph="4.6")


def step(state: TeamState, move: Act[AnyAction] | Luck[LuckOutcome]) -> Step[TeamState]:
    """Return the state and the events after a move, or raise `IllegalMove`."""
    if isinstance(move, Luck):
        return _deal(state, move.outcome)
    refusal = objection(state, move.seat, move.action)
    if refusal is not None:
        raise IllegalMove.of(refusal)
    seat, fighter = move.seat, state.fighters[move.seat]
    match move.action:
        case SelectAttack(indices):
            left = without_places(fighter.defense, indices)
            return _select(state, seat, attacking=indices, defending=left)
        case SelectDefense(indices):
            left = without_places(fighter.attack, indices)
            return _select(state, seat, attacking=left, defending=indices)
        case SelectTarget(target):
            aimed = msgspec.structs.replace(fighter, target=target, selections=fighter.selections + 1)
            event = Targeted(audience=viewers_of(seat, state.rules), seat=seat, target=target)
            return Step(_with_fighter(state, seat, aimed), (event,))
        case _:
            return _commit(state, seat)


def cards(state: TeamState) -> Sequence[Card]:
    """Return the cards of all decks, from all piles and hands."""
    return tuple(
        card for fighter in state.fighters for card in (*fighter.deck, *fighter.discard, *fighter.hand)
    )


def _deal_due(state: TeamState) -> tuple[Seat, Chance[Any]] | None:
    """Return the next living fighter without a hand and its deal, or None where every one has a hand (§9.3)."""
    for seat, fighter in enumerate(state.fighters):
        if fighter.hp > 0 and not fighter.hand:
            return seat, DealHand(fighter.deck, FULL_HAND)
    return None


def _deal(state: TeamState, outcome: LuckOutcome) -> Step[TeamState]:
    due = None if state.result is not None else _deal_due(state)
    if due is None:
        raise IllegalMove("no_luck_due", "no luck is due now: a seat must choose")
    seat, chance = due
    if isinstance(outcome, int) or not chance.weight(outcome):
        raise IllegalMove("impossible_luck", "luck decides one of the outcomes that are possible now")
    hand: Hand = outcome
    fighter, dealt = state.fighters[seat], set(hand)
    left = tuple([card for card in fighter.deck if card not in dealt])
    after = _with_fighter(state, seat, msgspec.structs.replace(fighter, deck=left, hand=hand))
    return Step(after, (Dealt(audience=viewers_of(seat, state.rules), seat=seat, hand=hand),))


def _select(state: TeamState, seat: Seat, *, attacking: Indices, defending: Indices) -> Step[TeamState]:
    fighter = state.fighters[seat]
    changed = msgspec.structs.replace(
        fighter, attack=attacking, defense=defending, selections=fighter.selections + 1
    )
    audience = viewers_of(seat, state.rules)
    selected = Selected(audience=audience, seat=seat, attack=attacking, defense=defending)
    return Step(_with_fighter(state, seat, changed), (selected,))


def _commit(state: TeamState, seat: Seat) -> Step[TeamState]:
    """Commit a fighter; cards on no side attack, and the last commitment resolves the round (§9.4, §9.5)."""
    fighter = state.fighters[seat]
    attacking = tuple([place for place in PLACES if place not in fighter.defense])
    after = _with_fighter(state, seat, msgspec.structs.replace(fighter, attack=attacking, committed=True))
    committed = Committed(audience=EVERYONE, seat=seat)
    if any(fighter.hp > 0 and not fighter.committed for fighter in after.fighters):
        return Step(after, (committed,))
    return _resolve(after, committed)


def target_of(state: TeamState, seat: Seat) -> Seat:
    """Return the target of a living fighter: the chosen one, or the first living opponent (§9.4)."""
    chosen = state.fighters[seat].target
    return living_opponents(seat, hit_points(state), state.rules)[0] if chosen is None else chosen


def _resolve(state: TeamState, committed: Event) -> Step[TeamState]:
    """Resolve a round in which all living fighters have committed."""
    rules, hps = state.rules, hit_points(state)
    living = [seat for seat, hp in enumerate(hps) if hp > 0]
    blows = exchange_blows(
        {seat: _powers(state, seat) for seat in living},
        {seat: target_of(state, seat) for seat in living},
        hps,
        rules,
    )
    left = {blow.seat: blow.hp for blow in blows}
    after = [left.get(seat, 0) for seat in range(len(hps))]
    result = team_result(after, state.round, rules)
    exchanged = TeamExchanged(audience=EVERYONE, round=state.round, blows=blows)
    change = msgspec.structs.replace
    if result is not None:
        fighters = tuple(change(fighter, hp=hp) for fighter, hp in zip(state.fighters, after, strict=True))
        ended = Ended(audience=EVERYONE, result=result)
        return Step(change(state, fighters=fighters, result=result), (committed, exchanged, ended))
    attacks = {blow.seat: blow.attack for blow in blows}
    fighters = tuple(
        _discard_hand(fighter, after[seat], attacks.get(seat), rules)
        for seat, fighter in enumerate(state.fighters)
    )
    shuffled = tuple(
        Reshuffled(audience=EVERYONE, seat=seat)
        for seat, fighter in enumerate(fighters)
        if fighter.hp > 0 and rules.deck is DeckKind.DEPLETING and not fighter.discard
    )
    return Step(change(state, round=state.round + 1, fighters=fighters), (committed, exchanged, *shuffled))


def _powers(state: TeamState, seat: Seat) -> tuple[Power, Power]:
    fighter, gear = state.fighters[seat], gear_of(seat, state.rules)
    attacking = [fighter.hand[place] for place in fighter.attack]
    defending = [fighter.hand[place] for place in fighter.defense]
    return split_power(attacking, defending, gear, round_rules(state.rules, state.round, fighter.streak))


def _discard_hand(fighter: TeamFighter, hp: int, attack: Power | None, rules: Rules) -> TeamFighter:
    """Discard the hand; restore the full deck where it is always fresh or has too few cards left (§3.2).

    `attack` is that of the round; None for a fighter that is out.
    """
    streak = 0 if attack is None else next_streak(fighter.streak, attack.rank, rules)
    if rules.deck is DeckKind.FRESH or len(fighter.deck) < FULL_HAND:
        return TeamFighter(hp=hp, deck=FULL_DECK, streak=streak)
    discard = tuple(sorted((*fighter.discard, *fighter.hand)))
    return TeamFighter(hp=hp, deck=fighter.deck, discard=discard, streak=streak)


def _with_fighter(state: TeamState, seat: Seat, fighter: TeamFighter) -> TeamState:
    fighters = (*state.fighters[:seat], fighter, *state.fighters[seat + 1 :])
    return msgspec.structs.replace(state, fighters=fighters)


def _make_outcome(result: Result, rules: Rules) -> Outcome:
    """Return the outcome: 1 for each seat of the winners, 0 for the others, ½ for a draw (§9.6)."""
    winners = () if result.winner is None else tuple(seats_of(result.winner, rules))
    if not winners:
        return Outcome(why=result.why, winners=(), scores=(Points("0.5"),) * (2 * rules.teams.size))
    scores = tuple(Points(int(side_of(seat, rules) == result.winner)) for seat in range(2 * rules.teams.size))
    return Outcome(why=result.why, winners=winners, scores=scores)
