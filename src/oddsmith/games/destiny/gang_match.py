"""A gang war as a match of two seats: each chooses its members unseen, then every member draws (§9.5 to §9.7)."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from oddsmith.errors import Refusal
from oddsmith.game import EVERYONE, Event, Outcome, Over, Seat, Step
from oddsmith.games.destiny.model import (
    Chosen,
    Committed,
    Drawn,
    GangsFaced,
    GangState,
    GangWar,
    Hand,
    Score,
    Side,
    WarWon,
)
from oddsmith.games.destiny.rules import MatchKind, Rules
from oddsmith.games.destiny.scoring import NOTHING, gang_war, score
from oddsmith.points import Points

SEATS: Final = (0, 1)


def joinable_outlaws(gang: Sequence[str], rules: Rules) -> list[str]:
    """Return the outlaws that may join a gang: those that are in it least often (§9.6).

    >>> joinable_outlaws(["iron_jack"], Rules())
    ['calamity_rose', 'doc_silas', 'copper_mae', 'greenhorn']
    """
    counts = Counter(gang)
    least = min(counts[outlaw] for outlaw in rules.outlaws)
    return [outlaw for outlaw in rules.outlaws if counts[outlaw] == least]


def join_objection(state: GangState, seat: Seat, outlaw: str) -> Refusal | None:
    """Return why a known outlaw may not join the gang of a seat now (§9.6)."""
    if outlaw in joinable_outlaws(state.gangs[seat], state.rules):
        return None
    sentence = f"{outlaw} is in the gang already, and others are not"
    return Refusal("already_in_gang", sentence, paragraph="9.6")


def choosing_seats(state: GangState) -> tuple[Seat, ...]:
    """Return the seats whose gangs lack members."""
    return tuple(seat for seat in SEATS if len(state.gangs[seat]) < state.rules.gang_size)


def is_drawing(state: GangState) -> bool:
    """Whether a member of a complete gang has yet to draw."""
    return len(state.hands) < len(SEATS) * state.rules.gang_size


def join_gang(state: GangState, seat: Seat, outlaw: str) -> Step[GangState]:
    """Return the state after an outlaw joined the gang of a seat; the last choice reveals both gangs."""
    attackers, defenders = ((*gang, outlaw) if own == seat else gang for own, gang in enumerate(state.gangs))
    after = msgspec.structs.replace(state, gangs=(attackers, defenders))
    events: list[Event] = [
        Committed(audience=EVERYONE, seat=seat),
        Chosen(audience=(seat,), seat=seat, outlaw=outlaw),
    ]
    if not choosing_seats(after):
        events.append(GangsFaced(audience=EVERYONE, attackers=attackers, defenders=defenders))
    return Step(after, tuple(events))


def draw_member(state: GangState, hand: Hand) -> Step[GangState]:
    """Return the state after the next member drew, attackers first; the last hand decides the war."""
    seat, member = divmod(len(state.hands), state.rules.gang_size)
    after = msgspec.structs.replace(state, hands=(*state.hands, hand))
    drawn = _member_score(after, seat, member)
    events: list[Event] = [Drawn(audience=EVERYONE, seat=seat, score=drawn, member=member)]
    if not is_drawing(after):
        war = _war(after)
        events.append(
            WarWon(audience=EVERYONE, winner=war.winner, why=war.why, attack=war.attack, defense=war.defense)
        )
    return Step(after, tuple(events))


def war_outcome(state: GangState) -> Over:
    """Return the end of a war; scores are rounded to hundredths, the winner is not decided by them (§9.3)."""
    war = _war(state)
    return Over(
        Outcome(
            why=war.why,
            winners=(0 if war.winner is Side.ATTACKER else 1,),
            scores=(Points.nearest(war.attack), Points.nearest(war.defense)),
        )
    )


def defense_bonus(seat: Seat, rules: Rules) -> Points:
    """Return the defence bonus of each member of a seat's gang: that of the territory for its defender (§9.7)."""
    return rules.territory_bonus if rules.match is MatchKind.DEFENSE and seat == 1 else NOTHING


def _war(state: GangState) -> GangWar:
    attackers, defenders = (
        [_member_score(state, seat, member) for member in range(state.rules.gang_size)] for seat in SEATS
    )
    return gang_war(attackers, defenders, state.rules)


def _member_score(state: GangState, seat: Seat, member: int) -> Score:
    rules, gang = state.rules, state.gangs[seat]
    hand = state.hands[seat * rules.gang_size + member]
    return score(hand, rules.outlaws[gang[member]], rules, defense_bonus=defense_bonus(seat, rules))
