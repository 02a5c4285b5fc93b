"""The question of a coach: what every action of a run is worth, here and now."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Final

import msgspec

from oddsmith.errors import InputError, Refusal, WorkLimitError
from oddsmith.game import Act
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Buy,
    Challenge,
    Defend,
    Hire,
    Raid,
    Rest,
    RunState,
    Side,
    TakeCheck,
    Travel,
)
from oddsmith.games.destiny.questions.runs import (
    MOST_CHECKS,
    CrimeProspect,
    RunRequest,
    require_few_checks,
    run_state,
    value_checks,
    value_contest,
)
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.run_costs import cost
from oddsmith.games.destiny.run_wars import gang_names
from oddsmith.games.destiny.scoring import character_bonuses
from oddsmith.question import Context, Question
from oddsmith.reply_figures import CHANCE

VALUED: Final = (Attempt, TakeCheck, Challenge, Hire)
"""Actions that are valued also where they are not legal now."""
MOST_WAR_WORK: Final = 50_000_000
"""The work of all gang wars that are valued, about a second."""


class NextTask(msgspec.Struct, frozen=True, kw_only=True):
    """The crime or skill check with the most mean gold for its energy; `gold_per_energy` is null where it costs none."""

    action: Action
    gold: Fraction
    gold_per_energy: Fraction | None


class RunValue(msgspec.Struct, frozen=True, kw_only=True):
    """What an action of a run is worth: exact means of what it brings, and why it is not legal now.

    `energy` is the mean energy that it costs, below 0 where it restores some. `next` is what pays best after rest, travel and
    a drink; `mean_total` is that of an outlaw who may be hired. What does not apply is null, as are the numbers of gang wars
    that cannot be begun or take long to count, and those of contests whose damage grows too far to be counted.
    """

    action: Action
    refusal: Refusal | None = None
    success: Annotated[Fraction | None, CHANCE] = None
    gold: Fraction | None = None
    experience: Fraction | None = None
    energy: Fraction | None = None
    gold_per_energy: Fraction | None = None
    next: NextTask | None = None
    mean_total: Fraction | None = None


class RunValuesReply(msgspec.Struct, frozen=True, kw_only=True):
    """Every action of a run, in the rules' order."""

    values: tuple[RunValue, ...]


def value_actions(request: RunRequest, context: Context[Rules]) -> RunValuesReply:
    """Return what every action of a run is worth, as hands are dealt.

    >>> from oddsmith.games.destiny.questions.runs import KnownRun
    >>> from oddsmith.points import Points
    >>> view = KnownRun(outlaw="copper_mae", energy=150, gold=Points(0), place="red_gulch", clock=0)
    >>> values = value_actions(RunRequest(view=view), Context(rules=Rules())).values
    >>> best = max(values, key=lambda one: one.gold_per_energy or 0)
    >>> best.action, float(round(best.gold_per_energy, 2))
    (Attempt(crime='pickpocket'), 2.28)
    """
    from oddsmith.games.destiny.engine import GAME, candidates

    state = run_state(request.view, context.rules)
    if state.outlaw is None:
        raise InputError("no_outlaw", "first an outlaw is chosen", where="view")
    choices = {action: GAME.objection(state, 0, action) for action in candidates(state)}
    if context.is_limited:
        require_few_checks(state, 1)
        _require_few_checks(choices)
    checks = value_checks(state)
    return RunValuesReply(
        values=tuple(
            msgspec.structs.replace(
                RunValue(action=action, refusal=refusal)
                if refusal is not None and not isinstance(action, VALUED)
                else value_action(action, state, checks),
                refusal=refusal,
            )
            for action, refusal in choices.items()
        )
    )


def _require_few_checks(choices: Mapping[Action, Refusal | None]) -> None:
    """Raise `WorkLimitError` where a server would count too many checks after other actions."""
    moves = sum(
        refusal is None and isinstance(action, Rest | Travel | Buy) for action, refusal in choices.items()
    )
    checks = sum(isinstance(action, Attempt | TakeCheck) for action in choices)
    if moves * checks > MOST_CHECKS:
        raise WorkLimitError(
            "too_many_checks",
            f"{checks} crimes and skill checks after each of {moves} other actions are too many: "
            f"a server counts at most {MOST_CHECKS:,} checks",
        )


def value_action(
    action: Action, state: RunState, checks: Mapping[Attempt | TakeCheck, CrimeProspect]
) -> RunValue:
    """Return what an action of a run is worth, from the values of all crimes and skill checks; rest, travel and a drink must be legal."""
    rules = state.rules
    match action:
        case Attempt() | TakeCheck():
            one = checks[action]
            return RunValue(
                action=action,
                success=one.success_exact,
                gold=one.gold,
                experience=one.experience,
                energy=Fraction(cost(action, rules).energy),
                gold_per_energy=one.gold_per_energy,
            )
        case Challenge(tier):
            met = value_contest(tier, state)
            return RunValue(
                action=action,
                success=met.win_exact,
                gold=met.gold,
                experience=met.experience,
                energy=None if met.energy is None else cost(action, rules).energy + met.energy,
                gold_per_energy=met.gold_per_energy,
            )
        case Raid() | Defend():
            return _value_war(action, state)
        case Hire(outlaw):
            return RunValue(action=action, mean_total=_mean_total(outlaw, rules))
        case _:
            return _value_move(action, state)


def _value_war(action: Raid | Defend, state: RunState) -> RunValue:
    """Return the value of a gang war with the gang as it is."""
    from oddsmith.games.destiny.run_odds import war_value, war_work

    side = Side.ATTACKER if isinstance(action, Raid) else Side.DEFENDER
    wars = len(Side) * len(state.rules.npcs)
    if wars * war_work(state, action.npc, side) > MOST_WAR_WORK:
        return RunValue(action=action)
    value = war_value(state, action.npc, side)
    energy = cost(action, state.rules, size=len(gang_names(state))).energy
    return RunValue(
        action=action,
        success=value.win,
        gold=value.gold,
        experience=value.win * value.experience.fraction,
        energy=Fraction(energy),
        gold_per_energy=value.gold / energy if energy else None,
    )


def _value_move(action: Action, state: RunState) -> RunValue:
    """Return the gold and energy that an action without a draw changes, and what pays best after it."""
    from oddsmith.games.destiny.engine import GAME

    after = GAME.step(state, Act(0, action)).state
    assert isinstance(after, RunState)  # noqa: S101  a run stays a run
    return RunValue(
        action=action,
        gold=(after.gold - state.gold).fraction,
        energy=Fraction(state.energy - after.energy),
        next=_best_task(after),
    )


def _best_task(state: RunState) -> NextTask | None:
    """Return the legal crime or skill check that pays most for its energy; before all others one that pays and costs none."""
    from oddsmith.games.destiny.engine import GAME

    tasks = [
        NextTask(action=action, gold=one.gold, gold_per_energy=one.gold_per_energy)
        for action, one in value_checks(state).items()
        if GAME.objection(state, 0, action) is None
    ]
    return max(tasks, key=_rank, default=None)


def _rank(task: NextTask) -> tuple[bool, Fraction]:
    if task.gold_per_energy is None:
        return task.gold > 0, task.gold
    return False, task.gold_per_energy


def _mean_total(outlaw: str, rules: Rules) -> Fraction:
    from oddsmith.games.destiny.odds import totals

    return totals(character_bonuses(rules.outlaws[outlaw], rules), rules).mean


RUN_VALUES: Final = Question(
    name="run_values", request=RunRequest, reply=RunValuesReply, answer=value_actions, is_command=False
)
