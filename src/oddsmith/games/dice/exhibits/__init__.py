"""The exhibits of Dice Hands that the checks of a design judge."""

from typing import Final

from oddsmith.exhibit import ExhibitGroup
from oddsmith.games.dice.exhibits import hands, offers

__all__ = ["EXHIBITS"]

EXHIBITS: Final = (
    ExhibitGroup("the order of the hands", hands.ladders),
    ExhibitGroup("the hand that is scored", hands.first_matches),
    ExhibitGroup("hands within reach", hands.reachable_hands),
    ExhibitGroup("kinds of dice", offers.dice),
    ExhibitGroup("items", offers.items),
    ExhibitGroup("bosses", offers.bosses),
    ExhibitGroup("dice for sale", offers.dice_for_sale),
    ExhibitGroup("items for sale", offers.items_for_sale),
    ExhibitGroup("upgrades for sale", offers.upgrades_for_sale),
    ExhibitGroup("targets", hands.targets),
    ExhibitGroup("pay", hands.payoffs),
)
