"""The bots of the Destiny Deck; numpy is loaded when one makes its first choice."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from oddsmith.bot import RANDOM, Bot, BotSettings
from oddsmith.game import Seat
from oddsmith.games.destiny.hold_bot import choose_hold
from oddsmith.games.destiny.model import Action, Attempt, Buy, Choose, Degree, Rest, Stand, Travel
from oddsmith.games.destiny.rules import Character, Crime, Rules
from oddsmith.games.destiny.scoring import active_buffs, character_bonuses, purse_after, reward
from oddsmith.games.destiny.views import ContestView, GangView, RunView, View, outlaw_now
from oddsmith.points import Points

FULL_PURSE: Final = Points(100_000)
"""A purse that can pay every penalty of a crime."""


class GreedyBot:
    """A bot that values crimes by exact odds: mean gold times the attempts that the time and the energy left allow.

    It goes where that is most, drinks where a drink pays, rests where it lacks the energy of the best crime, and sleeps
    off a debuff where that wastes no energy. Crimes are valued as hands are dealt; of a hand it holds what is best. In a contest it sends the outlaw that wins most often against one that is
    chosen evenly from the roster, in a gang war the outlaws with the highest mean totals.
    """

    def __init__(self, rules: Rules, seat: Seat) -> None:
        self._rules = rules
        self._seat = seat
        self._rewards = {
            name: {degree: reward(crime, degree, rules) for degree in Degree}
            for name, crime in rules.crimes.items()
        }
        self._degrees: dict[Character, Mapping[str, Mapping[Degree, int]]] = {}
        self._contender: Choose | None = None
        self._means: dict[str, Fraction] = {}

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Return the action of the greatest value."""
        if Stand() in actions:
            return choose_hold(view)
        if isinstance(view, ContestView):
            return self._choose_contender()
        if isinstance(view, GangView):
            return max(actions, key=self._mean_total)
        if view.outlaw is None:
            return max(actions, key=lambda action: self._value_outlaw(view, action))
        return self._next_action(view, actions)

    # --- choices ---------------------------------------------------------------------------------------------------------

    def _choose_contender(self) -> Choose:
        from oddsmith.games.destiny.odds import contest_matrix  # noqa: PLC0415  it loads numpy

        if self._contender is None:
            bonuses = [character_bonuses(outlaw, self._rules) for outlaw in self._rules.outlaws.values()]
            attacks = contest_matrix(bonuses, bonuses, self._rules)
            wins = attacks.sum(axis=1) if self._seat == 0 else -attacks.sum(axis=0)
            self._contender = Choose([*self._rules.outlaws][int(wins.argmax())])
        return self._contender

    def _mean_total(self, action: Action) -> Fraction:
        from oddsmith.games.destiny.odds import totals  # noqa: PLC0415  it loads numpy

        assert isinstance(action, Choose)  # noqa: S101  a gang only chooses its members
        if action.outlaw not in self._means:
            bonuses = character_bonuses(self._rules.outlaws[action.outlaw], self._rules)
            self._means[action.outlaw] = totals(bonuses, self._rules).mean
        return self._means[action.outlaw]

    def _value_outlaw(self, view: RunView, action: Action) -> Fraction:
        """Return the gold that an outlaw may expect of a run, from the best place that it can reach."""
        assert isinstance(action, Choose)  # noqa: S101  the first choice of a run is an outlaw
        home = self._rules.outlaws[action.outlaw].location or view.place
        chosen = msgspec.structs.replace(view, outlaw=action.outlaw, place=home)
        return max(self._value_place(chosen, place) for place in self._rules.locations)

    def _next_action(self, view: RunView, actions: Sequence[Action]) -> Action:
        run, left = self._rules.run, self._rules.run.duration - view.clock
        here = self._value_place(view, view.place)
        place = max(self._rules.locations, key=lambda name: self._value_place(view, name))
        if self._value_place(view, place) > max(here, Fraction(0)) and Travel(place) in actions:
            return Travel(place)
        outlaw = _outlaw_at(view, view.place, self._running(view))
        crime, value = self._best_crime(outlaw, left, view.energy, view.gold)
        can_rest = Rest() in actions and left >= run.rest_time + run.crime_time
        if can_rest and view.energy + run.rest_energy <= run.energy and self._is_weakened(view, outlaw):
            return Rest()
        if value > 0 and Attempt(crime) in actions:
            return self._drink_before(view, outlaw, crime, actions)
        if value > 0 and can_rest and self._can_wait_for(crime, view):
            return Rest()
        return self._least_harm(outlaw, view.gold, actions)

    def _is_weakened(self, view: RunView, outlaw: Character) -> bool:
        """Whether the best crime would bring more without the buffs that work now."""
        left, sober = self._rules.run.duration - view.clock, _outlaw_at(view, view.place, ())
        now, later = (self._best_crime(one, left, view.energy, view.gold)[1] for one in (outlaw, sober))
        return later > now

    def _can_wait_for(self, crime: str, view: RunView) -> bool:
        """Whether rests can give the energy of a crime before the time is over."""
        run, cost = self._rules.run, self._rules.crimes[crime].energy
        if not run.rest_energy or cost > run.energy:
            return False
        rests = -(-(cost - view.energy) // run.rest_energy)
        return view.clock + rests * run.rest_time + run.crime_time <= run.duration

    def _drink_before(
        self, view: RunView, outlaw: Character, crime: str, actions: Sequence[Action]
    ) -> Action:
        """Return the purchase that pays most before a crime, or the attempt itself."""
        best: Action = Attempt(crime)
        most = self._mean_gold(outlaw, crime, view.gold)
        for action in actions:
            if isinstance(action, Buy) and action.buff not in outlaw.buffs:
                price = self._rules.run.prices[action.buff]
                drunk = _outlaw_at(view, view.place, (*outlaw.buffs, action.buff))
                share = price.fraction / self._crimes_during(action.buff, crime, view.energy)
                mean = self._mean_gold(drunk, crime, view.gold - price) - share
                if mean > most:
                    best, most = action, mean
        return best

    def _crimes_during(self, buff: str, crime: str, energy: int) -> int:
        """Return how many attempts of a crime begin while a buff works."""
        in_time = -(-self._rules.buffs[buff].duration // self._rules.run.crime_time)
        cost = self._rules.crimes[crime].energy
        return min(in_time, energy // cost) if cost else in_time

    def _least_harm(self, outlaw: Character, purse: Points, actions: Sequence[Action]) -> Action:
        """Return the crime that brings most where one brings anything; else rest; else the crime that costs least."""
        means = {
            action: self._mean_gold(outlaw, action.crime, purse)
            for action in actions
            if isinstance(action, Attempt)
        }
        best: Action | None = max(means, key=lambda action: means[action], default=None)
        if Rest() in actions and (best is None or means[best] <= 0):  # type: ignore[index]  # an attempt
            return Rest()
        return actions[0] if best is None else best

    # --- values ----------------------------------------------------------------------------------------------------------

    def _value_place(self, view: RunView, place: str) -> Fraction:
        """Return the gold of the best crime at a place times its attempts, after the way there, without buffs."""
        run = self._rules.run
        left = run.duration - view.clock - (0 if place == view.place else run.travel_time)
        return self._best_crime(_outlaw_at(view, place, ()), left, view.energy, FULL_PURSE)[1]

    def _best_crime(self, outlaw: Character, left: int, energy: int, purse: Points) -> tuple[str, Fraction]:
        """Return the crime of the greatest value, and this value: mean gold times possible attempts."""
        values = {
            name: self._mean_gold(outlaw, name, purse) * self._count_attempts(crime, left, energy)
            for name, crime in self._rules.crimes.items()
        }
        best = max(values, key=lambda name: values[name], default="")
        return best, values.get(best, Fraction(0))

    def _count_attempts(self, crime: Crime, left: int, energy: int) -> Fraction:
        """Return how often a crime can be attempted in the time left; rests convert time to energy while they can be made."""
        run = self._rules.run
        in_time = Fraction(max(0, left), run.crime_time)
        if not crime.energy:
            return in_time
        if not run.rest_energy or left < run.rest_time + run.crime_time:
            return Fraction(min(int(in_time), energy // crime.energy))
        price = Fraction(run.rest_time, run.rest_energy)
        return min(in_time, (left + energy * price) / (run.crime_time + crime.energy * price))

    def _mean_gold(self, outlaw: Character, crime: str, purse: Points) -> Fraction:
        """Return the mean change of a purse by an attempt."""
        counts, rewards = self._degrees_of(outlaw)[crime], self._rewards[crime]
        changed = [
            count * (purse_after(purse, rewards[degree]) - purse).hundredths
            for degree, count in counts.items()
        ]
        return Fraction(sum(changed), 100 * sum(counts.values()))

    def _degrees_of(self, outlaw: Character) -> Mapping[str, Mapping[Degree, int]]:
        """Return the number of hands by crime and degree; counted once for each outlaw, place and set of buffs."""
        from oddsmith.games.destiny.pairings import many_checks  # noqa: PLC0415  it loads numpy

        if outlaw not in self._degrees:
            bonuses = character_bonuses(outlaw, self._rules)
            checks = [(bonuses, crime.threshold) for crime in self._rules.crimes.values()]
            rows = many_checks(checks, self._rules).tolist()
            self._degrees[outlaw] = {
                crime: dict(zip(Degree, row, strict=True))
                for crime, row in zip(self._rules.crimes, rows, strict=True)
            }
        return self._degrees[outlaw]

    def _running(self, view: RunView) -> tuple[str, ...]:
        return tuple(active_buffs(outlaw_now(view).buffs, self._rules, at=view.clock))


def _outlaw_at(view: RunView, place: str, buffs: Sequence[str]) -> Character:
    """Return the outlaw of a run at a place, with buffs that work at second 0."""
    return msgspec.structs.replace(outlaw_now(view), location=place, buffs=dict.fromkeys(buffs, 0))


def make_greedy(rules: Rules, settings: BotSettings) -> GreedyBot:
    """Return a bot that takes the most valuable action by exact odds."""
    return GreedyBot(rules, settings.seat)


BOTS: Final = (RANDOM, Bot(name="greedy", make=make_greedy))
