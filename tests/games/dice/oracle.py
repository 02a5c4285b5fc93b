"""Odds by brute force: every roll through the rules of the game, every keep by plain recursion."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import msgspec

from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import Build, FixedDie, Score, Stage, State
from oddsmith.games.dice.parts import FACES, FaceEffect
from oddsmith.games.dice.rolling import faces_after_roll, next_roll
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.scoring import score


def state_before_roll(
    build: Build, rules: Rules, boss: BossKind | None = None, fixed: FixedDie | None = None
) -> State:
    """Return the state in which all dice of a build are about to be rolled."""
    first = GAME.setup(rules.replace(most_dice=10), 1)
    return msgspec.structs.replace(first, build=build, boss=boss, fixed=fixed, stage=Stage.ROLL)


def rolls(state: State) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield the faces of all dice after the roll that is due, with their probability."""
    node = next_roll(state)
    for outcome, weight in node.outcomes():
        yield faces_after_roll(state, outcome), Fraction(weight, node.total)


def best_setting(state: State, faces: tuple[int, ...]) -> Score:
    """Return the best score over every setting of the wild dice; of equal ones the stronger hand."""
    held = state.fixed.place if state.fixed is not None else None
    wild = [
        place
        for place, die in enumerate(state.build.dice)
        if state.rules.kinds[die.kind].effect is FaceEffect.WILD and place != held
    ]
    silenced = state.boss is BossKind.SILENCER
    tried = []
    for setting in product(FACES, repeat=len(wild)):
        chosen = dict(zip(wild, setting, strict=True))
        final = tuple(chosen.get(place, face) for place, face in enumerate(faces))
        tried.append(score(state.build, final, state.rules, silenced=silenced))
    return max(tried, key=lambda whole: (whole.total, state.rules.hands[whole.hand].order))


def roll_odds_by_brute_force(state: State) -> tuple[dict[str, Fraction], dict[int, Fraction]]:
    """Return the probability of each hand and each score in one roll."""
    hands: Counter[str] = Counter()
    scores: Counter[int] = Counter()
    for faces, chance in rolls(state):
        best = best_setting(state, faces)
        hands[best.hand] += chance  # type: ignore[assignment]  # a counter of fractions
        scores[best.total] += chance  # type: ignore[assignment]  # a counter of fractions
    return dict(hands), dict(scores)  # type: ignore[arg-type]  # a counter of fractions


class Rerolls:
    """Values of rolls by trying every subset of the dice to keep."""

    def __init__(self, state: State, target: int | None) -> None:
        self.state = state
        self.target = target
        self.value = cache(self._value)

    def _compute_value(self, faces: tuple[int, ...]) -> Fraction:
        total = best_setting(self.state, faces).total
        return Fraction(total if self.target is None else int(total >= self.target))

    def value_of_keep(self, faces: tuple[int, ...], keep: tuple[int, ...], left: int) -> Fraction:
        """Return the value of keeping these places and rerolling the others."""
        if len(keep) == len(faces):
            return self._compute_value(faces)
        state = msgspec.structs.replace(self.state, faces=faces, locked=keep)
        return sum((chance * self.value(after, left - 1) for after, chance in rolls(state)), Fraction(0))

    def _value(self, faces: tuple[int, ...], left: int) -> Fraction:
        if not left:
            return self._compute_value(faces)
        places = range(len(faces))
        keeps = (keep for size in range(len(faces) + 1) for keep in combinations(places, size))
        return max(self.value_of_keep(faces, keep, left) for keep in keeps)

    def start_value(self, left: int) -> Fraction:
        """Return the value of the round before its first roll."""
        return sum((chance * self.value(faces, left) for faces, chance in rolls(self.state)), Fraction(0))
