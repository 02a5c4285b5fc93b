"""How a player of Dice Hands carries out what it wants, one action at a time, and what it buys."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, groupby, product
from math import comb, prod
from typing import Final

import msgspec

from oddsmith.games.dice.bots.lookahead import far_value
from oddsmith.games.dice.model import (
    Action,
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    Leave,
    Lock,
    Reroll,
    Score,
    ScoreHand,
    SetWild,
    Unlock,
)
from oddsmith.games.dice.parts import FACES, FaceEffect, PoolDie
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.scoring import score
from oddsmith.games.dice.shopping import Purchase, build_with, price
from oddsmith.games.dice.views import View, imagine

MOST_SETTINGS: Final = 5000
"""In how many ways wild dice of several sorts are set before they are taken for alike."""

_REROLL: Final = Reroll()
_SCORE: Final = ScoreHand()


def free_wilds(view: View) -> tuple[int, ...]:
    """Return the places of the wild dice that may be set (§1.6); one that was set may be set again."""
    return _of_effect(FaceEffect.WILD, view)


def rolling(view: View) -> tuple[int, ...]:
    """Return the places of the dice whose score luck may still change: neither fixed nor wild."""
    wilds, places = free_wilds(view), range(len(view.build.dice))
    return tuple(place for place in places if place not in wilds and place != _fixed_place(view))


def best_score(view: View) -> Score:
    """Return the score of the dice as they lie, wild ones set to the best faces."""
    return score(view.build, best_faces(view), view.rules, silenced=_silenced(view))


def best_faces(view: View) -> tuple[int, ...]:
    """Return the faces that score most when nothing is rolled any more: wild dice at their best (§1.6)."""
    wilds = free_wilds(view)
    if not wilds:
        return view.faces
    others = tuple(0 if place in wilds else face for place, face in enumerate(view.faces))
    return _best_faces(view.build, others, wilds, view.rules, _silenced(view))


@lru_cache(maxsize=10_000)
def _best_faces(
    build: Build,
    faces: tuple[int, ...],
    wilds: tuple[int, ...],
    rules: Rules,
    silenced: bool,  # noqa: FBT001  what is remembered is found by places
) -> tuple[int, ...]:
    def total(shown: tuple[int, ...]) -> int:
        return score(build, shown, rules, silenced=silenced).total

    by_sort = sorted(wilds, key=lambda place: build.dice[place])
    sizes = [len([*alike]) for _, alike in groupby(by_sort, key=lambda place: build.dice[place])]
    return max((_with_faces(faces, by_sort, chosen) for chosen in _settings(sizes)), key=total)


def _settings(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield what wild dice may be set to, where so many of each sort are alike; high faces come first."""
    ways = prod(comb(size + len(FACES) - 1, size) for size in sizes)
    alike = sizes if ways <= MOST_SETTINGS else [sum(sizes)]
    for chosen in product(*(combinations_with_replacement(FACES[::-1], size) for size in alike)):
        yield tuple(face for faces in chosen for face in faces)


def _with_faces(faces: Sequence[int], places: Sequence[int], chosen: Sequence[int]) -> tuple[int, ...]:
    changed = dict(enumerate(faces)) | dict(zip(places, chosen, strict=True))
    return tuple(changed.values())


def reroll_but(kept: Collection[int], view: View, actions: Sequence[Action]) -> Action:
    """Lock what is kept, unlock what is not, then reroll.

    Wild dice are left as they are, unless an echo may copy them. Where dice may be adjusted no more, a target that
    is reached is scored; otherwise what can be rerolled is.
    """
    others = (*rolling(view), *(free_wilds(view) if _of_effect(FaceEffect.ECHO, view) else ()))
    loose = [place for place in others if place not in view.wilds_set]
    wrong = [place for place in loose if (place in kept) != (place in view.locked)]
    for place in wrong:
        wanted = Lock(place) if place in kept else Unlock(place)
        if wanted in actions:
            return wanted
    stuck = wrong and best_score(view).total >= view.target
    return score_as(best_faces(view), view, actions) if stuck or _REROLL not in actions else _REROLL


def score_as(faces: Sequence[int], view: View, actions: Sequence[Action]) -> Action:
    """Set the wild dice that show other faces, then score."""
    for place, (face, shown) in enumerate(zip(faces, view.faces, strict=True)):
        wanted = SetWild(place, face)
        if face != shown and wanted in actions:
            return wanted
    return _SCORE


def copied_wilds(view: View) -> dict[int, int]:
    """Return the wild dice that were set, with their faces, where an echo may copy them; elsewhere it is all one."""
    echoes = _of_effect(FaceEffect.ECHO, view)
    return {place: view.faces[place] for place in view.wilds_set} if echoes else {}


def _of_effect(effect: FaceEffect, view: View) -> tuple[int, ...]:
    """Return the places of the dice that do this with their roll, but for one that is fixed."""

    def does(die: PoolDie) -> bool:
        return view.rules.kinds[die.kind].effect is effect

    return tuple(
        place for place, die in enumerate(view.build.dice) if does(die) and place != _fixed_place(view)
    )


def _fixed_place(view: View) -> int | None:
    return None if view.fixed is None else view.fixed.place


def _silenced(view: View) -> bool:
    return view.boss is BossKind.SILENCER


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
