"""What Dice Hands shows to the checks."""

from typing import Final

from oddsmith.balance.dice import effects, hands, offers, rounds
from oddsmith.balance.linting import Stand

__all__ = ["STANDS"]

STANDS: Final = (
    Stand("the order of the hands", hands.ladders),
    Stand("the hand that is scored", hands.first_matches),
    Stand("hands within reach", hands.reachable_hands),
    Stand("kinds of dice", effects.dice),
    Stand("items", effects.items),
    Stand("bosses", effects.bosses),
    Stand("dice for sale", offers.dice_for_sale),
    Stand("items for sale", offers.items_for_sale),
    Stand("upgrades for sale", offers.upgrades_for_sale),
    Stand("targets", rounds.targets),
    Stand("pay", rounds.payoffs),
)
