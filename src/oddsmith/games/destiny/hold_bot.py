"""What a bot holds of a hand: the best exchange by exact values, as if it were the last one."""

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Final

from oddsmith.games.destiny.gang_match import defense_bonus
from oddsmith.games.destiny.model import Action, Degree, Hold, Side, Stand
from oddsmith.games.destiny.scoring import character_bonuses, purse_after, reward, score, tie_winner
from oddsmith.games.destiny.views import ContestView, GangView, RunView, View, outlaw_now
from oddsmith.poker import FULL_HAND

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_COMPLETIONS: Final = 20_000
"""The most completions of one hold that a bot counts: three cards of a deck of 52."""


def choose_hold(view: View) -> Action:
    """Return the best hold of the hand that is drawn, or to stand.

    A run is played for gold after the price of the exchange, energy priced at what the crime pays for it. The defender of a
    contest plays for its chance to win; the attacker for its chance against a defender that stands; a member of a gang for
    its mean total. Holds with more than 20,000 completions are left out.
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

    if isinstance(view, RunView):
        return _gold(view)
    rules, seat = view.rules, len(view.hands)
    if isinstance(view, GangView):
        seat, member = divmod(seat, rules.gang_size)
        outlaw = rules.outlaws[view.gangs[seat][member]]
        bonuses = character_bonuses(outlaw, rules, defense_bonus=defense_bonus(seat, rules))
        return draws(bonuses, rules).total, Fraction(0)
    return _wins(view, seat), Fraction(0)


def _gold(view: RunView) -> tuple["NDArray[np.int64]", Fraction]:
    import numpy as np  # noqa: PLC0415  only a bot that chooses loads it

    from oddsmith.games.destiny.odds import class_degrees, draws  # noqa: PLC0415  it loads numpy

    assert view.attempt is not None  # noqa: S101  a run draws for a crime
    rules, crime = view.rules, view.rules.crimes[view.attempt]
    bonuses = character_bonuses(outlaw_now(view), rules, at=view.clock)
    pays = [
        (purse_after(view.gold, reward(crime, degree, rules)) - view.gold).hundredths for degree in Degree
    ]
    gold = np.array(pays, dtype=np.int64)[class_degrees(bonuses, crime.threshold, rules)]
    ways = draws(bonuses, rules).ways
    mean = Fraction(sum(map(int, gold * ways)), int(ways.sum()))
    rate = max(Fraction(0), mean) / crime.energy if crime.energy else Fraction(0)
    price = rules.redraws.gold.hundredths + rules.redraws.energy * rate
    return gold, price


def _wins(view: ContestView, seat: int) -> "NDArray[np.int64]":
    """Return the wins of each class: 0 or 1 against the attacker's hand, or the number of hands of the defender that lose."""
    import numpy as np  # noqa: PLC0415  only a bot that chooses loads it

    from oddsmith.games.destiny.odds import draws  # noqa: PLC0415  it loads numpy

    rules = view.rules
    attacker, defender = (rules.outlaws[choice] for choice in view.choices if choice is not None)
    own = (attacker, defender)[seat]
    totals = draws(character_bonuses(own, rules), rules).total
    wins_ties = tie_winner(rules) is (Side.ATTACKER, Side.DEFENDER)[seat]
    if seat == 1:
        reached = score(view.hands[0], attacker, rules).total.hundredths
        return (totals >= reached if wins_ties else totals > reached).astype(np.int64)
    against = draws(character_bonuses(defender, rules), rules)
    order = np.argsort(against.total)
    below = np.concatenate(([0], against.ways[order].cumsum()))
    places = np.searchsorted(against.total[order], totals, side="right" if wins_ties else "left")
    beaten: NDArray[np.int64] = below[places]
    return beaten
