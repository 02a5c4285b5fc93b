"""A player of Dice Hands looks at its view alone: what to keep, when to score, what to buy."""

from collections.abc import Sequence
from typing import Final

from oddsmith.bots.listed import Listed
from oddsmith.bots.tabletop import best_faces, is_silenced, reroll_but, rolling, score_as
from oddsmith.chance import Draw
from oddsmith.errors import InputError
from oddsmith.games.dice.economy import upgrade_price
from oddsmith.games.dice.model import Action, BuyUpgrade, Leave, Stage
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.scoring import score
from oddsmith.games.dice.views import View
from oddsmith.records import Chooser
from oddsmith.rules import Ruleset

__all__ = ["Greedy", "roller"]

_LEAVE: Final = Leave()


def roller(name: str, rules: Ruleset, *, draw: Draw) -> Chooser[View, Action]:
    """Return the bot of that name: "random", "greedy" or "optimal".

    >>> from oddsmith.chance import Scripted
    >>> type(roller("greedy", Rules(), draw=Scripted([]))).__name__
    'Greedy'
    """
    if not isinstance(rules, Rules):
        raise InputError("wrong_rules", f"a roller needs rules of Dice Hands, not of {rules.game}")
    return Greedy() if name == "greedy" else Listed(draw)


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
        faces = best_faces(view)
        whole = score(view.build, faces, view.rules, silenced=is_silenced(view))
        loose = rolling(view)
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


def _is_free(upgrade: BuyUpgrade, view: View) -> bool:
    full, _ = _cost(upgrade, view)
    return bool(view.stock.free_choices) and full <= view.rules.shop.free_choice_cap


def _cost(upgrade: BuyUpgrade, view: View) -> tuple[int, int]:
    """Return what an upgrade costs where it is not free, and where its hand stands in the table."""
    level = view.build.levels.get(upgrade.hand, 0)
    return upgrade_price(level, view.rules), view.rules.hands[upgrade.hand].order
