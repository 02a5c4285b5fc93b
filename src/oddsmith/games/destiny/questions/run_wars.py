"""The question before a gang war of a run: the exact odds and the pay of both sides of it."""

from fractions import Fraction
from typing import Final

import msgspec

from oddsmith.errors import InputError, WorkLimitError, nearest
from oddsmith.games.destiny.model import Members, RunState, Side, Word
from oddsmith.games.destiny.questions.contests import MOST_WORK
from oddsmith.games.destiny.questions.runs import KnownRun, run_state
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.run_wars import gang_names
from oddsmith.points import Points
from oddsmith.question import Context, Question, Request, Share


class RunWarRequest(Request, frozen=True, kw_only=True):
    """The view of a run whose gang may fight NPCs of a tier."""

    view: KnownRun
    npc: Word


class WarProspect(msgspec.Struct, frozen=True, kw_only=True):
    """The odds that the outlaw's gang wins, the gold and experience of a victory, what a defeat costs, the mean gold."""

    win: Share
    win_exact: Fraction
    pay: Points
    loss: Points
    experience: Points
    gold: Fraction


class RunWarReply(msgspec.Struct, frozen=True, kw_only=True):
    """The gang, and both wars that it may fight against as many NPCs: a raid, and the defence of a territory (§11.9)."""

    gang: Members
    raid: WarProspect
    defend: WarProspect


def value_wars(request: RunWarRequest, context: Context[Rules]) -> RunWarReply:
    """Return the exact odds of a raid and of a defence with the gang as it is, also where it is too small to fight.

    >>> view = KnownRun(outlaw="calamity_rose", energy=150, gold=Points(0), place="frontera", clock=0)
    >>> reply = value_wars(RunWarRequest(view=view, npc="rookie"), Context(rules=Rules()))
    >>> reply.raid.pay, reply.defend.pay
    (Points('25'), Points('15'))
    """
    from oddsmith.games.destiny.run_odds import war_work

    rules = context.rules
    state = run_state(request.view, rules)
    if state.outlaw is None:
        raise InputError("no_outlaw", "first an outlaw is chosen", where="view")
    if request.npc not in rules.npcs:
        sentence = f"unknown npc '{request.npc}'{nearest(request.npc, list(rules.npcs))}"
        raise InputError("unknown_npc", sentence, where="npc")
    if context.is_limited and war_work(state, request.npc, Side.ATTACKER) > MOST_WORK:
        raise WorkLimitError(
            "gang_too_large",
            f"all draws of {1 + len(state.gang)} against as many are too many for a server to count",
        )
    raid, defend = (_prospect(state, request.npc, side) for side in Side)
    return RunWarReply(gang=gang_names(state), raid=raid, defend=defend)


def _prospect(state: RunState, tier: str, side: Side) -> WarProspect:
    from oddsmith.games.destiny.run_odds import war_value

    value = war_value(state, tier, side)
    won = value.odds.attacker if side is Side.ATTACKER else value.odds.defender
    return WarProspect(
        win=Share.of(won, value.odds.total),
        win_exact=value.win,
        pay=value.pay,
        loss=value.loss,
        experience=value.experience,
        gold=value.gold,
    )


RUN_WAR: Final = Question(
    name="run_war", request=RunWarRequest, reply=RunWarReply, answer=value_wars, is_command=False
)
