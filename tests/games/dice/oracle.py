"""Odds by brute force: every roll through the rules of the game, every plan by plain recursion."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import msgspec

from oddsmith.game import Act
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import Action, Build, FixedDie, Lock, Reroll, Score, SetWild, Stage, State
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
    """Values of rolls by trying every way to set wild dice and every subset of the dice to keep, on the engine."""

    def __init__(self, state: State, target: int | None) -> None:
        self.state = state
        self.target = target
        self.value = cache(self._value)
        self._reroll_value = cache(self._compute_reroll_value)
        self._score_value = cache(self._compute_score_value)

    def _compute_score_value(self, faces: tuple[int, ...]) -> Fraction:
        total = best_setting(self.state, faces).total
        return Fraction(total if self.target is None else int(total >= self.target))

    def value_of_keep(
        self, faces: tuple[int, ...], keep: tuple[int, ...], left: int, set_first: tuple[SetWild, ...] = ()
    ) -> Fraction:
        """Return the value of setting these wild dice, keeping these places and rerolling the others."""
        if len(keep) == len(faces):
            return self._score_value(faces)
        options = dict.fromkeys(keep, "lock") | {one.place: str(one.face) for one in set_first}
        return self._plan_value(
            faces, (), tuple(options.get(place, "roll") for place in range(len(faces))), left
        )

    def _value(self, faces: tuple[int, ...], left: int, wilds_set: tuple[int, ...] = ()) -> Fraction:
        """Return the value of the best plan: score now, or any legal option for each die and a reroll."""
        values = [self._score_value(faces)]
        if left:
            fixed = None if self.state.fixed is None else self.state.fixed.place
            per_die = [self._options(place, wilds_set, fixed) for place in range(len(faces))]
            values += [self._plan_value(faces, wilds_set, options, left) for options in product(*per_die)]
        return max(values)

    def _options(self, place: int, wilds_set: tuple[int, ...], fixed: int | None) -> tuple[str, ...]:
        if place == fixed:
            return ("hold",)
        is_wild = self.state.rules.kinds[self.state.build.dice[place].kind].effect is FaceEffect.WILD
        settings = tuple(map(str, FACES)) if is_wild else ()
        return ("hold", *settings) if place in wilds_set else ("roll", "lock", *settings)

    def _plan_value(
        self, faces: tuple[int, ...], wilds_set: tuple[int, ...], options: tuple[str, ...], left: int
    ) -> Fraction:
        """Return the value of a reroll after every die was set, locked, or left as it is; 0 if no die would roll."""
        shown = tuple(
            int(option) if option.isdigit() else face for face, option in zip(faces, options, strict=True)
        )
        wilds = tuple(place for place, option in enumerate(options) if place in wilds_set or option.isdigit())
        locked = tuple(place for place, option in enumerate(options) if option == "lock")
        rolled = tuple(place for place, option in enumerate(options) if option == "roll")
        # The faces of dice that are rolled do not matter: they are 1, so that equal rerolls are computed once.
        kept = tuple(1 if place in rolled else face for place, face in enumerate(shown))
        return self._reroll_value(kept, wilds, locked, left) if rolled else Fraction(0)

    def _compute_reroll_value(
        self, faces: tuple[int, ...], wilds: tuple[int, ...], locked: tuple[int, ...], left: int
    ) -> Fraction:
        before = msgspec.structs.replace(self.state, faces=faces, stage=Stage.CHOOSE, rerolls=left)
        actions: list[Action] = [
            *(SetWild(place, faces[place]) for place in wilds),
            *map(Lock, locked),
            Reroll(),
        ]
        for action in actions:
            before = GAME.step(before, Act(0, action)).state
        return sum(
            (chance * self.value(after, left - 1, wilds) for after, chance in rolls(before)), Fraction(0)
        )

    def start_value(self, left: int) -> Fraction:
        """Return the value of the round before its first roll."""
        return sum((chance * self.value(faces, left) for faces, chance in rolls(self.state)), Fraction(0))
