"""A solo run: crimes, skill checks, contests, gang wars, and what is between them (§11)."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple, TypeAlias, assert_never

import msgspec

from oddsmith.errors import Refusal
from oddsmith.game import EVERYONE, Event, Outcome, Over, Step
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Attempted,
    Bought,
    Buy,
    Challenge,
    Choose,
    Chosen,
    Defend,
    Drawn,
    Hand,
    Hire,
    Hold,
    PendingCheck,
    PendingContest,
    PendingCrime,
    PendingWar,
    Raid,
    Resolved,
    Rest,
    Rested,
    Retire,
    RunningBuff,
    RunState,
    Side,
    Stand,
    TakeCheck,
    Travel,
    Travelled,
)
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.run_checks import begin_check, resolve_check
from oddsmith.games.destiny.run_contests import begin_contest, draw_contest
from oddsmith.games.destiny.run_costs import shortest_time, unaffordable, unknown
from oddsmith.games.destiny.run_wars import begin_war, draw_war, hire_objection, hire_outlaw, war_objection
from oddsmith.games.destiny.scoring import check, purse_after, reward, score
from oddsmith.games.destiny.views import outlaw_now
from oddsmith.points import Points


def begin_run(rules: Rules) -> RunState:
    """Return a run before the choice of its outlaw (§11.1)."""
    return RunState(
        rules=rules,
        outlaw=None,
        energy=rules.run.energy,
        gold=Points(0),
        experience=Points(0),
        place=rules.run.place,
        clock=0,
        buffs=(),
        gang=(),
        pending=None,
    )


def run_candidates(rules: Rules) -> Iterator[Action]:
    """Yield every action of a run after the choice of its outlaw, legal or not, in the rules' order."""
    run = rules.run
    yield from map(Attempt, rules.crimes)
    yield Rest()
    yield from map(Travel, rules.locations)
    yield from map(Buy, run.prices)
    if run.checks.offered:
        yield from map(TakeCheck, rules.skill_checks)
    if run.contests.offered:
        yield from map(Challenge, rules.npcs)
    if run.wars.offered and rules.npcs:
        yield from map(Hire, rules.outlaws)
        yield from map(Raid, rules.npcs)
        yield from map(Defend, rules.npcs)


def run_outcome(state: RunState) -> Over | None:
    """Return the end of a run, or None while some action but a purchase can be started (§11.3, §11.5)."""
    if any(
        run_objection(state, action) is None
        for action in chain((Rest(),), run_candidates(state.rules))  # rest costs nothing but time
        if not isinstance(action, Buy | Hire)
    ):
        return None
    out_of_time = state.clock + shortest_time(state.rules) > state.rules.run.duration
    why = "the time is over" if out_of_time else "nothing can be afforded"
    return Over(Outcome(why=why, winners=(), scores=(state.gold,)))


def run_objection(state: RunState, action: Action) -> Refusal | None:
    """Return why the outlaw cannot do this: unknown, not offered, no time, no energy, no gold, or not with this gang."""
    if isinstance(action, Choose):
        return Refusal("not_now", "the outlaw has been chosen")
    if isinstance(action, Hold | Stand):
        return Refusal("not_now", "no hand is being drawn", paragraph="1.8")
    if isinstance(action, Retire):
        return Refusal("not_now", "only a seat of a gauntlet retires", paragraph="8.12")
    return _inapplicable(state, action) or unaffordable(state, action) or _forbidden(state, action)


def _inapplicable(state: RunState, action: "_NamedAction | Rest") -> Refusal | None:
    """Return why the rules have no such action, or None where they have."""
    if isinstance(action, Rest):
        return None
    what, name, known, offer = _described(action, state.rules)
    if not offer.is_open:
        return Refusal("not_offered", f"this run has no {offer.what}", paragraph=offer.paragraph)
    refusal = unknown(what, name, known)
    return _already_there(state, name) if refusal is None and isinstance(action, Travel) else refusal


_NamedAction: TypeAlias = Attempt | Travel | Buy | TakeCheck | Challenge | Hire | Raid | Defend


class _Offer(NamedTuple):
    """A kind of action, and whether this run has it."""

    what: str
    paragraph: str
    is_open: bool


def _described(action: _NamedAction, rules: Rules) -> tuple[str, str, Iterable[str], _Offer]:
    """Return what an action names, the name, all names of its kind, and its offer."""
    run = rules.run
    always = _Offer("such action", "11.2", is_open=True)
    wars = _Offer("gang wars", "11.8", run.wars.offered)
    found: tuple[str, str, Iterable[str], _Offer]
    match action:
        case Attempt(crime):
            found = "crime", crime, rules.crimes, always
        case Travel(place):
            found = "location", place, rules.locations, always
        case Buy(buff):
            found = "buff", buff, run.prices, always
        case TakeCheck(name):
            offer = _Offer("skill checks", "11.6", run.checks.offered)
            found = "skill_check", name, rules.skill_checks, offer
        case Challenge(npc):
            found = "npc", npc, rules.npcs, _Offer("contests", "11.7", run.contests.offered)
        case Hire(outlaw):
            found = "outlaw", outlaw, rules.outlaws, wars
        case _:
            found = "npc", action.npc, rules.npcs, wars
    return found


def _forbidden(state: RunState, action: Action) -> Refusal | None:
    """Return why the gang of the run forbids an action that could be afforded, or None where it does not."""
    match action:
        case Hire(outlaw):
            return hire_objection(state, outlaw)
        case Raid() | Defend():
            return war_objection(state)
        case _:
            return None


def _already_there(state: RunState, place: str) -> Refusal | None:
    if place != state.place:
        return None
    return Refusal("already_there", f"the outlaw is at {place} already", paragraph="11.2")


def run_step(state: RunState, action: "Choose | Rest | _NamedAction") -> Step[RunState]:
    """Return the state after a legal action, and its events; hands are played by `drawing`."""
    rules, run = state.rules, state.rules.run
    change = msgspec.structs.replace
    match action:
        case Choose(outlaw):
            place = rules.outlaws[outlaw].location or run.place
            return _make_step(
                change(state, outlaw=outlaw, place=place), Chosen(audience=EVERYONE, seat=0, outlaw=outlaw)
            )
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
        case Hire(outlaw):
            return hire_outlaw(state, outlaw)
        case _:
            return _begin(state, action)


def _begin(state: RunState, action: Attempt | TakeCheck | Challenge | Raid | Defend) -> Step[RunState]:
    """Return the state after an action that waits for a draw was begun."""
    match action:
        case Attempt(crime):
            energy = state.rules.crimes[crime].energy
            after = msgspec.structs.replace(state, pending=PendingCrime(crime), energy=state.energy - energy)
            return _make_step(after, Attempted(audience=EVERYONE, crime=crime, energy=energy))
        case TakeCheck(name):
            return begin_check(state, name)
        case Challenge(npc):
            return begin_contest(state, npc)
        case Raid(npc):
            return begin_war(state, npc, Side.ATTACKER)
        case Defend(npc):
            return begin_war(state, npc, Side.DEFENDER)
        case _ as never:
            assert_never(never)


def run_draw(state: RunState, hand: Hand) -> Step[RunState]:
    """Return the state after the hand that the pending action waits for."""
    match state.pending:
        case PendingCheck() as pending:
            return resolve_check(state, pending, hand)
        case PendingContest() as pending:
            return draw_contest(state, pending, hand)
        case PendingWar() as pending:
            return draw_war(state, pending, hand)
        case _ as pending:
            assert pending is not None  # noqa: S101  luck is due only while an action is pending
            return _resolve_crime(state, pending, hand)


def _resolve_crime(state: RunState, pending: PendingCrime, hand: Hand) -> Step[RunState]:
    """Resolve the attempted crime with the bonuses of the moment when it began (§11.4).

    A buff that it inflicts starts when the crime is over (§10.4).
    """
    rules, crime = state.rules, state.rules.crimes[pending.crime]
    result = check(score(hand, outlaw_now(state), rules, at=state.clock), crime.threshold, rules)
    earned = reward(crime, result.degree, rules)
    gold = purse_after(state.gold, earned)
    clock = state.clock + rules.run.crime_time
    after = msgspec.structs.replace(
        state,
        pending=None,
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
            crime=pending.crime,
            margin=result.margin,
            degree=result.degree,
            gold=gold - state.gold,
            experience=earned.experience,
            buff=earned.buff,
        ),
    )


def _start_buff(running: Iterable[RunningBuff], buff: str, at: int) -> tuple[RunningBuff, ...]:
    """Return the buffs after one was started; an earlier one of the same name ends (§5.4)."""
    return (*(other for other in running if other.buff != buff), RunningBuff(buff, at))


def drawn_hands(state: RunState) -> tuple[Hand, ...]:
    """Return the hands that the pending action has drawn so far."""
    return state.pending.hands if isinstance(state.pending, PendingContest | PendingWar) else ()


def count_run_decks(rules: Rules) -> int:
    """Return the number of decks that the largest action of a run draws from (§1.1)."""
    if not rules.npcs:
        return 1
    if rules.run.wars.offered:
        return 2 * rules.gang_limit
    return 2 if rules.run.contests.offered else 1


def _make_step(state: RunState, *events: Event) -> Step[RunState]:
    return Step(state, events)
