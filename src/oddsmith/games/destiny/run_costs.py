"""What each action of a run costs in time, energy and gold, and the refusal where the outlaw has too little."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from oddsmith.errors import Refusal, nearest
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Buy,
    Challenge,
    Choose,
    Hire,
    Rest,
    RunState,
    TakeCheck,
    Travel,
)
from oddsmith.games.destiny.rules import Rules
from oddsmith.points import Points

FREE: Final = Points(0)


class Cost(NamedTuple):
    """What an action costs; `what` names it in a refusal."""

    what: str
    time: int = 0
    energy: int = 0
    gold: Points = FREE


def cost(action: Action, rules: Rules, *, size: int = 1) -> Cost:
    """Return the cost of an action whose names the rules know, for a gang of a size (§11.2, §11.6 to §11.9).

    >>> cost(TakeCheck("hard"), Rules())
    Cost(what='hard', time=300, energy=50, gold=Points('0'))
    """
    run = rules.run
    match action:
        case Attempt(crime):
            price = Cost(crime, time=run.crime_time, energy=rules.crimes[crime].energy)
        case Rest():
            price = Cost("rest", time=run.rest_time)
        case Travel(place):
            price = Cost(place, time=run.travel_time)
        case Buy(buff):
            price = Cost(buff, gold=run.prices[buff])
        case TakeCheck(check):
            price = Cost(check, time=run.checks.time, energy=check_energy(check, rules))
        case Challenge():
            price = Cost("a contest", time=run.contests.time, energy=run.contests.energy)
        case Hire(outlaw) | Choose(outlaw):
            price = Cost(outlaw, gold=run.wars.hire if isinstance(action, Hire) else FREE)
        case _:
            price = Cost("a gang war", time=run.wars.time, energy=war_energy(size, rules))
    return price


def check_energy(check: str, rules: Rules) -> int:
    """Return the energy of a skill check: a share of its threshold, rounded half-even to a whole number (§11.6).

    >>> [check_energy(check, Rules()) for check in Rules().skill_checks]
    [10, 20, 30, 50, 70, 100]
    """
    threshold = max(FREE, rules.skill_checks[check])
    return round(threshold.times(rules.run.checks.energy_per_point).fraction)


def war_energy(size: int, rules: Rules) -> int:
    """Return the energy of a gang war, by the number of members a side (§11.9)."""
    return size * rules.run.wars.energy_per_member


def shortest_time(rules: Rules) -> int:
    """Return the time of the shortest action that can continue a run (§11.3)."""
    run = rules.run
    offered = [one.time for one in (run.checks, run.contests, run.wars) if one.offered]
    return min(run.crime_time, run.rest_time, run.travel_time, *offered)


def unaffordable(state: RunState, action: Action) -> Refusal | None:
    """Return why the outlaw has too little time, energy or gold for an action (§10.1, §11.2, §11.3)."""
    return next(_shortages(state, cost(action, state.rules, size=1 + len(state.gang)), action), None)


def _shortages(state: RunState, price: Cost, action: Action) -> Iterator[Refusal]:
    left = state.rules.run.duration - state.clock
    if price.time > left:
        sentence = f"that takes {price.time} s and {left} s are left"
        yield Refusal("too_late", sentence, paragraph="11.3")
    if price.energy > state.energy:
        sentence = f"{price.what} costs {price.energy} energy and {state.energy} is left"
        yield Refusal("too_little_energy", sentence, paragraph="10.1")
    if price.gold > state.gold:
        sentence = f"{price.what} costs ${price.gold} and the purse holds ${state.gold}"
        paragraph = "11.8" if isinstance(action, Hire) else "11.2"
        yield Refusal("too_little_gold", sentence, paragraph=paragraph)


def unknown(what: str, name: str, known: Iterable[str]) -> Refusal | None:
    """Return a refusal with the nearest known name where a name is not known."""
    names = list(known)
    if name in names:
        return None
    return Refusal(
        f"unknown_{what}", f"unknown {what.replace('_', ' ')} '{name[:40]}'{nearest(name[:40], names)}"
    )
