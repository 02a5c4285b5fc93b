"""A gauntlet for one to four seats: each meets the tiers of NPCs by rising level, as long as it dares (§8.11 to §8.13)."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from oddsmith.errors import Refusal
from oddsmith.game import EVERYONE, Event, Outcome, Over, Seat, Step
from oddsmith.games.destiny.model import (
    Action,
    Bout,
    BoutBegun,
    BoutResolved,
    Challenge,
    Drawn,
    GauntletEnded,
    GauntletState,
    Hand,
    PendingContest,
    Retire,
    Retired,
    Side,
)
from oddsmith.games.destiny.outlaw_matches import leading_seats, round_order
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.run_costs import unknown
from oddsmith.games.destiny.scoring import contest, npc, score
from oddsmith.games.destiny.views import GauntletView
from oddsmith.points import Points


class Standing(NamedTuple):
    """How far a seat has come: tiers that it has beaten, defeats, and whether it has retired."""

    beaten: int = 0
    lost: int = 0
    has_retired: bool = False


def begin_gauntlet(rules: Rules, seats: int) -> GauntletState:
    """Return a gauntlet before the choice of outlaws."""
    return GauntletState(
        rules=rules, choices=(None,) * seats, bouts=(), retired=(False,) * seats, pending=None
    )


def tiers(rules: Rules) -> tuple[str, ...]:
    """Return the tiers of NPCs in the order in which they are met: by rising level (§8.11).

    >>> tiers(Rules(npcs={"sheriff": 60, "deputy": 30}))
    ('deputy', 'sheriff')
    """
    return tuple(sorted(rules.npcs, key=lambda name: rules.npcs[name]))


def standings(state: GauntletState | GauntletView) -> tuple[Standing, ...]:
    """Return how far each seat has come."""
    won = [bout.seat for bout in state.bouts if bout.winner is Side.ATTACKER]
    fought = [bout.seat for bout in state.bouts]
    return tuple(
        Standing(won.count(seat), fought.count(seat) - won.count(seat), has_retired)
        for seat, has_retired in enumerate(state.retired)
    )


def is_done(standing: Standing, rules: Rules) -> bool:
    """Whether a seat takes no more turns: it has retired, is out, or has beaten every tier (§8.12)."""
    return standing.has_retired or standing.lost >= rules.gauntlet.lives or standing.beaten >= len(rules.npcs)


def may_retire(standing: Standing) -> bool:
    """Whether a seat has fought a contest, after which it may retire (§8.12)."""
    return standing.beaten + standing.lost > 0


def gauntlet_points(standing: Standing, rules: Rules) -> Points:
    """Return the points of a seat: for each tier that it has beaten, and a part of them where it is out (§8.13).

    >>> gauntlet_points(Standing(beaten=3), Rules()), gauntlet_points(Standing(beaten=3, lost=3), Rules())
    (Points('65'), Points('32.5'))
    """
    levels = [Points(rules.npcs[tier]) for tier in tiers(rules)[: standing.beaten]]
    points = Points.of_hundredths(
        sum(level.times(rules.gauntlet.points_per_level).hundredths for level in levels)
    )
    is_out = standing.lost >= rules.gauntlet.lives
    return points.times(rules.gauntlet.defeat_factor) if is_out else points


def next_seat(stands: Sequence[Standing], rules: Rules) -> Seat | None:
    """Return the seat whose turn it is, in the order of its round; None where all are done (§8.12)."""
    turns = {
        seat: standing.beaten + standing.lost
        for seat, standing in enumerate(stands)
        if not is_done(standing, rules)
    }
    if not turns:
        return None
    played = min(turns.values())
    return next(seat for seat in round_order(played, len(stands)) if turns.get(seat) == played)


def gauntlet_objection(state: GauntletState, action: Action) -> Refusal | None:
    """Return why the seat whose turn it is may not do this: it challenges the NPC that is next for it, or retires."""
    if isinstance(action, Retire):
        if may_retire(standings(state)[acting_seat(state)]):
            return None
        return Refusal("not_yet", "a seat retires after its first contest", paragraph="8.12")
    if not isinstance(action, Challenge):
        return Refusal("not_now", "an NPC is challenged now, or the seat retires", paragraph="8.12")
    refusal = unknown("npc", action.npc, state.rules.npcs)
    tier = _next_tier(state)
    if refusal is None and action.npc != tier:
        return Refusal("not_next", f"the next NPC is {tier}, not {action.npc}", paragraph="8.12")
    return refusal


def gauntlet_turn(state: GauntletState) -> Seat | Over:
    """Return the seat that chooses, or the end of the gauntlet: all with the most points win, alone nobody does (§8.13)."""
    stands = standings(state)
    seat = next_seat(stands, state.rules)
    if seat is not None:
        return seat
    points = tuple(gauntlet_points(standing, state.rules) for standing in stands)
    if len(points) == 1:
        return Over(Outcome(why="the gauntlet is over", winners=(), scores=points))
    winners = leading_seats(points)
    why = "higher_points" if len(winners) == 1 else "tie"
    return Over(Outcome(why=why, winners=winners, scores=points))


def step_gauntlet(state: GauntletState, seat: Seat, action: Action) -> Step[GauntletState]:
    """Return the state after a legal action: a contest waits for its hands, or the seat is done."""
    if isinstance(action, Challenge):
        begun = BoutBegun(audience=EVERYONE, seat=seat, npc=action.npc)
        return Step(msgspec.structs.replace(state, pending=PendingContest(npc=action.npc)), (begun,))
    retired = tuple(place == seat or has for place, has in enumerate(state.retired))
    after = msgspec.structs.replace(state, retired=retired)
    left = Retired(audience=EVERYONE, seat=seat, points=gauntlet_points(standings(after)[seat], state.rules))
    return Step(after, (left, *_ending(after)))


def draw_bout(state: GauntletState, hand: Hand) -> Step[GauntletState]:
    """Return the state after the hand of the seat, or after the NPC's, which decides the contest (§8.12)."""
    pending, rules, seat = state.pending, state.rules, acting_seat(state)
    assert pending is not None  # noqa: S101  luck is due only while a contest is pending
    attack = score(pending.hands[0] if pending.hands else hand, acting_outlaw(state), rules)
    if not pending.hands:
        waiting = msgspec.structs.replace(pending, hands=(hand,))
        drawn = Drawn(audience=EVERYONE, seat=seat, score=attack)
        return Step(msgspec.structs.replace(state, pending=waiting), (drawn,))
    result = contest(attack, score(hand, npc(pending.npc, rules), rules), rules)
    bout = Bout(seat=seat, npc=pending.npc, hands=(pending.hands[0], hand), winner=result.winner)
    after = msgspec.structs.replace(state, pending=None, bouts=(*state.bouts, bout))
    standing = standings(after)[seat]
    events: list[Event] = [
        Drawn(audience=EVERYONE, seat=seat, score=result.defender, npc=pending.npc),
        BoutResolved(
            audience=EVERYONE,
            seat=seat,
            npc=pending.npc,
            winner=result.winner,
            why=result.why,
            points=gauntlet_points(standing, rules),
            lives=rules.gauntlet.lives - standing.lost,
        ),
    ]
    return Step(after, (*events, *_ending(after)))


def acting_seat(state: GauntletState | GauntletView) -> Seat:
    """Return the seat whose turn it is, or that draws."""
    seat = next_seat(standings(state), state.rules)
    assert seat is not None  # noqa: S101  asked only while some seat plays
    return seat


def acting_outlaw(state: GauntletState | GauntletView) -> Character:
    """Return the outlaw of the seat whose turn it is."""
    chosen = state.choices[acting_seat(state)]
    assert chosen is not None  # noqa: S101  turns begin once all outlaws are chosen
    return state.rules.outlaws[chosen]


def next_tier(standing: Standing, rules: Rules) -> str:
    """Return the tier that a seat meets next; it has not beaten all of them."""
    return tiers(rules)[standing.beaten]


def drawn_bouts(state: GauntletState) -> tuple[Hand, ...]:
    """Return every hand that was drawn, in order."""
    waiting = () if state.pending is None else state.pending.hands
    return (*(hand for bout in state.bouts for hand in bout.hands), *waiting)


def count_bout_decks(state: GauntletState) -> int:
    """Return the number of decks of the longest gauntlet: two for each contest (§1.1)."""
    rules = state.rules
    return 2 * len(state.choices) * (len(rules.npcs) + rules.gauntlet.lives - 1)


def _next_tier(state: GauntletState) -> str:
    return next_tier(standings(state)[acting_seat(state)], state.rules)


def _ending(state: GauntletState) -> tuple[Event, ...]:
    turn = gauntlet_turn(state)
    if not isinstance(turn, Over):
        return ()
    over = turn.outcome
    return (GauntletEnded(audience=EVERYONE, winners=over.winners, why=over.why, points=over.scores),)
