"""The bots of the Destiny Deck; numpy is loaded when one makes its first choice."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import msgspec

from oddsmith.bot import RANDOM, Bot, BotSettings
from oddsmith.game import Seat
from oddsmith.games.destiny.gang_match import joinable_outlaws
from oddsmith.games.destiny.gauntlet import Standing
from oddsmith.games.destiny.hold_bot import choose_hold
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Buy,
    Challenge,
    Choose,
    Defend,
    Degree,
    Hire,
    Raid,
    Rest,
    Reward,
    Side,
    Stand,
    TakeCheck,
    Travel,
)
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.run_checks import check_reward
from oddsmith.games.destiny.run_costs import cost
from oddsmith.games.destiny.run_wars import gang_names, least_gang, war_reward
from oddsmith.games.destiny.scoring import NOTHING, active_buffs, character_bonuses, reward
from oddsmith.games.destiny.views import (
    CheckView,
    ContestView,
    GangView,
    GauntletView,
    RunView,
    View,
    outlaw_now,
)
from oddsmith.points import Points

FULL_PURSE: Final = Points(100_000)
"""A purse that can pay every penalty of a crime."""


MOST_WAR_WORK: Final = 5_000_000
"""The work of a gang war whose odds the bot counts, some tenths of a second."""


class _Task(NamedTuple):
    """Something that a run may begin, with its costs and the mean gold that it brings."""

    action: Action
    time: int
    energy: Fraction
    gold: Fraction


class GreedyBot:
    """A bot that values what it may begin by exact odds: mean gold times the attempts that time and energy left allow.

    It goes where crimes and skill checks bring most, challenges an NPC or gathers the least gang for a war where that brings
    more, drinks where a drink pays, rests where it lacks the energy of the best task, and sleeps off a debuff where that
    wastes no energy. Tasks are valued as hands are dealt; of a hand it holds
    what is best. In a contest it sends the outlaw that wins most often against one that is chosen evenly from the
    roster, in a gang war the outlaws with the highest mean totals; in a match of skill checks it takes the check that wins
    most often, and in a gauntlet it challenges the next NPC or retires, whichever wins more often.
    """

    def __init__(self, rules: Rules, seat: Seat) -> None:
        self._rules = rules
        self._seat = seat
        self._rewards = {
            action: {degree: self._reward(action, degree) for degree in Degree} for action in self._checks()
        }
        self._costs = {action: cost(action, rules) for action in self._rewards}
        self._degrees: dict[Character, Mapping[Attempt | TakeCheck, Mapping[Degree, int]]] = {}
        self._contender: Choose | None = None
        self._means: dict[str, Fraction] = {}

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Return the action of the greatest value."""
        if Stand() in actions:
            return choose_hold(view)
        if isinstance(view, RunView):
            return self._play_run(view, actions)
        return self._play_match(view, actions)

    def _play_match(
        self, view: ContestView | GangView | CheckView | GauntletView, actions: Sequence[Action]
    ) -> Action:
        match view:
            case ContestView():
                return self._choose_contender()
            case GangView():
                return max(actions, key=self._mean_total)
            case CheckView():
                return self._choose_check(view, actions)
            case _:
                return self._choose_bout(view, actions)

    def _play_run(self, view: RunView, actions: Sequence[Action]) -> Action:
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

    def _choose_check(self, view: CheckView, actions: Sequence[Action]) -> Action:
        """Return the check with the best chance to win the match, or the outlaw with the best mean points of a check."""
        from oddsmith.games.destiny.check_match_odds import check_chances, value_checks  # noqa: PLC0415  it loads numpy

        if None in view.choices:
            best = {
                name: max(one.mean for one in check_chances(outlaw, self._rules).values())
                for name, outlaw in self._rules.outlaws.items()
            }
            return Choose(max(best, key=lambda name: best[name]))
        values = value_checks(view)
        sign = 1 if self._seat == 0 else -1
        return max(
            (action for action in actions if isinstance(action, TakeCheck)),
            key=lambda action: sign * values[action.check],
        )

    def _choose_bout(self, view: GauntletView, actions: Sequence[Action]) -> Action:
        """Return the action with the best chance to win the gauntlet, alone the best mean points; or the outlaw with those."""
        from oddsmith.games.destiny.gauntlet_odds import points_values, value_actions  # noqa: PLC0415  it loads numpy

        if None in view.choices:
            outlaws = self._rules.outlaws
            return Choose(
                max(
                    outlaws,
                    key=lambda name: points_values(outlaws[name], Standing(), self._rules).challenge,
                )
            )
        best = value_actions(view).best
        return next(action for action in actions if isinstance(action, best))

    def _mean_total(self, action: Action) -> Fraction:
        from oddsmith.games.destiny.odds import totals  # noqa: PLC0415  it loads numpy

        assert isinstance(action, Choose | Hire)  # noqa: S101  a gang only gains members
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
        outlaw = _outlaw_at(view, view.place, self._running(view))
        bold = self._best_encounter(view, outlaw, actions)
        here = max(self._value_place(view, view.place), Fraction(0), self._value(bold, view))
        place = max(self._rules.locations, key=lambda name: self._value_place(view, name))
        if self._value_place(view, place) > here and Travel(place) in actions:
            return Travel(place)
        best = max(
            (self._best_task(outlaw, left, view.energy, view.gold), bold),
            key=lambda task: self._value(task, view),
        )
        can_rest = Rest() in actions and left >= run.rest_time + (
            run.crime_time if best is None else best.time
        )
        if can_rest and view.energy + run.rest_energy <= run.energy and self._is_weakened(view, outlaw):
            return Rest()
        if best is not None and self._value(best, view) > 0:
            if best.action in actions:
                return self._drink_before(view, outlaw, best, actions)
            if can_rest and self._can_wait_for(best, view):
                return Rest()
        return self._least_harm(outlaw, view.gold, actions)

    def _is_weakened(self, view: RunView, outlaw: Character) -> bool:
        """Whether the best crime or check would bring more without the buffs that work now."""
        left, sober = self._rules.run.duration - view.clock, _outlaw_at(view, view.place, ())
        now, later = (
            self._value(self._best_task(one, left, view.energy, view.gold), view) for one in (outlaw, sober)
        )
        return later > now

    def _can_wait_for(self, task: _Task, view: RunView) -> bool:
        """Whether rests can give the energy of a task before the time is over."""
        run, needed = self._rules.run, cost(task.action, self._rules).energy
        if not run.rest_energy or needed > run.energy:
            return False
        rests = -(-(needed - view.energy) // run.rest_energy)
        return view.clock + rests * run.rest_time + task.time <= run.duration

    def _drink_before(
        self, view: RunView, outlaw: Character, task: _Task, actions: Sequence[Action]
    ) -> Action:
        """Return the purchase that pays most before a crime or a check, or the task itself."""
        begun = task.action
        if not isinstance(begun, Attempt | TakeCheck):
            return begun
        best: Action = begun
        most = task.gold
        for action in actions:
            if isinstance(action, Buy) and action.buff not in outlaw.buffs:
                price = self._rules.run.prices[action.buff]
                drunk = _outlaw_at(view, view.place, (*outlaw.buffs, action.buff))
                share = price.fraction / self._attempts_during(action.buff, task, view.energy)
                mean = self._mean_gold(drunk, begun, view.gold - price) - share
                if mean > most:
                    best, most = action, mean
        return best

    def _attempts_during(self, buff: str, task: _Task, energy: int) -> int:
        """Return how many attempts of a task begin while a buff works."""
        in_time = -(-self._rules.buffs[buff].duration // task.time)
        return min(in_time, int(energy // task.energy)) if task.energy else in_time

    def _least_harm(self, outlaw: Character, purse: Points, actions: Sequence[Action]) -> Action:
        """Return the crime or check that brings most where one brings anything; else rest; else what costs least."""
        means = {
            action: self._mean_gold(outlaw, action, purse)
            for action in actions
            if isinstance(action, Attempt | TakeCheck)
        }
        best: Action | None = max(means, key=lambda action: means[action], default=None)
        if Rest() in actions and (best is None or means[best] <= 0):  # type: ignore[index]  # an attempt
            return Rest()
        return actions[0] if best is None else best

    # --- contests and gang wars ------------------------------------------------------------------------------------------

    def _best_encounter(self, view: RunView, outlaw: Character, actions: Sequence[Action]) -> _Task | None:
        """Return the best contest or gang war that can be begun here, or the hire of a member for the best war."""
        tasks = [self._contest(action, outlaw, view) for action in actions if isinstance(action, Challenge)]
        tasks += self._wars(view, actions)
        return max(tasks, key=lambda task: self._value(task, view), default=None)

    def _contest(self, action: Challenge, outlaw: Character, view: RunView) -> _Task:
        from oddsmith.games.destiny.run_odds import contest_value  # noqa: PLC0415  it loads numpy

        price = cost(action, self._rules)
        value = contest_value(outlaw, action.npc, view.energy - price.energy, self._rules)
        energy = Fraction(price.energy) + (value.energy or 0)
        return _Task(action, price.time, energy, value.gold or Fraction(0))

    def _wars(self, view: RunView, actions: Sequence[Action]) -> Iterator[_Task]:
        """Yield the wars of the least gang that may fight, sober, less the price of the members that it lacks."""
        from oddsmith.games.destiny.run_odds import war_value, war_work  # noqa: PLC0415  it loads numpy

        rules, wars = self._rules, self._rules.run.wars
        if not wars.offered or not rules.npcs:
            return
        gathered = self._gather(view)
        first = next(iter(gathered.gang[len(view.gang) :]), None)
        hire = None if first is None else Hire(first)
        price = (view.gold - gathered.gold).fraction
        begins = Raid(next(iter(rules.npcs)))
        can_begin = cost(begins, rules, size=len(gang_names(gathered)))
        if (
            (hire is not None and hire not in actions)
            or gathered.gold < NOTHING
            or can_begin.energy > view.energy
            or view.clock + can_begin.time > rules.run.duration
            or war_work(gathered, begins.npc, Side.ATTACKER) > MOST_WAR_WORK
        ):
            return
        for side, kind in ((Side.ATTACKER, Raid), (Side.DEFENDER, Defend)):
            for tier in rules.npcs:
                action: Action = kind(tier) if hire is None else hire
                if war_reward(tier, len(gang_names(gathered)), side, rules, won=True).gold.fraction <= price:
                    continue
                gold = war_value(gathered, tier, side).gold - price
                yield _Task(action, can_begin.time, Fraction(can_begin.energy), gold)

    def _gather(self, view: RunView) -> RunView:
        """Return the run with the least gang that may fight, of the outlaws with the highest mean totals."""
        gathered = msgspec.structs.replace(view, buffs=(), clock=0)
        while len(gang_names(gathered)) < least_gang(self._rules):
            joinable = joinable_outlaws(gang_names(gathered), self._rules)
            best = max(map(Hire, joinable), key=self._mean_total)
            gathered = msgspec.structs.replace(
                gathered, gang=(*gathered.gang, best.outlaw), gold=gathered.gold - self._rules.run.wars.hire
            )
        return gathered

    # --- values ----------------------------------------------------------------------------------------------------------

    def _value_place(self, view: RunView, place: str) -> Fraction:
        """Return the value of the best crime or check at a place, after the way there, without buffs."""
        run = self._rules.run
        left = run.duration - view.clock - (0 if place == view.place else run.travel_time)
        task = self._best_task(_outlaw_at(view, place, ()), left, view.energy, FULL_PURSE)
        return self._value(task, view, left=left)

    def _value(self, task: _Task | None, view: RunView, *, left: int | None = None) -> Fraction:
        """Return the mean gold of a task times its possible attempts; 0 where there is none."""
        if task is None:
            return Fraction(0)
        remaining = self._rules.run.duration - view.clock if left is None else left
        return task.gold * self._count_attempts(task, remaining, view.energy)

    def _best_task(self, outlaw: Character, left: int, energy: int, purse: Points) -> _Task | None:
        """Return the crime or check of the greatest value: mean gold times possible attempts."""
        tasks = [self._task(outlaw, action, purse) for action in self._checks()]
        return max(tasks, key=lambda task: task.gold * self._count_attempts(task, left, energy), default=None)

    def _checks(self) -> Iterator[Attempt | TakeCheck]:
        yield from map(Attempt, self._rules.crimes)
        if self._rules.run.checks.offered:
            yield from map(TakeCheck, self._rules.skill_checks)

    def _task(self, outlaw: Character, action: Attempt | TakeCheck, purse: Points) -> _Task:
        price = self._costs[action]
        return _Task(action, price.time, Fraction(price.energy), self._mean_gold(outlaw, action, purse))

    def _reward(self, action: Attempt | TakeCheck, degree: Degree) -> Reward:
        if isinstance(action, Attempt):
            return reward(self._rules.crimes[action.crime], degree, self._rules)
        return check_reward(action.check, degree, self._rules)

    def _count_attempts(self, task: _Task, left: int, energy: int) -> Fraction:
        """Return how often a task can be begun in the time left; rests convert time to energy while they can be made."""
        run = self._rules.run
        in_time = Fraction(max(0, left), task.time)
        if not task.energy:
            return in_time
        if not run.rest_energy or left < run.rest_time + task.time:
            return Fraction(min(int(in_time), int(energy // task.energy)))
        price = Fraction(run.rest_time, run.rest_energy)
        return min(in_time, (left + energy * price) / (task.time + task.energy * price))

    def _mean_gold(self, outlaw: Character, action: Attempt | TakeCheck, purse: Points) -> Fraction:
        """Return the mean change of a purse by a crime or a check."""
        from oddsmith.games.destiny.run_odds import mean_gold  # noqa: PLC0415  it loads numpy

        return mean_gold(self._rewards[action], self._degrees_of(outlaw)[action], purse)

    def _degrees_of(self, outlaw: Character) -> Mapping[Attempt | TakeCheck, Mapping[Degree, int]]:
        """Return the number of hands by degree of each crime and check; counted once for each outlaw, place and set of buffs."""
        from oddsmith.games.destiny.pairings import many_checks  # noqa: PLC0415  it loads numpy

        if outlaw not in self._degrees:
            bonuses = character_bonuses(outlaw, self._rules)
            actions = [*self._checks()]
            checks = [(bonuses, self._threshold(action)) for action in actions]
            rows = many_checks(checks, self._rules).tolist()
            self._degrees[outlaw] = {
                action: dict(zip(Degree, row, strict=True)) for action, row in zip(actions, rows, strict=True)
            }
        return self._degrees[outlaw]

    def _threshold(self, action: Attempt | TakeCheck) -> Points:
        if isinstance(action, Attempt):
            return self._rules.crimes[action.crime].threshold
        return self._rules.skill_checks[action.check]

    def _running(self, view: RunView) -> tuple[str, ...]:
        return tuple(active_buffs(outlaw_now(view).buffs, self._rules, at=view.clock))


def _outlaw_at(view: RunView, place: str, buffs: Sequence[str]) -> Character:
    """Return the outlaw of a run at a place, with buffs that work at second 0."""
    return msgspec.structs.replace(outlaw_now(view), location=place, buffs=dict.fromkeys(buffs, 0))


def make_greedy(rules: Rules, settings: BotSettings) -> GreedyBot:
    """Return a bot that takes the most valuable action by exact odds."""
    return GreedyBot(rules, settings.seat)


BOTS: Final = (RANDOM, Bot(name="greedy", make=make_greedy))
