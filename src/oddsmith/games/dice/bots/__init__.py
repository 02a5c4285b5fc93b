"""A player of Dice Hands looks at its view alone: what to keep, when to score, what to buy."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from oddsmith.bot import BotSettings, Chooser
from oddsmith.games.dice.bots.lookahead import round_plan, worth_of
from oddsmith.games.dice.bots.moves import (
    Shopper,
    best_faces,
    best_score,
    copied_wilds,
    reroll_but,
    rolling,
    score_as,
)
from oddsmith.games.dice.model import Action, BuyUpgrade, Leave, Stage
from oddsmith.games.dice.odds import RerollPlan
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.shopping import upgrade_price
from oddsmith.games.dice.views import View

__all__ = ["Greedy", "Optimal", "make_bot"]

MOST_PLANS: Final = 20
"""How many rounds a bot remembers the plans of."""

_LEAVE: Final = Leave()


def make_bot(name: str, rules: Rules, settings: BotSettings) -> Chooser[View, Action]:  # noqa: ARG001  they leave nothing to luck
    """Return the bot of that name: "greedy" or "optimal".

    >>> from oddsmith.chance import Scripted
    >>> type(make_bot("greedy", Rules(), BotSettings(draw=Scripted([])))).__name__
    'Greedy'
    """
    return Greedy() if name == "greedy" else Optimal(rules)


class Greedy:
    """A bot that keeps the matched dice of the hand that it has, and rerolls the others until the target is reached.

    Where every die is matched and the score falls short, it rerolls the lowest. Wild dice count as what they are
    best set to. In a shop it raises the hand that it scored last; where that is not on offer, a free choice goes to
    the cheapest upgrade, of equal ones to that of the weakest hand.
    """

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Lock, reroll, set or score; in a shop buy an upgrade or leave."""
        if view.stage is Stage.SHOP:
            return self._shop(view, actions)
        faces, whole, loose = best_faces(view), best_score(view), rolling(view)
        if whole.total >= view.target or not view.rerolls or not loose:
            return score_as(faces, view, actions)
        unmatched = [place for place in loose if place not in whole.matched]
        rerolled = unmatched or [min(loose, key=lambda place: faces[place])]
        return reroll_but([place for place in loose if place not in rerolled], view, actions)

    def _shop(self, view: View, actions: Sequence[Action]) -> Action:
        upgrades = [action for action in actions if isinstance(action, BuyUpgrade)]
        for upgrade in upgrades:
            if view.score is not None and upgrade.hand == view.score.hand:
                return upgrade
        free = [upgrade for upgrade in upgrades if _is_free(upgrade, view)]
        return min(free, key=lambda upgrade: _cost(upgrade, view), default=_LEAVE)


class Optimal:
    """A bot that keeps the dice which give it the best chance to win the round, and shops for the rounds to come.

    Where several choices win as often, it takes the one that pays more: a great score, or rerolls that are left.
    What to buy is a judgement, not a solution: see `Shopper`.
    """

    def __init__(self, rules: Rules) -> None:
        self._shopper = Shopper(rules)
        self._plans: dict[object, RerollPlan] = {}
        self._best = lru_cache(maxsize=MOST_PLANS)(RerollPlan.best)

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Lock, reroll, set or score as the plan of the round has it; in a shop buy or leave."""
        if view.stage is Stage.SHOP:
            return self._shopper(view, actions)
        if view.rerolls and rolling(view):
            best = self._best(self.plan(view), view.faces, view.rerolls)
            now = worth_of(best_score(view).total, view.target, view.rules, unused=view.rerolls)
            if len(best.keep) < len(view.faces) and best.value > now:
                return reroll_but(best.keep, view, actions)
        return score_as(best_faces(view), view, actions)

    def plan(self, view: View) -> RerollPlan:
        """Return the plan of the round."""
        wilds_set = copied_wilds(view)
        rerolls = max(view.rerolls, round_rerolls(view.build, view.rules, view.boss))
        key = view.build, view.target, rerolls, view.boss, view.fixed, tuple(wilds_set.items())
        if key not in self._plans:
            if len(self._plans) >= MOST_PLANS:
                self._plans.clear()
            self._plans[key] = round_plan(
                view.build,
                view.target,
                rerolls,
                view.rules,
                boss=view.boss,
                fixed=view.fixed,
                wilds_set=wilds_set,
            )
        return self._plans[key]


def _is_free(upgrade: BuyUpgrade, view: View) -> bool:
    full, _ = _cost(upgrade, view)
    return bool(view.stock.free_choices) and full <= view.rules.shop.free_choice_cap


def _cost(upgrade: BuyUpgrade, view: View) -> tuple[int, int]:
    """Return what an upgrade costs where it is not free, and where its hand stands in the table."""
    level = view.build.levels.get(upgrade.hand, 0)
    return upgrade_price(level, view.rules), view.rules.hands[upgrade.hand].order
