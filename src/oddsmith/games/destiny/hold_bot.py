"""What a bot holds of a hand: the best exchange by exact values, as if it were the last one."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Final

from oddsmith.games.destiny.check_match import acting_seat, check_points
from oddsmith.games.destiny.gang_match import defense_bonus
from oddsmith.games.destiny.gauntlet import acting_outlaw
from oddsmith.games.destiny.model import (
    Action,
    Degree,
    Hold,
    PendingCheck,
    PendingContest,
    PendingCrime,
    PendingWar,
    Side,
    Stand,
)
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.run_checks import check_reward
from oddsmith.games.destiny.run_costs import check_energy
from oddsmith.games.destiny.run_wars import defense_bonus as defense_bonus_of
from oddsmith.games.destiny.run_wars import gang_members, gang_names
from oddsmith.games.destiny.scoring import character_bonuses, npc, purse_after, reward, score, tie_winner
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
from oddsmith.poker import FULL_HAND

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_COMPLETIONS: Final = 20_000
"""The most completions of one hold that a bot counts: three cards of a deck of 52."""


def choose_hold(view: View) -> Action:
    """Return the best hold of the hand that is drawn, or to stand.

    A crime and a skill check of a run are played for gold after the price of the exchange, energy priced at what they pay for
    it; a contest and a gang war of a run for the mean total, whatever the exchange costs. The defender of a contest plays
    for its chance to win; the attacker for its chance against a defender that stands; a member of a gang for its mean
    total; a skill check of a match for its mean points; a contest of a gauntlet for its chance. Holds with more than 20,000 completions are left out.
    """
    from oddsmith.games.destiny.holds import hold_values  # noqa: PLC0415  it loads numpy

    drawing, rules = view.drawing, view.rules
    assert drawing is not None  # noqa: S101  a seat holds cards of a hand that it draws
    left = rules.deck.size - FULL_HAND - len(drawing.gone)
    most = max(count for count in range(FULL_HAND + 1) if comb(left, count) <= MOST_COMPLETIONS)
    values, price = _values(view)
    found = hold_values(drawing.hand, [values], rules, gone=drawing.gone, most=most)
    stand = next(one for one in found if len(one.places) == FULL_HAND)
    if found[0].means[0] - price <= stand.means[0]:
        return Stand()
    return Hold(found[0].places)


def _values(view: View) -> tuple["NDArray[np.int64]", Fraction]:
    """Return what each class of hands is worth, and what an exchange costs in the same unit."""
    from oddsmith.games.destiny.odds import draws  # noqa: PLC0415  it loads numpy

    rules = view.rules
    if isinstance(view, RunView):
        return _run_values(view)
    if isinstance(view, CheckView):
        return _points(view), Fraction(0)
    if isinstance(view, GauntletView):
        assert view.pending is not None  # noqa: S101  a hand is drawn for a contest
        met = npc(view.pending.npc, rules)
        return _wins_against(acting_outlaw(view), met, rules), Fraction(0)
    seat = len(view.hands)
    if isinstance(view, GangView):
        seat, member = divmod(seat, rules.gang_size)
        outlaw = rules.outlaws[view.gangs[seat][member]]
        bonuses = character_bonuses(outlaw, rules, defense_bonus=defense_bonus(seat, rules))
        return draws(bonuses, rules).total, Fraction(0)
    return _wins(view, seat), Fraction(0)


def _run_values(view: RunView) -> tuple["NDArray[np.int64]", Fraction]:
    from oddsmith.games.destiny.odds import draws  # noqa: PLC0415  it loads numpy

    rules = view.rules
    match view.pending:
        case PendingCrime(crime):
            threshold = rules.crimes[crime].threshold
            pays = [
                purse_after(view.gold, reward(rules.crimes[crime], degree, rules)) - view.gold
                for degree in Degree
            ]
            return _gold(view, threshold, pays, rules.crimes[crime].energy)
        case PendingCheck(check):
            pays = [check_reward(check, degree, rules).gold for degree in Degree]
            return _gold(view, rules.skill_checks[check], pays, check_energy(check, rules))
        case PendingWar(side=side, hands=hands):
            outlaw = gang_members(view)[len(hands) % len(gang_names(view))]
            bonus = defense_bonus_of(side, rules)
            bonuses = character_bonuses(outlaw, rules, at=view.clock, defense_bonus=bonus)
            return draws(bonuses, rules).total, Fraction(0)
        case _ as pending:
            assert isinstance(pending, PendingContest)  # noqa: S101  a hand is drawn for something
            return draws(character_bonuses(outlaw_now(view), rules, at=view.clock), rules).total, Fraction(0)


def _gold(
    view: RunView, threshold: Points, pays: Sequence[Points], energy: int
) -> tuple["NDArray[np.int64]", Fraction]:
    """Return the gold of each class of hands, and the price of an exchange, with energy at the rate of the task."""
    import numpy as np  # noqa: PLC0415  only a bot that chooses loads it

    from oddsmith.games.destiny.odds import class_degrees, draws  # noqa: PLC0415  it loads numpy

    rules = view.rules
    bonuses = character_bonuses(outlaw_now(view), rules, at=view.clock)
    hundredths = np.array([pay.hundredths for pay in pays], dtype=np.int64)
    gold = hundredths[class_degrees(bonuses, threshold, rules)]
    ways = draws(bonuses, rules).ways
    mean = Fraction(sum(map(int, gold * ways)), int(ways.sum()))
    rate = max(Fraction(0), mean) / energy if energy else Fraction(0)
    price = rules.redraws.gold.hundredths + rules.redraws.energy * rate
    return gold, price


def _points(view: CheckView) -> "NDArray[np.int64]":
    """Return the points of each class of hands in a match of skill checks."""
    import numpy as np  # noqa: PLC0415  only a bot that chooses loads it

    from oddsmith.games.destiny.odds import class_degrees  # noqa: PLC0415  it loads numpy

    rules, name, chosen = view.rules, view.pending, view.choices[acting_seat(len(view.taken))]
    assert name is not None and chosen is not None  # noqa: S101, PT018  a hand is drawn for a check of an outlaw
    points = [check_points(name, degree, rules).hundredths for degree in Degree]
    bonuses = character_bonuses(rules.outlaws[chosen], rules)
    scored: NDArray[np.int64] = np.array(points, dtype=np.int64)[
        class_degrees(bonuses, rules.skill_checks[name], rules)
    ]
    return scored


def _wins(view: ContestView, seat: int) -> "NDArray[np.int64]":
    """Return the wins of each class: 0 or 1 against the attacker's hand, or the number of hands of the defender that lose."""
    import numpy as np  # noqa: PLC0415  only a bot that chooses loads it

    from oddsmith.games.destiny.odds import draws  # noqa: PLC0415  it loads numpy

    rules = view.rules
    attacker, defender = (rules.outlaws[choice] for choice in view.choices if choice is not None)
    if seat == 0:
        return _wins_against(attacker, defender, rules)
    totals = draws(character_bonuses(defender, rules), rules).total
    reached = score(view.hands[0], attacker, rules).total.hundredths
    wins_ties = tie_winner(rules) is Side.DEFENDER
    return (totals >= reached if wins_ties else totals > reached).astype(np.int64)


def _wins_against(own: Character, other: Character, rules: Rules) -> "NDArray[np.int64]":
    """Return the number of hands of an opponent, as they are dealt, that each class of hands of the attacker beats."""
    import numpy as np  # noqa: PLC0415  only a bot that chooses loads it

    from oddsmith.games.destiny.odds import draws  # noqa: PLC0415  it loads numpy

    totals = draws(character_bonuses(own, rules), rules).total
    wins_ties = tie_winner(rules) is Side.ATTACKER
    against = draws(character_bonuses(other, rules), rules)
    order = np.argsort(against.total)
    below = np.concatenate(([0], against.ways[order].cumsum()))
    places = np.searchsorted(against.total[order], totals, side="right" if wins_ties else "left")
    beaten: NDArray[np.int64] = below[places]
    return beaten
