"""Questions before a choice: the odds and mean rewards of each choice of a run, and all contests of the roster."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.cards import Suit
from oddsmith.errors import InputError, Refusal, WorkLimitError, nearest
from oddsmith.game import Act, Seat
from oddsmith.games.destiny.model import Action, Choose, Degree, Drawing, Reward, RunningBuff, RunState, Word
from oddsmith.games.destiny.rules import Character, Count, Duration, Rules
from oddsmith.games.destiny.scoring import (
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
"""The most checks that a server counts: every crime for every outlaw that may be chosen."""


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
    attempt: Word | None = None
    drawing: Drawing | None = None


class RunRequest(Request, frozen=True, kw_only=True):
    """The view of a run to value the choices of."""

    view: KnownRun


class RosterRequest(Request, frozen=True, kw_only=True):
    """The rules to compare the roster of."""


class CrimeProspect(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of a crime as hands are dealt, the change of the purse by degree, and the mean gold and experience.

    `gold_per_energy` is null where a crime costs no energy.
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


class OutlawProspect(OutlawSheet, frozen=True, kw_only=True):
    """An outlaw with the odds and rewards of every crime."""

    crimes: Mapping[str, CrimeProspect]


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
    state = _state_of(request.view, rules)
    runs = dict(_started_runs(state))
    if context.is_limited and len(runs) * len(rules.crimes) > MOST_CHECKS:
        raise WorkLimitError(
            "too_many_checks",
            f"{len(rules.crimes)} crimes of {len(runs)} outlaws are too many: "
            f"a server counts at most {MOST_CHECKS:,} checks",
        )
    return RunReply(
        outlaws={name: _prospect(run) for name, run in runs.items()},
        choices=tuple(
            RunChoice(action=action, refusal=GAME.objection(state, 0, action)) for action in candidates(state)
        ),
    )


def _state_of(view: KnownRun, rules: Rules) -> RunState:
    for what, name, known in (
        ("outlaw", view.outlaw, rules.outlaws),
        ("location", view.place, rules.locations),
        ("crime", view.attempt, rules.crimes),
    ):
        if name is not None and name not in known:
            raise InputError(
                f"unknown_{what}", f"unknown {what} '{name}'{nearest(name, list(known))}", where="view"
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
        attempt=view.attempt,
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


def _prospect(state: RunState) -> OutlawProspect:
    from oddsmith.games.destiny.views import outlaw_now

    rules, now = state.rules, _outlaw_sheet(outlaw_now(state), state.rules, state.clock)
    bonuses = character_bonuses(now.character, rules, at=now.at)
    return OutlawProspect(
        **msgspec.structs.asdict(now),
        crimes={name: _crime_prospect(name, bonuses, state) for name in rules.crimes},
    )


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
    from oddsmith.games.destiny.odds import degree_odds

    rules, crime = state.rules, state.rules.crimes[name]
    degrees = degree_odds(bonuses, crime.threshold, rules)
    changes = {degree: _clamp_reward(state.gold, reward(crime, degree, rules)) for degree in Degree}
    gold = degrees.map(lambda degree: changes[degree].gold.fraction).mean
    met = sum(degrees.weight(degree) for degree in Degree if degree.succeeded)
    return CrimeProspect(
        target=target(name, rules),
        total=degrees.total,
        degrees={degree: degrees.weight(degree) for degree in Degree},
        success=Share.of(met, degrees.total),
        success_exact=Fraction(met, degrees.total),
        rewards=changes,
        gold=gold,
        experience=degrees.map(lambda degree: changes[degree].experience.fraction).mean,
        gold_per_energy=gold / crime.energy if crime.energy else None,
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
