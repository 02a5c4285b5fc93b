"""Gang wars and defences of a territory in a run: hiring, the stakes, and how they go (§11.8 to §11.10)."""

from collections.abc import Sequence

import msgspec

from oddsmith.errors import Refusal
from oddsmith.game import EVERYONE, Event, Step
from oddsmith.games.destiny.gang_match import joinable_outlaws
from oddsmith.games.destiny.model import (
    Drawn,
    Hand,
    Hired,
    PendingWar,
    Reward,
    RunState,
    Score,
    Side,
    WarBegun,
    WarResolved,
)
from oddsmith.games.destiny.rules import DEFAULT, Character, Rules
from oddsmith.games.destiny.run_costs import war_energy
from oddsmith.games.destiny.scoring import NOTHING, gang_war, npc, purse_after, score
from oddsmith.games.destiny.views import RunView, outlaw_now
from oddsmith.points import Points


def gang_names(run: RunState | RunView) -> tuple[str, ...]:
    """Return the outlaws of a run's gang: its own outlaw leads, the others are hired (§11.8)."""
    assert run.outlaw is not None  # noqa: S101  members are hired once an outlaw is chosen
    return (run.outlaw, *run.gang)


def gang_members(run: RunState | RunView) -> tuple[Character, ...]:
    """Return the gang where it is now: those who are hired ride with the outlaw, and share only its place (§11.9)."""
    hired = (msgspec.structs.replace(run.rules.outlaws[name], location=run.place) for name in run.gang)
    return (outlaw_now(run), *hired)


def least_gang(rules: Rules) -> int:
    """Return the least size of a gang that may fight, never more than a gang may have (§9.4, §11.8)."""
    return min(rules.run.wars.least, rules.gang_limit)


def hire_objection(state: RunState, outlaw: str) -> Refusal | None:
    """Return why a known outlaw may not join the gang of a run (§9.4, §9.6)."""
    names, limit = gang_names(state), state.rules.gang_limit
    if len(names) >= limit:
        return Refusal("gang_too_large", f"a gang has at most {limit} members", paragraph="9.4")
    if outlaw in joinable_outlaws(names, state.rules):
        return None
    sentence = f"{outlaw} is in the gang already, and others are not"
    return Refusal("already_in_gang", sentence, paragraph="9.6")


def war_objection(state: RunState) -> Refusal | None:
    """Return why the gang of a run may not fight: it is too small (§11.8)."""
    least, size = least_gang(state.rules), len(gang_names(state))
    if size >= least:
        return None
    sentence = f"a gang war takes {least} members and the gang has {size}"
    return Refusal("gang_too_small", sentence, paragraph="11.8")


def hire_outlaw(state: RunState, outlaw: str) -> Step[RunState]:
    """Return the state after an outlaw was paid and joined the gang."""
    price = state.rules.run.wars.hire
    after = msgspec.structs.replace(state, gold=state.gold - price, gang=(*state.gang, outlaw))
    return Step(after, (Hired(audience=EVERYONE, outlaw=outlaw, price=price),))


def war_reward(tier: str, size: int, side: Side, rules: Rules = DEFAULT, *, won: bool) -> Reward:
    """Return the gold and experience of a gang war against NPCs of a tier, `size` a side (§11.10).

    >>> war_reward("veteran", 3, Side.ATTACKER, won=True), war_reward("veteran", 3, Side.DEFENDER, won=False).gold
    (Reward(gold=Points('262.5'), experience=Points('52.5'), buff=None), Points('-15.75'))
    """
    levels, wars = Points(rules.npcs[tier] * size), rules.run.wars
    gold = levels.times(wars.gold_per_level)
    if side is Side.DEFENDER:
        gold = gold.times(wars.defense_factor)
    if not won:
        return Reward(-gold.times(wars.defeat_penalty), NOTHING)
    return Reward(gold, levels.times(wars.experience_per_level))


def begin_war(state: RunState, tier: str, side: Side) -> Step[RunState]:
    """Return the state after the energy of a legal gang war was spent."""
    energy = war_energy(len(gang_names(state)), state.rules)
    after = msgspec.structs.replace(
        state, pending=PendingWar(npc=tier, side=side), energy=state.energy - energy
    )
    begun = WarBegun(audience=EVERYONE, npc=tier, side=side, gang=gang_names(state), energy=energy)
    return Step(after, (begun,))


def draw_war(state: RunState, pending: PendingWar, hand: Hand) -> Step[RunState]:
    """Return the state after the next member drew, attackers first; the last hand decides the war (§9.5, §11.9)."""
    hands = (*pending.hands, hand)
    drawn = _drawn_event(state, pending, hands)
    if len(hands) == 2 * len(gang_names(state)):
        return _resolve(state, pending, hands, drawn)
    waiting = msgspec.structs.replace(pending, hands=hands)
    return Step(msgspec.structs.replace(state, pending=waiting), (drawn,))


def _drawn_event(state: RunState, pending: PendingWar, hands: Sequence[Hand]) -> Event:
    place, member = divmod(len(hands) - 1, len(gang_names(state)))
    side = (Side.ATTACKER, Side.DEFENDER)[place]
    return Drawn(
        audience=EVERYONE,
        seat=0,
        score=_score_member(state, pending, side, member, hands[-1]),
        member=member,
        npc=None if side is pending.side else pending.npc,
    )


def _score_member(state: RunState, pending: PendingWar, side: Side, member: int, hand: Hand) -> Score:
    """Return the score of a member of a side; only the outlaw's own gang defends a territory (§9.7, §11.9)."""
    rules = state.rules
    if side is not pending.side:
        return score(hand, npc(pending.npc, rules), rules)
    bonus = defense_bonus(side, rules)
    return score(hand, gang_members(state)[member], rules, at=state.clock, defense_bonus=bonus)


def defense_bonus(side: Side, rules: Rules) -> Points:
    """Return the defence bonus of each member of a run's gang: that of the territory where it defends (§11.9)."""
    return rules.territory_bonus if side is Side.DEFENDER else NOTHING


def _resolve(state: RunState, pending: PendingWar, hands: Sequence[Hand], drawn: Event) -> Step[RunState]:
    rules, size = state.rules, len(gang_names(state))
    attack, defense = (
        [_score_member(state, pending, side, member, hand) for member, hand in enumerate(own)]
        for side, own in ((Side.ATTACKER, hands[:size]), (Side.DEFENDER, hands[size:]))
    )
    war = gang_war(attack, defense, rules)
    earned = war_reward(pending.npc, size, pending.side, rules, won=war.winner is pending.side)
    gold = purse_after(state.gold, earned)
    after = msgspec.structs.replace(
        state,
        pending=None,
        gang=(),
        gold=gold,
        experience=state.experience + earned.experience,
        clock=state.clock + rules.run.wars.time,
    )
    resolved = WarResolved(
        audience=EVERYONE,
        npc=pending.npc,
        side=pending.side,
        winner=war.winner,
        why=war.why,
        attack=war.attack,
        defense=war.defense,
        gold=gold - state.gold,
        experience=earned.experience,
    )
    return Step(after, (drawn, resolved))
