"""Questions before a choice: the odds and mean rewards of each choice of a run, and all contests of the roster."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.cards import Suit
from oddsmith.errors import InputError, Refusal, WorkLimitError, nearest
from oddsmith.game import Act, Seat
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Choose,
    Degree,
    Drawing,
    Members,
    Pending,
    PendingCheck,
    PendingCrime,
    Reward,
    RunningBuff,
    RunState,
    Side,
    TakeCheck,
    Word,
)
from oddsmith.games.destiny.rule_types import Count, Duration
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.run_checks import check_reward
from oddsmith.games.destiny.run_contests import victory_stakes
from oddsmith.games.destiny.run_costs import check_energy
from oddsmith.games.destiny.scoring import (
    NOTHING,
    Bonuses,
    Target,
    active_buffs,
    character_bonuses,
    purse_after,
    reward,
    skill_bonus,
    target,
)
from oddsmith.points import Points
from oddsmith.question import Context, Question, Request, Share

MOST_CHECKS: Final = 2_000
"""The most checks that a server counts: every crime and skill check for every outlaw that may be chosen."""
CHECKS_PER_CONTEST: Final = 100
"""The checks that a contest with its damage counts as."""


class KnownRun(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="run"):
    """The view of a run, sent back as a frame shows it."""

    viewer: Seat | None = None
    outlaw: Word | None = None
    energy: Count
    gold: Points
    experience: Points = Points(0)
    place: Word
    clock: Annotated[int, Meta(ge=0, le=10_000_000)]
    buffs: Annotated[tuple[RunningBuff, ...], Meta(max_length=1000)] = ()
    gang: Members = ()
    pending: Pending | None = None
    drawing: Drawing | None = None


class RunRequest(Request, frozen=True, kw_only=True):
    """The view of a run to value the choices of."""

    view: KnownRun


class RosterRequest(Request, frozen=True, kw_only=True):
    """The rules to compare the roster of."""


class CrimeProspect(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of a crime or a skill check as hands are dealt, the change of the purse by degree, and the mean gold and experience.

    `gold_per_energy` is null where it costs no energy.
    """

    target: Target
    total: int
    degrees: Mapping[Degree, int]
    success: Share
    success_exact: Fraction
    rewards: Mapping[Degree, Reward]
    gold: Fraction
    experience: Fraction
    gold_per_energy: Fraction | None


class OutlawSheet(msgspec.Struct, frozen=True, kw_only=True):
    """An outlaw at a moment: the bonus of each skill, all bonuses by suit, the seconds left of each buff."""

    character: Character
    at: int
    skills: Mapping[str, Points]
    bonuses: Mapping[Suit, Points]
    buffs: Mapping[str, Duration]


class NpcProspect(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of a contest with an NPC, what a victory pays before its damage, and the means over all pairs of draws.

    `energy` is what a defeat costs on average, in every contest. It, `gold` and both damages are null where damage grows
    too far to be counted; `gold_per_energy` counts the energy of the contest and of defeats.
    """

    win: Share
    win_exact: Fraction
    pay: Points
    gold: Fraction | None
    experience: Fraction
    energy: Fraction | None
    dealt: Fraction | None
    taken: Fraction | None
    gold_per_energy: Fraction | None


class OutlawProspect(OutlawSheet, frozen=True, kw_only=True):
    """An outlaw with the odds and rewards of every crime and skill check, and of contests once it is chosen."""

    crimes: Mapping[str, CrimeProspect]
    checks: Mapping[str, CrimeProspect]
    contests: Mapping[str, NpcProspect]


class RunChoice(msgspec.Struct, frozen=True, kw_only=True):
    """An action of a run, and why it is not legal now, or null where it is."""

    action: Action
    refusal: Refusal | None


class RunReply(msgspec.Struct, frozen=True, kw_only=True):
    """The run's outlaw, or every one that may be chosen, and all choices in the rules' order."""

    outlaws: Mapping[str, OutlawProspect]
    choices: tuple[RunChoice, ...]


class RosterReply(msgspec.Struct, frozen=True, kw_only=True):
    """The number of `total` pairs of draws, as hands are dealt, that each attacker of the roster wins against each defender (§8.6)."""

    outlaws: Mapping[str, OutlawSheet]
    total: int
    attacker_wins: Mapping[str, Mapping[str, int]]


def value_run(request: RunRequest, context: Context[Rules]) -> RunReply:
    """Return the odds and mean rewards of every crime of a run; before an outlaw is chosen, for every outlaw.

    >>> begun = KnownRun(energy=150, gold=Points(0), place="frontera", clock=0)
    >>> reply = value_run(RunRequest(view=begun), Context(rules=Rules()))
    >>> reply.outlaws["calamity_rose"].crimes["bank_robbery"].success_exact
    Fraction(677, 6664)
    """
    from oddsmith.games.destiny.engine import GAME, candidates

    rules = context.rules
    state = run_state(request.view, rules)
    runs = dict(_started_runs(state))
    if context.is_limited:
        require_few_checks(state, len(runs))
    return RunReply(
        outlaws={name: _prospect(run, is_chosen=state.outlaw is not None) for name, run in runs.items()},
        choices=tuple(
            RunChoice(action=action, refusal=GAME.objection(state, 0, action)) for action in candidates(state)
        ),
    )


def require_few_checks(state: RunState, outlaws: int) -> None:
    """Raise `WorkLimitError` where a server would count too many checks and contests."""
    rules = state.rules
    crimes = len(rules.crimes)
    contests = 0 if state.outlaw is None else len(_offered_npcs(rules))
    if outlaws * (crimes + len(_offered_checks(rules))) + CHECKS_PER_CONTEST * contests <= MOST_CHECKS:
        return
    others = len(_offered_checks(rules)) + contests
    more = f" and {others} other choices" if others else ""
    raise WorkLimitError(
        "too_many_checks",
        f"{crimes} crimes{more} of {outlaws} outlaws are too many: "
        f"a server counts at most {MOST_CHECKS:,} checks",
    )


def _offered_checks(rules: Rules) -> Collection[str]:
    return rules.skill_checks if rules.run.checks.offered else ()


def _offered_npcs(rules: Rules) -> Collection[str]:
    return rules.npcs if rules.run.contests.offered else ()


def run_state(view: KnownRun, rules: Rules) -> RunState:
    """Return the state of a run that is seen like this; raise `InputError` where the rules do not know a name."""
    named: list[tuple[str, str | None, Iterable[str]]] = [
        ("outlaw", view.outlaw, rules.outlaws),
        ("location", view.place, rules.locations),
        *(("outlaw", name, rules.outlaws) for name in view.gang),
    ]
    match view.pending:
        case PendingCrime(crime):
            named.append(("crime", crime, rules.crimes))
        case PendingCheck(check):
            named.append(("skill_check", check, rules.skill_checks))
        case None:
            pass
        case _:
            named.append(("npc", view.pending.npc, rules.npcs))
    for what, name, known in named:
        if name is not None and name not in known:
            raise InputError(
                f"unknown_{what}",
                f"unknown {what.replace('_', ' ')} '{name}'{nearest(name, list(known))}",
                where="view",
            )
    return RunState(
        rules=rules,
        outlaw=view.outlaw,
        energy=view.energy,
        gold=view.gold,
        experience=view.experience,
        place=view.place,
        clock=view.clock,
        buffs=view.buffs,
        gang=view.gang,
        pending=view.pending,
        drawing=view.drawing,
    )


def _started_runs(state: RunState) -> Iterator[tuple[str, RunState]]:
    """Yield the run with its outlaw, or with each that may be chosen."""
    from oddsmith.games.destiny.engine import GAME

    if state.outlaw is not None:
        yield state.outlaw, state
        return
    for outlaw in state.rules.outlaws:
        after = GAME.step(state, Act(0, Choose(outlaw))).state
        assert isinstance(after, RunState)  # noqa: S101  a run stays a run
        yield outlaw, after


def _prospect(state: RunState, *, is_chosen: bool) -> OutlawProspect:
    from oddsmith.games.destiny.views import outlaw_now

    rules, found = state.rules, value_checks(state)
    contests = _offered_npcs(rules) if is_chosen else ()
    return OutlawProspect(
        **msgspec.structs.asdict(_outlaw_sheet(outlaw_now(state), rules, state.clock)),
        crimes={name: found[Attempt(name)] for name in rules.crimes},
        checks={name: found[TakeCheck(name)] for name in _offered_checks(rules)},
        contests={name: value_contest(name, state) for name in contests},
    )


def value_checks(state: RunState) -> Mapping[Attempt | TakeCheck, CrimeProspect]:
    """Return the odds and rewards of every crime and every skill check that a run offers, here and now."""
    from oddsmith.games.destiny.views import outlaw_now

    rules = state.rules
    bonuses = character_bonuses(outlaw_now(state), rules, at=state.clock)
    return {
        **{Attempt(name): _crime_prospect(name, bonuses, state) for name in rules.crimes},
        **{TakeCheck(name): _check_prospect(name, bonuses, rules) for name in _offered_checks(rules)},
    }


def _outlaw_sheet(character: Character, rules: Rules, at: int) -> OutlawSheet:
    return OutlawSheet(
        character=character,
        at=at,
        skills={skill: skill_bonus(level, rules) for skill, level in character.skills.items()},
        bonuses=character_bonuses(character, rules, at=at).suits,
        buffs={
            name: character.buffs[name] + rules.buffs[name].duration - at
            for name in active_buffs(character.buffs, rules, at=at)
        },
    )


def _crime_prospect(name: str, bonuses: Bonuses, state: RunState) -> CrimeProspect:
    rules, crime = state.rules, state.rules.crimes[name]
    changes = {degree: _clamp_reward(state.gold, reward(crime, degree, rules)) for degree in Degree}
    return _value_check(target(name, rules), crime.energy, changes, bonuses, rules)


def _check_prospect(name: str, bonuses: Bonuses, rules: Rules) -> CrimeProspect:
    energy = check_energy(name, rules)
    changes = {degree: check_reward(name, degree, rules) for degree in Degree}
    priced = msgspec.structs.replace(target(name, rules), energy=energy)
    return _value_check(priced, energy, changes, bonuses, rules)


def _value_check(
    aim: Target, energy: int, changes: Mapping[Degree, Reward], bonuses: Bonuses, rules: Rules
) -> CrimeProspect:
    from oddsmith.games.destiny.odds import degree_odds

    degrees = degree_odds(bonuses, aim.threshold, rules)
    gold = degrees.map(lambda degree: changes[degree].gold.fraction).mean
    met = sum(degrees.weight(degree) for degree in Degree if degree.succeeded)
    return CrimeProspect(
        target=aim,
        total=degrees.total,
        degrees={degree: degrees.weight(degree) for degree in Degree},
        success=Share.of(met, degrees.total),
        success_exact=Fraction(met, degrees.total),
        rewards=changes,
        gold=gold,
        experience=degrees.map(lambda degree: changes[degree].experience.fraction).mean,
        gold_per_energy=gold / energy if energy else None,
    )


def value_contest(tier: str, state: RunState) -> NpcProspect:
    """Return the odds of a contest with an NPC of a tier, and what it brings, here and now."""
    from oddsmith.games.destiny.run_odds import contest_value, settle
    from oddsmith.games.destiny.views import outlaw_now

    rules, cost = state.rules, state.rules.run.contests.energy
    value = contest_value(
        settle(outlaw_now(state), rules, state.clock), tier, max(0, state.energy - cost), rules
    )
    spent = None if value.energy is None else cost + value.energy
    return NpcProspect(
        win=Share.of(value.odds.attacker, value.odds.total),
        win_exact=value.odds.chance(Side.ATTACKER),
        pay=victory_stakes(tier, NOTHING, rules).gold,
        gold=value.gold,
        experience=value.experience,
        energy=value.energy,
        dealt=value.dealt,
        taken=value.taken,
        gold_per_energy=value.gold / spent if spent and value.gold is not None else None,
    )


def _clamp_reward(purse: Points, earned: Reward) -> Reward:
    return Reward(purse_after(purse, earned) - purse, earned.experience, earned.buff)


def compare_roster(_request: RosterRequest, context: Context[Rules]) -> RosterReply:
    """Return the wins of each outlaw of the roster against each other one.

    >>> rows = compare_roster(RosterRequest(), Context(rules=Rules())).attacker_wins
    >>> rows["iron_jack"]["greenhorn"] > rows["greenhorn"]["iron_jack"]
    True
    """
    from oddsmith.games.destiny.odds import contest_matrix, contest_odds

    rules = context.rules
    outlaws = {name: _outlaw_sheet(character, rules, 0) for name, character in rules.outlaws.items()}
    bonuses = [character_bonuses(outlaw.character, rules) for outlaw in outlaws.values()]
    won = contest_matrix(bonuses, bonuses, rules).tolist()
    return RosterReply(
        outlaws=outlaws,
        total=contest_odds(bonuses[0], bonuses[0], rules).total,
        attacker_wins={
            name: dict(zip(outlaws, row, strict=True)) for name, row in zip(outlaws, won, strict=True)
        },
    )


RUN: Final = Question(name="run", request=RunRequest, reply=RunReply, answer=value_run, is_command=False)
ROSTER: Final = Question(
    name="roster", request=RosterRequest, reply=RosterReply, answer=compare_roster, is_command=False
)
