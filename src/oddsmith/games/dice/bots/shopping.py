"""A shopper buys what brings a build furthest for its price, one thing after the other."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from oddsmith.games.dice.bots.lookahead import far_value
from oddsmith.games.dice.model import Action, Build, BuyDie, BuyExtraDie, BuyItem, BuyUpgrade, Leave
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.shopping import Purchase, build_with, price
from oddsmith.games.dice.views import View, imagine

LEAST_GAIN: Final = 1e-9
"""A gain below this is rounding."""

MOST_KNOWN: Final = 100_000
"""How many builds a shopper remembers the worth of."""

_LEAVE: Final = Leave()


class Taste(msgspec.Struct, frozen=True, kw_only=True):
    """What a shopper thinks of the future.

    `fading`: by which factor each further target counts less. `dollar`: how many targets a dollar is worth to it.
    `enough`: from how much money on a dollar is worth nothing. `most_dollars`: how much of the pay for a great score
    it counts. `paydays`: for how many rounds it counts the money of an item.
    """

    fading: float = 0.9
    dollar: float = 0.01
    enough: int = 200
    most_dollars: int = 100
    paydays: int = 5


PRUDENT: Final = Taste()


class Shopper:
    """A shopper of one ruleset; it remembers what builds are worth to it.

    A build is worth the targets that it reaches, counted from the next round on and fading with distance, and some of
    what a great score pays. Every purchase is weighed by that, one at a time: what pays only together is not seen.
    Neither are bosses, nor glass that may shatter.
    """

    def __init__(self, rules: Rules, taste: Taste = PRUDENT) -> None:
        self._rules = rules
        self._taste = taste
        self._known: dict[object, float] = {}

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Buy what is worth most above its price, or leave where nothing is."""
        gains = {purchase: self.gain(purchase, view) for purchase in _distinct(view.build, actions)}
        best = max(gains, key=lambda purchase: gains[purchase], default=None)
        return best if best is not None and gains[best] > LEAST_GAIN else _LEAVE

    def gain(self, purchase: Purchase, view: View) -> float:
        """Return what a purchase adds to the worth of the build, less what its price is worth."""
        number, dollar = view.round + 1, self._taste.dollar if view.money < self._taste.enough else 0.0
        after = build_with(view.build, purchase, self._rules.normal_kind)
        added = self.worth(after, number, dollar) - self.worth(view.build, number, dollar)
        return added - dollar * price(imagine(view), purchase)

    def worth(self, build: Build, number: int, dollar: float) -> float:
        """Return what a build is worth before round `number`, in targets that it reaches; no boss is thought of."""
        dice, items, levels = sorted(build.dice), frozenset(build.items), frozenset(build.levels.items())
        key = tuple(dice), items, levels, number, dollar
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._worth(build, number, dollar)
        return self._known[key]

    def _worth(self, build: Build, number: int, dollar: float) -> float:
        taste = self._taste
        earned = sum(self._rules.items[name].money for name in build.items)
        reached = far_value(
            build, number, self._rules, fading=taste.fading, dollar=dollar, most_dollars=taste.most_dollars
        )
        return reached + dollar * taste.paydays * earned


def _distinct(build: Build, actions: Sequence[Action]) -> Iterator[Purchase]:
    """Yield the purchases among the actions; of dice that are alike only the first is replaced."""
    for action in actions:
        match action:
            case BuyDie(place, die):
                if build.dice.index(build.dice[place]) == place and build.dice[place] != die:
                    yield action
            case BuyItem() | BuyUpgrade() | BuyExtraDie():
                yield action
            case _:
                pass
